//! The assumptions that compositions and divides make about run-time integers are sufficient: where
//! they hold, so does the equation.

mod common;

use common::{
    Watched,
    oracle::{at, image, law, law_on, size, sorted},
};
use cute_algebra::{Assumption, Dim, Int, Layout, Paired, Tiler, Width, composition, logical_divide};
use proptest::{collection::vec, prelude::*};

type Leaf = Paired<Watched>;

/// The layout with every integer known at run time only.
fn dynamic(layout: &Layout<i64>) -> Layout<Leaf> {
    layout.map(|n| Paired::dynamic(Width::I64, 1, Watched::new(*n, &[])))
}

/// The numbers of a layout, and whether an assumption about them is violated.
fn numbers(layout: &Layout<Leaf>) -> (Layout<i64>, bool) {
    let mut broken = false;
    let numbers = layout.map(|leaf| match (leaf.as_static(), leaf.payload()) {
        (Some(n), _) => n,
        (None, payload) => {
            broken |= payload.is_none_or(|p| p.broken);
            payload.map_or(0, |p| p.value)
        }
    });
    (numbers, broken)
}

fn layouts(rank: usize) -> impl Strategy<Value = Layout<i64>> {
    vec((1..9i64, 1..17i64), 1..=rank).prop_map(|modes| {
        let leaf = |(s, d): (i64, i64)| Layout::scalar(s, cute_algebra::Stride::int(d)).expect("a mode");
        Layout::from_modes(modes.into_iter().map(leaf))
    })
}

#[test]
fn compositions() {
    law_on([2_500, 10_000], 6, (layouts(3), 1..9i64, 0..25i64), |(a, extent, stride)| {
        let b = Layout::scalar(extent, cute_algebra::Stride::int(stride)).expect("a mode");
        let made = composition(&dynamic(&a), &Tiler::Layout(dynamic(&b))).expect("a composition");
        let (c, broken) = numbers(&made);
        let right = size(&c) == extent && (0..extent).all(|i| at(&c, i) == at(&a, i * stride));
        prop_assert!(broken || right, "{a} o {b} is made {c}");
        Ok(!broken)
    });
}

#[test]
fn divides() {
    law((layouts(2), 1..4i64), |(a, tile)| {
        let tiler = Layout::scalar(tile, cute_algebra::Stride::int(1)).expect("a mode");
        let made = logical_divide(&dynamic(&a), &Tiler::Layout(dynamic(&tiler))).expect("a divide");
        let (d, broken) = numbers(&made);
        let right = sorted(image(&d)) == sorted(image(&a));
        prop_assert!(broken || right, "{a} by {tile} is made {d}");
        Ok(!broken)
    });
}

#[test]
fn what_is_known_is_not_asked() {
    let rows: Leaf = Paired::dynamic(Width::I64, 8, Watched::new(7, &[]));
    let divided = rows.clone().assuming(Assumption::Divides, &rows, &Leaf::from_i64(8));
    assert!(divided.payload().is_some_and(|p| !p.broken));
    let asked = rows.clone().assuming(Assumption::Divides, &rows, &Leaf::from_i64(16));
    assert!(asked.payload().is_some_and(|p| p.broken));
    assert_eq!(asked.dim(), Dim::dynamic(Width::I64, 8));
}
