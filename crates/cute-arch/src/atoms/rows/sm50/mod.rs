//! Maxwell.

pub(crate) mod copy;
