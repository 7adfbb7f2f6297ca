//! The integers of the calculator: static, dynamic, or dynamic with a run-time value. This module
//! defines the arithmetic and the text of one leaf.

use cute_algebra::{Dim, Int, Paired, Payload, Width};

/// The run-time value of a dynamic integer, if it is known. A result that does not fit 64 bits, or
/// divides by zero, is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known(pub Option<i64>);

/// A leaf: `8` is static, `?` and `?{div=8}` are dynamic, `?8` is dynamic and has the value 8 at
/// run time.
///
/// Whether a result is static depends on the [`Dim`] half only.
pub type Leaf = Paired<Known>;

/// `8`, `?{div=8}` or `?8`.
pub fn text(leaf: &Leaf) -> String {
    match leaf.payload() {
        Some(Known(Some(value))) => format!("?{value}"),
        _ => leaf.dim().to_string(),
    }
}

/// The leaf for `dim` with the run-time value `value`.
pub fn leaf(dim: Dim, value: Option<i64>) -> Leaf {
    Paired::new(dim, Known(value))
}

impl Known {
    fn with(self, rhs: Self, f: impl FnOnce(i64, i64) -> Option<i64>) -> Self {
        Self(self.0.zip(rhs.0).and_then(|(a, b)| f(a, b)))
    }
}

impl Payload for Known {
    fn constant(value: i64, _: Width) -> Self {
        Self(Some(value))
    }
    fn resize(&self, _: Width, _: Width) -> Self {
        *self
    }
    fn add(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, i64::checked_add)
    }
    fn sub(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, i64::checked_sub)
    }
    fn mul(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, i64::checked_mul)
    }
    fn div(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, i64::checked_div)
    }
    fn rem(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, i64::checked_rem)
    }
    fn ceil_div(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, |a, b| a.checked_add(b)?.checked_sub(1)?.checked_div(b))
    }
    fn min(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, |a, b| Some(a.min(b)))
    }
    fn max(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, |a, b| Some(a.max(b)))
    }
    fn abs(&self, _: Width) -> Self {
        Self(self.0.and_then(i64::checked_abs))
    }
    fn signum(&self, _: Width) -> Self {
        Self(self.0.map(i64::signum))
    }
    fn and(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, |a, b| Some(a & b))
    }
    fn xor(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, |a, b| Some(a ^ b))
    }
    fn gcd(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, |a, b| Some(cute_algebra::gcd(a.checked_abs()?, b.checked_abs()?)))
    }
    fn shift_left(&self, shift: i32, _: Width) -> Self {
        let shifted = |value: i64| match shift {
            0..63 => value.checked_mul(1 << shift),
            63.. => (value == 0).then_some(0),
            _ => Some(value >> shift.unsigned_abs().min(63)),
        };
        Self(self.0.and_then(shifted))
    }
}
