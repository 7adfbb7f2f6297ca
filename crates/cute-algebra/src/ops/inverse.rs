//! Inverses of layouts, and the run of elements in which two layouts agree. The right inverse maps
//! offsets to coordinates: for the row-major `(4,8):(8,1)` it is `(8,4):(4,1)`, so that offset 1
//! comes from the column-major index 4. The left inverse also exists for layouts with gaps. Two
//! layouts can be copied to one another in vectors as long as their longest common run.

use crate::{
    basis::Stride,
    composed::{AnyLayout, ComposedLayout, LayoutLike},
    coord::Crd,
    error::{Error, ModePath, Result},
    int::{Assumption, Int},
    layout::Layout,
    ops::{
        coalesce::coalesce,
        composition::compose,
        coords::crd2idx,
        size::{int_strides, size},
    },
    swizzle::Swizzle,
    tuple::Tuple,
};

/// Layouts that have inverses: plain layouts, and layouts behind a swizzle.
pub trait Invertible: Sized {
    /// See [`right_inverse`](fn@right_inverse).
    fn right_inverse(&self) -> Result<Self>;
    /// See [`left_inverse`](fn@left_inverse).
    fn left_inverse(&self) -> Result<Self>;
}

/// A layout `R` with `layout(R(i)) == i` for every `i < size(R)`.
///
/// It takes a mode of stride 1, then one whose stride is the extent of that mode, and so on;
/// dynamic strides are skipped. If no two modes have the same stride, it is the largest such
/// layout. Among modes with equal strides it takes the one that CuTe's sort puts first, which does
/// not always lead to the largest.
///
/// Behind a swizzle, the swizzle moves in front: `(S o L)(R(S(i))) == S(S(i)) == i`, and `R o S` is
/// again a swizzle of `R`.
///
/// ```
/// use cute_algebra::{parse_layout_or_composed, right_inverse};
/// let r = |l| right_inverse(&parse_layout_or_composed(l).unwrap()).map(|r| r.to_string());
/// assert_eq!(r("(4,8):(8,1)")?, "(8,4):(4,1)");
/// assert_eq!(r("4:2")?, "1:0");
/// assert_eq!(r("S<2,1,2> o 0 o (8,4):(1,8)")?, "S<2,1,2> o 0 o 32:1");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn right_inverse<L: Invertible>(layout: &L) -> Result<L> {
    layout.right_inverse()
}

/// The quasi-inverse `Q` with `layout(Q(layout(i))) == layout(i)`: a left inverse when the layout
/// is injective.
///
/// Gaps between the values of the layout become stride-0 modes. Needs static strides, each a
/// multiple of the ones before it in order. Among modes with equal strides all but one are lost,
/// and then the equation no longer holds. Behind a swizzle, the swizzle moves in front, as for
/// [`right_inverse`](fn@right_inverse).
///
/// ```
/// use cute_algebra::{left_inverse, parse_layout_or_composed};
/// let q = |l| left_inverse(&parse_layout_or_composed(l).unwrap()).map(|q| q.to_string());
/// assert_eq!(q("(4,8):(8,1)")?, "(8,4):(4,1)");
/// assert_eq!(q("4:2")?, "(2,4):(0,1)");
/// assert_eq!(q("S<1,0,1> o 0 o (2,4):(4,1)")?, "S<1,1,1> o 0 o (4,2):(2,1)");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn left_inverse<L: Invertible>(layout: &L) -> Result<L> {
    layout.left_inverse()
}

