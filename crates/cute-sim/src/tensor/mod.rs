//! What the matrix instructions of a warp do, as functions of its registers. Knows no IR, no program and no memory.
//!
//! The registers of a warp are 32-bit words, lane by lane: register r of lane l is word `l * registers + r`. What does not
//! take 32 bits lies packed, lowest first, and an f64 is two words, low word first.
//!
//! | module | instructions |
//! |---|---|
//! | [`mma`] | `mma.sync` |
//! | [`matrix`] | `ldmatrix`, `stmatrix`, `movmatrix` |

mod fragment;
pub mod matrix;
pub mod mma;

pub use cute_arch::atoms::MatrixElement;
pub use matrix::{Matrices, MatrixMove, movmatrix};
pub use mma::Mma;

/// Threads of a warp.
pub const LANES: usize = 32;
