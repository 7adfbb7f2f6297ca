//! Leaf arithmetic: what an integer inside a tuple can do. Every algorithm is generic over [`Int`] and nothing else.
//!
//! Whether a result is static follows CuTe: static op static is static; a static 0 times, divided by or reduced
//! modulo anything is a static 0, and so is anything modulo 1; all else with a dynamic operand is dynamic.

use std::fmt::Debug;

use crate::{
    dim::{self, Dim, Width},
    error::{Error, Result},
    tuple::Tuple,
};

/// What an operation takes for granted of two integers that only run time knows. Of static ones it is an error where it
/// does not hold, or the policy's question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Assumption {
    /// `a` is a multiple of `b`.
    Divides,
    /// `a` is a multiple of `b`, or less than `b`: a stride, and an extent that it passes.
    DividesOrLess,
    /// One of `a` and `b` is a multiple of the other.
    Commensurable,
    /// The same of a stride and an extent that it steps out of, or `a` is 0: it takes no step.
    Carries,
    /// `0 <= a < b`.
    InRange,
    /// Tiles of `a` elements in all are `b` elements.
    Covers,
    /// A window of `a` elements fits into `b`.
    Fits,
}

/// One leaf of a shape, stride or coordinate, with checked arithmetic in value style.
///
/// Division and remainder truncate toward zero. Overflow of static integers is an error naming the operation.
pub trait Int: Clone + Debug {
    /// Whether [`assuming`](Self::assuming) can do anything: what serves it alone need not be computed otherwise.
    const ASSUMES: bool = false;

    /// The static integer `value`.
    fn from_i64(value: i64) -> Self;
    /// What is known of the leaf before run time.
    fn dim(&self) -> Dim;
    /// The value, if it is static.
    fn as_static(&self) -> Option<i64> {
        self.dim().as_static()
    }
    /// `self + rhs`.
    fn add(&self, rhs: &Self) -> Result<Self>;
    /// `self - rhs`.
    fn sub(&self, rhs: &Self) -> Result<Self>;
    /// `self * rhs`.
    fn mul(&self, rhs: &Self) -> Result<Self>;
    /// `self / rhs`, truncating.
    fn div(&self, rhs: &Self) -> Result<Self>;
    /// `self % rhs`, with the sign of `self`.
    fn rem(&self, rhs: &Self) -> Result<Self>;
    /// The smaller of the two.
    fn min(&self, rhs: &Self) -> Result<Self>;
    /// The larger of the two.
    fn max(&self, rhs: &Self) -> Result<Self>;
    /// `|self|`.
    fn abs(&self) -> Result<Self>;
    /// -1, 0 or 1.
    fn signum(&self) -> Result<Self>;
    /// Bitwise and with a static mask.
    fn and(&self, mask: i64) -> Result<Self>;
    /// Bitwise exclusive or.
    fn xor(&self, rhs: &Self) -> Result<Self>;
    /// The greatest common divisor of two integers that are not negative, 0 being neutral.
    fn gcd(&self, rhs: &Self) -> Result<Self>;
    /// The same integer, in `width` if it is dynamic.
    fn resized(&self, width: Width) -> Self;
    /// The same integer, of which run time alone knows: dynamic, of `width`, where leaves can be.
    fn at_run_time(&self, width: Width) -> Self;
    /// `self * 2^shift` for a positive shift, `self >> -shift` (arithmetic) for a negative one.
    fn shift_left(&self, shift: i32) -> Result<Self>;

    /// `(self + rhs - 1) / rhs`.
    fn ceil_div(&self, rhs: &Self) -> Result<Self> {
        match (self.as_static(), rhs.as_static()) {
            (_, Some(1)) => Ok(self.clone()),
            // The same, where the sum need not fit.
            (Some(a), Some(b)) if a > 0 && b > 0 => Ok(Self::from_i64((a - 1) / b + 1)),
            _ => self.add(rhs)?.sub(&Self::from_i64(1))?.div(rhs),
        }
    }
    /// `self`, for which `assumption` is taken for granted of `a` and `b`. Code may check that where it computes `self`.
    fn assuming(self, _assumption: Assumption, _a: &Self, _b: &Self) -> Self {
        self
    }
    /// Whether the leaf is the static integer `value`.
    fn is(&self, value: i64) -> bool {
        self.as_static() == Some(value)
    }
    /// Whether the leaf is static.
    fn is_static(&self) -> bool {
        self.as_static().is_some()
    }
    /// `self < rhs`, if known.
    fn lt(&self, rhs: &Self) -> Option<bool> {
        Some(self.as_static()? < rhs.as_static()?)
    }
    /// `self == rhs`, if known.
    fn eq(&self, rhs: &Self) -> Option<bool> {
        Some(self.as_static()? == rhs.as_static()?)
    }
    /// `self % rhs == 0`, if known.
    fn divisible_by(&self, rhs: &Self) -> Option<bool> {
        match rhs.as_static()? {
            0 => Some(false),
            r => Some(self.as_static()?.wrapping_rem(r) == 0),
        }
    }
    /// The integer, which the caller has seen to be static.
    fn expect_static(&self) -> i64 {
        self.as_static().expect("the caller has seen that the integer is static")
    }
}

