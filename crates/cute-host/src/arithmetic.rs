//! Arithmetic on the bits of integers and floats. An integer is kept in the lowest bits of a word,
//! and the other bits are 0.

use half::{bf16, f16};

use crate::types::Type;

/// An operation on one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    /// The float with the other sign.
    Negate,
    /// The number of leading zeros of an integer.
    LeadingZeros,
}

/// An operation on two values of one type. `S` takes integers as signed, `U` as unsigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
    Add(Wrap),
    Sub(Wrap),
    Mul(Wrap),
    DivS,
    DivU,
    RemS,
    RemU,
    CeilDivS,
    CeilDivU,
    FloorDivS,
    MinS,
    MinU,
    MaxS,
    MaxU,
    And,
    Or,
    Xor,
    Shl(Wrap),
    ShrS,
    ShrU,
    AddF,
    SubF,
    MulF,
    DivF,
}

/// The kinds of integer overflow that are errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wrap {
    /// The result does not fit a signed integer.
    pub signed: bool,
    /// The result does not fit an unsigned integer.
    pub unsigned: bool,
}

/// A comparison. Comparisons of floats are ordered (false where one side is NaN), except for `Une`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Compare {
    Eq,
    Ne,
    Slt,
    Sle,
    Sgt,
    Sge,
    Ult,
    Ule,
    Ugt,
    Uge,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    Une,
}

/// A conversion of a number to another type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// The reason why an operation has no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A division or remainder by 0.
    #[error("divides {0} by 0")]
    DivisionByZero(i64),
    /// The result does not fit, although the op guarantees that it does.
    #[error("{left} {sign} {right} does not fit {bits} bits, although the op guarantees that it does")]
    #[allow(missing_docs)]
    Overflow { left: i128, sign: char, right: i128, bits: u32 },
    /// A shift by at least the number of bits.
    #[error("shifts {bits} bits by {by}")]
    #[allow(missing_docs)]
    Shift { bits: u32, by: u64 },
}

/// The lowest bits of a word.
pub fn low(word: u64, bits: u32) -> u64 {
    if bits >= 64 { word } else { word & ((1 << bits) - 1) }
}

/// The bits as a signed integer.
pub fn signed(word: u64, bits: u32) -> i64 {
    let unused = 64 - bits.min(64);
    (word << unused) as i64 >> unused
}

/// The result of an operation on one value.
pub fn unary(op: Unary, a: u64, t: Type) -> u64 {
    match op {
        Unary::Negate => a ^ (1 << (t.bits() - 1)),
        Unary::LeadingZeros => u64::from(a.leading_zeros() - (64 - t.bits())),
    }
}

