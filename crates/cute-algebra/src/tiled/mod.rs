//! Atoms laid over threads: tiled MMAs and tiled copies, and the partitions that they give each thread.
//!
//! Knows layouts only: an atom is what it says of threads and values. Must not know which instruction it stands for.
//!
//! | file | what |
//! |---|---|
//! | `atom` | what an atom says: [`MmaLayouts`], [`CopyLayouts`] |
//! | `mma` | [`TiledMma`]: thrfrg, partitions and thread-value layouts of A, B and C |
//! | `mma_shape` | [`tile_to_mma_shape`]: blocks in the shape in which an MMA takes a tile |
//! | `copy` | [`TiledCopy`]: tidfrg, partitions and thread-value layouts of source and destination, retile |
//! | `make_copy` | the ways to make a tiled copy |
//! | `boxes/` | [`Boxes`], [`BoxTiler`]: what an engine moves at once between a tensor and a tile in memory |
//! | `fill` | [`Fill`]: what a copy brings to a fragment of an MMA, and what the MMA takes there |

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

/// A static layout in another interpretation.
fn lift<I: Int>(layout: &Layout<i64>) -> Layout<I> {
    layout.map(|n| I::from_i64(*n))
}

/// A static tile in another interpretation.
fn lift_tile<I: Int>(tile: &Tile<i64>) -> Tile<I> {
    tile.map(&mut |n| I::from_i64(*n))
}

/// The extents of a tile; of a layout its shape, and none of `_`.
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

/// How many elements a tile has.
pub fn tile_size(tile: &Tile<i64>) -> Result<i64> {
    let shape = tile_shape(tile)?;
    if let Some((n, extent)) = shape.leaves().iter().enumerate().find(|(_, extent)| **extent < 1) {
        return Err(Error::ExtentNotPositive { path: shape.view().leaf_path(n), extent: *extent });
    }
    product(shape.view())
}

/// `(_,_,...)`, for all modes of a tuple.
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

/// That a thread-value layout has two modes, the first for `threads` threads.
fn check_thread_value(what: &'static str, layout: &Layout<i64>, threads: i64) -> Result<()> {
    let why = |why: String| Err(Error::Unsupported { what, why });
    if layout.is_leaf() || layout.rank() != 2 {
        return why(format!("{layout} has not the two modes (thread, value)"));
    }
    let found = size(&layout.mode(0)?)?;
    if found != threads {
        return why(format!("mode 0 of {layout} counts {found} threads, the atom has {threads}"));
    }
    Ok(())
}
