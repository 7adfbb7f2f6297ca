//! Integers of 1 to 64 bits, kept zero-extended in a 64-bit slot.

use crate::bits;
pub use crate::bits::{mask, signed};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The reason why an operation has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum Fault {
    /// A division or remainder by zero, or a signed quotient that does not fit.
    #[error("i{width} division of {lhs} by {rhs}")]
    Division { width: u32, lhs: i64, rhs: i64 },
    /// An addition, subtraction, multiplication or left shift that promises not to wrap did.
    #[error("i{width} overflow of {what}: {lhs}, {rhs}")]
    Overflow { width: u32, what: &'static str, lhs: i128, rhs: i128 },
    /// A shift by the type's width or more.
    #[error("i{width} shift by {amount}")]
    Shift { width: u32, amount: u64 },
}

/// An operation on two integers; `S` takes them as signed, `U` as unsigned.
#[allow(missing_docs, reason = "the names are those of the operations")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    DivS,
    DivU,
    CeilDivS,
    CeilDivU,
    FloorDivS,
    RemS,
    RemU,
    And,
    Or,
    Xor,
    Shl,
    ShrS,
    ShrU,
    MinS,
    MaxS,
    MinU,
    MaxU,
    /// Saturates to the nearest representable number.
    AddSatS,
    AddSatU,
    SubSatS,
    SubSatU,
    /// `szext.clamp`: the low bits of the first operand, of which the second gives the number.
    ExtendS,
    ExtendU,
    /// Shifts of PTX: by the width or more, every bit leaves.
    ShlClamped,
    ShrClampedS,
    ShrClampedU,
    /// `bmsk`: bits from the first operand on, of which the second gives the number.
    MaskClamped,
    MaskWrapped,
}

impl IntOp {
    /// Whether it is a quotient or a remainder.
    pub fn divides(self) -> bool {
        use IntOp as O;
        matches!(self, O::DivS | O::DivU | O::CeilDivS | O::CeilDivU | O::FloorDivS | O::RemS | O::RemU)
    }
}

/// An operation on one integer.
#[allow(missing_docs, reason = "the names are those of the operations")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum IntUnary {
    Abs,
    Popcount,
    LeadingZeros,
    TrailingZeros,
    ReverseBits,
    SwapBytes,
    /// `bfind`: the last bit that is not the sign, or with `shift` its distance from the end.
    Find {
        signed: bool,
        shift: bool,
    },
    /// 1 for 0, and 0 for the rest: `cnot`.
    IsZero,
}

/// An operation on three integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum IntTernary {
    /// The low bits of the product and the third operand's sum.
    MulAdd,
    /// The high bits of the product, and the third operand; signed or not.
    MulAddHigh(bool),
    /// The product of twice the width, and the third operand; signed or not.
    MulAddWide(bool),
    /// The high word of `b:a`, shifted left by `c`; the amount wraps at 32 or is clamped to 32.
    #[allow(missing_docs)]
    FunnelLeft { wraps: bool },
    /// The low word of `b:a`, shifted right by `c`, likewise.
    #[allow(missing_docs)]
    FunnelRight { wraps: bool },
    /// `c` bits of `a` from bit `b` on, by the sign of the last or not.
    ExtractBits(bool),
    /// The bits of this table, indexed by the bits of the operands.
    Logic(u8),
    /// `fns`: the bit of `a`, counted from bit `b` on, that is set as the `c`th.
    NthSet,
    /// `sad`: the distance of `a` and `b`, and `c`; signed or not.
    Distance(bool),
    /// `mad24`: the low 32 bits of the product of 24 by 24 bits, or its high ones, and `c`.
    #[allow(missing_docs)]
    MulAdd24 { signed: bool, high: bool },
}

/// Promises not to wrap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NoWrap {
    /// The result fits a signed integer.
    pub signed: bool,
    /// The result fits an unsigned integer.
    pub unsigned: bool,
}

