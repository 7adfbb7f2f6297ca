//! Complement: the layout that fills the gaps of another. Together, a layout and its complement
//! reach every offset up to a given size exactly once: `4:2` takes the offsets 0, 2, 4, 6, and its
//! complement in 16 is `(2,2):(1,8)`, which adds 0 or 1 and 0 or 8.

use crate::{
    basis::Stride,
    build::Leaves,
    composed::LayoutLike,
    error::{Error, Result},
    int::{Assumption, Int, any_checked},
    layout::{Layout, compact_from},
    ops::{
        coalesce::{coalesce, coalesce_shape, filter},
        size::{ceil_div, cosize, int_strides, product},
    },
    tuple::{Tuple, TupleRef},
};

/// The ordered layout that is disjoint from `layout` and, together with it, covers
/// `[0, size(cotarget))`, rounded up.
///
/// The images meet only in 0, and `size(filter(layout)) * size(result) >= size(cotarget)` if each
/// stride is a multiple of what the smaller ones reach; a gap is rounded down. Without a cotarget,
/// it is the cosize of the layout. Strides must be static, unless there is a single
/// mode, whose stride is then assumed to be above 0; extents may be dynamic.
///
/// ```
/// use cute_algebra::{complement, parse_layout, parse_shape};
/// let c = |l, m| complement(&parse_layout(l).unwrap(), parse_shape(m).unwrap().view()).map(|c| c.to_string());
/// assert_eq!(c("4:32", "256")?, "(32,2):(1,128)");
/// assert_eq!(c("(2,2):(1,6)", "24")?, "(3,2):(2,12)");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn complement<L: LayoutLike>(layout: &L, cotarget: TupleRef<'_, L::Leaf>) -> Result<Layout<L::Leaf>> {
    let filtered = filter(layout.outer())?;
    if filtered.has_basis() {
        let why = format!(
            "strides of {filtered} have a basis, but a cotarget counts integers; without a cotarget, the \
             complement is taken in the box that the layout reaches"
        );
        return Err(Error::Unsupported { what: "complement", why });
    }
    complement_of_filtered(&filtered, cotarget)
}

/// [`complement`] within the layout's own cosize.
///
/// ```
/// use cute_algebra::{complement_in_cosize, parse_layout};
/// assert_eq!(complement_in_cosize(&parse_layout("4:2")?)?.to_string(), "2:1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn complement_in_cosize<L: LayoutLike>(layout: &L) -> Result<Layout<L::Leaf>> {
    let filtered = filter(layout.outer())?;
    let cotarget = Tuple::leaf(cosize(&filtered)?);
    complement_of_filtered(&filtered, cotarget.view())
}

/// [`complement_in_cosize`] before it is coalesced, which is the result of the public CuTe
/// compiler. It is used in messages only.
///
/// ```
/// use cute_algebra::{complement_uncoalesced, parse_layout};
/// assert_eq!(complement_uncoalesced(&parse_layout("4:2")?)?.to_string(), "(2,1):(1,0)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn complement_uncoalesced<L: LayoutLike>(layout: &L) -> Result<Layout<L::Leaf>> {
    let filtered = filter(layout.outer())?;
    let cotarget = Tuple::leaf(cosize(&filtered)?);
    gaps_and_rest(&filtered, cotarget.view())
}

fn complement_of_filtered<I: Int>(layout: &Layout<I>, cotarget: TupleRef<'_, I>) -> Result<Layout<I>> {
    coalesce(&gaps_and_rest(layout, cotarget)?)
}

/// A mode for the gap before each stride, in order, and modes for the offsets past the last.
fn gaps_and_rest<I: Int>(layout: &Layout<I>, cotarget: TupleRef<'_, I>) -> Result<Layout<I>> {
    let strides = int_strides(layout, "complement")?;
    if layout.is_leaf() && strides.iter().all(|d| d.is(0)) {
        return crate::layout::make_layout(&coalesce_shape(cotarget)?);
    }
    if strides.len() > 1
        && let Some(dynamic) = strides.iter().find(|d| !d.is_static())
    {
        let (stride, layout) = (dynamic.dim().to_string(), layout.to_string());
        return Err(Error::DynamicStride { what: "complement", stride, layout });
    }
    let mut modes: Vec<_> = layout.shape().leaves().iter().cloned().zip(strides).collect();
    modes.sort_by_key(|(_, stride)| stride.as_static());

    // In order of stride, each mode leaves a gap between the offsets covered so far and its own
    // stride.
    let mut covered = I::from_i64(1);
    let mut result: Leaves<I> = Leaves::new();
    for (extent, stride) in modes {
        // A static stride below 0 leaves a static extent below 0, which no layout has.
        let stride = match stride.is_static() {
            true => stride,
            false => stride.clone().assuming(Assumption::Ascends, &stride, &I::from_i64(0)),
        };
        let free = stride.div(&covered)?.assuming(Assumption::Divides, &stride, &covered);
        if free.is(0) {
            // A quotient is known to be 0 where both are static, since strides of 0 are filtered
            // out.
            let (stride, covered) = (stride.expect_static(), covered.expect_static());
            return Err(Error::NotInjective { layout: layout.to_string(), stride, covered });
        }
        let end = stride.mul(&extent)?;
        result.push((free, Stride::int(std::mem::replace(&mut covered, end))));
    }
    let rest_shape = coalesce_shape(ceil_div(cotarget, Tuple::leaf(covered.clone()).view())?.view())?;
    let rest_shape = covering(rest_shape, &covered, cotarget);
    let (rest_stride, _) = compact_from(rest_shape.view(), covered)?;
    result.extend(rest_shape.leaves().iter().cloned().zip(rest_stride.leaves().iter().cloned()));
    Layout::from_flat(result)
}

/// `rest`, with the assumption of a divide that it covers the cotarget exactly.
fn covering<I: Int>(rest: Tuple<I>, covered: &I, cotarget: TupleRef<'_, I>) -> Tuple<I> {
    let divides = |whole: &I| covered.as_static().is_some_and(|c| c > 0 && whole.dim().divisor() % c == 0);
    let is_checked = any_checked(rest.leaves()) || any_checked([covered]) || any_checked(cotarget.leaves());
    if !is_checked || cotarget.as_leaf().is_some_and(divides) {
        return rest;
    }
    match (product(rest.view()).and_then(|n| n.mul(covered)), product(cotarget)) {
        (Ok(tiles), Ok(whole)) => {
            rest.map(|extent| extent.clone().assuming(Assumption::Covers, &tiles, &whole))
        }
        _ => rest,
    }
}
