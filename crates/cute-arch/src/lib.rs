//! NVIDIA hardware as data. It must not know MLIR, LLVM or how anything is compiled.
//!
//! | module | what it knows |
//! |---|---|
//! | [`target`] | the GPUs to compile for: their names, limits and instructions |

#![forbid(unsafe_code)]

pub mod target;

pub use target::{Target, UnknownTarget};
