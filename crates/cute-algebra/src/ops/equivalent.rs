//! Equality of layouts as functions. `(4,8):(1,4)` and `32:1` are equivalent, because they have the
//! same value for every integer in `[0, 32)`.

use crate::{
    composed::{AnyLayout, Inner, LayoutLike},
    error::Result,
    int::Int,
    layout::Layout,
    ops::{coalesce::coalesce, size::size},
    tuple::TupleRef,
};

/// Whether `a` and `b` are the same function of an integer in `[0, size)`: same size, same
/// coalesced layout, same swizzle and offset. `None` if that depends on dynamic leaves.
///
/// ```
/// use cute_algebra::{equivalent, parse_layout};
/// let same = |a, b| equivalent(&parse_layout(a).unwrap(), &parse_layout(b).unwrap());
/// assert_eq!(same("(2,(4,1)):(1,(2,7))", "8:1")?, Some(true));
/// assert_eq!(same("(4,3):(1,0)", "4:1")?, Some(false));
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn equivalent<A: LayoutLike, B: LayoutLike<Leaf = A::Leaf>>(a: &A, b: &B) -> Result<Option<bool>> {
    let both = [size(a)?.eq(&size(b)?), same_layout(&coalesce(a.outer())?, &coalesce(b.outer())?)];
    let inner = match (plain_or_composed(a), plain_or_composed(b)) {
        (AnyLayout::Plain(_), AnyLayout::Plain(_)) => Some(true),
        (AnyLayout::Composed(a), AnyLayout::Composed(b)) => {
            let functions = match (a.inner(), b.inner()) {
                (Inner::Swizzle(s), Inner::Swizzle(t)) => {
                    Some(s == t || (s.is_identity() && t.is_identity()))
                }
                (Inner::Layout(x), Inner::Layout(y)) => same_layout(&coalesce(&**x)?, &coalesce(&**y)?),
                _ => Some(false),
            };
            all([functions, same_leaves(a.offset().view(), b.offset().view())])
        }
        _ => Some(false),
    };
    Ok(all([all(both), inner]))
}

fn plain_or_composed<L: LayoutLike>(layout: &L) -> AnyLayout<L::Leaf> {
    match layout.to_any() {
        AnyLayout::Composed(composed) => composed.simplify(),
        plain => plain,
    }
}

fn all(parts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut verdict = Some(true);
    for part in parts {
        match part {
            Some(false) => return Some(false),
            None => verdict = None,
            Some(true) => {}
        }
    }
    verdict
}

fn same_leaves<I: Int>(a: TupleRef<'_, I>, b: TupleRef<'_, I>) -> Option<bool> {
    if !a.congruent(b) {
        return Some(false);
    }
    all(a.leaves().iter().zip(b.leaves()).map(|(x, y)| x.eq(y)))
}

pub(crate) fn same_layout<I: Int>(a: &Layout<I>, b: &Layout<I>) -> Option<bool> {
    if a.flat().len() != b.flat().len() {
        // With dynamic extents, two coalesced layouts of different rank can still be the same
        // function.
        return if a.is_static() && b.is_static() { Some(false) } else { None };
    }
    let strides = a.stride().leaves().iter().zip(b.stride().leaves()).map(|(x, y)| {
        if x.basis() == y.basis() && x.den() == y.den() { x.scale().eq(y.scale()) } else { Some(false) }
    });
    let exact = all([same_leaves(a.shape().view(), b.shape().view()), all(strides)]);
    if exact == Some(false) && !(a.is_static() && b.is_static()) { None } else { exact }
}
