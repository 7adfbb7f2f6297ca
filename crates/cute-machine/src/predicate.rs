//! The predicates of comparisons, with the numbers that MLIR gives them: `arith.cmpi` and
//! `llvm.icmp` share theirs, and so do `arith.cmpf` and `llvm.fcmp`.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

use crate::{float, int::signed, types::Scalar};

macro_rules! predicates {
    ($(#[$doc:meta])* $name:ident { $($case:ident,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "the type's comment explains the letters")]
        pub enum $name { $($case),* }

        impl $name {
            /// The predicates, in the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$case),*];

            /// The predicate with that number.
            pub fn from_number(number: i64) -> Option<Self> {
                Self::ALL.get(usize::try_from(number).ok()?).copied()
            }

            /// The number that attributes have.
            pub fn number(self) -> i64 {
                self as i64
            }
        }
    };
}

predicates! {
    /// Predicates of integers; `S` is signed, `U` unsigned.
    IntPredicate { Eq, Ne, Slt, Sle, Sgt, Sge, Ult, Ule, Ugt, Uge, }
}

predicates! {
    /// Predicates of floats: `O` holds only for ordered numbers, `U` also if one of the two is NaN.
    FloatPredicate {
        AlwaysFalse, Oeq, Ogt, Oge, Olt, Ole, One, Ord, Ueq, Ugt, Uge, Ult, Ule, Une, Uno, AlwaysTrue,
    }
}

impl IntPredicate {
    /// Whether two integers of `width` bits compare like this.
    #[inline]
    pub fn holds(self, width: u32, a: u64, b: u64) -> bool {
        let (x, y) = (signed(a, width), signed(b, width));
        match self {
            Self::Eq => a == b,
            Self::Ne => a != b,
            Self::Slt => x < y,
            Self::Sle => x <= y,
            Self::Sgt => x > y,
            Self::Sge => x >= y,
            Self::Ult => a < b,
            Self::Ule => a <= b,
            Self::Ugt => a > b,
            Self::Uge => a >= b,
        }
    }
}

impl FloatPredicate {
    /// Whether it holds of numbers that are in this order; `None` if one of them is NaN.
    #[inline]
    pub fn holds_of(self, order: Option<Ordering>) -> bool {
        use FloatPredicate as P;
        // The bits equal, greater, less and unordered of each predicate.
        let relations: u8 = match self {
            P::AlwaysFalse => 0,
            P::Oeq => 1,
            P::Ogt => 2,
            P::Oge => 3,
            P::Olt => 4,
            P::Ole => 5,
            P::One => 6,
            P::Ord => 7,
            P::Uno => 8,
            P::Ueq => 9,
            P::Ugt => 10,
            P::Uge => 11,
            P::Ult => 12,
            P::Ule => 13,
            P::Une => 14,
            P::AlwaysTrue => 15,
        };
        let bit = match order {
            Some(Ordering::Equal) => 1,
            Some(Ordering::Greater) => 2,
            Some(Ordering::Less) => 4,
            None => 8,
        };
        relations & bit != 0
    }

    /// Whether two floats compare like this.
    #[inline]
    pub fn holds(self, ty: Scalar, a: u64, b: u64) -> bool {
        self.holds_of(float::decode(ty, a).partial_cmp(&float::decode(ty, b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_compare_as_rust_does() {
        for (a, b) in [(-128i8, 127i8), (-1, 0), (3, 3), (5, -5)] {
            let holds = |p: IntPredicate| p.holds(8, u64::from(a as u8), u64::from(b as u8));
            assert_eq!(holds(IntPredicate::Slt), a < b, "{a} {b}");
            assert_eq!(holds(IntPredicate::Sge), a >= b, "{a} {b}");
            assert_eq!(holds(IntPredicate::Ult), (a as u8) < b as u8, "{a} {b}");
            assert_eq!(holds(IntPredicate::Ne), a != b, "{a} {b}");
        }
    }

    #[test]
    fn predicates_follow_mlir_numbering() {
        let p = |n| FloatPredicate::from_number(n).unwrap();
        let f = |v: f64| v.to_bits();
        assert!(p(4).holds(Scalar::F64, f(1.0), f(2.0)), "olt");
        assert!(!p(4).holds(Scalar::F64, f(1.0), f(f64::NAN)), "olt of NaN");
        assert!(p(11).holds(Scalar::F64, f(1.0), f(f64::NAN)), "ult of NaN");
        assert!(
            p(14).holds(Scalar::F64, f(1.0), f(f64::NAN)) && !p(14).holds(Scalar::F64, f(1.0), f(1.0)),
            "uno"
        );
        assert!(p(13).holds(Scalar::F64, f(1.0), f(2.0)), "une");
        assert!(FloatPredicate::from_number(16).is_none());
    }
}
