//! Arithmetic of f64 in any rounding: an integer of up to 128 bits holds the exact result, or
//! enough of it that what is left is only known to be there.
//!
//! A number is `significand * 2^exponent`. The lowest bit of a significand is *sticky* where bits
//! were shifted out: it is set if any of them was. That does not change how the number rounds, as
//! long as two bits or more lie between it and the last bit of the result.

use crate::format::Rounding;

/// Bits of the fraction of an f64.
const FRACTION: i32 = 52;

/// The exponent of the last bit of a subnormal f64.
const LEAST: i32 = -1074;

/// A finite number.
#[derive(Debug, Clone, Copy)]
struct Number {
    negative: bool,
    significand: u128,
    exponent: i32,
}

impl Number {
    fn of(value: f64) -> Self {
        let bits = value.to_bits();
        let (field, fraction) = ((bits >> FRACTION & 0x7ff) as i32, bits & ((1 << FRACTION) - 1));
        let (significand, exponent) =
            if field == 0 { (fraction, LEAST) } else { (fraction | 1 << FRACTION, field - 1 + LEAST) };
        Number { negative: value.is_sign_negative(), significand: significand.into(), exponent }
    }

    /// The same number with the significand's highest bit at bit 125, so that a sum still fits.
    fn high(self) -> Self {
        let shift = self.significand.leading_zeros() as i32 - 2;
        if self.significand == 0 {
            return self;
        }
        Number { significand: self.significand << shift, exponent: self.exponent - shift, ..self }
    }

    /// The same number with this exponent, which is at least its own, and a sticky last bit.
    fn at(self, exponent: i32) -> u128 {
        shifted(self.significand, (exponent - self.exponent) as u32)
    }
}

/// A shift to the right with a sticky last bit.
fn shifted(bits: u128, by: u32) -> u128 {
    let kept = bits.checked_shr(by).unwrap_or(0);
    let is_exact = kept.checked_shl(by).unwrap_or(0) == bits;
    kept | u128::from(!is_exact)
}

/// The nearest f64 in a direction to `significand * 2^exponent`.
fn round(number: Number, rounding: Rounding) -> f64 {
    let Number { negative, significand, exponent } = number;
    if significand == 0 {
        return if negative { -0.0 } else { 0.0 };
    }
    let top = exponent + significand.ilog2() as i32;
    // The exponent of the result's last bit, and two bits below it: a half, and the rest.
    let last = (top - FRACTION).max(LEAST);
    let shift = last - 2 - exponent;
    let with_rest =
        if shift >= 0 { shifted(significand, shift as u32) } else { significand << shift.unsigned_abs() };
    let (whole, rest) = ((with_rest >> 2) as u64, with_rest & 3);
    let up = match rounding {
        Rounding::NearestEven => rest == 3 || rest == 2 && whole & 1 == 1,
        Rounding::NearestAway => rest >= 2,
        // Only conversions to narrow formats round at random.
        Rounding::TowardZero | Rounding::Random { .. } => false,
        Rounding::Up => rest != 0 && !negative,
        Rounding::Down => rest != 0 && negative,
    };
    // A carry goes into the exponent, and beyond the largest number to infinity.
    let code = whole + u64::from(up);
    let field = (last - LEAST) as u64;
    let bits = if code >> FRACTION == 0 { code } else { (field << FRACTION) + code };
    let largest = f64::MAX.to_bits();
    let overflows_inward = match rounding {
        Rounding::TowardZero => true,
        Rounding::Up => negative,
        Rounding::Down => !negative,
        Rounding::NearestEven | Rounding::NearestAway | Rounding::Random { .. } => false,
    };
    let bits = match bits > largest {
        true if overflows_inward => largest,
        true => f64::INFINITY.to_bits(),
        false => bits,
    };
    f64::from_bits(bits | u64::from(negative) << 63)
}

/// `a * b + c`, rounded once.
pub fn fma(a: f64, b: f64, c: f64, rounding: Rounding) -> f64 {
    if !(a.is_finite() && b.is_finite() && c.is_finite()) {
        return a.mul_add(b, c);
    }
    let (x, y, z) = (Number::of(a), Number::of(b), Number::of(c));
    let product = Number {
        negative: x.negative != y.negative,
        significand: x.significand * y.significand,
        exponent: x.exponent + y.exponent,
    };
    if product.significand == 0 || z.significand == 0 {
        let zeros = product.significand == 0 && z.significand == 0;
        let same = product.negative == z.negative;
        let sign = if same { z.negative } else { rounding == Rounding::Down };
        return match z.significand {
            0 if zeros => round(Number { negative: sign, ..z }, rounding),
            0 => round(product, rounding),
            _ => c,
        };
    }
    let (product, z) = (product.high(), z.high());
    let exponent = product.exponent.max(z.exponent);
    let (p, q) = (product.at(exponent), z.at(exponent));
    let (negative, significand) = match product.negative == z.negative {
        true => (z.negative, p + q),
        false if p == q => (rounding == Rounding::Down, 0),
        false if p > q => (product.negative, p - q),
        false => (z.negative, q - p),
    };
    round(Number { negative, significand, exponent }, rounding)
}

/// `a + b`, rounded.
pub fn add(a: f64, b: f64, rounding: Rounding) -> f64 {
    fma(a, 1.0, b, rounding)
}

