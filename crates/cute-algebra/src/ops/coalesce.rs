//! Simplifying layouts: coalesce and filter. Coalesce merges neighbouring modes without changing
//! the layout as a function of an integer: `(4,8):(1,4)` becomes `32:1`. Filter also drops the
//! modes that do not move: `(4,8):(1,0)` becomes `4:1`.

use crate::{
    basis::Stride,
    build::{Builder, Leaves},
    composed::LayoutLike,
    error::{Error, ModePath, Result, expect_rank},
    int::Int,
    layout::{Layout, LayoutRef},
    tuple::{Tuple, TupleRef},
};

/// The flattest layout that is the same function of an integer on `[0, size)`: neighbours
/// `s0:d0, s1:d1` with `d1 == s0 * d0` become `s0*s1:d0`, and modes of extent 1 disappear.
///
/// Never merges across a dynamic product, so that the result is static where the operand is.
///
/// ```
/// use cute_algebra::{coalesce, parse_layout};
/// let text = |l| coalesce(&parse_layout(l).unwrap()).map(|c| c.to_string());
/// assert_eq!(text("(2,(1,6)):(1,(6,2))")?, "12:1");
/// assert_eq!(text("(2,4):(4,1)")?, "(2,4):(4,1)");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn coalesce<L: LayoutLike>(layout: &L) -> Result<L> {
    layout.map_outer(|outer| coalesce_flat(outer.view(), false))
}

/// Like [`coalesce`], but a merged mode has at most `most` elements. Merging starts at the first
/// mode, and needs extents that are known not to exceed the limit.
///
/// ```
/// use cute_algebra::{coalesce_up_to, parse_layout};
/// let text = |l| coalesce_up_to(&parse_layout(l).unwrap(), 256).map(|c| c.to_string());
/// assert_eq!(text("(16,16,2):(1,16,256)")?, "(256,2):(1,256)");
/// assert_eq!(text("(512,2):(1,512)")?, "(512,2):(1,512)");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn coalesce_up_to<I: Int>(layout: &Layout<I>, most: i64) -> Result<Layout<I>> {
    let mut result: Leaves<I> = Leaves::new();
    for (extent, stride) in layout.flat().filter(|(extent, _)| !extent.is(1)) {
        match result.last_mut() {
            Some(back)
                if continues(&back.0, &back.1, stride)?
                    && let Ok(grown) = back.0.mul(extent)
                    && grown.as_static().is_some_and(|n| n <= most) =>
            {
                back.0 = grown;
            }
            _ => result.push((extent.clone(), stride.clone())),
        }
    }
    if result.is_empty() { Ok(Layout::unit()) } else { Layout::from_flat(result) }
}

/// [`coalesce`] of each mode at the leaves of `profile`; modes past its rank stay.
///
/// ```
/// use cute_algebra::{coalesce_profile, parse_int_tuple, parse_layout};
/// let l = coalesce_profile(&parse_layout("((2,2),(4,2)):((1,2),(4,32))")?, parse_int_tuple("(1,1)")?.view())?;
/// assert_eq!(l.to_string(), "(4,(4,2)):(1,(4,32))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn coalesce_profile<L: LayoutLike, T>(layout: &L, profile: TupleRef<'_, T>) -> Result<L> {
    layout.map_outer(|outer| at_terminals(outer.view(), profile, &|mode| coalesce_flat(mode, false)))
}

/// Like [`coalesce`], but also keeps the function past the size, where the last mode extends: a
/// static last extent 1 counts as 2, so that its stride stays.
pub(crate) fn coalesce_extended<I: Int, T>(
    layout: LayoutRef<'_, I>,
    profile: TupleRef<'_, T>,
) -> Result<Layout<I>> {
    at_terminals(layout, profile, &|mode| coalesce_flat(mode, true))
}

