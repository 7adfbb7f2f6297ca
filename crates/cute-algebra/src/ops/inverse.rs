//! Inverses of layouts, and how far two layouts agree.

use crate::{
    basis::Stride,
    composed::{AnyLayout, LayoutLike},
    error::{Error, ModePath, Result},
    int::Int,
    layout::Layout,
    ops::{coalesce::coalesce, composition::compose, size::int_strides},
    swizzle::Swizzle,
};

/// One mode of a coalesced layout for inversion.
struct Mode<I> {
    extent: I,
    stride: I,
    /// Product of the extents before it: its stride in the domain.
    position: I,
}

fn coalesced_modes<I: Int>(layout: &Layout<I>, what: &'static str) -> Result<Vec<Mode<I>>> {
    let flat = coalesce(layout)?;
    let strides = int_strides(&flat, what)?;
    let mut position = I::from_i64(1);
    let mut modes = Vec::with_capacity(strides.len());
    for (extent, stride) in flat.shape().leaves().iter().zip(strides) {
        let next = position.mul(extent)?;
        modes.push(Mode { extent: extent.clone(), stride, position: std::mem::replace(&mut position, next) });
    }
    Ok(modes)
}

/// The largest layout `R` with `layout(R(i)) == i` for every `i < size(R)`.
///
/// Takes the modes of stride 1, then of stride 1 times that extent, and so on; dynamic strides take no part.
///
/// ```
/// use cute_algebra::{parse_layout, right_inverse};
/// assert_eq!(right_inverse(&parse_layout("(4,8):(8,1)")?)?.to_string(), "(8,4):(4,1)");
/// assert_eq!(right_inverse(&parse_layout("4:2")?)?.to_string(), "1:0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn right_inverse<I: Int>(layout: &Layout<I>) -> Result<Layout<I>> {
    let mut modes = coalesced_modes(layout, "right_inverse")?;
    modes.retain(|mode| mode.stride.is_static());
    modes.sort_by_key(|mode| mode.stride.as_static());
    let mut result = vec![(I::from_i64(1), Stride::int(I::from_i64(0)))];
    let mut next = I::from_i64(1);
    for mode in modes {
        if mode.stride.eq(&next) == Some(true) {
            next = mode.extent.mul(&mode.stride)?;
            result.push((mode.extent, Stride::int(mode.position)));
        }
    }
    coalesce(&Layout::from_flat(result)?)
}

/// The quasi-inverse `Q` with `layout(Q(layout(i))) == layout(i)`: a left inverse when the layout is injective.
///
/// Gaps between the values of the layout become stride-0 modes. Needs static strides, each a multiple of the ones before
/// it in order.
///
/// ```
/// use cute_algebra::{left_inverse, parse_layout};
/// assert_eq!(left_inverse(&parse_layout("(4,8):(8,1)")?)?.to_string(), "(8,4):(4,1)");
/// assert_eq!(left_inverse(&parse_layout("4:2")?)?.to_string(), "(2,4):(0,1)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn left_inverse<I: Int>(layout: &Layout<I>) -> Result<Layout<I>> {
    let mut modes = coalesced_modes(layout, "left_inverse")?;
    if let Some(mode) = modes.iter().find(|mode| !mode.stride.is_static()) {
        let (stride, layout) = (mode.stride.dim().to_string(), layout.to_string());
        return Err(Error::DynamicStride { what: "left_inverse", stride, layout });
    }
    modes.sort_by_key(|mode| mode.stride.as_static());
    let mut extents: Vec<I> = Vec::new();
    let mut strides = vec![Stride::int(I::from_i64(0))];
    let mut covered = I::from_i64(1);
    for mode in modes.iter().filter(|mode| !mode.stride.is(0)) {
        if let (Some(lhs), Some(rhs)) = (mode.stride.as_static(), covered.as_static())
            && mode.stride.divisible_by(&covered) == Some(false)
        {
            return Err(Error::Divisibility {
                what: "left_inverse",
                path: ModePath::root(),
                lhs,
                rule: "is a stride, but not a multiple of the smaller strides\' period",
                rhs,
            });
        }
        let gap = mode.stride.div(&covered)?;
        covered = covered.mul(&gap)?;
        extents.push(gap);
        strides.push(Stride::int(mode.position.clone()));
    }
    extents.extend(modes.last().map(|mode| mode.extent.clone()));
    coalesce(&Layout::from_flat(extents.into_iter().zip(strides))?)
}

