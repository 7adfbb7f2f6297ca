//! A run-time value that remembers whether an assumption about it is violated.

use std::cell::Cell;

use cute_algebra::{Assumption, Payload, Width};

/// A run-time value, and whether an assumption about it is violated.
#[derive(Debug, Clone)]
pub struct Watched {
    pub value: i64,
    pub broken: bool,
}

impl Watched {
    pub fn new(value: i64, of: &[&Self]) -> Self {
        Self { value, broken: of.iter().any(|w| w.broken) }
    }
    fn with(&self, rhs: &Self, value: Option<i64>) -> Self {
        Self::new(value.unwrap_or(0), &[self, rhs])
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
        self.with(rhs, self.value.checked_add(rhs.value))
    }
    fn sub(&self, rhs: &Self, _: Width) -> Self {
        self.with(rhs, self.value.checked_sub(rhs.value))
    }
    fn mul(&self, rhs: &Self, _: Width) -> Self {
        self.with(rhs, self.value.checked_mul(rhs.value))
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
        all.broken |= !assumption.holds(a.value, b.value);
        all
    }
    fn assume(assumption: Assumption, a: &Self, b: &Self, _: Width) {
        if a.broken || b.broken || !assumption.holds(a.value, b.value) {
            BROKEN.set(true);
        }
    }
}

thread_local! {
    /// Whether an assumption was violated on which a static value depends.
    static BROKEN: Cell<bool> = const { Cell::new(false) };
}

/// The result of `compute`, and whether a static value depends on an assumption that is violated.
pub fn watching<T>(compute: impl FnOnce() -> T) -> (T, bool) {
    BROKEN.set(false);
    let made = compute();
    (made, BROKEN.get())
}
