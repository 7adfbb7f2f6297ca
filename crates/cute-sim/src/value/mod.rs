//! Arithmetic on register slots. It does not depend on programs, threads or memory.

pub mod accuracy;
pub(crate) mod convert;
pub(crate) mod float;
pub mod format;
pub(crate) mod int;
pub(crate) mod rounded;
