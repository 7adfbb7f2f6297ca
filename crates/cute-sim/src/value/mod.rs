//! Arithmetic on register slots. Knows nothing of programs, threads or memory.

pub(crate) mod float;
pub(crate) mod int;
