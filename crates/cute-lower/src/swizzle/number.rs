//! The algebra's leaves as numbers of one thread: what an op computes when it runs.

use cute_algebra::{Payload, Swizzle, Width};
use cute_dialect::value::AddressPayload;

/// A run-time integer, or an address in bits. Arithmetic wraps, as the machine's does; what divides by zero is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number(pub i64);

impl Number {
    fn with(self, rhs: Self, f: impl Fn(i64, i64) -> i64) -> Self {
        Self(f(self.0, rhs.0))
    }
}

impl Payload for Number {
    fn constant(value: i64, _: Width) -> Self {
        Self(value)
    }
    fn resize(&self, _: Width, _: Width) -> Self {
        *self
    }
    fn add(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, i64::wrapping_add)
    }
    fn sub(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, i64::wrapping_sub)
    }
    fn mul(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, i64::wrapping_mul)
    }
    fn div(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, |a, b| a.checked_div(b).unwrap_or(0))
    }
    fn rem(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, |a, b| a.checked_rem(b).unwrap_or(0))
    }
    fn ceil_div(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, |a, b| a.wrapping_add(b.wrapping_sub(1)).checked_div(b).unwrap_or(0))
    }
    fn min(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, i64::min)
    }
    fn max(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, i64::max)
    }
    fn abs(&self, _: Width) -> Self {
        Self(self.0.wrapping_abs())
    }
    fn signum(&self, _: Width) -> Self {
        Self(self.0.signum())
    }
    fn and(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, |a, b| a & b)
    }
    fn xor(&self, rhs: &Self, _: Width) -> Self {
        self.with(*rhs, |a, b| a ^ b)
    }
    fn shift_left(&self, shift: i32, _: Width) -> Self {
        Self(if shift < 0 { self.0 >> shift.unsigned_abs().min(63) } else { self.0 << shift.min(63) })
    }
}

impl AddressPayload for Number {
    fn element(&self, index: &Self, bits: u32) -> Self {
        self.with(*index, |address, index| address.wrapping_add(index.wrapping_mul(i64::from(bits))))
    }
    fn swizzled(&self, swizzle: Swizzle) -> Self {
        let bytes = self.0 >> 3;
        Self(swizzle.apply(&bytes).unwrap_or(bytes) << 3 | self.0 & 7)
    }
}
