//! Arithmetic on the values of host functions, as `cute-machine` defines it.

use cute_machine::format::Rounding;
use cute_machine::{
    float::{self, FloatOp},
    int::{self, Fault, IntOp, NoWrap, mask, signed},
    predicate::{FloatPredicate, IntPredicate},
};
use serde::{Deserialize, Serialize};

use crate::types::Type;

/// An operation on one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum UnaryOp {
    /// The float with the other sign.
    Negate,
    /// The number of leading zeros of an integer.
    LeadingZeros,
}

/// An operation on two values of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BinaryOp {
    /// On integers, with what the op promises about the result.
    Int(IntOp, NoWrap),
    /// On floats.
    Float(FloatOp),
}

/// A comparison of two values of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Compare {
    /// Between two integers.
    Int(IntPredicate),
    /// Between two floats.
    Float(FloatPredicate),
}

/// A conversion of a number to another type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Convert {
    /// To an integer of more bits, keeping the sign.
    SignExtend,
    /// To an integer of more bits, filled with zeros.
    ZeroExtend,
    /// The lowest bits of an integer.
    Truncate,
    /// From a signed integer to the nearest float.
    SignedToFloat,
    /// From an unsigned integer to the nearest float.
    UnsignedToFloat,
    /// To the nearest float of another width.
    Float,
}

/// The result of an operation on one value.
pub fn unary(op: UnaryOp, a: u64, t: Type) -> u64 {
    match op {
        UnaryOp::Negate => float::unary(float::FloatUnary::Neg, t.scalar(), a),
        UnaryOp::LeadingZeros => int::unary(int::IntUnary::LeadingZeros, t.bits(), a),
    }
}

/// The result of an operation on two values of type `t`.
///
/// # Errors
///
/// A [`Fault`].
pub fn binary(op: BinaryOp, a: u64, b: u64, t: Type) -> Result<u64, Fault> {
    match op {
        BinaryOp::Int(op, no_wrap) => int::binary(op, t.bits(), no_wrap, a, b),
        BinaryOp::Float(op) => Ok(float::binary(op, t.scalar(), a, b)),
    }
}

/// Whether two values of type `t` compare like this.
pub fn compare(how: Compare, a: u64, b: u64, t: Type) -> bool {
    match how {
        Compare::Int(predicate) => predicate.holds(t.bits(), a, b),
        Compare::Float(predicate) => predicate.holds(t.scalar(), a, b),
    }
}

/// A value of type `from` as one of type `to`.
pub fn convert(how: Convert, a: u64, from: Type, to: Type) -> u64 {
    match how {
        Convert::SignExtend => signed(a, from.bits()) as u64 & mask(to.bits()),
        Convert::ZeroExtend | Convert::Truncate => a & mask(to.bits()),
        Convert::SignedToFloat => {
            float::of_integer(to.scalar(), signed(a, from.bits()).into(), Rounding::NearestEven)
        }
        Convert::UnsignedToFloat => float::of_integer(to.scalar(), a.into(), Rounding::NearestEven),
        Convert::Float => float::encode(to.scalar(), float::decode(from.scalar(), a)),
    }
}

#[cfg(test)]
mod tests {
    use cute_machine::types::Scalar;

    use super::*;

    #[test]
    fn floats_round_once() {
        let f32_of = |op, a: f32, b: f32| {
            let word =
                binary(BinaryOp::Float(op), a.to_bits().into(), b.to_bits().into(), Type::F32).unwrap();
            f32::from_bits(word as u32)
        };
        for (a, b) in [(0.1f32, 3.7e8f32), (1.5, -2.25), (16_777_217.0, 0.3), (f32::MIN_POSITIVE, 0.7)] {
            assert_eq!(f32_of(FloatOp::Mul, a, b), a * b);
            assert_eq!(f32_of(FloatOp::Div, a, b), a / b);
            assert_eq!(f32_of(FloatOp::Add, a, b), a + b);
        }
        let wide = (1u64 << 60) + (1 << 35) + 1;
        assert_eq!(
            convert(Convert::SignedToFloat, wide, Type::Int(64), Type::F32),
            u64::from((wide as f32).to_bits())
        );
        let half = convert(Convert::Float, 1.5f32.to_bits().into(), Type::F32, Type::F16);
        assert_eq!(float::decode(Scalar::F16, half), 1.5);
        assert_eq!(unary(UnaryOp::Negate, half, Type::F16), float::encode(Scalar::F16, -1.5));
        assert_eq!(unary(UnaryOp::LeadingZeros, 5, Type::Int(32)), 29);
    }
}
