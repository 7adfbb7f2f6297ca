//! Rows of Blackwell with K = 96.

pub(crate) mod mma;