/// The result of an operation on two integers of `width` bits.
///
/// # Errors
///
/// A [`Fault`], if there is no result or a promise is broken.
#[inline]
pub fn binary(op: IntOp, width: u32, no_wrap: NoWrap, a: u64, b: u64) -> Result<u64, Fault> {
    let (sa, sb) = (signed(a, width), signed(b, width));
    if no_wrap != NoWrap::default() {
        check_no_wrap(op, width, no_wrap, a, b)?;
    }
    let result = match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::AddSatS => saturate(i128::from(sa) + i128::from(sb), width, true),
        IntOp::AddSatU => saturate(i128::from(a) + i128::from(b), width, false),
        IntOp::SubSatS => saturate(i128::from(sa) - i128::from(sb), width, true),
        IntOp::SubSatU => saturate(i128::from(a) - i128::from(b), width, false),
        IntOp::MinS => sa.min(sb) as u64,
        IntOp::MaxS => sa.max(sb) as u64,
        IntOp::MinU => a.min(b),
        IntOp::MaxU => a.max(b),
        IntOp::ExtendS | IntOp::ExtendU if b >= u64::from(width) => a,
        IntOp::ExtendS if b > 0 => signed(a, b as u32) as u64,
        IntOp::ExtendS | IntOp::ExtendU => a & mask(b as u32),
        IntOp::ShlClamped => a.checked_shl(clamped(b)).unwrap_or(0),
        IntOp::ShrClampedU => a.checked_shr(clamped(b)).unwrap_or(0),
        IntOp::ShrClampedS => (sa >> clamped(b).min(63)) as u64,
        IntOp::MaskClamped | IntOp::MaskWrapped => bits::field(width, a, b, op == IntOp::MaskWrapped),
        IntOp::Shl | IntOp::ShrS | IntOp::ShrU => {
            if b >= u64::from(width) {
                return Err(Fault::Shift { width, amount: b });
            }
            match op {
                IntOp::Shl => a << b,
                IntOp::ShrS => (sa >> b) as u64,
                _ => a >> b,
            }
        }
        IntOp::DivU | IntOp::CeilDivU | IntOp::RemU => {
            if b == 0 {
                return Err(Fault::Division { width, lhs: sa, rhs: sb });
            }
            match op {
                IntOp::DivU => a / b,
                IntOp::CeilDivU => a.div_ceil(b),
                _ => a % b,
            }
        }
        IntOp::DivS | IntOp::CeilDivS | IntOp::FloorDivS | IntOp::RemS => {
            if sb == 0 || (sb == -1 && sa == signed(1 << (width - 1), width)) {
                return Err(Fault::Division { width, lhs: sa, rhs: sb });
            }
            let (quotient, rest) = (sa / sb, sa % sb);
            (match op {
                IntOp::DivS => quotient,
                IntOp::RemS => rest,
                IntOp::CeilDivS => quotient + i64::from(rest != 0 && (rest < 0) == (sb < 0)),
                _ => quotient - i64::from(rest != 0 && (rest < 0) != (sb < 0)),
            }) as u64
        }
    };
    Ok(result & mask(width))
}

fn check_no_wrap(op: IntOp, width: u32, no_wrap: NoWrap, a: u64, b: u64) -> Result<(), Fault> {
    let what = |signed: bool| match (op, signed) {
        (IntOp::Add, true) => "nsw add",
        (IntOp::Add, false) => "nuw add",
        (IntOp::Sub, true) => "nsw sub",
        (IntOp::Sub, false) => "nuw sub",
        (IntOp::Mul, true) => "nsw mul",
        (IntOp::Mul, false) => "nuw mul",
        (_, true) => "nsw shl",
        (_, false) => "nuw shl",
    };
    for (promised, signed) in [(no_wrap.signed, true), (no_wrap.unsigned, false)] {
        if promised && wraps(op, width, signed, a, b) {
            let [lhs, rhs] = [a, b].map(|v| widened(v, width, signed));
            return Err(Fault::Overflow { width, what: what(signed), lhs, rhs });
        }
    }
    Ok(())
}

/// A shift amount that a Rust shift takes.
fn clamped(amount: u64) -> u32 {
    amount.min(64) as u32
}

