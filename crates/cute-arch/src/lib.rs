//! NVIDIA hardware as data. This crate must not depend on MLIR or LLVM, or contain anything about
//! compilation.
//!
//! | module | subject |
//! |---|---|
//! | [`target`] | the GPUs to compile for: their names and limits |
//! | [`launch`] | the limits of a launch |
//! | [`mbarrier`] | the bits of an mbarrier in shared memory |
//! | [`feature`] | the instructions that each target has |
//! | [`element`] | the number formats of matrix elements |
//! | [`banks`] | the banks of shared memory: passes of an access, and layouts without conflicts |
//! | [`sectors`] | the sectors of global memory that an access touches |
//! | [`space`] | the address spaces of pointers |
//! | [`smem`] | tiles in shared memory, and their descriptors |
//! | [`tensor_map`] | the descriptors by which the TMA copies tiles |
//! | [`tmem`] | matrices in tensor memory |
//! | [`block_scaled`] | the scale factors of block-scaled MMAs in global, shared and tensor memory |
//! | [`atoms`] | the instructions that multiply matrices or copy: shapes, types, thread-value layouts |

#![forbid(unsafe_code)]

pub mod atoms;
pub mod banks;
pub mod block_scaled;
pub mod element;
pub mod feature;
pub mod launch;
pub mod mbarrier;
pub mod sectors;
pub mod smem;
pub mod space;
pub mod target;
pub mod tensor_map;
pub mod tmem;

pub use element::{Element, FloatFormat, Special};
pub use feature::{Availability, Feature};
pub use target::{Portability, Target, UnknownTarget, WARP, volume};