/// The result of an operation on two values of type `t`.
///
/// # Errors
/// A [`Fault`].
pub fn binary(op: Binary, a: u64, b: u64, t: Type) -> Result<u64, Fault> {
    use Binary as B;
    let bits = t.bits();
    let (x, y) = (signed(a, bits), signed(b, bits));
    // The exact result if it fits 128 bits; otherwise it fits neither kind of integer.
    let exact = |wrap: Wrap, sign: char, f: fn(i128, i128) -> Option<i128>, wrapped: u64| {
        let fits = |left: i128, right: i128, range: std::ops::Range<i128>| match f(left, right) {
            Some(result) if range.contains(&result) => Ok(()),
            _ => Err(Fault::Overflow { left, sign, right, bits }),
        };
        if wrap.signed {
            let half = 1i128 << (bits - 1);
            fits(x.into(), y.into(), -half..half)?;
        }
        if wrap.unsigned {
            fits(a.into(), b.into(), 0..1i128 << bits)?;
        }
        Ok(wrapped)
    };
    let by = |divisor: u64| if divisor == 0 { Err(Fault::DivisionByZero(x)) } else { Ok(()) };
    let quotient = || {
        by(b)?;
        // This is the only quotient that does not fit.
        x.checked_div(y).filter(|q| signed(low(*q as u64, bits), bits) == *q).ok_or(Fault::Overflow {
            left: x.into(),
            sign: '/',
            right: y.into(),
            bits,
        })
    };
    let shift = || if b >= u64::from(bits) { Err(Fault::Shift { bits, by: b }) } else { Ok(()) };
    let float = |f: fn(f64, f64) -> f64| of_float(f(float(a, t), float(b, t)), t);
    let word = match op {
        B::Add(wrap) => exact(wrap, '+', i128::checked_add, a.wrapping_add(b))?,
        B::Sub(wrap) => exact(wrap, '-', i128::checked_sub, a.wrapping_sub(b))?,
        B::Mul(wrap) => exact(wrap, '*', i128::checked_mul, a.wrapping_mul(b))?,
        B::DivS => quotient()? as u64,
        B::DivU => {
            by(b)?;
            a / b
        }
        B::RemS => {
            by(b)?;
            x.wrapping_rem(y) as u64
        }
        B::RemU => {
            by(b)?;
            a % b
        }
        B::CeilDivS => {
            let q = quotient()?;
            (q + i64::from(x.wrapping_rem(y) != 0 && (x < 0) == (y < 0))) as u64
        }
        B::CeilDivU => {
            by(b)?;
            a.div_ceil(b)
        }
        B::FloorDivS => {
            let q = quotient()?;
            (q - i64::from(x.wrapping_rem(y) != 0 && (x < 0) != (y < 0))) as u64
        }
        B::MinS => x.min(y) as u64,
        B::MaxS => x.max(y) as u64,
        B::MinU => a.min(b),
        B::MaxU => a.max(b),
        B::And => a & b,
        B::Or => a | b,
        B::Xor => a ^ b,
        B::Shl(wrap) => {
            shift()?;
            exact(wrap, '<', |x, n| x.checked_mul(1 << n), a << b)?
        }
        B::ShrS => {
            shift()?;
            (x >> b) as u64
        }
        B::ShrU => {
            shift()?;
            a >> b
        }
        // Rounding a result of two f32 to f64 and then to f32 equals rounding it once; the same
        // holds for f16.
        B::AddF => float(|x, y| x + y),
        B::SubF => float(|x, y| x - y),
        B::MulF => float(|x, y| x * y),
        B::DivF => float(|x, y| x / y),
    };
    Ok(low(word, bits))
}

/// Whether two values of type `t` compare like this.
pub fn compare(how: Compare, a: u64, b: u64, t: Type) -> bool {
    use Compare as C;
    let (x, y) = (signed(a, t.bits()), signed(b, t.bits()));
    let floats = || (float(a, t), float(b, t));
    match how {
        C::Eq => a == b,
        C::Ne => a != b,
        C::Slt => x < y,
        C::Sle => x <= y,
        C::Sgt => x > y,
        C::Sge => x >= y,
        C::Ult => a < b,
        C::Ule => a <= b,
        C::Ugt => a > b,
        C::Uge => a >= b,
        C::Oeq => floats().0 == floats().1,
        C::Ogt => floats().0 > floats().1,
        C::Oge => floats().0 >= floats().1,
        C::Olt => floats().0 < floats().1,
        C::Ole => floats().0 <= floats().1,
        C::Une => floats().0 != floats().1,
    }
}

/// A value of type `from` as one of type `to`.
pub fn convert(how: Convert, a: u64, from: Type, to: Type) -> u64 {
    let word = match how {
        Convert::SignExtend => signed(a, from.bits()) as u64,
        Convert::ZeroExtend | Convert::Truncate => a,
        Convert::SignedToFloat => return of_integer(signed(a, from.bits()).into(), to),
        Convert::UnsignedToFloat => return of_integer(a.into(), to),
        Convert::Float => return of_float(float(a, from), to),
    };
    low(word, to.bits())
}

/// The number that the bits of a float represent.
pub fn float(a: u64, t: Type) -> f64 {
    match t {
        Type::F16 => f16::from_bits(a as u16).into(),
        Type::Bf16 => bf16::from_bits(a as u16).into(),
        Type::F32 => f32::from_bits(a as u32).into(),
        _ => f64::from_bits(a),
    }
}

/// The bits of the float that is nearest to a number.
pub fn of_float(value: f64, t: Type) -> u64 {
    match t {
        Type::F16 => f16::from_f64(value).to_bits().into(),
        Type::Bf16 => bf16::from_f64(value).to_bits().into(),
        Type::F32 => (value as f32).to_bits().into(),
        _ => value.to_bits(),
    }
}

