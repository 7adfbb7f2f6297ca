//! Slices behind a swizzle.

use crate::{
    composed::{AnyLayout, ComposedLayout, Inner},
    coord::Coord,
    error::Result,
    int::Int,
    layout::Layout,
    ops::{coords::evaluate, size::add_values, slice::slice_plain},
    swizzle::Swizzle,
    tuple::Tuple,
};

/// Slice of `swizzle o offset o outer` by `coord`.
pub(crate) fn slice_swizzled<I: Int>(
    swizzle: Swizzle,
    offset: &I,
    outer: &Layout<I>,
    coord: &Coord<I>,
) -> Result<(AnyLayout<I>, Tuple<I>)> {
    let open = slice_plain(coord.view(), outer)?;
    let fixed = evaluate(coord.view(), outer.view())?;
    let offset = add_values(Tuple::leaf(offset.clone()).view(), fixed.view())?;
    let sliced = ComposedLayout::new(Inner::Swizzle(swizzle), offset, open);
    Ok((sliced.into(), Tuple::leaf(I::from_i64(0))))
}
