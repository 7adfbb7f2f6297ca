//! What tests share: a payload that is the run-time value itself, random layouts, and layouts by definition.
#![allow(dead_code, reason = "each test uses a part")]

pub mod generate;
pub mod oracle;

use cute_algebra::{Payload, Width};

/// A run-time value in tests.
#[derive(Debug, Clone, PartialEq)]
pub struct Value(pub i64);

impl Payload for Value {
    fn constant(value: i64, _: Width) -> Self {
        Self(value)
    }
    fn resize(&self, _: Width, _: Width) -> Self {
        self.clone()
    }
    fn add(&self, rhs: &Self, _: Width) -> Self {
        Self(self.0 + rhs.0)
    }
    fn sub(&self, rhs: &Self, _: Width) -> Self {
        Self(self.0 - rhs.0)
    }
    fn mul(&self, rhs: &Self, _: Width) -> Self {
        Self(self.0 * rhs.0)
    }
    fn div(&self, rhs: &Self, _: Width) -> Self {
        Self(self.0.checked_div(rhs.0).unwrap_or(0))
    }
    fn rem(&self, rhs: &Self, _: Width) -> Self {
        Self(self.0.checked_rem(rhs.0).unwrap_or(0))
    }
    fn ceil_div(&self, rhs: &Self, _: Width) -> Self {
        Self((self.0 + rhs.0 - 1).checked_div(rhs.0).unwrap_or(0))
    }
    fn min(&self, rhs: &Self, _: Width) -> Self {
        Self(self.0.min(rhs.0))
    }
    fn max(&self, rhs: &Self, _: Width) -> Self {
        Self(self.0.max(rhs.0))
    }
    fn abs(&self, _: Width) -> Self {
        Self(self.0.abs())
    }
    fn signum(&self, _: Width) -> Self {
        Self(self.0.signum())
    }
    fn and(&self, rhs: &Self, _: Width) -> Self {
        Self(self.0 & rhs.0)
    }
    fn xor(&self, rhs: &Self, _: Width) -> Self {
        Self(self.0 ^ rhs.0)
    }
    fn shift_left(&self, shift: i32, _: Width) -> Self {
        Self(if shift < 0 { self.0 >> -shift } else { self.0 << shift })
    }
}
