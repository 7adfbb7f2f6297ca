//! Floats of 16, 32 and 64 bits, represented by their bits.
//!
//! Everything is computed in f64 and rounded once to the type. That is the correctly rounded result
//! of `+ - * /` and square root for all narrower types, because 53 >= 2 * 24 + 2 (Figueroa, "When
//! is double rounding innocuous?").

use super::exact;
use super::format::{self, Overflow, Rounding};
use crate::types::Scalar;
use cute_arch::Element;
use half::{bf16, f16};
use serde::{Deserialize, Serialize};

/// An operation on two floats.
#[allow(missing_docs, reason = "the names are those of the operations")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    /// NaN only if both are.
    MinNum,
    MaxNum,
    /// NaN if either is, -0 below +0.
    Minimum,
    Maximum,
    CopySign,
    Power,
    Atan2,
}

/// An operation on one float.
#[allow(missing_docs, reason = "the names are those of the operations")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum FloatUnary {
    Neg,
    Abs,
    Sqrt,
    Exp,
    Exp2,
    Exp10,
    Log,
    Log2,
    Log10,
    Sin,
    Cos,
    Tanh,
    ExpM1,
    Log1p,
    Cbrt,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Asinh,
    Acosh,
    Atanh,
    Erf,
    Erfc,
    Floor,
    Ceil,
    RoundEven,
    RoundAway,
    Trunc,
}

