//! Pascal.

pub(crate) mod mma;
