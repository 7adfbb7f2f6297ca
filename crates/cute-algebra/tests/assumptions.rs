//! The assumptions that compositions and divides make about run-time integers are sufficient: where
//! they hold, so does the equation.

mod common;

use common::oracle::{at, image, law, size, sorted};
use cute_algebra::{
    Assumption, Dim, Int, Layout, Paired, Payload, Tiler, Width, composition, logical_divide,
};
use proptest::{collection::vec, prelude::*};

/// A run-time value, and whether an assumption about it is violated.
#[derive(Debug, Clone)]
struct Watched {
    value: i64,
    broken: bool,
}

impl Watched {
    fn new(value: i64, of: &[&Self]) -> Self {
        Self { value, broken: of.iter().any(|w| w.broken) }
    }
    fn with(&self, rhs: &Self, value: Option<i64>) -> Self {
        Self::new(value.unwrap_or(0), &[self, rhs])
    }
}

fn holds(assumption: Assumption, a: i64, b: i64) -> bool {
    let multiple = |a: i64, b: i64| a.checked_rem(b) == Some(0);
    match assumption {
        Assumption::Divides => multiple(a, b),
        Assumption::DividesOrLess => a < b || multiple(a, b),
        Assumption::Commensurable => b != 0 && (multiple(a, b) || multiple(b, a)),
        Assumption::Carries => a == 0 || multiple(a, b) || multiple(b, a),
        Assumption::InRange => (0..b).contains(&a),
        Assumption::Covers => a == b,
        Assumption::Fits => a <= b,
    }
}

impl Payload for Watched {
    fn constant(value: i64, _: Width) -> Self {
        Self::new(value, &[])
    }
    fn resize(&self, _: Width, _: Width) -> Self {
        self.clone()
    }
    fn add(&self, rhs: &Self, _: Width) -> Self {
        self.with(rhs, Some(self.value + rhs.value))
    }
    fn sub(&self, rhs: &Self, _: Width) -> Self {
        self.with(rhs, Some(self.value - rhs.value))
    }
    fn mul(&self, rhs: &Self, _: Width) -> Self {
        self.with(rhs, Some(self.value * rhs.value))
    }
    fn div(&self, rhs: &Self, _: Width) -> Self {
        self.with(rhs, self.value.checked_div(rhs.value))
    }
    fn rem(&self, rhs: &Self, _: Width) -> Self {
        self.with(rhs, self.value.checked_rem(rhs.value))
    }
    fn ceil_div(&self, rhs: &Self, _: Width) -> Self {
        self.with(rhs, (self.value + rhs.value - 1).checked_div(rhs.value))
    }
    fn min(&self, rhs: &Self, _: Width) -> Self {
        self.with(rhs, Some(self.value.min(rhs.value)))
    }
    fn max(&self, rhs: &Self, _: Width) -> Self {
        self.with(rhs, Some(self.value.max(rhs.value)))
    }
    fn abs(&self, _: Width) -> Self {
        Self::new(self.value.abs(), &[self])
    }
    fn signum(&self, _: Width) -> Self {
        Self::new(self.value.signum(), &[self])
    }
    fn and(&self, rhs: &Self, _: Width) -> Self {
        self.with(rhs, Some(self.value & rhs.value))
    }
    fn xor(&self, rhs: &Self, _: Width) -> Self {
        self.with(rhs, Some(self.value ^ rhs.value))
    }
    fn shift_left(&self, shift: i32, _: Width) -> Self {
        Self::new(if shift < 0 { self.value >> -shift } else { self.value << shift }, &[self])
    }
    fn assuming(&self, _: Width, assumption: Assumption, a: &Self, b: &Self, _: Width) -> Self {
        let mut all = Self::new(self.value, &[self, a, b]);
        all.broken |= !holds(assumption, a.value, b.value);
        all
    }
}

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
    law((layouts(3), 1..9i64, 1..25i64), |(a, extent, stride)| {
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