/// The number with this code.
#[inline]
pub fn decode(ty: Scalar, bits: u64) -> f64 {
    match ty {
        Scalar::F16 => f16::from_bits(bits as u16).to_f64(),
        Scalar::Bf16 => bf16::from_bits(bits as u16).to_f64(),
        Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

/// The bits of the nearest number of the type, ties to even.
#[inline]
pub fn encode(ty: Scalar, value: f64) -> u64 {
    match ty {
        Scalar::F16 => nearest(Element::F16, value),
        Scalar::Bf16 => nearest(Element::Bf16, value),
        Scalar::F32 => (value as f32).to_bits().into(),
        _ => value.to_bits(),
    }
}

/// The bits of the number of the type next to an integer of at most 64 bits.
pub fn of_integer(ty: Scalar, value: i128, rounding: Rounding) -> u64 {
    if ty == Scalar::F64 {
        return exact::of_integer(value, rounding).to_bits();
    }
    // Rounded to odd in between, so that it is rounded once.
    let inward = exact::of_integer(value, Rounding::TowardZero);
    let odd = f64::from_bits(inward.to_bits() | u64::from(inward as i128 != value));
    format::encode(element(ty), odd, rounding, Overflow::Ieee).expect("the element is a float")
}

/// The element of a type of floats.
pub fn element(ty: Scalar) -> Element {
    match ty {
        Scalar::F16 => Element::F16,
        Scalar::Bf16 => Element::Bf16,
        Scalar::F32 => Element::F32,
        _ => Element::F64,
    }
}

fn nearest(element: Element, value: f64) -> u64 {
    format::encode(element, value, Rounding::NearestEven, Overflow::Ieee).expect("the element is a float")
}

/// The number `near + error`, rounded to odd: rounding the result again, to 51 bits or fewer, is
/// equivalent to rounding once (Boldo and Melquiond).
fn odd(near: f64, error: f64) -> f64 {
    if error == 0.0 || !near.is_finite() || !error.is_finite() || near.to_bits() & 1 == 1 {
        return near;
    }
    if error > 0.0 { near.next_up() } else { near.next_down() }
}

/// `a + b` in f64, rounded to odd; the error is that of two-sum.
fn add_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let from_b = sum - a;
    odd(sum, (a - (sum - from_b)) + (b - from_b))
}

/// `a * b + c`, rounded to odd, of floats whose product is exact in f64.
pub fn fma_odd(a: f64, b: f64, c: f64) -> f64 {
    add_odd(a * b, c)
}

/// `a / b`, rounded to odd, of floats far from the ends of f64.
pub fn div_odd(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    odd(quotient, (-quotient).mul_add(b, a) * b.signum())
}

/// The square root, rounded to odd, likewise.
pub fn sqrt_odd(a: f64) -> f64 {
    let root = a.sqrt();
    odd(root, (-root).mul_add(root, a))
}

/// The result of an operation on two floats, rounded once.
#[inline]
pub fn binary(op: FloatOp, ty: Scalar, a: u64, b: u64) -> u64 {
    let sign = 1u64 << (ty.bits() - 1);
    let (x, y) = (decode(ty, a), decode(ty, b));
    encode(
        ty,
        match op {
            FloatOp::Add => x + y,
            FloatOp::Sub => x - y,
            FloatOp::Mul => x * y,
            FloatOp::Div => x / y,
            FloatOp::Rem => x % y,
            FloatOp::MinNum => x.min(y),
            FloatOp::MaxNum => x.max(y),
            FloatOp::Minimum => -maximum(-x, -y),
            FloatOp::Maximum => maximum(x, y),
            // The other bits stay as they are, those of a NaN too.
            FloatOp::CopySign => return a & !sign | b & sign,
            FloatOp::Power => x.powf(y),
            FloatOp::Atan2 => x.atan2(y),
        },
    )
}

fn maximum(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x == y {
        if x.is_sign_positive() { x } else { y }
    } else {
        x.max(y)
    }
}

/// Transcendental functions are the host's, rounded to the type, and more accurate than the
/// device's `.approx` ones.
#[inline]
pub fn unary(op: FloatUnary, ty: Scalar, a: u64) -> u64 {
    let sign = 1u64 << (ty.bits() - 1);
    let x = decode(ty, a);
    let result = match op {
        FloatUnary::Neg => return a ^ sign,
        FloatUnary::Abs => return a & !sign,
        FloatUnary::Sqrt => x.sqrt(),
        FloatUnary::Exp => x.exp(),
        FloatUnary::Exp2 => x.exp2(),
        FloatUnary::Exp10 => 10f64.powf(x),
        FloatUnary::Log => x.ln(),
        FloatUnary::Log2 => x.log2(),
        FloatUnary::Log10 => x.log10(),
        FloatUnary::Sin => x.sin(),
        FloatUnary::Cos => x.cos(),
        FloatUnary::Tanh => x.tanh(),
        FloatUnary::ExpM1 => x.exp_m1(),
        FloatUnary::Log1p => x.ln_1p(),
        FloatUnary::Cbrt => x.cbrt(),
        FloatUnary::Tan => x.tan(),
        FloatUnary::Asin => x.asin(),
        FloatUnary::Acos => x.acos(),
        FloatUnary::Atan => x.atan(),
        FloatUnary::Sinh => x.sinh(),
        FloatUnary::Cosh => x.cosh(),
        FloatUnary::Asinh => x.asinh(),
        FloatUnary::Acosh => x.acosh(),
        FloatUnary::Atanh => x.atanh(),
        FloatUnary::Erf => erf(x),
        FloatUnary::Erfc => erfc(x),
        FloatUnary::Floor => x.floor(),
        FloatUnary::Ceil => x.ceil(),
        FloatUnary::RoundEven => x.round_ties_even(),
        FloatUnary::RoundAway => x.round(),
        FloatUnary::Trunc => x.trunc(),
    };
    encode(ty, result)
}

/// The error function: 2 / sqrt(pi) exp(-x^2) times the sum of 2^n x^(2n+1) / (1 * 3 * .. *
/// (2n+1)), whose terms all have the same sign.
pub fn erf(x: f64) -> f64 {
    if x.is_nan() || x.abs() > 3.0 {
        return if x.is_nan() { x } else { (1.0 - erfc(x.abs())).copysign(x) };
    }
    let (mut term, mut sum, mut n) = (x, x, 1.0);
    while term.abs() > sum.abs() * f64::EPSILON / 4.0 {
        term *= 2.0 * x * x / (2.0 * n + 1.0);
        sum += term;
        n += 1.0;
    }
    std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() * sum
}

/// 1 - erf(x); for large x exp(-x^2) / sqrt(pi) over the continued fraction x + (1/2) / (x + (2/2)
/// / (x + (3/2) / ..)).
pub fn erfc(x: f64) -> f64 {
    if x.is_nan() || x < 1.5 {
        return if x.is_nan() { x } else { 1.0 - erf(x) };
    }
    let fraction = (1..=120).rev().fold(x, |below, n| x + f64::from(n) / 2.0 / below);
    (-x * x).exp() * std::f64::consts::FRAC_2_SQRT_PI / 2.0 / fraction
}

/// `a * b + c`, rounded once.
#[inline]
pub fn fma(ty: Scalar, a: u64, b: u64, c: u64) -> u64 {
    match ty {
        Scalar::F32 => {
            let f = |v: u64| f32::from_bits(v as u32);
            f(a).mul_add(f(b), f(c)).to_bits().into()
        }
        Scalar::F16 | Scalar::Bf16 => {
            // The product of two 11-bit significands is exact in f64.
            encode(ty, fma_odd(decode(ty, a), decode(ty, b), decode(ty, c)))
        }
        _ => decode(ty, a).mul_add(decode(ty, b), decode(ty, c)).to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of Abramowitz and Stegun, table 7.1, and of asymptotics far out.
    #[test]
    fn the_error_function_and_its_complement() {
        for (x, y) in
            [(0.5, 0.520_499_877_813_046_5), (1.0, 0.842_700_792_949_714_9), (2.0, 0.995_322_265_018_952_7)]
        {
            assert!((erf(x) / y - 1.0).abs() < 1e-14 && erf(-x) == -erf(x), "{x}: {}", erf(x));
            assert!((erfc(x) / (1.0 - y) - 1.0).abs() < 1e-12, "{x}: {}", erfc(x));
        }
        assert!((erfc(5.0) / 1.537_459_794_428_035e-12 - 1.0).abs() < 1e-13, "{}", erfc(5.0));
        assert!((erfc(9.0) / 4.137_031_746_513_81e-37 - 1.0).abs() < 1e-12, "{}", erfc(9.0));
        assert_eq!(
            [erf(f64::INFINITY), erf(-4.0), erfc(f64::NEG_INFINITY), erfc(40.0)].map(|y| y as f32),
            [1.0, -1.0, 2.0, 0.0]
        );
        assert!(erf(f64::NAN).is_nan() && erfc(f64::NAN).is_nan());
        // Both methods agree where one replaces the other.
        assert!((erfc(1.5) / (1.0 - erf(1.5)) - 1.0).abs() < 1e-13);
    }

    #[test]
    fn a_half_sum_rounds_once() {
        // 2^-11 is half a unit of 1.0 in f16: the tie goes to even, anything above goes up.
        let one = 1.0 + f64::powi(2.0, -11);
        assert_eq!(decode(Scalar::F16, encode(Scalar::F16, one)), 1.0);
        let above = one + f64::powi(2.0, -40);
        assert_eq!(decode(Scalar::F16, encode(Scalar::F16, above)), 1.0 + f64::powi(2.0, -10));
    }

    #[test]
    fn every_half_survives_a_round_trip() {
        for ty in [Scalar::F16, Scalar::Bf16] {
            for bits in 0..=u64::from(u16::MAX) {
                let value = decode(ty, bits);
                assert!(value.is_nan() || encode(ty, value) == bits, "{ty:?} {bits:#x}");
            }
        }
    }

    #[test]
    fn a_copied_sign_changes_no_other_bit() {
        for (ty, signalling, negative) in [
            (Scalar::F16, 0x7c01, 0xbc00),
            (Scalar::Bf16, 0x7f81, 0xbf80),
            (Scalar::F32, 0x7f80_0001, 0xbf80_0000),
            (Scalar::F64, 0x7ff0_0000_0000_0001, (-1f64).to_bits()),
        ] {
            let sign = 1 << (ty.bits() - 1);
            assert_eq!(binary(FloatOp::CopySign, ty, signalling, negative), signalling | sign, "{ty:?}");
            assert_eq!(binary(FloatOp::CopySign, ty, signalling | sign, 0), signalling, "{ty:?}");
        }
    }

    #[test]
    fn fused_differs_from_rounded_twice() {
        let f = |v: f32| u64::from(v.to_bits());
        let x = 1.0 + f32::EPSILON;
        let fused = f32::from_bits(fma(Scalar::F32, f(x), f(x), f(-1.0 - 2.0 * f32::EPSILON)) as u32);
        assert_eq!(fused, f32::EPSILON * f32::EPSILON);
    }
}
