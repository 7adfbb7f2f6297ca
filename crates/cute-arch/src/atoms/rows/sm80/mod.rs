//! Ampere.

pub(crate) mod copy;
pub(crate) mod mma;
pub(crate) mod mma_sparse;
