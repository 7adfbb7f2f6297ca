//! Properties of a layout's image: compact, contiguous. `(4,2):(2,1)` is compact, because it takes
//! every value in `[0, 8)` once; `(4,2):(1,1)` is only contiguous, because it takes some values
//! twice. Both are decided from extents and strides, never by enumeration.

use crate::{int::Int, layout::Layout};

/// Whether a layout is a bijection onto `[0, size)`. `None` if that depends on dynamic leaves.
///
/// ```text
/// sorted by stride, without extents of 1: d_0 = 1, d_{i+1} = s_i * d_i
/// ```
///
/// The values of basis strides are not integers, so such a layout is not compact.
///
/// ```
/// use cute_algebra::{is_compact, parse_layout};
/// let compact = |l| is_compact(&parse_layout(l).unwrap());
/// assert_eq!(compact("(4,(2,8)):(16,(1,2))"), Some(true));
/// assert_eq!(compact("(4,8):(1,8)"), Some(false));
/// assert_eq!(compact("(?,8):(8,1)"), Some(true));
/// ```
pub fn is_compact<I: Int>(layout: &Layout<I>) -> Option<bool> {
    let modes = match Modes::of(layout) {
        Found::Decided(answer) => return answer,
        Found::Modes(modes) => modes,
    };
    // A value below 0 is outside the interval.
    if modes.iter().any(|m| m.stride < 0 && m.extent.is_some()) {
        return Some(false);
    }
    let mut next = 1i64;
    for (i, mode) in modes.iter().enumerate() {
        if mode.stride != next {
            // Larger strides cannot fill the gap. A dynamic extent may be 1, and then there is no
            // gap.
            return mode.extent.map(|_| false);
        }
        match mode.extent.map(|extent| extent.checked_mul(next)) {
            Some(Some(end)) => next = end,
            // The extent decides whether the following modes fit.
            None if i + 1 < modes.len() => return None,
            None => return Some(true),
            Some(None) => return (i + 1 == modes.len()).then_some(true).or(Some(false)),
        }
    }
    Some(true)
}

/// Whether the values of a layout are an interval, each taken at least once. `None` if that depends
/// on dynamic leaves.
///
/// ```text
/// sorted by |stride|, without strides of 0 and extents of 1: |d_i| <= 1 + sum over j < i of (s_j - 1) * |d_j|
/// ```
///
/// The values of basis strides are not integers, so such a layout is not contiguous.
///
/// ```
/// use cute_algebra::{is_contiguous, parse_layout};
/// let contiguous = |l| is_contiguous(&parse_layout(l).unwrap());
/// assert_eq!(contiguous("(3,14):(1,1)"), Some(true));
/// assert_eq!(contiguous("(4,3):(-1,0)"), Some(true));
/// assert_eq!(contiguous("(4,8):(1,5)"), Some(false));
/// assert_eq!(contiguous("(?,8):(8,1)"), Some(true));
/// ```
pub fn is_contiguous<I: Int>(layout: &Layout<I>) -> Option<bool> {
    let mut modes = match Modes::of(layout) {
        Found::Decided(answer) => return answer,
        Found::Modes(modes) => modes,
    };
    modes.retain(|m| m.stride != 0);
    modes.sort_by_key(|m| m.stride.unsigned_abs());
    // The values that are certainly reached; a dynamic extent counts as 1.
    let (mut reach, mut known) = (0u64, true);
    for mode in &modes {
        let step = mode.stride.unsigned_abs();
        if step > reach.saturating_add(1) {
            return (known && mode.extent.is_some()).then_some(false);
        }
        match mode.extent {
            Some(extent) => {
                reach = reach.saturating_add(step.saturating_mul(extent.unsigned_abs().saturating_sub(1)));
            }
            None => known = false,
        }
    }
    Some(true)
}

/// A mode that can move: its extent is dynamic, or static and above 1.
struct Modes {
    extent: Option<i64>,
    stride: i64,
}

enum Found {
    Decided(Option<bool>),
    Modes(Vec<Modes>),
}

impl Modes {
    /// Sorts by stride; a dynamic extent comes after static ones of the same stride.
    fn of<I: Int>(layout: &Layout<I>) -> Found {
        let mut modes = Vec::new();
        for (extent, stride) in layout.flat() {
            if extent.is(1) {
                continue;
            }
            if !stride.basis().is_none() || stride.den() != 1 {
                return Found::Decided(if extent.is_static() { Some(false) } else { None });
            }
            let Some(stride) = stride.as_static() else { return Found::Decided(None) };
            modes.push(Self { extent: extent.as_static(), stride });
        }
        modes.sort_by_key(|m| (m.stride, m.extent.is_none()));
        Found::Modes(modes)
    }
}
