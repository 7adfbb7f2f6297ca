//! Checks that static leaves alone decide: operations evaluated over leaves that remember an
//! assumption which does not hold for static integers, whatever the run-time ones are.

use std::cell::Cell;

use crate::{
    composed::LayoutLike,
    dim::{Dim, Width},
    error::{Error, Result},
    int::{Assumption, Int},
    layout::Layout,
};

/// A leaf that records each assumption which is known not to hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held(Dim);

thread_local! {
    /// The first violation since the last check. A leaf could not carry it: a result may drop the
    /// leaf, as coalescing drops extents of 1, and still be wrong.
    static BROKEN: Cell<Option<(Assumption, i64, i64)>> = const { Cell::new(None) };
}

impl<I: Int> From<&I> for Held {
    fn from(leaf: &I) -> Self {
        Self(leaf.dim())
    }
}

impl Int for Held {
    const ASSUMES: bool = true;

    fn assuming(self, assumption: Assumption, a: &Self, b: &Self) -> Self {
        // These are the policy's own conditions, which have checks of their own.
        let own = matches!(assumption, Assumption::Covers | Assumption::InRange | Assumption::Within);
        let broken = a.as_static().zip(b.as_static()).filter(|(a, b)| !own && !assumption.holds(*a, *b));
        if let Some((a, b)) = broken {
            BROKEN.set(BROKEN.get().or(Some((assumption, a, b))));
        }
        self
    }
    fn from_i64(value: i64) -> Self {
        Self(Dim::fixed(value))
    }
    fn dim(&self) -> Dim {
        self.0
    }
    fn add(&self, rhs: &Self) -> Result<Self> {
        self.0.add(&rhs.0).map(Self)
    }
    fn sub(&self, rhs: &Self) -> Result<Self> {
        self.0.sub(&rhs.0).map(Self)
    }
    fn mul(&self, rhs: &Self) -> Result<Self> {
        self.0.mul(&rhs.0).map(Self)
    }
    fn div(&self, rhs: &Self) -> Result<Self> {
        Int::div(&self.0, &rhs.0).map(Self)
    }
    fn rem(&self, rhs: &Self) -> Result<Self> {
        self.0.rem(&rhs.0).map(Self)
    }
    fn ceil_div(&self, rhs: &Self) -> Result<Self> {
        self.0.ceil_div(&rhs.0).map(Self)
    }
    fn min(&self, rhs: &Self) -> Result<Self> {
        self.0.min(&rhs.0).map(Self)
    }
    fn max(&self, rhs: &Self) -> Result<Self> {
        self.0.max(&rhs.0).map(Self)
    }
    fn abs(&self) -> Result<Self> {
        self.0.abs().map(Self)
    }
    fn signum(&self) -> Result<Self> {
        self.0.signum().map(Self)
    }
    fn and(&self, mask: i64) -> Result<Self> {
        self.0.and(mask).map(Self)
    }
    fn xor(&self, rhs: &Self) -> Result<Self> {
        self.0.xor(&rhs.0).map(Self)
    }
    fn gcd(&self, rhs: &Self) -> Result<Self> {
        Int::gcd(&self.0, &rhs.0).map(Self)
    }
    fn resized(&self, width: Width) -> Self {
        Self(self.0.resized(width))
    }
    fn at_run_time(&self, width: Width) -> Self {
        Self(self.0.at_run_time(width))
    }
    fn shift_left(&self, shift: i32) -> Result<Self> {
        self.0.shift_left(shift).map(Self)
    }
}

/// `layout` over leaves that remember.
pub(super) fn held<L: LayoutLike>(layout: &L) -> Layout<Held> {
    layout.outer().map(|leaf| Held::from(leaf))
}

/// Fails if `op` meets an assumption that does not hold.
pub(super) fn check<T>(what: &'static str, op: impl FnOnce() -> Result<T>) -> Result<()> {
    BROKEN.set(None);
    op()?;
    match BROKEN.take() {
        None => Ok(()),
        Some((assumption, a, b)) => {
            let why = format!("{}, for all values of `?`", assumption.broken(&a, &b));
            Err(Error::Domain { what, why })
        }
    }
}
