//! Leaf arithmetic: the operations on an integer inside a tuple. Every algorithm is generic over
//! [`Int`] and nothing else.
//!
//! As in CuTe, an operation on two static integers has a static result. A static 0 multiplied by,
//! divided by or reduced modulo anything is a static 0, and so is anything modulo 1. Every other
//! operation with a dynamic operand has a dynamic result.

use std::fmt::{Debug, Display};

use crate::{
    dim::{self, Dim, Width},
    error::{Error, Result},
    tuple::Tuple,
};

/// An assumption that an operation makes about two integers known only at run time. For static
/// integers, a violation is either an error or left to the domain policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Assumption {
    /// `a` is a multiple of `b`.
    Divides,
    /// `a` is a multiple of `b`, or less than `b`. Here `a` is a stride and `b` an extent that it
    /// steps past.
    DividesOrLess,
    /// One of `a` and `b` is a multiple of the other.
    Commensurable,
    /// Like `Commensurable`, for a stride `a` and the extent `b` that it steps past. Also satisfied
    /// if the stride is 0, because then it takes no step.
    Carries,
    /// `0 <= a < b`.
    InRange,
    /// Tiles with `a` elements in total cover exactly `b` elements.
    Covers,
    /// A window of `a` elements fits into `b`.
    Fits,
    /// `a < b`: values of several modes add up to `a`, which is below the step `b` of the next
    /// mode, so that no sum carries.
    Apart,
    /// `a == b`, where `a` is the extent of a mode of stride 0 and `b` is 1: no value is repeated.
    Single,
    /// `0 <= a < b`: a value `a` of the right operand of a composition is an index of the left
    /// operand, which has `b` elements.
    Within,
    /// `a != b`, where `a` is a stride of the right operand of a composition, by which extents are
    /// divided, and `b` is 0.
    Nonzero,
    /// `a > b`, where `a` is the stride of a layout whose gaps a complement fills, and `b` is 0.
    Ascends,
}

impl Assumption {
    /// Whether it holds of two numbers.
    pub fn holds(self, a: i64, b: i64) -> bool {
        let multiple = |a: i64, b: i64| b != 0 && a.wrapping_rem(b) == 0;
        match self {
            Self::Divides => multiple(a, b),
            Self::DividesOrLess => a < b || multiple(a, b),
            Self::Commensurable => b != 0 && (multiple(a, b) || multiple(b, a)),
            Self::Carries => a == 0 || multiple(a, b) || multiple(b, a),
            Self::InRange | Self::Within => (0..b).contains(&a),
            Self::Covers | Self::Single => a == b,
            Self::Fits => a <= b,
            Self::Apart => a < b,
            Self::Nonzero => a != b,
            Self::Ascends => a > b,
        }
    }

    /// The message that it does not hold of two numbers, or of what stands for them.
    pub fn broken(self, a: &dyn Display, b: &dyn Display) -> String {
        match self {
            Self::Divides => format!("{a} is assumed to be a multiple of {b}"),
            Self::DividesOrLess => format!("stride {a} is assumed to be a multiple of extent {b}, or less"),
            Self::Commensurable => format!("of {a} and {b} one is assumed to be a multiple of the other"),
            Self::Carries => format!(
                "stride {a} steps out of an extent of {b}: one is assumed to be a multiple of the other"
            ),
            Self::InRange => format!("index {a} is outside [0, {b})"),
            Self::Covers => {
                format!(
                    "tiles cover {a} elements of {b}; set cute.domain = \"extend\" for a partial last tile"
                )
            }
            Self::Fits => format!("a window spans {a} elements, but the mode has {b}"),
            Self::Apart => {
                format!("several modes reach {a} together, which must be below {b} so that no sum carries")
            }
            Self::Single => {
                format!("a mode of stride 0 has {a} elements, and must have {b}: it repeats values")
            }
            Self::Within => {
                format!("the right operand reaches {a}, and the left operand has {b} elements")
            }
            Self::Nonzero => format!(
                "stride {a} of the right operand is assumed not to be {b}, because extents are divided by it; a \
                 static stride of 0 repeats an element"
            ),
            Self::Ascends => {
                format!("stride {a} is assumed to be above {b}, because a complement fills the gap below it")
            }
        }
    }
}

/// Whether anything checks what is assumed of one of the leaves. If not, values that only serve as
/// arguments of [`Int::assuming`] need not be computed.
pub(crate) fn any_checked<'a, I: Int + 'a>(leaves: impl IntoIterator<Item = &'a I>) -> bool {
    I::ASSUMES && leaves.into_iter().any(Int::is_checked)
}

/// One leaf of a shape, stride or coordinate, with checked arithmetic in value style.
///
/// Division and remainder truncate toward zero. Overflow of static integers is an error that names
/// the operation.
pub trait Int: Clone + Debug {
    /// Whether [`assuming`](Self::assuming) has an effect. If not, values that only serve as its
    /// arguments need not be computed.
    const ASSUMES: bool = false;

    /// Whether anything checks what is assumed of this leaf.
    fn is_checked(&self) -> bool {
        Self::ASSUMES
    }

    /// The static integer `value`.
    fn from_i64(value: i64) -> Self;
    /// The part of the leaf that is known before run time.
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
    /// The greatest common divisor of two non-negative integers; 0 is the neutral element.
    fn gcd(&self, rhs: &Self) -> Result<Self>;
    /// The same integer, in `width` if it is dynamic.
    fn resized(&self, width: Width) -> Self;
    /// The same integer, but known at run time only: dynamic with this `width`, if this type of
    /// leaf can be dynamic.
    fn at_run_time(&self, width: Width) -> Self;
    /// `self * 2^shift` for a positive shift, `self >> -shift` (arithmetic) for a negative one.
    fn shift_left(&self, shift: i32) -> Result<Self>;

    /// `(self + rhs - 1) / rhs`.
    fn ceil_div(&self, rhs: &Self) -> Result<Self> {
        match (self.as_static(), rhs.as_static()) {
            (_, Some(1)) => Ok(self.clone()),
            // Computes the same value without the sum, which might overflow.
            (Some(a), Some(b)) if a > 0 && b > 0 => Ok(Self::from_i64((a - 1) / b + 1)),
            _ => self.add(rhs)?.sub(&Self::from_i64(1))?.div(rhs),
        }
    }
    /// Returns `self`, whose value is right only if `assumption` holds for `a` and `b`. Generated
    /// code may check the assumption where it computes `self`.
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
    /// Returns the integer; the caller has checked that it is static.
    fn expect_static(&self) -> i64 {
        self.as_static().expect("the caller has seen that the integer is static")
    }
}

impl<I: Int> Tuple<I> {
    /// The part of the leaves that is known before run time.
    pub fn to_dim(&self) -> Tuple<Dim> {
        self.map(Int::dim)
    }

    /// Whether every leaf is static.
    pub fn is_static(&self) -> bool {
        self.leaves().iter().all(Int::is_static)
    }

    /// Returns the value of a layout as an integer, or an error if the strides have a basis.
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
