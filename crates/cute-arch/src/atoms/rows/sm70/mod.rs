//! Volta.

pub(crate) mod mma;