/// Applies `f` to the modes of `layout` at the leaves of `profile`; modes past its rank stay.
fn at_terminals<I: Int, T>(
    layout: LayoutRef<'_, I>,
    profile: TupleRef<'_, T>,
    f: &impl Fn(LayoutRef<'_, I>) -> Result<Layout<I>>,
) -> Result<Layout<I>> {
    if profile.is_leaf() {
        return f(layout);
    }
    let (found, expected) = (profile.rank(), layout.rank());
    if found > expected {
        return Err(Error::Rank {
            what: "the profile",
            path: ModePath::root(),
            found,
            rule: "at most",
            expected,
        });
    }
    let mut out = Builder::new();
    out.tuple(layout.rank());
    for (i, mode) in layout.modes().enumerate() {
        match profile.mode(i) {
            Some(p) => out.layout(at_terminals(mode, p, f).map_err(|e| e.inside(i))?.view()),
            None => out.layout(mode),
        };
    }
    Ok(out.finish())
}

fn coalesce_flat<I: Int>(layout: LayoutRef<'_, I>, extended: bool) -> Result<Layout<I>> {
    let mut leaves = layout.shape().leaves().iter().zip(layout.stride().leaves()).rev();
    // Holds the result from its last mode to its first; the top of the stack is its front.
    let mut result: Leaves<I> = Leaves::new();
    if let Some((extent, stride)) = leaves.next() {
        let extent = if extended && extent.is(1) { I::from_i64(2) } else { extent.clone() };
        result.push((extent, stride.clone()));
    }
    for (extent, stride) in leaves {
        if extent.is(1) {
            continue;
        }
        let alone = result.len() == 1;
        match result.last_mut() {
            Some(front) if alone && front.0.is(1) => *front = (extent.clone(), stride.clone()),
            Some(front) if front.0.is_static() && continues(extent, stride, &front.1)? => {
                *front = (extent.mul(&front.0)?, stride.clone());
            }
            _ => result.push((extent.clone(), stride.clone())),
        }
    }
    if result.iter().all(|(extent, _)| extent.is(1)) {
        return Ok(Layout::unit());
    }
    result.reverse();
    Layout::from_flat(result)
}

/// Whether it is known that `extent * stride == next`.
fn continues<I: Int>(extent: &I, stride: &Stride<I>, next: &Stride<I>) -> Result<bool> {
    // If the product overflows, the strides differ.
    let Ok(end) = stride.mul(extent) else { return Ok(false) };
    Ok(end.basis() == next.basis() && end.den() == next.den() && end.scale().eq(next.scale()) == Some(true))
}

/// The layout with extent 1 wherever the stride is a static 0; profile and strides stay.
///
/// ```
/// use cute_algebra::{filter_zeros, parse_layout};
/// assert_eq!(filter_zeros(&parse_layout("(4,(3,2)):(1,(0,4))")?)?.to_string(), "(4,(1,2)):(1,(0,4))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn filter_zeros<L: LayoutLike>(layout: &L) -> Result<L> {
    layout.map_outer(|outer| Ok(filter_zeros_of(outer.view())))
}

fn filter_zeros_of<I: Int>(layout: LayoutRef<'_, I>) -> Layout<I> {
    let mut strides = layout.stride().leaves().iter();
    let shape = layout.shape().map(|extent| match strides.next() {
        Some(stride) if stride.is(0) => I::from_i64(1),
        _ => extent.clone(),
    });
    Layout::from_congruent(shape, layout.stride().to_owned())
}

/// The layout with extent 1 wherever `profile` has a static 0; strides stay.
///
/// ```
/// use cute_algebra::{filter_zeros_profile, parse_int_tuple, parse_layout};
/// let l = filter_zeros_profile(&parse_layout("(4,(3,2)):(1,(4,12))")?, parse_int_tuple("(1,0)")?.view())?;
/// assert_eq!(l.to_string(), "(4,(1,1)):(1,(4,12))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn filter_zeros_profile<L: LayoutLike>(layout: &L, profile: TupleRef<'_, L::Leaf>) -> Result<L> {
    layout.map_outer(|outer| {
        let shape = filter_by(profile, outer.shape().view())?;
        Ok(Layout::from_congruent(shape, outer.stride().clone()))
    })
}

/// `shape` with 1 at every leaf under a static 0 of `order`.
pub(crate) fn filter_by<I: Int>(order: TupleRef<'_, I>, shape: TupleRef<'_, I>) -> Result<Tuple<I>> {
    if let Some(leaf) = order.as_leaf() {
        return Ok(if leaf.is(0) { shape.map(|_| I::from_i64(1)) } else { shape.to_owned() });
    }
    expect_rank("the profile", order.rank(), (!shape.is_leaf()).then(|| shape.rank()))?;
    let modes = order.modes().zip(shape.modes()).enumerate();
    let modes = modes.map(|(i, (o, s))| filter_by(o, s).map_err(|e| e.inside(i)));
    Ok(Tuple::from_modes(modes.collect::<Result<Vec<_>>>()?))
}

/// The layout without its stride-0 modes and extents 1: `coalesce(filter_zeros(layout))`. Same
/// image, smaller domain.
///
/// ```
/// use cute_algebra::{filter, parse_layout};
/// assert_eq!(filter(&parse_layout("(4,3):(1,0)")?)?.to_string(), "4:1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn filter<L: LayoutLike>(layout: &L) -> Result<L> {
    layout.map_outer(|outer| coalesce_flat(filter_zeros_of(outer.view()).view(), false))
}

/// [`filter`] of each mode at the leaves of `profile`; modes past its rank stay.
pub fn filter_profile<L: LayoutLike, T>(layout: &L, profile: TupleRef<'_, T>) -> Result<L> {
    layout.map_outer(|outer| {
        at_terminals(outer.view(), profile, &|mode| coalesce_flat(filter_zeros_of(mode).view(), false))
    })
}

/// Neighbouring static leaves multiplied together, and neighbouring dynamic ones: `(2,3,?,?,4)`
/// becomes `(6,?,4)`.
pub(crate) fn coalesce_shape<I: Int>(shape: TupleRef<'_, I>) -> Result<Tuple<I>> {
    let mut merged: Vec<I> = Vec::new();
    for leaf in shape.leaves() {
        match merged.last_mut() {
            Some(back) if back.is_static() == leaf.is_static() => *back = back.mul(leaf)?,
            _ => merged.push(leaf.clone()),
        }
    }
    if merged.len() > 1 {
        return Ok(Tuple::from_leaves(merged));
    }
    Ok(Tuple::leaf(merged.pop().unwrap_or_else(|| I::from_i64(1))))
}
