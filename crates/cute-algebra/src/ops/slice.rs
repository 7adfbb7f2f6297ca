//! Slice and dice: keeping the modes that a coordinate leaves open, or those that it fixes. The
//! coordinate `(_,3)` of `(4,8):(1,4)` leaves mode 0 open: the slice is `4:1`, and mode 1 adds the
//! offset 12.

use crate::{
    composed::{AnyLayout, ComposedLayout, Inner, LayoutLike},
    coord::{Coord, Crd},
    error::{Error, Result, expect_rank},
    int::Int,
    layout::Layout,
    ops::{
        coords::{evaluate, offset_coord},
        size::add_values,
        swizzled::slice_swizzled,
    },
    tile::Tile,
    tuple::{Tuple, TupleRef},
};

/// Layouts that can be sliced, with the type of their slices.
pub trait Sliceable: LayoutLike {
    /// A slice: a plain layout stays plain, a composed one may become plain.
    type Slice;

    /// The layout on the modes that `coord` leaves open, and the value that the fixed modes add.
    fn slice_and_offset(&self, coord: &Coord<Self::Leaf>) -> Result<(Self::Slice, Tuple<Self::Leaf>)>;
}

impl<I: Int> Sliceable for Layout<I> {
    type Slice = Self;

    fn slice_and_offset(&self, coord: &Coord<I>) -> Result<(Self, Tuple<I>)> {
        let fixed = offset_coord(coord, self);
        Ok((slice_plain(coord.view(), self)?, evaluate(fixed.view(), self.view())?))
    }
}

impl<I: Int> Sliceable for ComposedLayout<I> {
    type Slice = AnyLayout<I>;

    fn slice_and_offset(&self, coord: &Coord<I>) -> Result<(AnyLayout<I>, Tuple<I>)> {
        if let Inner::Swizzle(swizzle) = self.inner()
            && let Some(offset) = self.offset().as_leaf()
        {
            return slice_swizzled(*swizzle, offset, self.outer(), &offset_coord(coord, self));
        }
        let outer = slice_plain(coord.view(), self.outer())?;
        let shift = evaluate(offset_coord(coord, self).view(), self.outer().view())?;
        let offset = add_values(self.offset().view(), shift.view())?;
        let sliced = ComposedLayout::new(self.inner().clone(), offset, outer);
        Ok((sliced.into(), Tuple::leaf(I::from_i64(0))))
    }
}

impl<I: Int> Sliceable for AnyLayout<I> {
    type Slice = Self;

    fn slice_and_offset(&self, coord: &Coord<I>) -> Result<(Self, Tuple<I>)> {
        match self {
            Self::Plain(layout) => layout.slice_and_offset(coord).map(|(l, offset)| (l.into(), offset)),
            Self::Composed(layout) => layout.slice_and_offset(coord),
        }
    }
}

/// The layout on the modes where `coord` has `_`, in order; the offset of the fixed modes is
/// dropped.
///
/// ```
/// use cute_algebra::{parse_coord, parse_layout, slice};
/// assert_eq!(slice(&parse_coord("(_,(1,_))")?, &parse_layout("(4,(2,3)):(1,(4,8))")?)?.to_string(), "(4,3):(1,8)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn slice<L: Sliceable>(coord: &Coord<L::Leaf>, layout: &L) -> Result<L::Slice> {
    Ok(layout.slice_and_offset(coord)?.0)
}

/// [`slice`](slice()) with the value that the fixed modes add:
/// `layout(c) = offset + slice(the open part of c)`.
///
/// A composed layout keeps its fixed modes in its own offset. Behind a swizzle, the part of them
/// that the swizzle cannot touch is returned; and if the swizzle cannot mix the open modes, the
/// slice is a plain layout, possibly with strides that the fixed bits have flipped.
///
/// ```
/// use cute_algebra::{parse_coord, parse_layout, slice_and_offset};
/// let (l, offset) = slice_and_offset(&parse_coord("(2,_)")?, &parse_layout("(4,8):(8,1)")?)?;
/// assert_eq!((l.to_string(), offset.to_string()), ("(8):(1)".into(), "16".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn slice_and_offset<L: Sliceable>(
    coord: &Coord<L::Leaf>,
    layout: &L,
) -> Result<(L::Slice, Tuple<L::Leaf>)> {
    layout.slice_and_offset(coord)
}