/// `a * b`, rounded.
pub fn mul(a: f64, b: f64, rounding: Rounding) -> f64 {
    // Zero with the sign of the product does not change it.
    let zero = if a.is_sign_negative() != b.is_sign_negative() { -0.0 } else { 0.0 };
    fma(a, b, zero, rounding)
}

/// `a / b`, rounded.
pub fn div(a: f64, b: f64, rounding: Rounding) -> f64 {
    if !(a.is_finite() && b.is_finite()) || a == 0.0 || b == 0.0 {
        return a / b;
    }
    let (x, y) = (Number::of(a).high(), Number::of(b));
    let quotient = x.significand / y.significand;
    let is_exact = quotient * y.significand == x.significand;
    // The quotient has 73 bits or more; those that are missing are the sticky one below it.
    let significand = quotient << 1 | u128::from(!is_exact);
    let negative = x.negative != y.negative;
    round(Number { negative, significand, exponent: x.exponent - y.exponent - 1 }, rounding)
}

/// The square root, rounded.
pub fn sqrt(a: f64, rounding: Rounding) -> f64 {
    if !a.is_finite() || a <= 0.0 {
        return a.sqrt();
    }
    let mut x = Number::of(a).high();
    if x.exponent & 1 != 0 {
        x = Number { significand: x.significand << 1, exponent: x.exponent - 1, ..x };
    }
    let root = x.significand.isqrt();
    let is_exact = root * root == x.significand;
    let significand = root << 1 | u128::from(!is_exact);
    round(Number { negative: false, significand, exponent: x.exponent / 2 - 1 }, rounding)
}

/// An integer, rounded.
pub fn of_integer(value: i128, rounding: Rounding) -> f64 {
    round(Number { negative: value < 0, significand: value.unsigned_abs(), exponent: 0 }, rounding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    const NEAR: Rounding = Rounding::NearestEven;

    /// Numbers of all magnitudes, and of the same, with few and with many bits.
    fn numbers() -> impl Iterator<Item = [f64; 3]> {
        let mut random = Rng::with_seed(11);
        let mut next = move || {
            let bits = random.u64(..);
            let fraction = if random.bool() { bits } else { bits & !((1 << 40) - 1) };
            let field = match random.u8(..4) {
                0 => random.u64(..2047),
                1 => random.u64(..60),
                _ => 1000 + random.u64(..60),
            };
            f64::from_bits(fraction & (1 << 63 | ((1 << 52) - 1)) | field << 52)
        };
        std::iter::repeat_with(move || [next(), next(), next()]).take(50_000)
    }

    #[test]
    fn to_nearest_is_the_hosts() {
        for v in numbers() {
            let [a, b, c] = v;
            let same = |x: f64, y: f64, what: &str| {
                assert!(x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan(), "{what} {v:?}: {x:e} {y:e}");
            };
            same(add(a, b, NEAR), a + b, "add");
            same(mul(a, b, NEAR), a * b, "mul");
            same(div(a, b, NEAR), a / b, "div");
            same(fma(a, b, c, NEAR), a.mul_add(b, c), "fma");
            same(fma(a, b, -(a * b), NEAR), a.mul_add(b, -(a * b)), "fma that cancels");
            same(sqrt(a, NEAR), a.sqrt(), "sqrt");
        }
    }

    /// Down and up are the nearest and a neighbour of it, unless the result is exact.
    #[test]
    fn directions_enclose_the_nearest() {
        for v @ [a, b, c] in numbers() {
            let functions: [&dyn Fn(Rounding) -> f64; 5] =
                [&|r| add(a, b, r), &|r| mul(a, b, r), &|r| div(a, b, r), &|r| fma(a, b, c, r), &|r| {
                    sqrt(a, r)
                }];
            for (i, f) in functions.iter().enumerate() {
                let [near, down, up, zero] =
                    [NEAR, Rounding::Down, Rounding::Up, Rounding::TowardZero].map(f);
                if near.is_nan() {
                    continue;
                }
                assert!(down <= near && near <= up && (down == near || up == near), "{i} {v:?}");
                assert!(down == up || down.next_up() == up, "{i} {v:?}: {down:e} {up:e}");
                assert_eq!(zero, if down.is_sign_negative() && up <= 0.0 { up } else { down }, "{i} {v:?}");
            }
        }
    }

    #[test]
    fn ends_of_the_range() {
        let (max, least) = (f64::MAX, f64::from_bits(1));
        assert_eq!(add(max, max, Rounding::TowardZero), max);
        assert_eq!(add(max, max, Rounding::Up), f64::INFINITY);
        assert_eq!(add(-max, -max, Rounding::Up), -max);
        assert_eq!(mul(least, 0.5, Rounding::Up), least);
        assert_eq!(mul(least, 0.5, NEAR), 0.0);
        assert_eq!(mul(least, -0.5, Rounding::Down), -least);
        assert!(add(1.0, -1.0, Rounding::Down).is_sign_negative());
        assert!(mul(0.0, -1.0, Rounding::Up).is_sign_negative());
        assert_eq!(add(1.0, least, Rounding::Up), 1.0f64.next_up());
        assert_eq!(add(1.0, -least, Rounding::Down), 1.0f64.next_down());
        assert_eq!(of_integer(i64::MAX.into(), Rounding::Down), 9_223_372_036_854_774_784.0);
        assert_eq!(of_integer(u64::MAX.into(), Rounding::Up), 18_446_744_073_709_551_616.0);
    }
}
