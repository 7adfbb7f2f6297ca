//! Datacentre Blackwell, and the features of all Blackwell GPUs.

pub(crate) mod copy;
pub(crate) mod fma;
pub(crate) mod mma;
pub(crate) mod mma_sparse;
pub(crate) mod tma;
pub(crate) mod tmem;
