//! [`Dim`]: the facts about an integer that are known before run time. A `Dim` never holds a
//! run-time value.

use std::fmt;

use crate::{
    error::{Error, Result},
    int::Int,
};

/// Bit width of a dynamic integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Width {
    /// 32 bits; the default, never printed.
    I32,
    /// 64 bits.
    I64,
}

impl Width {
    /// Number of bits.
    pub fn bits(self) -> u32 {
        match self {
            Self::I32 => 32,
            Self::I64 => 64,
        }
    }

    /// Whether the width holds `value`.
    pub fn holds(self, value: i64) -> bool {
        self == Self::I64 || i32::try_from(value).is_ok()
    }
}

/// A static integer, or a dynamic one with its width and a divisor that is known to divide it.
///
/// ```
/// use cute_algebra::{Dim, Int, Width};
/// let rows = Dim::dynamic(Width::I32, 8);
/// assert_eq!(rows.to_string(), "?{div=8}");
/// assert_eq!(rows.mul(&Dim::fixed(4))?.to_string(), "?{div=32}");
/// assert_eq!(rows.mul(&Dim::fixed(0))?.to_string(), "0");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Dim {
    /// 0: static; 32, 64: dynamic of that width.
    tag: u8,
    reserved: [u8; 7],
    /// The static value, or the divisor.
    value: i64,
}

impl Dim {
    /// The static integer `value`.
    #[inline]
    pub const fn fixed(value: i64) -> Self {
        Self { tag: 0, reserved: [0; 7], value }
    }

    /// A dynamic integer that is a multiple of `div`; a `div` below 1 carries no information and
    /// counts as 1.
    #[inline]
    pub const fn dynamic(width: Width, div: i64) -> Self {
        let tag = match width {
            Width::I32 => 32,
            Width::I64 => 64,
        };
        Self { tag, reserved: [0; 7], value: if div < 1 { 1 } else { div } }
    }

    /// The value, if it is static.
    #[inline]
    pub const fn as_static(&self) -> Option<i64> {
        if self.tag == 0 { Some(self.value) } else { None }
    }

    /// The width, if it is dynamic.
    #[inline]
    pub const fn width(&self) -> Option<Width> {
        match self.tag {
            0 => None,
            32 => Some(Width::I32),
            _ => Some(Width::I64),
        }
    }

    /// The largest known divisor: for a dynamic integer its `div`, for a static one its magnitude
    /// (0 for zero).
    #[inline]
    pub const fn divisor(&self) -> i64 {
        if self.tag != 0 {
            self.value
        } else if self.value == i64::MIN {
            1 << 62
        } else {
            self.value.abs()
        }
    }

    /// Whether every value of `self` is a value of `other`: same static value, or `other` dynamic
    /// with the same width and a divisor that divides this one's.
    pub fn refines(self, other: Self) -> bool {
        match (self.width(), other.width()) {
            (None, None) => self.value == other.value,
            (Some(a), Some(b)) => a == b && self.value % other.value == 0,
            _ => false,
        }
    }

    /// The dynamic result of an operation on `self` and `rhs`. It has the wider of both widths; a
    /// static operand takes the other's width if it fits.
    fn joined(self, rhs: Self, div: i64) -> Self {
        let width =
            |d: Self| d.width().unwrap_or(if Width::I32.holds(d.value) { Width::I32 } else { Width::I64 });
        Self::dynamic(Ord::max(width(self), width(rhs)), div)
    }

    fn trailing_zeros(self) -> u32 {
        if self.divisor() == 0 { 62 } else { Ord::min(self.divisor().trailing_zeros(), 62) }
    }
}

