//! Turing.

pub(crate) mod copy;
pub(crate) mod mma;
