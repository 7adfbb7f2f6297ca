//! [`Paired`]: a [`Dim`] with the run-time value computed alongside. Decisions look at the `Dim`
//! half only, so the structure of the computed result cannot differ from the structure that was
//! inferred.

use std::num::Wrapping;

use crate::{
    dim::{Dim, Width},
    error::Result,
    int::{Assumption, Int},
};

/// A run-time value that a [`Paired`] carries: an SSA expression in the lowering, a number in
/// tests.
///
/// Both operands of an operation have the width that is passed to it.
pub trait Payload: Clone + std::fmt::Debug {
    /// The constant `value`; made only when a static operand meets a dynamic one.
    fn constant(value: i64, width: Width) -> Self;
    /// The same value in another width.
    fn resize(&self, from: Width, to: Width) -> Self;
    /// `self + rhs` in this width.
    fn add(&self, rhs: &Self, width: Width) -> Self;
    /// `self - rhs` in this width.
    fn sub(&self, rhs: &Self, width: Width) -> Self;
    /// `self * rhs` in this width.
    fn mul(&self, rhs: &Self, width: Width) -> Self;
    /// Signed quotient, truncating.
    fn div(&self, rhs: &Self, width: Width) -> Self;
    /// Signed remainder.
    fn rem(&self, rhs: &Self, width: Width) -> Self;
    /// Signed quotient rounded up, for non-negative dividend and positive divisor.
    fn ceil_div(&self, rhs: &Self, width: Width) -> Self;
    /// Signed minimum.
    fn min(&self, rhs: &Self, width: Width) -> Self;
    /// Signed maximum.
    fn max(&self, rhs: &Self, width: Width) -> Self;
    /// `|self|` in this width.
    fn abs(&self, width: Width) -> Self;
    /// -1, 0 or 1.
    fn signum(&self, width: Width) -> Self;
    /// Bitwise and.
    fn and(&self, rhs: &Self, width: Width) -> Self;
    /// Bitwise exclusive or.
    fn xor(&self, rhs: &Self, width: Width) -> Self;
    /// The greatest common divisor of two non-negative values; 0 is the neutral element. This is
    /// Euclid's algorithm without a loop: it always takes the number of steps that the worst case
    /// needs, which is a pair of neighbouring Fibonacci numbers of that width.
    fn gcd(&self, rhs: &Self, width: Width) -> Self {
        let steps = match width {
            Width::I32 => 46,
            Width::I64 => 92,
        };
        let one = Self::constant(1, width);
        let (mut a, mut b) = (self.clone(), rhs.clone());
        for _ in 0..steps {
            // Once `b` is 0, neither `a` nor `b` changes any more.
            let rest = a.rem(&b.max(&one, width), width);
            a = a.add(&b.sub(&a, width).mul(&b.signum(width), width), width);
            b = rest;
        }
        a
    }
    /// Left shift by a constant; a negative amount is an arithmetic right shift.
    fn shift_left(&self, shift: i32, width: Width) -> Self;
    /// `self`, given that `assumption` holds for `a` and `b`; the two widths may differ.
    fn assuming(&self, _: Width, _: Assumption, _a: &Self, _b: &Self, _: Width) -> Self {
        self.clone()
    }
    /// Whether anything checks what is assumed of this value.
    fn is_checked(&self) -> bool {
        true
    }
    /// [`assuming`](Self::assuming) for a value that is static.
    fn assume(_: Assumption, _a: &Self, _b: &Self, _: Width) {}
}

