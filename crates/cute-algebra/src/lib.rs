//! CuTe's layout algebra: hierarchical shapes, strides and layouts, and every operation on them.
//!
//! The crate deals with integers, tuples and layouts only. It must not depend on MLIR, GPUs, memory
//! spaces or element types.
//!
//! A layout maps coordinates to offsets: `(4,8):(1,4)` sends `(i,j)` to `i*1 + j*4`. Each algorithm
//! is written once, generic over [`Int`], the arithmetic of one leaf. It is instantiated with three
//! kinds of leaf:
//!
//! | leaf | meaning | used by |
//! |---|---|---|
//! | `i64` | a known integer, checked | constant folding, calculators, tests |
//! | [`Dim`] | a known integer, or a dynamic one with width and divisor | verifiers, type inference |
//! | [`Paired`] | a [`Dim`] with the run-time value computed alongside | lowering |
//!
//! A divide, for instance, splits a layout into a tile and the layout of the tiles, for static and
//! for dynamic leaves:
//!
//! ```
//! use cute_algebra::{logical_divide, parse_layout, parse_tiler};
//! let tiled = |layout, tiler| logical_divide(&parse_layout(layout).unwrap(), &parse_tiler(tiler).unwrap());
//! assert_eq!(tiled("(8,6):(6,1)", "(4,3)")?.to_string(), "((4,2),(3,2)):((6,24),(1,3))");
//! assert_eq!(tiled("?:1", "4")?.to_string(), "(4,?):(1,4)");
//! # Ok::<(), cute_algebra::Error>(())
//! ```
//!
//! | where | what |
//! |---|---|
//! | [`int`], [`dim`], [`paired`] | leaf arithmetic |
//! | [`tuple`](mod@tuple), [`basis`], [`axis`], [`coord`], [`tile`], [`swizzle`] | the parts of layouts |
//! | [`layout`], [`composed`] | layouts, and layouts followed by a swizzle or another layout |
//! | [`ops`] | the operations, one family per file |
//! | [`linear`] | layouts of powers of two as maps of bits, with kernels and inverses |
//! | [`tiled`] | atoms laid over threads: tiled MMAs, tiled copies and their partitions |
//! | [`domain`] | the checks of the strict policy, which rejects inputs that CuTe accepts |
//! | [`text`] | reading and printing every string form |
#![forbid(unsafe_code)]

pub mod axis;
pub mod basis;
mod build;
pub mod composed;
pub mod coord;
pub mod dim;
pub mod domain;
pub mod error;
pub mod int;
pub mod layout;
pub mod linear;
pub mod ops;
pub mod paired;
mod span;
pub mod swizzle;
pub mod text;
pub mod tile;
pub mod tiled;
pub mod tuple;

pub use axis::Axis;
pub use basis::{Basis, Stride, check_codomain};
pub use composed::{AnyLayout, ComposedLayout, Inner, LayoutLike};
pub use coord::{Coord, Crd};
pub use dim::{Dim, Width, gcd};
pub use domain::{Domain, UnknownDomain};
pub use error::{BoxRule, Error, ModePath};
pub use int::{Assumption, Int};
pub use layout::{Layout, LayoutRef};
pub use linear::{Dimension, LinearLayout};
pub use ops::*;
pub use paired::{Paired, Payload};
pub use swizzle::Swizzle;
pub use text::{
    Descriptor, Entry, Fractions, ParseError, join_values, parse_composed, parse_coord, parse_descriptor,
    parse_int_tuple, parse_layout, parse_layout_or_composed, parse_shape, parse_stride, parse_swizzle,
    parse_tile, parse_tiler, split_values,
};
pub use tile::{Tile, Tiler};
pub use tiled::{
    BoxLimits, BoxMode, BoxOrder, BoxTiler, Boxes, CopyLayouts, CopySide, MmaLayouts, MmaOperand, ThrFrg,
    TiledCopy, TiledMma, tile_to_mma_shape,
};
pub use tuple::{Profile, Tuple, TupleRef};

/// The example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
