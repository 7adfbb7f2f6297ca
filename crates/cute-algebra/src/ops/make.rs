//! Compact layouts in a given order: a shape gets strides such that the values fill `[0, size)`,
//! and an order decides which mode is fastest. The shape `(4,8)` in the order `(1,0)` is the
//! row-major layout `(4,8):(8,1)`.

use crate::{
    basis::Stride,
    error::{Result, expect_rank},
    int::Int,
    layout::{Layout, compact_from},
    ops::{
        coalesce::{filter_by, filter_zeros},
        product::tiled_product,
        size::product,
    },
    tile::Tiler,
    tuple::{Tuple, TupleRef},
};

/// The compact layout of `shape` whose modes are filled in the order of the values of `order`,
/// smallest first.
///
/// `order` is weakly congruent with `shape`; a mode under one order leaf is column-major. Dynamic
/// order values count as larger than static ones, left to right.
///
/// ```
/// use cute_algebra::{make_ordered_layout, parse_int_tuple, parse_shape};
/// let l = make_ordered_layout(&parse_shape("(2,3,4)")?, &parse_int_tuple("(2,0,1)")?)?;
/// assert_eq!(l.to_string(), "(2,3,4):(12,1,3)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn make_ordered_layout<I: Int>(shape: &Tuple<I>, order: &Tuple<I>) -> Result<Layout<I>> {
    Layout::new(shape.clone(), ordered_strides(shape.view(), order.view())?)
}

/// The compact layout with the shape of `layout` and its modes in the order of its strides; static
/// strides of 0 stay.
///
/// ```
/// use cute_algebra::{make_layout_like, parse_layout};
/// assert_eq!(make_layout_like(&parse_layout("(4,8,2):(128,2,0)")?)?.to_string(), "(4,8,2):(8,1,0)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn make_layout_like<I: Int>(layout: &Layout<I>) -> Result<Layout<I>> {
    let order = layout.stride().try_map(|d| d.expect_int("make_layout_like").cloned())?;
    let shape = filter_by(order.view(), layout.shape().view())?;
    Layout::new(layout.shape().clone(), ordered_strides(shape.view(), order.view())?)
}

/// The compact layout for a register fragment of `layout`: mode 0, which belongs to the atom, is
/// column-major, and the other modes are in the order of their strides. Static strides of 0 in mode
/// 0 stay. Column-major throughout if the shape is dynamic or of rank 1.
///
/// ```
/// use cute_algebra::{make_fragment_like, parse_layout};
/// assert_eq!(make_fragment_like(&parse_layout("(4,4,4):(3,16,4)")?)?.to_string(), "(4,4,4):(1,16,4)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn make_fragment_like<I: Int>(layout: &Layout<I>) -> Result<Layout<I>> {
    let (rank, shape) = (layout.rank(), layout.shape());
    if rank < 2 || !shape.leaves().iter().all(Int::is_static) {
        return crate::layout::make_layout(shape);
    }
    let order = layout.stride().try_map(|d| d.expect_int("make_fragment_like").cloned())?;
    let atom = filter_zeros(&layout.mode(0)?)?;
    let (atom_stride, _) = compact_from(atom.shape().view(), I::from_i64(1))?;
    let atom = Layout::new(layout.mode(0)?.shape().clone(), atom_stride)?;
    let rest = make_ordered_layout(&shape.take(1, rank)?, &order.take(1, rank)?)?;
    tiled_product(&atom, &Tiler::Layout(rest))
}

fn ordered_strides<I: Int>(shape: TupleRef<'_, I>, order: TupleRef<'_, I>) -> Result<Tuple<Stride<I>>> {
    let mut extents = Vec::new();
    sizes_at(shape, order, &mut extents)?;
    let largest = order.leaves().iter().filter_map(Int::as_static).fold(0, Ord::max);
    let ranks: Vec<i64> = order
        .leaves()
        .iter()
        .zip(1..)
        .map(|(leaf, i)| leaf.as_static().unwrap_or(largest.saturating_add(i)))
        .collect();
    let mut next = ranks.iter();
    strides_at(shape, order, &mut |mode| {
        let own = next.next().expect("there is a rank for each leaf of the order");
        let before =
            ranks.iter().zip(&extents).filter(|(rank, _)| *rank < own).map(|(_, extent)| extent.clone());
        Ok(compact_from(mode, product(Tuple::from_leaves(before).view())?)?.0)
    })
}

fn check_order<I: Int>(shape: TupleRef<'_, I>, order: TupleRef<'_, I>) -> Result<()> {
    expect_rank("the order", order.rank(), (!shape.is_leaf()).then(|| shape.rank()))
}

/// The size of the part of `shape` under each leaf of `order`.
fn sizes_at<I: Int>(shape: TupleRef<'_, I>, order: TupleRef<'_, I>, out: &mut Vec<I>) -> Result<()> {
    if order.is_leaf() {
        out.push(product(shape)?);
        return Ok(());
    }
    check_order(shape, order)?;
    let modes = shape.modes().zip(order.modes()).enumerate();
    modes.into_iter().try_for_each(|(i, (s, o))| sizes_at(s, o, out).map_err(|e| e.inside(i)))
}

/// Applies `f` to the part of `shape` under each leaf of `order`, and returns the results as one
/// tuple.
fn strides_at<I: Int>(
    shape: TupleRef<'_, I>,
    order: TupleRef<'_, I>,
    f: &mut impl FnMut(TupleRef<'_, I>) -> Result<Tuple<Stride<I>>>,
) -> Result<Tuple<Stride<I>>> {
    if order.is_leaf() {
        return f(shape);
    }
    check_order(shape, order)?;
    let modes = shape.modes().zip(order.modes()).map(|(s, o)| strides_at(s, o, f));
    Ok(Tuple::from_modes(modes.collect::<Result<Vec<_>>>()?))
}
