//! The matrix instructions of a warp or warpgroup, as functions of registers and bytes. They do not
//! depend on IR or programs.
//!
//! The registers of a warp are 32-bit words, lane by lane: register r of lane l is word
//! `l * registers + r`. Values narrower than 32 bits are packed, lowest first, and an f64 is two
//! words, low word first.
//!
//! | module | instructions |
//! |---|---|
//! | [`wgmma`] | `wgmma.mma_async`, of the four warps of a warpgroup |
//! | [`tcgen05`] | `tcgen05.mma`, of one or two blocks |
//! | [`scales`] | the scale factors of `tcgen05.mma` |
//! | [`sums`] | the sums of tensor cores, device by device |
//! | [`tmem`] | `tcgen05.ld`, `tcgen05.st`: the words of tensor memory for each register |
//!
//! Those of a warp alone are in [`matrix`](crate::matrix). [`tile`] and [`accumulators`] contain the common part of `wgmma` and `tcgen05.mma`.

pub mod accumulators;
pub(crate) mod fragment;
pub mod scales;
pub mod sums;
pub mod tcgen05;
pub mod tile;
pub mod tmem;
pub mod wgmma;

pub use cute_arch::atoms::MatrixElement;
pub use fragment::Places;
pub use sums::{Evidence, Sums};
pub use tcgen05::Tcgen05Mma;
pub use tmem::TmemMove;
pub use wgmma::Wgmma;

/// Threads of a warp.
pub const LANES: usize = cute_arch::WARP as usize;
