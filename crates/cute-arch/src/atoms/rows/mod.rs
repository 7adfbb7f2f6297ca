//! The rows, one folder per generation of GPUs. [`registry`](super::registry) lists them.

pub(super) mod common;
pub(crate) mod sm100;
pub(crate) mod sm103;
pub(crate) mod sm120;
pub(crate) mod sm50;
pub(crate) mod sm61;
pub(crate) mod sm70;
pub(crate) mod sm75;
pub(crate) mod sm80;
pub(crate) mod sm89;
pub(crate) mod sm90;
pub(crate) mod universal;
