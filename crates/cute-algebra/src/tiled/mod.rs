//! Atoms laid over threads: tiled MMAs and tiled copies, and the partitions that they give each
//! thread.
//!
//! An atom is described by its layouts of threads and values. A tiled MMA or copy repeats the atom
//! over more threads and more values until it covers a tile. From this follows the partition of any
//! tensor for each thread, which is again a layout. This module must not depend on the instructions
//! behind atoms.
//!
//! The atom of this example is one thread that multiplies one element of A by one of B. Four by two
//! such threads cover 4 by 2 elements of C at once, so that each thread has two by four elements of
//! an 8 by 8 tile:
//!
//! ```
//! use cute_algebra::{MmaLayouts, MmaOperand, TiledMma, parse_layout};
//! let layout = |text| parse_layout(text).unwrap().to_const().unwrap();
//! let [a, b, c] = [(); 3].map(|()| layout("(1,1):(0,0)"));
//! let fma = MmaLayouts { shape: [1, 1, 1], thr_id: layout("1:0"), a, b, c };
//! let mma = TiledMma::new(fma, &layout("(4,2,1):(1,4,0)"), &[])?;
//! assert_eq!((mma.threads(), mma.tile_mnk()), (8, [4, 2, 1]));
//! let (part, offset) = mma.partition(MmaOperand::C, &layout("(8,8):(8,1)"), &5)?;
//! assert_eq!((part.to_string(), offset.to_string()), ("(1,2,4):(0,32,2)".into(), "9".into()));
//! # Ok::<(), cute_algebra::Error>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `atom` | the layouts of an atom: [`MmaLayouts`], [`CopyLayouts`] |
//! | `mma` | [`TiledMma`]: thrfrg, partitions and thread-value layouts of A, B and C |
//! | `mma_shape` | [`tile_to_mma_shape`]: blocks in the shape that an MMA expects for a tile |
//! | `copy` | [`TiledCopy`]: tidfrg, partitions and thread-value layouts of source and destination, retile |
//! | `make_copy` | the constructors of tiled copies |
//! | `boxes/` | [`Boxes`], [`BoxTiler`]: the boxes that a copy engine moves between a tensor and a tile in memory |
//! | `fill` | [`Fill`]: compares the values that a copy delivers to a fragment with those that the MMA expects |

mod atom;
mod boxes;
mod copy;
mod fill;
mod make_copy;
mod mma;
mod mma_shape;

pub use atom::{CopyLayouts, CopySide, MmaLayouts, MmaOperand};
pub use boxes::{BoxLimits, BoxMode, BoxOrder, BoxTiler, Boxes};
pub use copy::TiledCopy;
pub use fill::{Difference, Fill};
pub use mma::{ThrFrg, TiledMma};
pub use mma_shape::tile_to_mma_shape;

use crate::{
    coord::{Coord, Crd},
    error::{Error, ModePath, Result},
    int::Int,
    layout::Layout,
    ops::{product, size},
    tile::Tile,
    tuple::Tuple,
};

/// A static layout with another type of leaf.
fn lift<I: Int>(layout: &Layout<i64>) -> Layout<I> {
    layout.map(|n| I::from_i64(*n))
}

/// A static tile with another type of leaf.
fn lift_tile<I: Int>(tile: &Tile<i64>) -> Tile<I> {
    tile.map(&mut |n| I::from_i64(*n))
}

/// The extents of a tile. A layout has those of its shape; `_` is an error.
fn tile_shape(tile: &Tile<i64>) -> Result<Tuple<i64>> {
    match tile {
        Tile::Layout(layout) => Ok(layout.shape().clone()),
        Tile::Int(extent) => Ok(Tuple::leaf(*extent)),
        Tile::Underscore => Err(Error::Underscore { what: "the tile", path: ModePath::root() }),
        Tile::Modes(modes) => {
            let shape = |(i, mode)| tile_shape(mode).map_err(|e| e.inside(i));
            Ok(Tuple::from_modes(modes.iter().enumerate().map(shape).collect::<Result<Vec<_>>>()?))
        }
    }
}

/// The number of elements of a tile.
pub fn tile_size(tile: &Tile<i64>) -> Result<i64> {
    let shape = tile_shape(tile)?;
    if let Some((n, extent)) = shape.leaves().iter().enumerate().find(|(_, extent)| **extent < 1) {
        return Err(Error::ExtentNotPositive { path: shape.view().leaf_path(n), extent: *extent });
    }
    product(shape.view())
}

/// `(_,_,...)`, with one `_` per mode of a tuple.
fn open<I: Int>(rank: usize) -> Coord<I> {
    Tuple::from_leaves(std::iter::repeat_with(|| Crd::Underscore).take(rank))
}

fn whole<I: Int>() -> Coord<I> {
    Tuple::leaf(Crd::Underscore)
}

fn at_least(what: &'static str, found: usize, expected: usize) -> Result<()> {
    if found >= expected {
        return Ok(());
    }
    Err(Error::Rank { what, path: ModePath::root(), found, rule: "at least", expected })
}

/// Checks that a thread-value layout has two modes, the first for `threads` threads.
fn check_thread_value(what: &'static str, layout: &Layout<i64>, threads: i64) -> Result<()> {
    let why = |why: String| Err(Error::Unsupported { what, why });
    if layout.is_leaf() || layout.rank() != 2 {
        return why(format!("{layout} must have exactly two modes (thread, value)"));
    }
    let found = size(&layout.mode(0)?)?;
    if found != threads {
        return why(format!("mode 0 of {layout} counts {found} threads, but the atom has {threads}"));
    }
    Ok(())
}
