//! Shared parts of the tests: a payload that is the run-time value itself, random layouts, and
//! layouts by definition.
#![allow(dead_code, unused_imports, reason = "each test uses a part")]

pub mod generate;
pub mod oracle;
mod watched;

/// A run-time value in tests.
pub use std::num::Wrapping as Value;

pub use watched::{Watched, watching};