/// The layout on the modes that `coord` fixes, in order.
///
/// ```
/// use cute_algebra::{dice, parse_coord, parse_layout};
/// assert_eq!(dice(&parse_coord("(_,(1,_))")?, &parse_layout("(4,(2,3)):(1,(4,8))")?)?.to_string(), "(2):(4)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn dice<L: LayoutLike>(coord: &Coord<L::Leaf>, layout: &L) -> Result<L> {
    layout.map_outer(|outer| {
        let shape = pick(coord.view(), outer.shape().view(), false)?;
        Ok(Layout::from_congruent(shape, pick(coord.view(), outer.stride().view(), false)?))
    })
}

pub(crate) fn slice_plain<I: Int>(coord: TupleRef<'_, Crd<I>>, layout: &Layout<I>) -> Result<Layout<I>> {
    let shape = pick(coord, layout.shape().view(), true)?;
    Ok(Layout::from_congruent(shape, pick(coord, layout.stride().view(), true)?))
}

/// The parts of a tuple where `coord` has `_`: `(a,(b,c))` by `(_,(0,_))` gives `(a,c)`.
pub fn slice_tuple<I: Int, T: Clone>(coord: &Coord<I>, tuple: &Tuple<T>) -> Result<Tuple<T>> {
    pick(coord.view(), tuple.view(), true)
}

/// The parts of a tuple that `coord` fixes: `(a,(b,c))` by `(_,(0,_))` gives `(b)`.
pub fn dice_tuple<I: Int, T: Clone>(coord: &Coord<I>, tuple: &Tuple<T>) -> Result<Tuple<T>> {
    pick(coord.view(), tuple.view(), false)
}

/// The elements of a tile that `coord` fixes: `[a;b;c]` by `(1,_,1)` gives `[a;c]`.
pub fn dice_tile<I: Int>(coord: &Coord<I>, tile: &Tile<I>) -> Result<Tile<I>> {
    fn walk<I: Int>(coord: TupleRef<'_, Crd<I>>, tile: &Tile<I>, out: &mut Vec<Tile<I>>) -> Result<()> {
        match (coord.as_leaf(), tile) {
            (Some(Crd::Underscore), _) => Ok(()),
            (Some(Crd::Int(_)), kept) => {
                out.push(kept.clone());
                Ok(())
            }
            (None, Tile::Modes(modes)) if modes.len() == coord.rank() => {
                coord.modes().zip(modes).try_for_each(|(c, t)| walk(c, t, out))
            }
            (None, _) => {
                let (found, tiler, expected) = (coord.rank(), tile.to_string(), tile.rank());
                Err(Error::ProjectionRank { found, tiler, expected })
            }
        }
    }
    if coord.as_leaf().is_some_and(|leaf| leaf.as_int().is_some()) {
        return Ok(tile.clone());
    }
    let mut kept = Vec::new();
    walk(coord.view(), tile, &mut kept)?;
    Ok(Tile::Modes(kept))
}

/// At the top, a tuple that is kept whole stays itself; below, kept parts are collected into one
/// flat list.
fn pick<I: Int, T: Clone>(
    coord: TupleRef<'_, Crd<I>>,
    tuple: TupleRef<'_, T>,
    open: bool,
) -> Result<Tuple<T>> {
    if let Some(leaf) = coord.as_leaf() {
        let kept = leaf.as_int().is_none() == open;
        return Ok(if kept { tuple.to_owned() } else { Tuple::from_modes([]) });
    }
    let mut kept = Vec::new();
    collect(coord, tuple, open, &mut kept)?;
    Ok(Tuple::from_modes(kept))
}

fn collect<I: Int, T: Clone>(
    coord: TupleRef<'_, Crd<I>>,
    tuple: TupleRef<'_, T>,
    open: bool,
    kept: &mut Vec<Tuple<T>>,
) -> Result<()> {
    if let Some(leaf) = coord.as_leaf() {
        if leaf.as_int().is_none() == open {
            kept.push(tuple.to_owned());
        }
        return Ok(());
    }
    expect_rank("the coordinate", coord.rank(), (!tuple.is_leaf()).then(|| tuple.rank()))?;
    let modes = coord.modes().zip(tuple.modes()).enumerate();
    modes.into_iter().try_for_each(|(i, (c, t))| collect(c, t, open, kept).map_err(|e| e.inside(i)))
}