/// A number as the run-time value. Arithmetic wraps, as it does on a machine; a division by zero
/// gives 0.
impl Payload for Wrapping<i64> {
    fn constant(value: i64, _: Width) -> Self {
        Self(value)
    }
    fn resize(&self, _: Width, _: Width) -> Self {
        *self
    }
    fn add(&self, rhs: &Self, _: Width) -> Self {
        *self + *rhs
    }
    fn sub(&self, rhs: &Self, _: Width) -> Self {
        *self - *rhs
    }
    fn mul(&self, rhs: &Self, _: Width) -> Self {
        *self * *rhs
    }
    fn div(&self, rhs: &Self, _: Width) -> Self {
        Self(self.0.checked_div(rhs.0).unwrap_or(0))
    }
    fn rem(&self, rhs: &Self, _: Width) -> Self {
        Self(self.0.checked_rem(rhs.0).unwrap_or(0))
    }
    fn ceil_div(&self, rhs: &Self, width: Width) -> Self {
        Payload::div(&(*self + *rhs - Wrapping(1)), rhs, width)
    }
    fn min(&self, rhs: &Self, _: Width) -> Self {
        Ord::min(*self, *rhs)
    }
    fn max(&self, rhs: &Self, _: Width) -> Self {
        Ord::max(*self, *rhs)
    }
    fn abs(&self, _: Width) -> Self {
        Self(self.0.wrapping_abs())
    }
    fn signum(&self, _: Width) -> Self {
        Self(self.0.signum())
    }
    fn and(&self, rhs: &Self, _: Width) -> Self {
        *self & *rhs
    }
    fn xor(&self, rhs: &Self, _: Width) -> Self {
        *self ^ *rhs
    }
    fn shift_left(&self, shift: i32, _: Width) -> Self {
        Self(if shift < 0 { self.0 >> shift.unsigned_abs().min(63) } else { self.0 << shift.min(63) })
    }
}

/// A leaf with two halves: the part known before run time and, unless that is already the value,
/// the run-time value.
#[derive(Debug, Clone)]
pub struct Paired<P> {
    dim: Dim,
    payload: Option<P>,
}

impl<P: Payload> Paired<P> {
    /// A static integer; it has no run-time half.
    pub fn fixed(value: i64) -> Self {
        Self { dim: Dim::fixed(value), payload: None }
    }

    /// A dynamic integer of the given width and divisor with its run-time value.
    pub fn dynamic(width: Width, div: i64, payload: P) -> Self {
        Self { dim: Dim::dynamic(width, div), payload: Some(payload) }
    }

    /// `dim` with `payload`, which a static `dim` drops.
    pub fn new(dim: Dim, payload: P) -> Self {
        Self { dim, payload: dim.width().map(|_| payload) }
    }

    /// The run-time value; `None` when static.
    pub fn payload(&self) -> Option<&P> {
        self.payload.as_ref()
    }

    /// The run-time value in `width`, as a constant when static.
    pub fn materialize(&self, width: Width) -> P {
        match (&self.payload, self.dim.width()) {
            (Some(payload), Some(from)) if from != width => payload.resize(from, width),
            (Some(payload), _) => payload.clone(),
            (None, _) => P::constant(self.dim.expect_static(), width),
        }
    }

    fn binary(&self, rhs: &Self, dim: Dim, op: impl FnOnce(&P, &P, Width) -> P) -> Self {
        let payload = dim.width().map(|width| op(&self.materialize(width), &rhs.materialize(width), width));
        Self { dim, payload }
    }

    fn unary(&self, dim: Dim, op: impl FnOnce(&P, Width) -> P) -> Self {
        let payload = dim.width().map(|width| op(&self.materialize(width), width));
        Self { dim, payload }
    }

    /// `self` with another `dim`, which may be wider.
    fn renamed(&self, dim: Dim) -> Self {
        self.unary(dim, |payload, _| payload.clone())
    }
}

impl<P: Payload> Int for Paired<P> {
    const ASSUMES: bool = true;

    fn is_checked(&self) -> bool {
        self.payload.as_ref().is_some_and(P::is_checked)
    }

