//! Divides: splitting a layout into a tile and the layout of the tiles. `12:1` divided by `4:1` is
//! `(4,3):(1,4)`: three tiles of four elements. The variants differ only in how they group the
//! tiles and the rests if there are several modes.

use std::borrow::Cow;

use crate::{
    basis::{Basis, Stride},
    build::Builder,
    composed::LayoutLike,
    error::{Error, ModePath, Result},
    int::{Assumption, Int},
    layout::{Layout, LayoutRef, make_layout},
    ops::{
        coalesce::{coalesce, filter},
        complement::complement,
        composition::{check_tiler_rank, compose},
    },
    tile::{Tile, Tiler},
    tuple::Tuple,
};

/// `layout o (tiler, complement(tiler, size(layout)))`: mode 0 is the tile, mode 1 the rest, which
/// rounds up.
///
/// A layout tiles the whole domain; a layout with basis strides tiles the modes that the strides
/// name. A shape or tile applies mode by mode and splits each mode into a tile and a rest; modes
/// that it does not reach, or that it marks `_`, stay.
///
/// ```
/// use cute_algebra::{logical_divide, parse_layout, parse_tiler};
/// let d = |a, t| logical_divide(&parse_layout(a).unwrap(), &parse_tiler(t).unwrap()).map(|d| d.to_string());
/// assert_eq!(d("16:3", "4:1")?, "(4,4):(3,12)");
/// assert_eq!(d("(128,128):(1,128)", "(32,16)")?, "((32,4),(16,8)):((1,32),(128,2048))");
/// assert_eq!(d("(8,8):(1,8)", "(2,4):(1,8)")?, "((2,4),(4,2)):((1,8),(2,32))");
/// assert_eq!(d("(128,64):(1@1,1@0)", "2:64@0")?, "(2,(64,64)):(64@1,(1@1,1@0))");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn logical_divide<L: LayoutLike>(layout: &L, tiler: &Tiler<L::Leaf>) -> Result<L> {
    let tile = tiler.to_tile();
    layout.map_outer(|outer| divide_tile(outer.view(), &tile, coalesced_shape))
}

/// The shape that is divided, and that the tiles and the rests cover.
type Target<I> = fn(LayoutRef<'_, I>) -> Result<Tuple<I>>;

fn coalesced_shape<I: Int>(layout: LayoutRef<'_, I>) -> Result<Tuple<I>> {
    Ok(coalesce(&layout.to_owned())?.shape().clone())
}

fn own_shape<I: Int>(layout: LayoutRef<'_, I>) -> Result<Tuple<I>> {
    Ok(layout.shape().to_owned())
}

fn divide_tile<I: Int>(layout: LayoutRef<'_, I>, tile: &Tile<I>, target: Target<I>) -> Result<Layout<I>> {
    match tile {
        Tile::Layout(tiler) => divide(layout, tiler, target),
        Tile::Int(extent) => divide(layout, &make_layout(&Tuple::leaf(extent.clone()))?, target),
        Tile::Underscore => Ok(layout.to_owned()),
        Tile::Modes(tiles) => by_mode(layout, tiles, |mode, tile| divide_tile(mode, tile, target)),
    }
}

fn divide<I: Int>(layout: LayoutRef<'_, I>, tiler: &Layout<I>, target: Target<I>) -> Result<Layout<I>> {
    let rest = rest_of(layout, tiler, target)?;
    let mut both = Builder::new();
    both.tuple(2).layout(once(tiler).view()).layout(rest.view());
    compose(layout, both.finish().view())
}

/// `tiler`, with the assumption that it has each of its values once.
fn once<I: Int>(tiler: &Layout<I>) -> Cow<'_, Layout<I>> {
    if !I::ASSUMES || !tiler.stride().leaves().iter().any(|d| d.is(0)) {
        return Cow::Borrowed(tiler);
    }
    let mut strides = tiler.stride().leaves().iter();
    let one = I::from_i64(1);
    let shape = tiler.shape().map(|extent| match strides.next() {
        Some(d) if d.is(0) => extent.clone().assuming(Assumption::Single, extent, &one),
        _ => extent.clone(),
    });
    Cow::Owned(Layout::from_congruent(shape, tiler.stride().clone()))
}

