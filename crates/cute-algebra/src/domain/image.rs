//! Properties of a layout's values that its strides reveal: whether values repeat, and up to where
//! they have no gap.

use std::collections::HashSet;

use super::MAX_TRIED;
use crate::{basis::Basis, coord::Crd, layout::Layout, ops, tuple::Tuple};

/// Whether no two coordinates have the same value; `None` if the strides do not decide it and there
/// are too many coordinates to try.
pub(super) fn injective(layout: &Layout<i64>) -> Option<bool> {
    let mut terms: Vec<(Basis, i64, i64)> = Vec::new();
    for (extent, stride) in layout.flat().filter(|(extent, _)| **extent > 1) {
        if stride.is(0) {
            return Some(false);
        }
        if stride.den() != 1 {
            return None;
        }
        terms.push((stride.basis(), stride.scale().checked_abs()?, *extent));
    }
    terms.sort_unstable();
    // Taken in order of size, each stride must step over all values that the smaller strides of its
    // basis reach.
    let (mut basis, mut reach) = (Basis::NONE, 0i64);
    let steps_over = terms.iter().all(|(b, stride, extent)| {
        if *b != basis {
            (basis, reach) = (*b, 0);
        }
        let over = *stride > reach;
        reach = stride.saturating_mul(extent - 1).saturating_add(reach);
        over
    });
    if steps_over {
        return Some(true);
    }
    let size = ops::size(layout).ok().filter(|n| *n <= MAX_TRIED)?;
    let mut seen = HashSet::new();
    for i in 0..size {
        if !seen.insert(ops::crd2idx(&Tuple::leaf(Crd::Int(i)), layout).ok()?) {
            return Some(false);
        }
    }
    Some(true)
}

/// The largest `n` such that every number in `[0, n)` is a sum of one value of each layout. In
/// order of stride, each mode of the layouts must step over all values that the smaller ones reach.
pub(super) fn filled(layouts: [&Layout<i64>; 2]) -> i64 {
    let leaves = layouts.into_iter().flat_map(Layout::flat).filter(|(extent, _)| **extent > 1);
    let mut modes: Vec<_> = leaves.filter_map(|(s, d)| Some((d.as_static()?, *s))).collect();
    modes.sort_unstable();
    let compact =
        modes.iter().try_fold(
            1i64,
            |n, (stride, extent)| {
                if *stride == n { Ok(n.saturating_mul(*extent)) } else { Err(n) }
            },
        );
    compact.unwrap_or_else(|gap| gap)
}
