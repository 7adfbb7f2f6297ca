//! Covering a shape with tiles or blocks that need not divide it. The number of tiles is rounded up
//! in every mode: tiles of `(4,8)` cover the shape `(10,16)` in 3 by 2.

use crate::{
    composed::LayoutLike,
    error::{Result, expect_rank},
    int::{Assumption, Int},
    layout::{Layout, make_layout},
    ops::{
        arithmetic::sizes_of_modes, complement::complement, composition::check_tiler_rank,
        make::make_ordered_layout, modes::append_to_rank, product::ranked_product, size::ceil_div,
    },
    tile::Tile,
    tuple::{Tuple, TupleRef},
};

/// The number of tiles that cover a shape: [`ceil_div`](crate::ceil_div) by a tile. For a layout,
/// it is the shape of its complement in `shape`, even if a divide by the layout is not possible.
///
/// ```
/// use cute_algebra::{parse_int_tuple, parse_tiler, tiles_in};
/// let tiles = |s, t| tiles_in(parse_int_tuple(s).unwrap().view(), &parse_tiler(t).unwrap().to_tile()).map(|t| t.to_string());
/// assert_eq!(tiles("(130,256,4)", "[128:1;64:1]")?, "(2,4,4)");
/// assert_eq!(tiles("(8,16)", "((4,8)):((1,4))")?, "4");
/// assert_eq!(tiles("(?,?)", "(4,8):(1,4)")?, "?");
/// assert_eq!(tiles("0", "8:1")?, "0");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn tiles_in<I: Int>(shape: TupleRef<'_, I>, tile: &Tile<I>) -> Result<Tuple<I>> {
    match tile {
        Tile::Layout(_) if shape.as_leaf().is_some_and(|extent| extent.is(0)) => Ok(shape.to_owned()),
        Tile::Layout(tiler) => Ok(complement(tiler, shape)?.shape().clone()),
        Tile::Int(extent) => ceil_div(shape, Tuple::leaf(extent.clone()).view()),
        Tile::Underscore => Ok(shape.to_owned()),
        Tile::Modes(tiles) if shape.is_leaf() => {
            expect_rank("the tiler", tiles.len(), None).map(|()| shape.to_owned())
        }
        Tile::Modes(tiles) => {
            check_tiler_rank(tiles.len(), shape.rank())?;
            let modes = shape.modes().enumerate().map(|(i, mode)| match tiles.get(i) {
                Some(tile) => tiles_in(mode, tile).map_err(|e| e.inside(i)),
                None => Ok(mode.to_owned()),
            });
            Ok(Tuple::from_modes(modes.collect::<Result<Vec<_>>>()?))
        }
    }
}

/// `tile_to_shape` for blocks that need not divide `target`: rounded up in every mode.
///
/// ```
/// use cute_algebra::{cover_shape, parse_layout, parse_shape};
/// let l = cover_shape(&parse_layout("(3,3):(1,3)")?, parse_shape("(5,8)")?.view(), None)?;
/// assert_eq!(l.to_string(), "((3,2),(3,3)):((1,9),(3,18))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The repetitions are always a tuple, so that a scalar block keeps them as a mode of their own.
pub fn cover_shape<L: LayoutLike>(
    block: &L,
    target: TupleRef<'_, L::Leaf>,
    order: Option<&Tuple<L::Leaf>>,
) -> Result<L> {
    block.map_outer(|block| {
        let (padded, repeats) = repetitions(block, target, order)?;
        ranked_product(&padded, &repeats, true)
    })
}

/// The block padded to the rank of the target, and the layout of its repetitions.
pub(crate) fn repetitions<I: Int>(
    block: &Layout<I>,
    target: TupleRef<'_, I>,
    order: Option<&Tuple<I>>,
) -> Result<(Layout<I>, Layout<I>)> {
    let (padded, own, wanted) = sizes(block, target)?;
    let repeats = ceil_div(wanted.view(), own.view())?;
    let repeats = if I::ASSUMES { covering(&repeats, &own, &wanted) } else { repeats };
    let repeats = match order {
        Some(order) if order.is_leaf() => make_ordered_layout(&repeats, &Tuple::from_modes([order.clone()]))?,
        Some(order) => make_ordered_layout(&repeats, order)?,
        None => make_layout(&repeats)?,
    };
    Ok((padded, repeats))
}

/// The block padded to the rank of the target, and the sizes of the modes of both, each as a tuple:
/// a scalar has one mode.
pub(crate) fn sizes<I: Int>(
    block: &Layout<I>,
    target: TupleRef<'_, I>,
) -> Result<(Layout<I>, Tuple<I>, Tuple<I>)> {
    let padded = append_to_rank(block, target.rank())?;
    let own = sizes_of_modes(padded.shape().view())?;
    Ok((padded, own, sizes_of_modes(target)?))
}

/// `counts`, with the assumption that this number of blocks of extents `own` covers exactly
/// `wanted`.
fn covering<I: Int>(counts: &Tuple<I>, own: &Tuple<I>, wanted: &Tuple<I>) -> Tuple<I> {
    let Some(modes) = counts.zip(own).and_then(|pairs| pairs.zip(wanted)) else { return counts.clone() };
    modes.map(|((count, own), wanted)| match count.mul(own) {
        Ok(covered) => count.clone().assuming(Assumption::Covers, &covered, wanted),
        Err(_) => count.clone(),
    })
}
