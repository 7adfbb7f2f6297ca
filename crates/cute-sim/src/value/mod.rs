//! Arithmetic on register slots. Knows nothing of programs, threads or memory.

pub mod accuracy;
pub(crate) mod convert;
pub(crate) mod float;
pub mod format;
pub(crate) mod int;
pub(crate) mod rounded;
