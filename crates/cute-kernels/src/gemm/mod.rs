//! `D = alpha * A * B^T + beta * C`, for A (M,K) and B (N,K), K contiguous, and C and D (M,N), N contiguous.
//!
//! ```text
//! gmem --cp.async, stages ahead--> smem --a k-block ahead--> registers --MMA--> sums --> gmem
//! ```
//!
//! [`sm80`] and [`simt`] choose atoms and tiles and say so in a [`Plan`]; the loop ([`pipeline`]) is one. Where the TMA brings tiles,
//! warps have roles and barriers between them: `sm80_tma`.

mod cluster;
mod epilogue;
mod finish;
mod pipeline;
mod plan;
mod problem;
mod raster;
pub mod simt;
pub mod sm100;
pub mod sm80;
mod sm80_tma;
pub mod sm90;
mod store;
mod sums;
pub mod types;

use plan::{Load, Plan, Sums};