/// The longest run of elements that lie contiguously and in the same order in `a` and in `b`: the layout `R` with
/// `a(R(i)) == b(R(i)) == i`.
///
/// ```
/// use cute_algebra::{max_common_layout, parse_layout};
/// let common = max_common_layout(&parse_layout("(4,8):(1,4)")?, &parse_layout("(4,8):(1,16)")?)?;
/// assert_eq!(common.to_string(), "4:1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn max_common_layout<I: Int>(a: &Layout<I>, b: &Layout<I>) -> Result<Layout<I>> {
    let inverse = right_inverse(b)?;
    let common = coalesce(&compose(a.view(), inverse.view())?)?.mode(0)?;
    match contiguous(&common) {
        Some(_) => compose(inverse.view(), common.view()),
        None => Ok(Layout::unit()),
    }
}

/// The size of [`max_common_layout`]; behind different swizzles, no more than what neither of them moves.
///
/// ```
/// use cute_algebra::{max_common_vector, parse_layout, parse_layout_or_composed};
/// assert_eq!(max_common_vector(&parse_layout("(4,8):(1,4)")?, &parse_layout("(4,8):(1,16)")?)?, 4);
/// let swizzled = parse_layout_or_composed("S<3,3,3> o 0 o (64,8):(1,64)")?;
/// assert_eq!(max_common_vector(&swizzled, &parse_layout_or_composed("(64,8):(1,64)")?)?, 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn max_common_vector<A: LayoutLike, B: LayoutLike<Leaf = A::Leaf>>(a: &A, b: &B) -> Result<i64> {
    let (outer_a, outer_b) = (a.outer(), b.outer());
    let common = coalesce(&compose(outer_a.view(), right_inverse(outer_b)?.view())?)?.mode(0)?;
    let length = contiguous(&common).unwrap_or(1);
    let (a, b) = (unmoved(a), unmoved(b));
    Ok(if a == b && a != Some((Swizzle::IDENTITY, 1)) {
        length
    } else {
        let limit = |side: Option<(Swizzle, i64)>| side.map_or(i64::MAX, |(_, limit)| limit);
        length.min(limit(a)).min(limit(b))
    })
}

/// The swizzle of a composed layout, and how many elements in a row it keeps together; none for a plain layout.
fn unmoved<L: LayoutLike>(layout: &L) -> Option<(Swizzle, i64)> {
    match layout.to_any() {
        AnyLayout::Plain(_) => None,
        AnyLayout::Composed(composed) => match composed.swizzle() {
            Some(swizzle) if swizzle.is_identity() => None,
            Some(swizzle) => Some((swizzle, 1 << swizzle.base())),
            // Nothing is known of what another layout does to neighbours.
            None => Some((Swizzle::IDENTITY, 1)),
        },
    }
}

/// The static extent of a scalar layout of stride 1.
fn contiguous<I: Int>(mode: &Layout<I>) -> Option<i64> {
    let (extent, stride) = mode.view().as_leaf()?;
    if stride.is(1) { extent.as_static() } else { None }
}

/// The domain on which a layout is 0: its stride-0 modes, with their positions in the domain as strides.
///
/// ```
/// use cute_algebra::{nullspace, parse_layout};
/// assert_eq!(nullspace(&parse_layout("(2,4,4,4):(0,2,0,8)")?)?.to_string(), "(2,4):(1,8)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn nullspace<I: Int>(layout: &Layout<I>) -> Result<Layout<I>> {
    let (positions, _) = crate::layout::compact_from(layout.shape().view(), I::from_i64(1))?;
    let zeros: Vec<_> = layout
        .flat()
        .zip(positions.leaves())
        .filter(|((_, stride), _)| stride.is(0))
        .map(|((extent, _), position)| (extent.clone(), position.clone()))
        .collect();
    if zeros.is_empty() { Ok(Layout::unit()) } else { Layout::from_flat(zeros) }
}