/// The greatest common divisor of two non-negative integers; 0 is the neutral element.
pub fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Int for Dim {
    #[inline]
    fn from_i64(value: i64) -> Self {
        Self::fixed(value)
    }
    #[inline]
    fn dim(&self) -> Dim {
        *self
    }
    #[inline]
    fn add(&self, rhs: &Self) -> Result<Self> {
        match (self.as_static(), rhs.as_static()) {
            (Some(a), Some(b)) => Ok(Self::fixed(Int::add(&a, &b)?)),
            _ => Ok(self.joined(*rhs, gcd(self.divisor(), rhs.divisor()))),
        }
    }
    #[inline]
    fn sub(&self, rhs: &Self) -> Result<Self> {
        match (self.as_static(), rhs.as_static()) {
            (Some(a), Some(b)) => Ok(Self::fixed(Int::sub(&a, &b)?)),
            _ => Ok(self.joined(*rhs, gcd(self.divisor(), rhs.divisor()))),
        }
    }
    #[inline]
    fn mul(&self, rhs: &Self) -> Result<Self> {
        match (self.as_static(), rhs.as_static()) {
            (Some(a), Some(b)) => Ok(Self::fixed(Int::mul(&a, &b)?)),
            (Some(0), None) | (None, Some(0)) => Ok(Self::fixed(0)),
            _ => {
                let (a, b) = (self.divisor(), rhs.divisor());
                Ok(self.joined(*rhs, a.checked_mul(b).unwrap_or(Ord::max(a, b))))
            }
        }
    }
    #[inline]
    fn div(&self, rhs: &Self) -> Result<Self> {
        match (self.as_static(), rhs.as_static()) {
            (_, Some(0)) => Err(Error::DivisionByZero { lhs: self.to_string() }),
            (Some(a), Some(b)) => Ok(Self::fixed(Int::div(&a, &b)?)),
            (Some(0), None) => Ok(Self::fixed(0)),
            (None, Some(_)) if self.divisor() % rhs.divisor() == 0 => {
                Ok(self.joined(*rhs, self.divisor() / rhs.divisor()))
            }
            _ => Ok(self.joined(*rhs, 1)),
        }
    }
    #[inline]
    fn rem(&self, rhs: &Self) -> Result<Self> {
        match (self.as_static(), rhs.as_static()) {
            (_, Some(0)) => Err(Error::DivisionByZero { lhs: self.to_string() }),
            (Some(a), Some(b)) => Ok(Self::fixed(Int::rem(&a, &b)?)),
            (Some(0), None) | (None, Some(1 | -1)) => Ok(Self::fixed(0)),
            _ => Ok(self.joined(*rhs, gcd(self.divisor(), rhs.divisor()))),
        }
    }
    #[inline]
    fn ceil_div(&self, rhs: &Self) -> Result<Self> {
        match (self.as_static(), rhs.as_static()) {
            (_, Some(0)) => Err(Error::DivisionByZero { lhs: self.to_string() }),
            (Some(a), Some(b)) => Ok(Self::fixed(Int::ceil_div(&a, &b)?)),
            (None, Some(_)) if self.divisor() % rhs.divisor() == 0 => {
                Ok(self.joined(*rhs, self.divisor() / rhs.divisor()))
            }
            _ => Ok(self.joined(*rhs, 1)),
        }
    }
    #[inline]
    fn min(&self, rhs: &Self) -> Result<Self> {
        match (self.as_static(), rhs.as_static()) {
            (Some(a), Some(b)) => Ok(Self::fixed(Ord::min(a, b))),
            _ => Ok(self.joined(*rhs, gcd(self.divisor(), rhs.divisor()))),
        }
    }
    #[inline]
    fn max(&self, rhs: &Self) -> Result<Self> {
        match (self.as_static(), rhs.as_static()) {
            (Some(a), Some(b)) => Ok(Self::fixed(Ord::max(a, b))),
            _ => Ok(self.joined(*rhs, gcd(self.divisor(), rhs.divisor()))),
        }
    }
    #[inline]
    fn abs(&self) -> Result<Self> {
        match self.as_static() {
            Some(a) => Ok(Self::fixed(Int::abs(&a)?)),
            None => Ok(*self),
        }
    }
    #[inline]
    fn signum(&self) -> Result<Self> {
        match self.as_static() {
            Some(a) => Ok(Self::fixed(i64::signum(a))),
            None => Ok(self.joined(*self, 1)),
        }
    }
    #[inline]
    fn and(&self, mask: i64) -> Result<Self> {
        match self.as_static() {
            Some(a) => Ok(Self::fixed(a & mask)),
            None if mask == 0 => Ok(Self::fixed(0)),
            None => {
                let mask = Self::fixed(mask);
                Ok(self.joined(mask, 1 << Ord::max(self.trailing_zeros(), mask.trailing_zeros())))
            }
        }
    }
    #[inline]
    fn xor(&self, rhs: &Self) -> Result<Self> {
        match (self.as_static(), rhs.as_static()) {
            (Some(a), Some(b)) => Ok(Self::fixed(a ^ b)),
            _ => Ok(self.joined(*rhs, 1 << Ord::min(self.trailing_zeros(), rhs.trailing_zeros()))),
        }
    }
    #[inline]
    fn gcd(&self, rhs: &Self) -> Result<Self> {
        match (self.as_static(), rhs.as_static()) {
            (Some(a), Some(b)) => Ok(Self::fixed(Int::gcd(&a, &b)?)),
            (Some(1), _) | (_, Some(1)) => Ok(Self::fixed(1)),
            _ => Ok(self.joined(*rhs, gcd(self.divisor(), rhs.divisor()))),
        }
    }
    #[inline]
    fn resized(&self, width: Width) -> Self {
        if self.tag == 0 { *self } else { Self::dynamic(width, self.value) }
    }
    #[inline]
    fn at_run_time(&self, width: Width) -> Self {
        Self::dynamic(width, 1)
    }
    #[inline]
    fn shift_left(&self, shift: i32) -> Result<Self> {
        match self.as_static() {
            Some(a) => Ok(Self::fixed(a.shift_left(shift)?)),
            None => {
                let div = match shift {
                    0.. => self.divisor().shift_left(shift).unwrap_or(self.divisor()),
                    _ if shift > -63 && self.divisor() % (1 << -shift) == 0 => self.divisor() >> -shift,
                    _ => 1,
                };
                Ok(self.joined(*self, div))
            }
        }
    }
}

impl fmt::Display for Dim {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.width(), self.value) {
            (None, value) => write!(f, "{value}"),
            (Some(Width::I32), 1) => write!(f, "?"),
            (Some(Width::I32), div) => write!(f, "?{{div={div}}}"),
            (Some(Width::I64), 1) => write!(f, "?{{i64}}"),
            (Some(Width::I64), div) => write!(f, "?{{i64 div={div}}}"),
        }
    }
}

impl fmt::Debug for Dim {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
