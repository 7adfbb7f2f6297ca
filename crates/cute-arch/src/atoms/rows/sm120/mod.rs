//! Blackwell of the desktop.

pub(crate) mod mma;
