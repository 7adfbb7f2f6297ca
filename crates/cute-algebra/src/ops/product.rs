//! Products: repeating a layout. A product keeps the block as its first mode and adds a mode for
//! the repetitions, which the tiler arranges and which fill the gaps of the block first:
//! `(2,2):(1,2)` times `3:1` is `((2,2),3):((1,2),4)`. The variants differ in how they group blocks
//! and repetitions.

use crate::{
    composed::LayoutLike,
    error::{Error, Result},
    int::Int,
    layout::{Layout, LayoutRef, make_layout},
    ops::{
        complement::complement,
        composition::compose,
        divide::{by_mode, unpack_both, unpack_rest, zip_by},
        modes::append_to_rank,
        size::{cosize, size},
    },
    tile::{Tile, Tiler},
    tuple::Tuple,
};

/// `(block, complement(block, size(block) * cosize(tiler)) o tiler)`: mode 0 is the block, mode 1
/// its repetitions.
///
/// A shape or tile goes mode by mode.
///
/// ```
/// use cute_algebra::{logical_product, parse_layout, parse_tiler};
/// let p = |a, t| logical_product(&parse_layout(a).unwrap(), &parse_tiler(t).unwrap()).map(|p| p.to_string());
/// assert_eq!(p("128:1", "4:32")?, "(128,4):(1,4096)");
/// assert_eq!(p("(2,2):(4,1)", "6:1")?, "((2,2),(2,3)):((4,1),(2,8))");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn logical_product<L: LayoutLike>(block: &L, tiler: &Tiler<L::Leaf>) -> Result<L> {
    let tile = tiler.to_tile();
    block.map_outer(|outer| product_tile(outer.view(), &tile))
}

fn product_tile<I: Int>(block: LayoutRef<'_, I>, tile: &Tile<I>) -> Result<Layout<I>> {
    match tile {
        Tile::Layout(tiler) => product_of(block, tiler),
        Tile::Int(extent) => product_of(block, &make_layout(&Tuple::leaf(extent.clone()))?),
        Tile::Underscore => Ok(block.to_owned()),
        Tile::Modes(tiles) => by_mode(block, tiles, product_tile),
    }
}

fn product_of<I: Int>(block: LayoutRef<'_, I>, tiler: &Layout<I>) -> Result<Layout<I>> {
    let block = block.to_owned();
    let cotarget = Tuple::leaf(size(&block)?.mul(&cosize(tiler)?)?);
    let repeated = compose(complement(&block, cotarget.view())?.view(), tiler.view())?;
    Ok(Layout::from_modes([block, repeated]))
}

/// [`logical_product`] with all blocks gathered in mode 0 and all repetitions in mode 1.
pub fn zipped_product<L: LayoutLike>(block: &L, tiler: &Tiler<L::Leaf>) -> Result<L> {
    let tile = tiler.to_tile();
    block.map_outer(|outer| zip_by(product_tile(outer.view(), &tile)?.view(), &tile))
}

/// [`zipped_product`] with the repetitions as modes of their own.
///
/// ```
/// use cute_algebra::{parse_layout, parse_tiler, tiled_product};
/// let p = tiled_product(&parse_layout("(2,5):(5,1)")?, &parse_tiler("(3,4):(1,3)")?)?;
/// assert_eq!(p.to_string(), "((2,5),3,4):((5,1),10,30)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tiled_product<L: LayoutLike>(block: &L, tiler: &Tiler<L::Leaf>) -> Result<L> {
    zipped_product(block, tiler)?.map_outer(unpack_rest)
}

/// [`zipped_product`] with blocks and repetitions as modes of their own.
pub fn flat_product<L: LayoutLike>(block: &L, tiler: &Tiler<L::Leaf>) -> Result<L> {
    zipped_product(block, tiler)?.map_outer(unpack_both)
}

/// Every element of `tiler` replaced by a block: mode `i` is `(block_i, tiler_i)`. At rank 1, the
/// block must not be a tuple where the tiler is an integer.
///
/// ```
/// use cute_algebra::{blocked_product, parse_layout};
/// let p = blocked_product(&parse_layout("(2,5):(5,1)")?, &parse_layout("(3,4):(1,3)")?)?;
/// assert_eq!(p.to_string(), "((2,3),(5,4)):((5,10),(1,30))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn blocked_product<L: LayoutLike>(block: &L, tiler: &Layout<L::Leaf>) -> Result<L> {
    block.map_outer(|outer| {
        check_pairs(outer, tiler, true)?;
        ranked_product(outer, tiler, true)
    })
}

/// Blocks interleaved over `tiler`: mode `i` is `(tiler_i, block_i)`. At rank 1, the tiler must
/// not be a tuple where the block is an integer.
///
/// ```
/// use cute_algebra::{parse_layout, raked_product};
/// let p = raked_product(&parse_layout("(2,5):(5,1)")?, &parse_layout("(3,4):(1,3)")?)?;
/// assert_eq!(p.to_string(), "((3,2),(4,5)):((10,5),(30,1))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn raked_product<L: LayoutLike>(block: &L, tiler: &Layout<L::Leaf>) -> Result<L> {
    block.map_outer(|outer| {
        check_pairs(outer, tiler, false)?;
        ranked_product(outer, tiler, false)
    })
}

/// Fails for an integer and a tuple of one mode, whose modes cannot be paired.
fn check_pairs<I: Int>(block: &Layout<I>, tiler: &Layout<I>, block_first: bool) -> Result<()> {
    let (first, second) = if block_first { (block, tiler) } else { (tiler, block) };
    if first.rank() != 1 || second.rank() != 1 || first.is_leaf() || !second.is_leaf() {
        return Ok(());
    }
    let (tuple, scalar) = if block_first { ("block", "tiler") } else { ("tiler", "block") };
    let why = format!(
        "block {block} and tiler {tiler}: the {tuple} is a tuple of one mode, but the {scalar} is not a tuple"
    );
    Err(Error::Unsupported { what: "product by mode", why })
}

pub(crate) fn ranked_product<I: Int>(
    block: &Layout<I>,
    tiler: &Layout<I>,
    block_first: bool,
) -> Result<Layout<I>> {
    let rank = block.rank().max(tiler.rank());
    let (block, tiler) = (append_to_rank(block, rank)?, append_to_rank(tiler, rank)?);
    let product = product_of(block.view(), &tiler)?;
    let (blocks, tilers) = (product.mode(0)?, product.mode(1)?);
    // A tiler of one leaf may have become several modes.
    if blocks.is_leaf() || tilers.is_leaf() || tiler.is_leaf() {
        let pair = if block_first { [blocks, tilers] } else { [tilers, blocks] };
        return Ok(Layout::from_modes([Layout::from_modes(pair)]));
    }
    let pairs = blocks.modes().zip(tilers.modes()).map(|(b, t)| {
        let (b, t) = (b.to_owned(), t.to_owned());
        Layout::from_modes(if block_first { [b, t] } else { [t, b] })
    });
    Ok(Layout::from_modes(pairs))
}
