//! The matrix instructions of a warp or warpgroup, as functions of registers and bytes. They do not
//! depend on IR or programs.
//!
//! The registers of a warp are 32-bit words, lane by lane: register r of lane l is word
//! `l * registers + r`. Values narrower than 32 bits are packed, lowest first, and an f64 is two
//! words, low word first.
//!
//! | module | instructions |
//! |---|---|
//! | [`scales`] | the scale factors of `tcgen05.mma` |
//! | [`sums`] | the sums of tensor cores, device by device |
//! | [`tmem`] | `tcgen05.ld`, `tcgen05.st`: the words of tensor memory for each register |
//!
//! Those of a warp alone are in [`matrix`](crate::matrix). [`tile`] and [`accumulators`] contain
//! the common part of `wgmma` and `tcgen05.mma`, whose models are in the folders of their families.

pub mod accumulators;
pub(crate) mod fragment;
pub mod scales;
pub mod sums;
pub mod tile;
pub(crate) mod tiles;
pub mod tmem;

pub use cute_arch::atoms::MatrixElement;
pub use fragment::Places;
pub use sums::{Evidence, Sums};
pub use tmem::TmemMove;

/// Threads of a warp.
pub const LANES: usize = cute_arch::WARP as usize;
