//! Hopper.

pub(crate) mod copy;
pub(crate) mod mma;
pub(crate) mod tma;
pub(crate) mod wgmma;
