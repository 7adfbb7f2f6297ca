//! What the image of a layout looks like: compact, contiguous. Decided from extents and strides, never by enumeration.

use crate::{int::Int, layout::Layout};

/// Whether a layout is a bijection onto `[0, size)`. None if that depends on dynamic leaves.
///
/// ```text
/// sorted by stride, without extents of 1: d_0 = 1, d_{i+1} = s_i * d_i
/// ```
///
/// Basis strides have no integers for image: not compact.
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
    // An index below 0 is outside.
    if modes.iter().any(|m| m.stride < 0 && m.extent.is_some()) {
        return Some(false);
    }
    let mut next = 1i64;
    for (i, mode) in modes.iter().enumerate() {
        if mode.stride != next {
            // Larger strides cannot fill the gap; an extent of 1 would not be one.
            return mode.extent.map(|_| false);
        }
        match mode.extent.map(|extent| extent.checked_mul(next)) {
            Some(Some(end)) => next = end,
            // Whether what follows fits depends on the extent.
            None if i + 1 < modes.len() => return None,
            None => return Some(true),
            Some(None) => return (i + 1 == modes.len()).then_some(true).or(Some(false)),
        }
    }
    Some(true)
}

/// Whether the values of a layout are an interval, each taken at least once. None if that depends on dynamic leaves.
///
/// ```text
/// sorted by |stride|, without strides of 0 and extents of 1: |d_i| <= 1 + sum over j < i of (s_j - 1) * |d_j|
/// ```
///
/// Basis strides have no integers for image: not contiguous.
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
    // What is surely reached, a dynamic extent taken as 1.
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
    /// By stride; a dynamic extent behind static ones of the same stride.
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