impl<I: Int> Tuple<I> {
    /// What is known of the leaves before run time.
    pub fn to_dim(&self) -> Tuple<Dim> {
        self.map(Int::dim)
    }

    /// Whether every leaf is static.
    pub fn is_static(&self) -> bool {
        self.leaves().iter().all(Int::is_static)
    }

    /// The value of a layout as the integer that it is unless strides are of a basis.
    pub fn expect_int(&self, what: &'static str) -> Result<&I> {
        let of_basis =
            || Error::Basis { what, found: self.map(Int::dim).to_string(), expected: "an integer offset" };
        self.as_leaf().ok_or_else(of_basis)
    }

    /// The tuple over plain integers, if it is static.
    pub fn to_const(&self) -> Option<Tuple<i64>> {
        self.try_map(|leaf| leaf.as_static().ok_or(())).ok()
    }
}

/// `lhs op rhs` or the overflow error.
#[inline]
pub(crate) fn checked(op: &'static str, lhs: i64, rhs: i64, value: Option<i64>) -> Result<i64> {
    value.ok_or_else(|| Error::Overflow { op, lhs, rhs })
}

impl Int for i64 {
    #[inline]
    fn from_i64(value: i64) -> Self {
        value
    }
    #[inline]
    fn dim(&self) -> Dim {
        Dim::fixed(*self)
    }
    #[inline]
    fn as_static(&self) -> Option<i64> {
        Some(*self)
    }
    #[inline]
    fn add(&self, rhs: &Self) -> Result<Self> {
        checked("+", *self, *rhs, self.checked_add(*rhs))
    }
    #[inline]
    fn sub(&self, rhs: &Self) -> Result<Self> {
        checked("-", *self, *rhs, self.checked_sub(*rhs))
    }
    #[inline]
    fn mul(&self, rhs: &Self) -> Result<Self> {
        checked("*", *self, *rhs, self.checked_mul(*rhs))
    }
    #[inline]
    fn div(&self, rhs: &Self) -> Result<Self> {
        match *rhs {
            0 => Err(Error::DivisionByZero { lhs: self.to_string() }),
            r => checked("/", *self, r, self.checked_div(r)),
        }
    }
    #[inline]
    fn rem(&self, rhs: &Self) -> Result<Self> {
        match *rhs {
            0 => Err(Error::DivisionByZero { lhs: self.to_string() }),
            r => Ok(self.wrapping_rem(r)),
        }
    }
    #[inline]
    fn min(&self, rhs: &Self) -> Result<Self> {
        Ok(Ord::min(*self, *rhs))
    }
    #[inline]
    fn max(&self, rhs: &Self) -> Result<Self> {
        Ok(Ord::max(*self, *rhs))
    }
    #[inline]
    fn abs(&self) -> Result<Self> {
        checked("-", 0, *self, self.checked_abs())
    }
    #[inline]
    fn signum(&self) -> Result<Self> {
        Ok(i64::signum(*self))
    }
    #[inline]
    fn and(&self, mask: i64) -> Result<Self> {
        Ok(*self & mask)
    }
    #[inline]
    fn xor(&self, rhs: &Self) -> Result<Self> {
        Ok(*self ^ *rhs)
    }
    #[inline]
    fn gcd(&self, rhs: &Self) -> Result<Self> {
        Ok(dim::gcd(Int::abs(self)?, Int::abs(rhs)?))
    }
    #[inline]
    fn resized(&self, _: Width) -> Self {
        *self
    }
    #[inline]
    fn at_run_time(&self, _: Width) -> Self {
        *self
    }
    #[inline]
    fn shift_left(&self, shift: i32) -> Result<Self> {
        if shift >= 0 {
            let scaled = if shift < 63 { self.checked_mul(1 << shift) } else { (*self == 0).then_some(0) };
            checked("<<", *self, i64::from(shift), scaled)
        } else {
            Ok(*self >> Ord::min(shift.unsigned_abs(), 63))
        }
    }
}
