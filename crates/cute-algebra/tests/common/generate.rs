//! Random layouts: nested profiles, extents 1, strides 0; and right operands that fit left ones, so
//! that a strict policy accepts many of them.

use cute_algebra::{Layout, Stride, Swizzle, Tuple};
use proptest::prelude::*;

/// The maximum number of coordinates of a layout, so that all can be tried.
const MOST: i64 = 200;
const EXTENTS: [i64; 8] = [1, 2, 3, 4, 2, 5, 8, 6];
const STRIDES: [i64; 16] = [0, 1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 1, 0, 7, 64];

/// A number from which decisions are derived; 0 gives the simplest ones.
#[derive(Debug, Clone, Copy)]
pub struct Code(u64);

impl Code {
    pub fn take(&mut self, n: usize) -> usize {
        let taken = self.0 % n as u64;
        self.0 /= n as u64;
        taken as usize
    }
}

pub fn codes() -> impl Strategy<Value = Code> {
    any::<u64>().prop_map(Code)
}

/// The leaves as a tree.
pub fn nested<T: Clone>(leaves: &[T], code: &mut Code) -> Tuple<T> {
    match leaves {
        [leaf] if code.take(2) == 0 => Tuple::leaf(leaf.clone()),
        _ => Tuple::from_modes(modes(leaves, code, 2)),
    }
}

fn modes<T: Clone>(mut leaves: &[T], code: &mut Code, levels: usize) -> Vec<Tuple<T>> {
    let mut modes = Vec::new();
    while !leaves.is_empty() {
        let (group, rest) = leaves.split_at((code.take(3) + 1).min(leaves.len()));
        modes.push(match group {
            [leaf] if levels == 0 || code.take(4) < 3 => Tuple::leaf(leaf.clone()),
            _ if levels == 0 => Tuple::from_leaves(group.iter().cloned()),
            _ => Tuple::from_modes(self::modes(group, code, levels - 1)),
        });
        leaves = rest;
    }
    modes
}

pub fn layout_of(leaves: &[(i64, i64)], code: &mut Code) -> Layout<i64> {
    let tree = nested(leaves, code);
    Layout::new(tree.map(|leaf| leaf.0), tree.map(|leaf| Stride::int(leaf.1))).expect("a layout")
}

fn indices() -> impl Strategy<Value = Vec<(usize, usize)>> {
    prop::collection::vec((0..EXTENTS.len(), 0..STRIDES.len()), 1..6)
}

/// Extents and strides with at most `most` coordinates.
fn bounded(indices: &[(usize, usize)], most: i64) -> Vec<(i64, i64)> {
    let mut size = 1;
    let one = |&(extent, stride): &(usize, usize)| {
        let extent = if size * EXTENTS[extent] > most { 1 } else { EXTENTS[extent] };
        size *= extent;
        (extent, STRIDES[stride])
    };
    indices.iter().map(one).collect()
}

/// Any layout.
pub fn layouts() -> impl Strategy<Value = Layout<i64>> {
    layouts_up_to(MOST)
}

pub fn layouts_up_to(most: i64) -> impl Strategy<Value = Layout<i64>> {
    (indices(), codes()).prop_map(move |(indices, mut code)| layout_of(&bounded(&indices, most), &mut code))
}

/// A bijection onto `[0, size)`, its modes in any order of stride.
pub fn compact() -> impl Strategy<Value = Layout<i64>> {
    (indices(), codes(), codes()).prop_map(|(indices, mut order, mut code)| {
        let extents: Vec<i64> = bounded(&indices, MOST).iter().map(|leaf| leaf.0).collect();
        let mut leaves: Vec<(i64, i64)> = extents.iter().map(|s| (*s, 0)).collect();
        let mut next = 1;
        for i in shuffled((0..extents.len()).collect(), &mut order) {
            leaves[i].1 = next;
            next *= extents[i];
        }
        layout_of(&leaves, &mut code)
    })
}

/// Distinct values, with gaps between them, some of which are not a multiple of the strides before.
pub fn injective() -> impl Strategy<Value = Layout<i64>> {
    injective_up_to(MOST)
}

pub fn injective_up_to(most: i64) -> impl Strategy<Value = Layout<i64>> {
    (indices(), codes(), codes()).prop_map(move |(indices, mut order, mut code)| {
        let mut leaves = bounded(&indices, most);
        let mut next = 1;
        for i in shuffled((0..leaves.len()).collect(), &mut order) {
            next = next * [1, 1, 2, 3][order.take(4)] + i64::from(order.take(16) == 15);
            leaves[i].1 = next;
            next *= leaves[i].0;
        }
        layout_of(&leaves, &mut code)
    })
}

fn shuffled<T>(mut items: Vec<T>, code: &mut Code) -> Vec<T> {
    let mut out = Vec::new();
    while !items.is_empty() {
        out.push(items.remove(code.take(items.len())));
    }
    out
}

/// Parts `extent:stride` of the extents of a domain, in any order: for `(4,6)`, perhaps `3:8`,
/// `4:1`.
fn parts(extents: &[i64], code: &mut Code) -> Vec<(i64, i64)> {
    let (mut parts, mut next) = (Vec::new(), 1);
    for &extent in extents {
        let divisors: Vec<i64> = (1..=extent).filter(|d| extent % d == 0).collect();
        let first = divisors[code.take(divisors.len())];
        let both = [(first, next), (extent / first, next * first)];
        parts.extend(both.into_iter().filter(|part| part.0 > 1 && code.take(3) < 2));
        next *= extent;
    }
    shuffled(parts, code)
}

/// A right operand for a layout of these extents: mostly of parts of them.
fn right_operand(extents: &[i64], indices: &[(usize, usize)], code: &mut Code) -> Layout<i64> {
    if code.take(4) == 0 {
        return layout_of(&bounded(indices, MOST), code);
    }
    let mut leaves = parts(extents, code);
    match code.take(6) {
        0 => leaves.push((2, 0)),
        1 => leaves.insert(0, (1, 3)),
        2 => leaves.iter_mut().take(1).for_each(|leaf| leaf.0 -= 1),
        _ => {}
    }
    if leaves.is_empty() {
        leaves.push((1, 0));
    }
    layout_of(&leaves, code)
}

/// A layout, and one to compose it with or to divide it by.
pub fn pairs(left: impl Strategy<Value = Layout<i64>>) -> impl Strategy<Value = (Layout<i64>, Layout<i64>)> {
    (left, indices(), codes()).prop_map(|(a, indices, mut code)| {
        let b = right_operand(a.shape().leaves(), &indices, &mut code);
        (a, b)
    })
}

pub fn swizzles() -> impl Strategy<Value = Swizzle> {
    (0i64..4, 0i64..4, 0i64..3, any::<bool>()).prop_map(|(bits, base, extra, negative)| {
        let shift = (bits + extra) * if negative { -1 } else { 1 };
        Swizzle::new(bits, base, shift).expect("a swizzle")
    })
}

/// A layout, and one made of parts of its leaves that takes each leaf whole or not at all.
pub fn fitting(
    left: impl Strategy<Value = Layout<i64>>,
) -> impl Strategy<Value = (Layout<i64>, Layout<i64>)> {
    (left, codes()).prop_map(|(a, mut code)| {
        let mut leaves = parts(a.shape().leaves(), &mut code);
        if leaves.is_empty() {
            leaves.push((1, 0));
        }
        let b = layout_of(&leaves, &mut code);
        (a, b)
    })
}
