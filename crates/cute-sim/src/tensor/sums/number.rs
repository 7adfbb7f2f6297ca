//! Exponents as formats encode them, and the roundings of sums.

use cute_arch::Element;
use half::f16;

/// Stands for the exponent of a zero, which does not count: less than all others, and so is its sum
/// with any of them.
pub(super) const ZERO: i16 = -2000;

/// Stands for the exponent of an infinity or NaN: more than all others, and so is its sum with any
/// of them and with [`ZERO`].
pub(super) const SPECIAL: i16 = 10_000;

/// More than the exponent of any zero, and less than that of any product.
pub(super) const NOTHING: i32 = -1000;

/// The exponent of the least normal number of a type; smaller numbers have it, too.
pub(crate) fn least(element: Element) -> i16 {
    element.float().map_or(0, |format| 1 - format.bias as i16)
}

/// The exponent with which a number of a type that ends at `least` is encoded.
pub(crate) fn exponent(number: f32, least: i16) -> i16 {
    let bits = number.to_bits() << 1;
    match (bits >> 24) as i16 {
        0 if bits == 0 => ZERO,
        255 => SPECIAL,
        encoded => (encoded - 127).max(least),
    }
}

/// The significand of a finite number, and the exponent of its last bit.
pub(super) fn significand(number: f32) -> (u64, i32) {
    let (fraction, encoded) = (number.to_bits() & 0x7f_ffff, (number.to_bits() >> 23 & 0xff) as i32);
    let leading = u32::from(encoded != 0) << 23;
    ((fraction | leading).into(), encoded.max(1) - 150)
}

/// Units of 2^`last`, rounded to a sum of a type: cut to `fraction` bits for f32, to nearest even
/// for f16. A sum of 0 is +0.
pub(super) fn rounded(units: f64, last: i32, d: Element, fraction: u32) -> f32 {
    // Both factors and their product are exact: units have at most 53 bits, and no exponent is
    // beyond those of f64.
    let sum = units * power(last);
    let result = match d {
        // `f16::from_f64` does not look at the low half of its argument.
        Element::F16 => f16::from_f32(odd(sum) as f32).to_f32(),
        _ if sum.abs() < f64::from(f32::MIN_POSITIVE) => {
            let last = power(-126 - fraction as i32);
            ((sum / last).trunc() * last) as f32
        }
        _ => cut(sum, fraction) as f32,
    };
    result + 0.0
}

/// A number whose fraction is cut to this number of bits.
#[inline]
pub(super) fn cut(number: f64, fraction: u32) -> f64 {
    f64::from_bits(number.to_bits() & !((1 << (52 - fraction)) - 1))
}

/// A number with 24 bits, of which the last one tells whether more follow: it is rounded to the
/// same f16.
#[inline]
pub(super) fn odd(number: f64) -> f64 {
    let single = cut(number, 23);
    f64::from_bits(single.to_bits() | u64::from(single != number) << 29)
}

/// A power of 2 with an exponent of f64.
pub(super) fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}