/// The layout of the tiles: the complement of the tiler in the layout. A tiler with basis strides
/// steps along the modes that they name, and the rest is the complement within each of these modes.
fn rest_of<I: Int>(layout: LayoutRef<'_, I>, tiler: &Layout<I>, target: Target<I>) -> Result<Layout<I>> {
    if tiler.has_basis() {
        return complement_along(&filter(tiler)?, &ModePath::root(), layout, target);
    }
    complement(tiler, target(layout)?.view())
}

/// [`rest_of`] for a layout whose own coalesced shape the tiles cover.
pub(crate) fn rest<I: Int>(layout: LayoutRef<'_, I>, tiler: &Layout<I>) -> Result<Layout<I>> {
    rest_of(layout, tiler, coalesced_shape)
}

/// The complement of the steps of `tiler` along the mode at `path` of the divided layout.
fn complement_along<I: Int>(
    tiler: &Layout<I>,
    path: &ModePath,
    mode: LayoutRef<'_, I>,
    target: Target<I>,
) -> Result<Layout<I>> {
    let basis = Basis::new(path.indices())?;
    let within =
        |d: &Stride<I>| d.basis().path().is_some_and(|path| path.starts_with(basis.path().unwrap_or(&[])));
    let below = |d: &Stride<I>| within(d) && d.basis() != basis;
    if mode.is_leaf() || !tiler.stride().leaves().iter().any(below) {
        let own = tiler.flat().filter(|(_, d)| within(d));
        let steps = own.map(|(extent, d)| (extent.clone(), Stride::int(d.scale().clone())));
        let rest = complement(&Layout::from_flat(steps)?, target(mode)?.view())?;
        let stride = rest.stride().try_map(|d| d.expect_int("divide").cloned());
        return Layout::new(rest.shape().clone(), stride?.map(|d| Stride::scaled(d.clone(), basis)));
    }
    if let Some((_, d)) = tiler.flat().find(|(_, d)| d.basis() == basis) {
        let expected = "a stride with as many levels as the other strides along its mode";
        return Err(Error::Basis { what: "divide", found: d.to_string(), expected });
    }
    let modes = mode.modes().enumerate().map(|(i, m)| complement_along(tiler, &path.child(i), m, target));
    Ok(Layout::from_modes(modes.collect::<Result<Vec<_>>>()?))
}

/// The grouping of tiles and rests in a divide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Grouping {
    /// As [`logical_divide`] does.
    Logical,
    /// As [`zipped_divide`] does.
    Zipped,
    /// As [`tiled_divide`] does.
    Tiled,
    /// As [`flat_divide`] does.
    Flat,
}

/// A divide that does not coalesce its target first, like the one in the public CuTe compiler. It
/// is used in messages only, because it loses elements where a mode is not a multiple of its tile.
///
/// ```
/// use cute_algebra::{Grouping, divide_uncoalesced, logical_divide, parse_layout, parse_tiler};
/// let (layout, tiler) = (parse_layout("(6,4):(1,6)")?, parse_tiler("8:1")?);
/// assert_eq!(divide_uncoalesced(&layout, &tiler, Grouping::Logical)?.to_string(), "(8,2):(1,8)");
/// assert_eq!(logical_divide(&layout, &tiler)?.to_string(), "(8,3):(1,8)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn divide_uncoalesced<L: LayoutLike>(
    layout: &L,
    tiler: &Tiler<L::Leaf>,
    grouping: Grouping,
) -> Result<L> {
    let tile = tiler.to_tile();
    layout.map_outer(|outer| {
        let divided = divide_tile(outer.view(), &tile, own_shape)?;
        match grouping {
            Grouping::Logical => Ok(divided),
            Grouping::Zipped => zip_by(divided.view(), &tile),
            Grouping::Tiled => unpack_rest(&zip_by(divided.view(), &tile)?),
            Grouping::Flat => unpack_both(&zip_by(divided.view(), &tile)?),
        }
    })
}