    fn assuming(self, assumption: Assumption, a: &Self, b: &Self) -> Self {
        let Some(width) = a.dim.width().max(b.dim.width()) else { return self };
        let multiple = |a: &Self, b: &Self| b.as_static().is_some_and(|b| b != 0 && a.dim.divisor() % b == 0);
        let known = match assumption {
            Assumption::Divides | Assumption::DividesOrLess => multiple(a, b),
            Assumption::Commensurable | Assumption::Carries => a.is(0) || multiple(a, b) || multiple(b, a),
            Assumption::Apart => a.is(0),
            Assumption::InRange
            | Assumption::Covers
            | Assumption::Fits
            | Assumption::Single
            | Assumption::Within
            | Assumption::Nonzero
            | Assumption::Ascends => false,
        };
        if known {
            return self;
        }
        let (a, b) = (a.materialize(width), b.materialize(width));
        match (&self.payload, self.dim.width()) {
            (Some(payload), Some(own)) => {
                Self { dim: self.dim, payload: Some(payload.assuming(own, assumption, &a, &b, width)) }
            }
            _ => {
                P::assume(assumption, &a, &b, width);
                self
            }
        }
    }
    fn from_i64(value: i64) -> Self {
        Self::fixed(value)
    }
    fn dim(&self) -> Dim {
        self.dim
    }
    fn add(&self, rhs: &Self) -> Result<Self> {
        let dim = self.dim.add(&rhs.dim)?;
        Ok(match (self.as_static(), rhs.as_static()) {
            (Some(0), _) => rhs.renamed(dim),
            (_, Some(0)) => self.renamed(dim),
            _ => self.binary(rhs, dim, P::add),
        })
    }
    fn sub(&self, rhs: &Self) -> Result<Self> {
        let dim = self.dim.sub(&rhs.dim)?;
        Ok(if rhs.is(0) { self.renamed(dim) } else { self.binary(rhs, dim, P::sub) })
    }
    fn mul(&self, rhs: &Self) -> Result<Self> {
        let dim = self.dim.mul(&rhs.dim)?;
        Ok(match (self.as_static(), rhs.as_static()) {
            (Some(1), _) => rhs.renamed(dim),
            (_, Some(1)) => self.renamed(dim),
            _ => self.binary(rhs, dim, P::mul),
        })
    }
    fn div(&self, rhs: &Self) -> Result<Self> {
        let dim = Int::div(&self.dim, &rhs.dim)?;
        Ok(if rhs.is(1) { self.renamed(dim) } else { self.binary(rhs, dim, P::div) })
    }
    fn rem(&self, rhs: &Self) -> Result<Self> {
        let dim = self.dim.rem(&rhs.dim)?;
        Ok(self.binary(rhs, dim, P::rem))
    }
    fn ceil_div(&self, rhs: &Self) -> Result<Self> {
        let dim = self.dim.ceil_div(&rhs.dim)?;
        Ok(if rhs.is(1) { self.renamed(dim) } else { self.binary(rhs, dim, P::ceil_div) })
    }
    fn min(&self, rhs: &Self) -> Result<Self> {
        let dim = self.dim.min(&rhs.dim)?;
        Ok(self.binary(rhs, dim, P::min))
    }
    fn max(&self, rhs: &Self) -> Result<Self> {
        let dim = self.dim.max(&rhs.dim)?;
        Ok(self.binary(rhs, dim, P::max))
    }
    fn abs(&self) -> Result<Self> {
        let dim = self.dim.abs()?;
        Ok(self.unary(dim, P::abs))
    }
    fn signum(&self) -> Result<Self> {
        let dim = self.dim.signum()?;
        Ok(self.unary(dim, P::signum))
    }
    fn and(&self, mask: i64) -> Result<Self> {
        let dim = self.dim.and(mask)?;
        Ok(self.binary(&Self::fixed(mask), dim, P::and))
    }
    fn xor(&self, rhs: &Self) -> Result<Self> {
        let dim = self.dim.xor(&rhs.dim)?;
        Ok(match (self.as_static(), rhs.as_static()) {
            (Some(0), _) => rhs.renamed(dim),
            (_, Some(0)) => self.renamed(dim),
            _ => self.binary(rhs, dim, P::xor),
        })
    }
    fn gcd(&self, rhs: &Self) -> Result<Self> {
        let dim = self.dim.gcd(&rhs.dim)?;
        Ok(match (self.as_static(), rhs.as_static()) {
            (Some(0), _) => rhs.renamed(dim),
            (_, Some(0)) => self.renamed(dim),
            _ => self.binary(rhs, dim, P::gcd),
        })
    }
    fn resized(&self, width: Width) -> Self {
        self.renamed(self.dim.resized(width))
    }
    fn at_run_time(&self, width: Width) -> Self {
        Self::dynamic(width, 1, self.materialize(width))
    }
    fn shift_left(&self, shift: i32) -> Result<Self> {
        let dim = self.dim.shift_left(shift)?;
        Ok(if shift == 0 { self.clone() } else { self.unary(dim, |p, width| p.shift_left(shift, width)) })
    }
}