fn of_integer(value: i128, t: Type) -> u64 {
    match t {
        // A conversion through f64 would round twice.
        Type::F32 => (value as f32).to_bits().into(),
        t => of_float(value as f64, t),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const I8: Type = Type::Int(8);

    fn of(op: Binary, a: i64, b: i64) -> Result<i64, Fault> {
        let word = binary(op, low(a as u64, 8), low(b as u64, 8), I8)?;
        assert_eq!(word, low(word, 8), "{op:?} {a} {b} leaves other bits");
        Ok(signed(word, 8))
    }

    #[test]
    fn integers_of_8_bits_are_those_of_the_machine() {
        for a in i8::MIN..=i8::MAX {
            for b in i8::MIN..=i8::MAX {
                let (ua, ub, x, y) = (a as u8, b as u8, i64::from(a), i64::from(b));
                let is = |op, expected: Option<i8>| {
                    assert_eq!(of(op, x, y).ok(), expected.map(i64::from), "{op:?} {a} {b}");
                };
                let both = |signed, unsigned| Wrap { signed, unsigned };
                is(Binary::Add(Wrap::default()), Some(a.wrapping_add(b)));
                is(Binary::Add(both(true, false)), a.checked_add(b));
                is(Binary::Sub(both(true, false)), a.checked_sub(b));
                is(Binary::Sub(both(false, true)), ua.checked_sub(ub).map(|n| n as i8));
                is(Binary::Mul(both(true, false)), a.checked_mul(b));
                is(Binary::Mul(both(false, true)), ua.checked_mul(ub).map(|n| n as i8));
                is(Binary::DivS, a.checked_div(b));
                is(Binary::DivU, ua.checked_div(ub).map(|n| n as i8));
                is(Binary::RemS, (b != 0).then(|| a.wrapping_rem(b)));
                is(Binary::RemU, ua.checked_rem(ub).map(|n| n as i8));
                let up = (b != 0).then(|| (x as f64 / y as f64).ceil() as i64);
                is(Binary::CeilDivS, up.and_then(|n| n.try_into().ok()));
                let down = (b != 0).then(|| (x as f64 / y as f64).floor() as i64);
                is(Binary::FloorDivS, down.and_then(|n| n.try_into().ok()));
                is(Binary::CeilDivU, (b != 0).then(|| ua.div_ceil(ub) as i8));
                is(Binary::MinS, Some(a.min(b)));
                is(Binary::MaxU, Some(ua.max(ub) as i8));
                let by = u32::from(ub);
                is(Binary::Shl(Wrap::default()), a.checked_shl(by));
                is(Binary::ShrS, a.checked_shr(by));
                is(Binary::ShrU, ua.checked_shr(by).map(|n| n as i8));
                let less = compare(Compare::Slt, ua.into(), ub.into(), I8);
                let below = compare(Compare::Ult, ua.into(), ub.into(), I8);
                assert_eq!((less, below), (a < b, ua < ub), "{a} {b}");
            }
        }
    }

    #[test]
    fn faults_say_what_went_wrong() {
        let text = |fault: Result<i64, Fault>| fault.unwrap_err().to_string();
        assert_eq!(text(of(Binary::DivS, 7, 0)), "divides 7 by 0");
        let promised = Wrap { signed: true, unsigned: false };
        assert_eq!(
            text(of(Binary::Mul(promised), 64, 2)),
            "64 * 2 does not fit 8 bits, although the op guarantees that it does"
        );
        assert_eq!(text(of(Binary::ShrU, 1, 9)), "shifts 8 bits by 9");
    }

    #[test]
    fn floats_round_once() {
        let f32_of = |op, a: f32, b: f32| {
            let word = binary(op, a.to_bits().into(), b.to_bits().into(), Type::F32).unwrap();
            f32::from_bits(word as u32)
        };
        for (a, b) in [(0.1f32, 3.7e8f32), (1.5, -2.25), (16_777_217.0, 0.3), (f32::MIN_POSITIVE, 0.7)] {
            assert_eq!(f32_of(Binary::MulF, a, b), a * b);
            assert_eq!(f32_of(Binary::DivF, a, b), a / b);
            assert_eq!(f32_of(Binary::AddF, a, b), a + b);
        }
        let wide = (1u64 << 60) + (1 << 35) + 1;
        assert_eq!(
            convert(Convert::SignedToFloat, wide, Type::Int(64), Type::F32),
            u64::from((wide as f32).to_bits())
        );
        let half = convert(Convert::Float, 1.5f32.to_bits().into(), Type::F32, Type::F16);
        assert_eq!(float(half, Type::F16), 1.5);
        assert_eq!(unary(Unary::Negate, half, Type::F16), u64::from(f16::from_f64(-1.5).to_bits()));
        assert_eq!(unary(Unary::LeadingZeros, 5, Type::Int(32)), 29);
    }
}
