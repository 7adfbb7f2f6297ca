//! Blackwell of the datacentre, and what all of Blackwell has.

pub(crate) mod copy;
pub(crate) mod fma;
pub(crate) mod mma;
pub(crate) mod mma_sparse;
pub(crate) mod tma;
pub(crate) mod tmem;
