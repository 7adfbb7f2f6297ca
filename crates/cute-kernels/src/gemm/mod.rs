//! `D = alpha * A * B^T + beta * C`, for A (M,K) and B (N,K), K contiguous, and C and D (M,N), N
//! contiguous.
//!
//! ```text
//! gmem --cp.async, stages ahead--> smem --a k-block ahead--> registers --MMA--> accumulators --> gmem
//! ```
//!
//! [`sm80`] and [`simt`] choose atoms and tiles and describe them in a [`Plan`]; both share one
//! loop ([`pipeline`]). In `sm80_tma`, where the TMA loads tiles, warps are specialised and
//! synchronise by mbarriers.

mod accumulators;
mod activation;
mod cluster;
mod epilogue;
mod finish;
mod fragments;
mod options;
mod pipeline;
mod plan;
mod problem;
mod producer;
mod raster;
mod responses;
mod room;
mod scales;
mod shares;
pub mod simt;
pub mod sm100;
pub mod sm120;
pub mod sm80;
mod sm80_tma;
pub mod sm90;
mod store;
pub mod types;

use plan::{AccumulatorStore, Load, Plan};
