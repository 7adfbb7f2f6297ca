//! From the text of a module to each product of the compiler: cute IR or a module of CuTe DSL in;
//! PTX, a cubin, a manifest, or a host program out. `cutec` and the C library are both made of this
//! crate.
//!
//! A [`Session`] has what all steps share: the listener that receives diagnostics, whether MLIR
//! may start threads, a cache, and the producer of the modules. It has no other state, so that two
//! threads may use one session at the same time.
//!
//! This crate must not depend on the command line or on printing: a text comes in as a [`Source`],
//! and everything that is said goes to the listener.
//!
//! | module | subject |
//! |---|---|
//! | [`source`] | the text to compile |
//! | `nesting` | how deep a text nests |
//! | `prior` | notes on a use whose type is not the value's |
//! | [`report`] | diagnostics and other messages |
//! | [`import`] | contexts, and modules of CuTe DSL |
//! | [`request`] | the requested outputs, and results |
//! | [`compile`] | the steps from a module to its products |
//! | [`cache`] | results of compilations that are kept |
//! | [`store`] | results in a folder |
//! | [`host`] | functions that launch kernels |
//! | `unused` | parameters that nothing uses |

#![forbid(unsafe_code)]

pub mod cache;
pub mod compile;
mod error;
pub mod host;
pub mod import;
mod nesting;
mod prior;
pub mod report;
pub mod request;
pub mod source;
pub mod store;
mod unused;

pub use cache::Cache;
pub use compile::{Lowered, Parsed};
pub use cute_import::{ProducerProfile, profile::UnknownProfile};
pub use cute_launch::Host;
pub use error::{Error, Result};
pub use report::{Listener, Report, ReportSeverity};
pub use request::{Emit, Product, Request};
pub use source::Source;
pub use store::Store;

/// The things that the steps of compilations share.
#[derive(Debug, Clone)]
pub struct Session {
    listener: Listener,
    threads: bool,
    cache: Option<Cache>,
    profile: ProducerProfile,
}

impl Session {
    /// A session whose diagnostics and messages go to `listener`.
    pub fn new(listener: Listener) -> Self {
        Self { listener, threads: true, cache: None, profile: ProducerProfile::Auto }
    }

    /// The same without threads of MLIR's: each call works, and reports, in its caller's thread
    /// only.
    pub fn in_one_thread(self) -> Self {
        Self { threads: false, ..self }
    }

    /// The same with a cache, if there is one.
    pub fn with_cache(self, cache: Option<Cache>) -> Self {
        Self { cache, ..self }
    }

    /// The same for modules of one producer.
    pub fn with_profile(self, profile: ProducerProfile) -> Self {
        Self { profile, ..self }
    }

    /// Where its diagnostics and messages go.
    pub fn listener(&self) -> &Listener {
        &self.listener
    }
}
