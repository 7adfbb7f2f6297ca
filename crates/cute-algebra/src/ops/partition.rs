//! Partitioning: one tile of a layout, or one element of every tile. `local_tile` picks the tile at
//! a coordinate, for instance the part of a matrix that a CTA works on. `local_partition` picks the
//! elements of one thread when a layout of threads is repeated over a tile.

use crate::{
    coord::{Coord, Crd},
    error::{Error, ModePath, Result},
    int::Int,
    layout::Layout,
    ops::{
        coords::get_flat_coord,
        divide::zipped_divide,
        fit::product_each,
        slice::{Sliceable, dice, dice_tile, dice_tuple},
    },
    tile::Tiler,
    tuple::Tuple,
};

/// The tile of `layout` at `coord`, and where it starts: `zipped_divide(layout, tiler)` sliced by
/// `(_, coord)`, with the modes of the tile unpacked.
///
/// `_` in the coordinate keeps a mode of tiles, as do modes past its rank.
///
/// ```
/// use cute_algebra::{local_tile, parse_coord, parse_layout, parse_tiler};
/// let (tile, offset) = local_tile(&parse_layout("(128,64):(1,128)")?, &parse_tiler("(32,16)")?, &parse_coord("(1,_)")?)?;
/// assert_eq!((tile.to_string(), offset.to_string()), ("(32,16,4):(1,128,2048)".into(), "32".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn local_tile<L: Sliceable>(
    layout: &L,
    tiler: &Tiler<L::Leaf>,
    coord: &Coord<L::Leaf>,
) -> Result<(L::Slice, Tuple<L::Leaf>)> {
    let (zipped, tile_rank, rest_rank) = tiles(layout, tiler)?;
    let rest = if coord.is_leaf() { coord.clone() } else { pad_coord(coord, rest_rank)? };
    zipped.slice_and_offset(&Tuple::from_modes([underscores(tile_rank), rest]))
}

/// [`local_tile`] with the elements of tiler and coordinate dropped where `projection` is `_`.
/// Modes of the coordinate past the projection stay, for modes of the layout past the tiler.
///
/// ```
/// use cute_algebra::{local_tile_projected, parse_coord, parse_layout, parse_tiler};
/// let (tile, offset) = local_tile_projected(
///     &parse_layout("(128,64):(1,128)")?,
///     &parse_tiler("(32,48,16)")?,
///     &parse_coord("(1,7,_)")?,
///     &parse_coord("(1,_,1)")?,
/// )?;
/// assert_eq!((tile.to_string(), offset.to_string()), ("(32,16,4):(1,128,2048)".into(), "32".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn local_tile_projected<L: Sliceable>(
    layout: &L,
    tiler: &Tiler<L::Leaf>,
    coord: &Coord<L::Leaf>,
    projection: &Coord<L::Leaf>,
) -> Result<(L::Slice, Tuple<L::Leaf>)> {
    let tile = dice_tile(projection, &tiler.to_tile())?;
    local_tile(layout, &Tiler::Tile(tile), &dice_coord(projection, coord)?)
}

/// The elements of a coordinate that `projection` keeps, and all elements past the projection.
pub(crate) fn dice_coord<I: Int>(projection: &Coord<I>, coord: &Coord<I>) -> Result<Coord<I>> {
    let rank = projection.rank();
    if projection.is_leaf() || coord.is_leaf() || coord.rank() <= rank {
        return dice_tuple(projection, coord);
    }
    let own = Tuple::from_modes(coord.modes().take(rank).map(|m| m.to_owned()));
    let kept = dice_tuple(projection, &own)?;
    let modes = kept.modes().chain(coord.modes().skip(rank));
    Ok(Tuple::from_modes(modes.map(|m| m.to_owned())))
}

/// One element of every tile: `zipped_divide(layout, tiler)` sliced by `(coord, _)`, with the modes
/// of the rest unpacked.
///
/// The coordinate picks the element within the tile.
///
/// ```
/// use cute_algebra::{outer_partition, parse_coord, parse_layout, parse_tiler};
/// let (rest, offset) = outer_partition(&parse_layout("(8,8):(1,8)")?, &parse_tiler("(2,4)")?, &parse_coord("(1,3)")?)?;
/// assert_eq!((rest.to_string(), offset.to_string()), ("(4,2):(2,32)".into(), "25".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn outer_partition<L: Sliceable>(
    layout: &L,
    tiler: &Tiler<L::Leaf>,
    coord: &Coord<L::Leaf>,
) -> Result<(L::Slice, Tuple<L::Leaf>)> {
    let (zipped, tile_rank, rest_rank) = tiles(layout, tiler)?;
    let tile = if coord.is_leaf() { coord.clone() } else { pad_coord(coord, tile_rank)? };
    zipped.slice_and_offset(&Tuple::from_modes([tile, underscores(rest_rank)]))
}

/// The elements of `layout` that belong to `index` when the layout `tile` of indices is repeated
/// over it: the [`outer_partition`] by the shape of `tile` at the coordinate of `index` in it.
///
/// ```
/// use cute_algebra::{Dim, local_partition, parse_layout};
/// let (part, offset) = local_partition(&parse_layout("(6,8):(1,6)")?, &parse_layout("(3,2):(2,1)")?, &Dim::fixed(5))?;
/// assert_eq!((part.to_string(), offset.to_string()), ("(2,4):(3,12)".into(), "8".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn local_partition<L: Sliceable>(
    layout: &L,
    tile: &Layout<L::Leaf>,
    index: &L::Leaf,
) -> Result<(L::Slice, Tuple<L::Leaf>)> {
    let shape = product_each(tile.shape().view())?;
    outer_partition(layout, &Tiler::Shape(shape), &get_flat_coord(tile, index)?.to_coord())
}

/// [`local_partition`] without the modes of `tile` where `projection` is `_`.
pub fn local_partition_projected<L: Sliceable>(
    layout: &L,
    tile: &Layout<L::Leaf>,
    index: &L::Leaf,
    projection: &Coord<L::Leaf>,
) -> Result<(L::Slice, Tuple<L::Leaf>)> {
    local_partition(layout, &dice(projection, tile)?, index)
}

/// The zipped divide, and the ranks of its two modes: tile and rest.
fn tiles<L: Sliceable>(layout: &L, tiler: &Tiler<L::Leaf>) -> Result<(L, usize, usize)> {
    let zipped = zipped_divide(layout, tiler)?;
    let rank = |i| zipped.outer().shape().mode(i).map_or(0, |m| m.rank());
    let (tile_rank, rest_rank) = (rank(0), rank(1));
    Ok((zipped, tile_rank, rest_rank))
}

/// `(_,...,_)`; a single `_` for rank 1, which keeps a mode whole.
fn underscores<I: Int>(rank: usize) -> Coord<I> {
    if rank == 1 {
        return Tuple::leaf(Crd::Underscore);
    }
    Tuple::from_leaves(std::iter::repeat_with(|| Crd::Underscore).take(rank))
}

fn pad_coord<I: Int>(coord: &Coord<I>, expected: usize) -> Result<Coord<I>> {
    let found = coord.rank();
    if found > expected {
        return Err(Error::Rank {
            what: "the tile coordinate",
            path: ModePath::root(),
            found,
            rule: "at most",
            expected,
        });
    }
    let pads = std::iter::repeat_with(|| Tuple::leaf(Crd::Underscore)).take(expected - found);
    Ok(Tuple::from_modes(coord.modes().map(|m| m.to_owned()).chain(pads)))
}