/// A mode to invert.
pub(crate) struct Mode<I> {
    pub extent: I,
    pub stride: I,
    /// The stride of the mode in the domain, which becomes its stride in the inverse.
    pub position: I,
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

/// A limit on modes with equal strides, far above what any CuTe compiler accepts.
const MAX_EXCHANGED: usize = 1 << 10;

/// Sorts modes by their static strides. Modes of equal stride end up in the order of CuTe's
/// exchange sort, which is not stable, because that order is visible in inverses.
fn sort_by_stride<I: Int>(modes: &mut [Mode<I>]) {
    let ordered = |a: &Mode<I>, b: &Mode<I>| a.stride.as_static() <= b.stride.as_static();
    if modes.is_sorted_by(ordered) {
        return;
    }
    let mut keys: Vec<_> = modes.iter().map(|mode| mode.stride.as_static()).collect();
    keys.sort_unstable();
    let distinct = keys.windows(2).all(|pair| pair[0] != pair[1]);
    if distinct || modes.len() > MAX_EXCHANGED {
        modes.sort_by_key(|mode| mode.stride.as_static());
        return;
    }
    for i in 0..modes.len() {
        for j in i + 1..modes.len() {
            if modes[j].stride.as_static() < modes[i].stride.as_static() {
                modes.swap(i, j);
            }
        }
    }
}

/// The right inverse of `modes`.
pub(crate) fn right_inverse_of<I: Int>(mut modes: Vec<Mode<I>>) -> Result<Layout<I>> {
    modes.retain(|mode| mode.stride.is_static());
    sort_by_stride(&mut modes);
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

/// The quasi-inverse of `modes`, whose strides must be static.
pub(crate) fn left_inverse_of<I: Int>(mut modes: Vec<Mode<I>>) -> Result<Layout<I>> {
    sort_by_stride(&mut modes);
    let mut extents: Vec<I> = Vec::new();
    let mut strides = vec![Stride::int(I::from_i64(0))];
    let mut covered = I::from_i64(1);
    let (one, mut reach) = (I::from_i64(1), I::from_i64(0));
    for mode in modes.iter().filter(|mode| !mode.stride.is(0)) {
        if let (Some(lhs), Some(rhs)) = (mode.stride.as_static(), covered.as_static())
            && mode.stride.divisible_by(&covered) == Some(false)
        {
            return Err(Error::Divisibility {
                what: "left_inverse",
                path: ModePath::root(),
                lhs,
                rule: "is a stride, but not a multiple of the smaller strides' period",
                rhs,
            });
        }
        let mut gap = mode.stride.div(&covered)?;
        if I::ASSUMES {
            gap = gap.assuming(Assumption::Apart, &reach, &mode.stride);
            // Where the sum does not fit, it is the last one.
            let last = mode.extent.sub(&one)?.mul(&mode.stride);
            reach = last.and_then(|last| reach.add(&last)).unwrap_or(reach);
        }
        covered = covered.mul(&gap)?;
        extents.push(gap);
        strides.push(Stride::int(mode.position.clone()));
    }
    // The result extends its last mode, so that this extent has no influence on it.
    let last = modes.last().map(|mode| mode.extent.clone());
    let repeats = modes.iter().filter(|mode| mode.stride.is(0));
    extents.extend(
        last.map(|last| {
            repeats.fold(last, |last, mode| last.assuming(Assumption::Single, &mode.extent, &one))
        }),
    );
    coalesce(&Layout::from_flat(extents.into_iter().zip(strides))?)
}

impl<I: Int> Invertible for Layout<I> {
    fn right_inverse(&self) -> Result<Self> {
        right_inverse_of(coalesced_modes(self, "right_inverse")?)
    }

    fn left_inverse(&self) -> Result<Self> {
        let modes = coalesced_modes(self, "left_inverse")?;
        if let Some(mode) = modes.iter().find(|mode| !mode.stride.is_static()) {
            let (stride, layout) = (mode.stride.dim().to_string(), self.to_string());
            return Err(Error::DynamicStride { what: "left_inverse", stride, layout });
        }
        left_inverse_of(modes)
    }
}

impl<I: Int> Invertible for ComposedLayout<I> {
    fn right_inverse(&self) -> Result<Self> {
        behind_swizzle(self, "right_inverse", Layout::right_inverse)
    }

    fn left_inverse(&self) -> Result<Self> {
        behind_swizzle(self, "left_inverse", Layout::left_inverse)
    }
}

impl<I: Int> Invertible for AnyLayout<I> {
    fn right_inverse(&self) -> Result<Self> {
        match self {
            Self::Plain(layout) => layout.right_inverse().map(Self::Plain),
            Self::Composed(layout) => layout.right_inverse().map(ComposedLayout::simplify),
        }
    }

    fn left_inverse(&self) -> Result<Self> {
        match self {
            Self::Plain(layout) => layout.left_inverse().map(Self::Plain),
            Self::Composed(layout) => layout.left_inverse().map(ComposedLayout::simplify),
        }
    }
}

/// `invert(L) o S` for `S o 0 o L`, written as a swizzle behind `invert(L)`. The swizzle acts on
/// the bits to which `invert(L)` maps the bits of `S`.
fn behind_swizzle<I: Int>(
    layout: &ComposedLayout<I>,
    what: &'static str,
    invert: impl FnOnce(&Layout<I>) -> Result<Layout<I>>,
) -> Result<ComposedLayout<I>> {
    let unsupported = |why: String| Err(Error::Unsupported { what, why });
    let Some(swizzle) = layout.swizzle() else {
        return unsupported(format!("{layout} applies a layout last, and only swizzles are moved"));
    };
    if !layout.offset().as_leaf().is_some_and(|offset| offset.is(0)) {
        return unsupported(format!("the inverse of {layout} would have to subtract its offset first"));
    }
    let inverse = invert(layout.outer())?;
    let image = |mask: i64| -> Result<Option<i64>> {
        let at = Tuple::leaf(Crd::Int(I::from_i64(mask)));
        Ok(crd2idx(&at, &inverse)?.as_leaf().and_then(Int::as_static))
    };
    let (source, target) = (image(swizzle.source_mask())?, image(swizzle.target_mask())?);
    match source.zip(target).and_then(|(source, target)| Swizzle::between(source, target)) {
        Some(moved) => Ok(ComposedLayout::swizzled(moved, inverse)),
        None => {
            let bits = |mask: Option<i64>| mask.map_or("?".into(), |mask| format!("{mask:#x}"));
            unsupported(format!(
                "{inverse} takes the bits of {swizzle} to {} and {}, which are not the fields of a swizzle",
                bits(source),
                bits(target)
            ))
        }
    }
}

/// The longest run of elements that lie contiguously and in the same order in `a` and in `b`: the
/// layout `R` with `a(R(i)) == b(R(i)) == i`; behind a swizzle, it covers at most the elements that
/// the swizzle does not move.
///
/// ```
/// use cute_algebra::{max_common_layout, parse_layout, parse_layout_or_composed};
/// let common = max_common_layout(&parse_layout("(4,8):(1,4)")?, &parse_layout("(4,8):(1,16)")?)?;
/// assert_eq!(common.to_string(), "4:1");
/// let swizzled = parse_layout_or_composed("S<3,3,3> o 0 o (64,8):(1,64)")?;
/// assert_eq!(max_common_layout(&swizzled, &parse_layout_or_composed("(64,8):(1,64)")?)?.to_string(), "8:1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn max_common_layout<A: LayoutLike, B: LayoutLike<Leaf = A::Leaf>>(
    a: &A,
    b: &B,
) -> Result<Layout<A::Leaf>> {
    let common = common_of(a.outer(), b.outer())?;
    let kept = [unmoved(a), unmoved(b)].into_iter().flatten().map(|(_, kept)| kept).min();
    match (kept, size(&common)?.as_static()) {
        (Some(kept), Some(n)) if kept < n => {
            compose(common.view(), Layout::identity(A::Leaf::from_i64(kept))?.view())
        }
        _ => Ok(common),
    }
}

/// [`max_common_layout`] of the layouts that define the domains.
fn common_of<I: Int>(a: &Layout<I>, b: &Layout<I>) -> Result<Layout<I>> {
    let inverse = b.right_inverse()?;
    let common = coalesce(&compose(a.view(), inverse.view())?)?.mode(0)?;
    match contiguous(&common) {
        Some(_) => compose(inverse.view(), common.view()),
        None => Ok(Layout::unit()),
    }
}

/// The size of [`max_common_layout`]; behind different swizzles, at most the number of elements
/// that neither of them moves.
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
    let common = coalesce(&compose(outer_a.view(), outer_b.right_inverse()?.view())?)?.mode(0)?;
    let length = contiguous(&common).unwrap_or(1);
    let (a, b) = (unmoved(a), unmoved(b));
    Ok(if a == b && a != Some((Swizzle::IDENTITY, 1)) {
        length
    } else {
        let limit = |side: Option<(Swizzle, i64)>| side.map_or(i64::MAX, |(_, limit)| limit);
        length.min(limit(a)).min(limit(b))
    })
}

/// The swizzle of a composed layout, and the length of the runs that it keeps together; `None` for
/// a plain layout.
pub(crate) fn unmoved<L: LayoutLike>(layout: &L) -> Option<(Swizzle, i64)> {
    match layout.to_any() {
        AnyLayout::Plain(_) => None,
        AnyLayout::Composed(composed) => match composed.swizzle() {
            Some(swizzle) if swizzle.is_identity() => None,
            Some(swizzle) => Some((swizzle, 1 << swizzle.base())),
            // Another layout may move neighbours apart.
            None => Some((Swizzle::IDENTITY, 1)),
        },
    }
}

/// The static extent of a scalar layout of stride 1.
fn contiguous<I: Int>(mode: &Layout<I>) -> Option<i64> {
    let (extent, stride) = mode.view().as_leaf()?;
    if stride.is(1) { extent.as_static() } else { None }
}

/// The domain on which a layout is 0: its stride-0 modes, with their positions in the domain as
/// strides.
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
