//! Where the elements of tensors lie along the axes of a GPU. This crate must not depend on MLIR or
//! LLVM.
//!
//! | module | subject |
//! |---|---|
//! | [`placement`] | placements, on axes whose meaning is passed as an argument |
//! | [`axes`] | the axes of GPUs: the coordinates of threads and storage, and their relations |
//! | [`bridge`] | CuTe's layouts as placements along these axes, and back |
//! | [`constructors`] | the placements that instructions need |
//! | [`convert`] | the exchange between threads when a tile of registers changes its placement |
#![forbid(unsafe_code)]

pub mod axes;
pub mod bridge;
pub mod constructors;
pub mod convert;
pub mod placement;

pub use placement::{Axes, Placement, PlacementError, PlacementParseError, Point};

/// The manual on placements: its code is a test.
#[cfg(doctest)]
#[doc = include_str!("../docs/placements.md")]
struct Manual;

/// The doctests of the page about bridges.
#[cfg(doctest)]
#[doc = include_str!("../docs/bridges.md")]
struct Bridges;