fn widened(value: u64, width: u32, is_signed: bool) -> i128 {
    if is_signed { signed(value, width).into() } else { value.into() }
}

/// Whether the exact sum, difference, product or left shift does not fit the width.
#[inline]
pub fn wraps(op: IntOp, width: u32, is_signed: bool, a: u64, b: u64) -> bool {
    let [x, y] = [a, b].map(|v| widened(v, width, is_signed));
    let exact = match op {
        IntOp::Add => Some(x + y),
        IntOp::Sub => Some(x - y),
        IntOp::Mul => x.checked_mul(y),
        // A shift amount is unsigned and, checked elsewhere, below the width.
        IntOp::Shl => Some(x << b.min(63)),
        _ => Some(0),
    };
    let (least, most) = range(width, is_signed);
    !exact.is_some_and(|r| (least..=most).contains(&r))
}

fn range(width: u32, is_signed: bool) -> (i128, i128) {
    let most = i128::from(if is_signed { mask(width) >> 1 } else { mask(width) });
    (if is_signed { -most - 1 } else { 0 }, most)
}

fn saturate(exact: i128, width: u32, is_signed: bool) -> u64 {
    let (least, most) = range(width, is_signed);
    exact.clamp(least, most) as u64
}

/// `dp4a`, `dp2a`: a word more than the sum of products, of elements that are read signed or not.
#[inline]
pub fn dot(a: impl Iterator<Item = i64>, b: impl Iterator<Item = i64>, c: u64) -> u64 {
    let sum = a.zip(b).fold(c as i64, |sum, (a, b)| sum.wrapping_add(a * b));
    sum as u64 & mask(32)
}

/// `prmt.b32`: each nibble of the selector selects one of the eight bytes, or copies of its sign.
#[inline]
pub fn permute(a: u64, b: u64, selector: u64) -> u64 {
    let bytes = ((b & mask(32)) << 32 | a & mask(32)).to_le_bytes();
    (0..4).fold(0, |word, i| {
        let pick = selector >> (4 * i) & 15;
        let byte = bytes[(pick & 7) as usize];
        let byte = if pick & 8 == 0 { byte } else { ((byte as i8) >> 7) as u8 };
        word | u64::from(byte) << (8 * i)
    })
}

/// The result of an operation on three integers of `width` bits, as PTX defines it.
#[inline]
pub fn ternary(op: IntTernary, width: u32, a: u64, b: u64, c: u64) -> u64 {
    let product = |is_signed: bool| widened(a, width, is_signed).wrapping_mul(widened(b, width, is_signed));
    let amount = |wraps: bool| if wraps { c & 31 } else { c.min(32) };
    match op {
        IntTernary::MulAdd => a.wrapping_mul(b).wrapping_add(c) & mask(width),
        IntTernary::MulAddHigh(is_signed) => {
            ((product(is_signed) >> width) as u64).wrapping_add(c) & mask(width)
        }
        IntTernary::MulAddWide(is_signed) => (product(is_signed) as u64).wrapping_add(c) & mask(2 * width),
        IntTernary::FunnelLeft { wraps } => (b << 32 | a & mask(32)) << amount(wraps) >> 32 & mask(32),
        IntTernary::FunnelRight { wraps } => (b << 32 | a & mask(32)) >> amount(wraps) & mask(32),
        IntTernary::ExtractBits(is_signed) => {
            let (from, length) = ((b & 0xff).min(127) as u32, (c & 0xff) as u32);
            let rest = widened(a, width, is_signed) >> from;
            match length.min(width) {
                0 => 0,
                length if is_signed => signed(rest as u64, length) as u64 & mask(width),
                length => rest as u64 & mask(length),
            }
        }
        IntTernary::Logic(table) => {
            let of = |on: bool, bits: u64| if on { bits } else { !bits };
            let minterm = |i: u32| of(i & 4 != 0, a) & of(i & 2 != 0, b) & of(i & 1 != 0, c);
            (0..8).filter(|i| table >> i & 1 != 0).fold(0, |bits, i| bits | minterm(i)) & mask(width)
        }
        IntTernary::NthSet => bits::nth_set(a as u32, b, c as i32),
        IntTernary::Distance(is_signed) => {
            let [x, y] = [a, b].map(|value| widened(value, width, is_signed));
            (x.abs_diff(y) as u64).wrapping_add(c) & mask(width)
        }
        IntTernary::MulAdd24 { signed, high } => {
            let product = widened(a & mask(24), 24, signed) * widened(b & mask(24), 24, signed);
            ((product >> if high { 16 } else { 0 }) as u64).wrapping_add(c) & mask(32)
        }
    }
}