/// Applies `f` to leading modes and tiles pairwise; further modes stay.
pub(crate) fn by_mode<I: Int>(
    layout: LayoutRef<'_, I>,
    tiles: &[Tile<I>],
    f: impl Fn(LayoutRef<'_, I>, &Tile<I>) -> Result<Layout<I>>,
) -> Result<Layout<I>> {
    check_tiler_rank(tiles.len(), layout.rank())?;
    let mut out = Builder::new();
    out.tuple(layout.rank());
    for (i, mode) in layout.modes().enumerate() {
        match tiles.get(i) {
            Some(tile) => out.layout(f(mode, tile).map_err(|e| e.inside(i))?.view()),
            None => out.layout(mode),
        };
    }
    Ok(out.finish())
}

/// [`logical_divide`] with all tiles gathered in mode 0 and all rests in mode 1:
/// `((tile,...),(rest,...))`.
///
/// `_` in a tile splits a mode that already has two modes.
///
/// ```
/// use cute_algebra::{parse_layout, parse_tiler, zipped_divide};
/// let d = zipped_divide(&parse_layout("(128,128):(1,128)")?, &parse_tiler("(64,32)")?)?;
/// assert_eq!(d.to_string(), "((64,32),(2,4)):((1,128),(64,4096))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn zipped_divide<L: LayoutLike>(layout: &L, tiler: &Tiler<L::Leaf>) -> Result<L> {
    let tile = tiler.to_tile();
    layout.map_outer(|outer| zip_by(divide_tile(outer.view(), &tile, coalesced_shape)?.view(), &tile))
}

/// [`zipped_divide`] with the rests as modes of their own: `((tile,...),rest,...)`.
///
/// ```
/// use cute_algebra::{parse_layout, parse_tiler, tiled_divide};
/// let d = tiled_divide(&parse_layout("(128,128):(1,128)")?, &parse_tiler("(64,64)")?)?;
/// assert_eq!(d.to_string(), "((64,64),2,2):((1,128),64,8192)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tiled_divide<L: LayoutLike>(layout: &L, tiler: &Tiler<L::Leaf>) -> Result<L> {
    zipped_divide(layout, tiler)?.map_outer(unpack_rest)
}

/// [`zipped_divide`] with tiles and rests as modes of their own: `(tile,...,rest,...)`.
///
/// ```
/// use cute_algebra::{flat_divide, parse_layout, parse_tiler};
/// let d = flat_divide(&parse_layout("(128,128):(1,128)")?, &parse_tiler("(64,64)")?)?;
/// assert_eq!(d.to_string(), "(64,64,2,2):(1,128,64,8192)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn flat_divide<L: LayoutLike>(layout: &L, tiler: &Tiler<L::Leaf>) -> Result<L> {
    zipped_divide(layout, tiler)?.map_outer(unpack_both)
}

/// `((a,b),(x,y))` as `((a,b),x,y)`.
pub(crate) fn unpack_rest<I: Int>(zipped: &Layout<I>) -> Result<Layout<I>> {
    let mut modes = vec![zipped.mode(0)?];
    modes.extend(unpacked(zipped.mode(1)?));
    Ok(Layout::from_modes(modes))
}

/// `((a,b),(x,y))` as `(a,b,x,y)`.
pub(crate) fn unpack_both<I: Int>(zipped: &Layout<I>) -> Result<Layout<I>> {
    let mut modes = unpacked(zipped.mode(0)?);
    modes.extend(unpacked(zipped.mode(1)?));
    Ok(Layout::from_modes(modes))
}

/// The modes of a layout; a layout of rank 1 gives itself.
fn unpacked<I: Int>(mode: Layout<I>) -> Vec<Layout<I>> {
    if mode.rank() == 1 { vec![mode] } else { mode.modes().map(|m| m.to_owned()).collect() }
}

/// Gathers the first halves of the modes that `tile` reaches in mode 0, and their second halves and
/// all other modes in mode 1.
pub(crate) fn zip_by<I: Int>(layout: LayoutRef<'_, I>, tile: &Tile<I>) -> Result<Layout<I>> {
    let expect = |rule, expected| {
        let found = layout.rank();
        Err(Error::Rank { what: "the layout", path: ModePath::root(), found, rule, expected })
    };
    let Tile::Modes(tiles) = tile else {
        if layout.is_leaf() || layout.rank() != 2 {
            return expect("a pair for `_` to split, rank", 2);
        }
        return Ok(layout.to_owned());
    };
    if layout.is_leaf() || layout.rank() < tiles.len() {
        return expect("at least", tiles.len());
    }
    let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
    for (i, mode) in layout.modes().enumerate() {
        match tiles.get(i) {
            Some(tile) => {
                let pair = zip_by(mode, tile).map_err(|e| e.inside(i))?;
                firsts.push(pair.mode(0)?);
                seconds.push(pair.mode(1)?);
            }
            None => seconds.push(mode.to_owned()),
        }
    }
    Ok(Layout::from_modes([Layout::from_modes(firsts), Layout::from_modes(seconds)]))
}
