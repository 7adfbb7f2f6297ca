//! The Rust half of the `cute`, `cute_nvgpu` and `cuda` dialects.
//!
//! `td/` says what exists, `dialect/` carries MLIR's classes, and this crate decides: it parses and prints types,
//! infers, verifies and folds ops. It knows MLIR and the algebra; it must not know how ops are lowered.
//!
//! | module | what it knows |
//! |---|---|
//! | [`scalars`], [`space`], `syntax` | MLIR's types of scalars; the memories; what bodies of types are made of |
//! | [`atom`], [`value`] | what types say, generic over the interpretation of integers |
//! | [`types`] | between MLIR's types and values, their text, and the run-time leaves behind them |
//! | [`call`], [`partition`] | an op with its operands; the three-phase verifier of copies and products |
//! | [`ops`] | what each op makes of its operands |
//! | [`parameters`] | what functions are passed for their parameters, leaf by leaf, and what types promise of it |
//! | [`answer`] | verification, inference and folding, built of `ops` |
//! | [`weakening`], [`strict`] | declared types, the domain policy |
//! | [`host`] | the `cuda` dialect: kernels and their launches |
//! | [`departures`] | notes on types that are right elsewhere |
//!
//! Modules depend on those above them in the table, and on no others.

#![deny(unsafe_code)]

pub mod answer;
pub mod atom;
pub mod call;
pub mod departures;
mod entry;
pub mod error;
pub mod host;
pub mod ops;
pub mod parameters;
pub mod partition;
pub mod placement;
pub mod scalars;
pub mod space;
pub mod strict;
mod syntax;
pub mod types;
pub mod value;
pub mod weakening;

pub use cute_ffi::lowered::OPERATION_ATTRIBUTE;
pub use entry::{MEANING, register_dialects};
pub use error::Error;

/// The attribute of a kernel, `gpu.func` or `llvm.func`, that says how many bytes of dynamic shared memory it needs. Who launches
/// it reads it; compiling changes nothing by it.
pub const DYNAMIC_SHARED_MEMORY: &str = "cute.dynamic_shared_memory";