/// The result of an operation on an integer of `width` bits.
#[inline]
pub fn unary(op: IntUnary, width: u32, a: u64) -> u64 {
    let result = match op {
        IntUnary::Abs => signed(a, width).wrapping_abs() as u64,
        IntUnary::Popcount => u64::from(a.count_ones()),
        IntUnary::LeadingZeros => u64::from(a.leading_zeros().saturating_sub(64 - width)),
        IntUnary::TrailingZeros => u64::from(a.trailing_zeros().min(width)),
        IntUnary::ReverseBits => a.reverse_bits() >> (64 - width),
        IntUnary::SwapBytes => a.swap_bytes() >> (64 - width),
        IntUnary::Find { signed: is_signed, shift } => return bits::find(width, a, is_signed, shift),
        IntUnary::IsZero => u64::from(a & mask(width) == 0),
    };
    result & mask(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(v: i64, width: u32) -> u64 {
        v as u64 & mask(width)
    }

    #[test]
    fn three_operands_are_combined_as_ptx_defines_it() {
        use IntTernary as T;
        let of = |op, a: i64, b: i64, c: i64| ternary(op, 32, bits(a, 32), bits(b, 32), bits(c, 32)) as u32;
        assert_eq!(of(T::MulAdd, -3, 5, 1) as i32, -14);
        assert_eq!([true, false].map(|signed| of(T::MulAddHigh(signed), -1, 2, 3)), [2, 4]);
        assert_eq!(ternary(T::MulAddWide(true), 32, bits(-2, 32), 3, 1) as i64, -5);
        assert_eq!(ternary(T::MulAddWide(false), 16, 0xffff, 0xffff, 0), 0xfffe_0001);
        assert_eq!(
            [40, 32].map(|n| of(T::FunnelLeft { wraps: true }, 0x1234_5678, 0x9abc_def0, n)),
            [0xbcde_f012, 0x9abc_def0]
        );
        assert_eq!(of(T::FunnelLeft { wraps: false }, 0x1234_5678, 0x9abc_def0, 40), 0x1234_5678);
        assert_eq!(of(T::FunnelRight { wraps: true }, 0x1234_5678, 0x9abc_def0, 8), 0xf012_3456);
        assert_eq!([true, false].map(|signed| of(T::ExtractBits(signed), 0xf50, 4, 4)), [5, 5]);
        assert_eq!([true, false].map(|signed| of(T::ExtractBits(signed), 0xf50, 8, 4)), [u32::MAX, 15]);
        assert_eq!([true, false].map(|signed| of(T::ExtractBits(signed), -1, 40, 3)), [u32::MAX, 0]);
        assert_eq!(of(T::ExtractBits(true), -1, 0, 0), 0);
        // The tables of `a & b & c`, of `a ^ b ^ c` and of `a & b | c`.
        let [a, b, c] = [0b1111_0000, 0b1100_1100, 0b1010_1010];
        assert_eq!([0x80, 0x96, 0xea].map(|table| of(T::Logic(table), a, b, c) as u8), [0x80, 0x96, 0xea]);
    }

    #[test]
    fn integers_of_8_bits_are_those_of_rust() {
        for a in i8::MIN..=i8::MAX {
            for b in i8::MIN..=i8::MAX {
                let (ua, ub, x, y) = (a as u8, b as u8, i64::from(a), i64::from(b));
                let is = |op, promised: (bool, bool), expected: Option<i8>| {
                    let no_wrap = NoWrap { signed: promised.0, unsigned: promised.1 };
                    let found = binary(op, 8, no_wrap, bits(x, 8), bits(y, 8));
                    assert_eq!(found.ok(), expected.map(|n| u64::from(n as u8)), "{op:?} {a} {b}");
                };
                let any = (false, false);
                is(IntOp::Add, any, Some(a.wrapping_add(b)));
                is(IntOp::Add, (true, false), a.checked_add(b));
                is(IntOp::Add, (false, true), ua.checked_add(ub).map(|n| n as i8));
                is(IntOp::Sub, any, Some(a.wrapping_sub(b)));
                is(IntOp::Sub, (true, false), a.checked_sub(b));
                is(IntOp::Sub, (false, true), ua.checked_sub(ub).map(|n| n as i8));
                is(IntOp::Mul, any, Some(a.wrapping_mul(b)));
                is(IntOp::Mul, (true, false), a.checked_mul(b));
                is(IntOp::Mul, (false, true), ua.checked_mul(ub).map(|n| n as i8));
                is(IntOp::DivS, any, a.checked_div(b));
                is(IntOp::RemS, any, a.checked_rem(b));
                is(IntOp::DivU, any, ua.checked_div(ub).map(|n| n as i8));
                is(IntOp::RemU, any, ua.checked_rem(ub).map(|n| n as i8));
                let fits = |f: fn(f64) -> f64| {
                    let quotient = (b != 0).then(|| f(x as f64 / y as f64) as i64)?;
                    i8::try_from(quotient).ok()
                };
                is(IntOp::CeilDivS, any, a.checked_div(b).and(fits(f64::ceil)));
                is(IntOp::FloorDivS, any, a.checked_div(b).and(fits(f64::floor)));
                is(IntOp::CeilDivU, any, (b != 0).then(|| ua.div_ceil(ub) as i8));
                is(IntOp::MinS, any, Some(a.min(b)));
                is(IntOp::MaxS, any, Some(a.max(b)));
                is(IntOp::MinU, any, Some(ua.min(ub) as i8));
                is(IntOp::MaxU, any, Some(ua.max(ub) as i8));
                is(IntOp::AddSatS, any, Some(a.saturating_add(b)));
                is(IntOp::SubSatS, any, Some(a.saturating_sub(b)));
                is(IntOp::AddSatU, any, Some(ua.saturating_add(ub) as i8));
                is(IntOp::SubSatU, any, Some(ua.saturating_sub(ub) as i8));
                let by = u32::from(ub);
                is(IntOp::Shl, any, a.checked_shl(by));
                is(IntOp::ShrS, any, a.checked_shr(by));
                is(IntOp::ShrU, any, ua.checked_shr(by).map(|n| n as i8));
            }
        }
    }

    #[test]
    fn bits_and_bytes() {
        assert_eq!(unary(IntUnary::ReverseBits, 8, 0b0000_0110), 0b0110_0000);
        assert_eq!(unary(IntUnary::SwapBytes, 32, 0x1122_3344), 0x4433_2211);
        let (a, b) = (0x3322_1180, 0x7766_5544);
        assert_eq!(permute(a, b, 0x3210), a);
        assert_eq!(permute(a, b, 0x7654), b);
        assert_eq!(permute(a, b, 0x8140), 0xff11_4480);
        assert_eq!(dot([1, -2].into_iter(), [3, 5].into_iter(), 4), 0xffff_fffd);
    }

    #[test]
    fn a_broken_promise_names_type_and_operands() {
        let nsw = NoWrap { signed: true, unsigned: false };
        let e = binary(IntOp::Mul, 32, nsw, 1 << 20, 1 << 12).unwrap_err();
        assert_eq!(e.to_string(), "i32 overflow of nsw mul: 1048576, 4096");
        assert_eq!(binary(IntOp::Add, 32, nsw, bits(-1, 32), 1), Ok(0));
        let nuw = NoWrap { signed: false, unsigned: true };
        assert!(binary(IntOp::Add, 32, nuw, bits(-1, 32), 1).is_err());
    }
}
