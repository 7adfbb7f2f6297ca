//! NVIDIA hardware as data. It must not know MLIR, LLVM or how anything is compiled.
//!
//! | module | what it knows |
//! |---|---|
//! | [`target`] | the GPUs to compile for: their names and limits |
//! | [`feature`] | which target has which instructions |
//! | [`element`] | the number formats of matrix elements |
//! | [`axes`] | the coordinates of threads and storage, and how they relate |
//! | [`bridge`] | CuTe's layouts as placements along these, and back |
//! | [`placements`] | the placements that instructions want |
//! | [`banks`] | the banks of shared memory: passes of an access, and layouts without conflicts |
//! | [`convert`] | what threads exchange when a tile of registers changes its placement |
//! | [`smem`] | how tiles lie in shared memory for them |
//! | [`tensor_map`] | the descriptors by which the TMA copies them |
//! | [`tmem`] | how they lie in tensor memory |
//! | [`atoms`] | the instructions that multiply matrices: shapes, types, thread-value layouts |

#![forbid(unsafe_code)]

pub mod atoms;
pub mod axes;
pub mod banks;
pub mod bridge;
pub mod convert;
pub mod element;
pub mod feature;
pub mod placements;
pub mod smem;
pub mod target;
pub mod tensor_map;
pub mod tmem;

pub use element::{Element, FloatFormat, Special};
pub use feature::{Availability, Feature};
pub use target::{Portability, Target, UnknownTarget};

/// The manual on placements: its code is a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/placements.md")]
struct Placements;

/// The same on bridges.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/bridges.md")]
struct Bridges;
