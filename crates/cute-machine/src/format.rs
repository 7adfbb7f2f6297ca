//! Number formats of any width as exact `f64` or `i64`, and the roundings of PTX's `cvt`.
//! This module contains bits and numbers; it must not contain registers or instructions.

use cute_arch::{Element, FloatFormat, Special};
use serde::{Deserialize, Serialize};

/// The rounding of a number between two of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rounding {
    /// `.rn`: to the nearest, ties to the one with an even last bit.
    NearestEven,
    /// `.rna`: to the nearest, ties away from zero.
    NearestAway,
    /// `.rz`.
    TowardZero,
    /// `.rp`.
    Up,
    /// `.rm`.
    Down,
    /// `.rs`: away from zero if the rest, as a part of the distance, and these bits, as a part of
    /// 2^length, make 1 or more.
    #[allow(missing_docs)]
    Random { bits: u16, length: u8 },
}

/// The result for a number beyond the largest of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Overflow {
    /// Infinity, or the largest finite number if the rounding points inward; NaN if the format has
    /// no infinity.
    Ieee,
    /// `.satfinite`: the largest finite number, for an infinity too.
    Saturate,
}

/// The number with this code. Bits above the element are ignored, and so are the lower 13 of a
/// tf32.
///
/// Returns `None` if the element is not a float.
pub fn decode(element: Element, bits: u64) -> Option<f64> {
    let format = element.float()?;
    let code = if element == Element::Tf32 { bits >> UNUSED_TF32 } else { bits };
    Some(match element {
        Element::F64 => f64::from_bits(bits),
        Element::F32 => f32::from_bits(bits as u32).into(),
        _ => number(format, code),
    })
}

/// The code of a number: correctly rounded, NaN to the canonical one (all ones, positive).
///
/// A format without NaN maps it to its largest number, as `cvt` does, and always saturates. A
/// format without sign maps a negative number to its magnitude if it is an MX scale (`ue8m0`), and
/// otherwise to zero.
///
/// Returns `None` if the element is not a float.
pub fn encode(element: Element, value: f64, rounding: Rounding, overflow: Overflow) -> Option<u64> {
    let format = element.float()?;
    Some(match element {
        Element::F64 => value.to_bits(),
        Element::Tf32 => code(format, value, rounding, overflow) << UNUSED_TF32,
        Element::Ue4m3 if value < 0.0 => 0,
        _ => code(format, value, rounding, overflow),
    })
}

/// The value of an integer code, sign-extended if the element has a sign; `None` if the element is
/// not an integer.
pub fn decode_integer(element: Element, bits: u64) -> Option<i64> {
    let unused = 64 - element.bits();
    Some(if element.integer()? {
        ((bits << unused) as i64) >> unused
    } else {
        ((bits << unused) >> unused) as i64
    })
}

/// Bits of a 32-bit word below a tf32.
const UNUSED_TF32: u32 = 13;

const F64_FRACTION: u32 = 52;
const F64_BIAS: i32 = 1023;

/// 2^exponent, of a normal f64.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + F64_BIAS) as u64) << F64_FRACTION)
}

impl Limits {
    fn of(format: FloatFormat) -> Self {
        let all_ones = (1 << (format.exponent + format.fraction)) - 1;
        let largest = match format.special {
            Special::Ieee => all_ones - (1 << format.fraction),
            Special::AllOnesNan => all_ones - 1,
            Special::None => all_ones,
        };
        Limits { all_ones, largest }
    }
}

/// Codes without the sign.
struct Limits {
    /// The code of NaN, if there is one.
    all_ones: u64,
    /// The largest finite number.
    largest: u64,
}

/// A float narrower than f64. Its exponent and fraction, interpreted as an f64's, are the number
/// times `2^(bias - 1023)`, also where both formats are subnormal.
fn number(format: FloatFormat, code: u64) -> f64 {
    let Limits { all_ones, largest } = Limits::of(format);
    let magnitude = code & all_ones;
    let value = if magnitude > largest {
        // Infinity is the code after the largest number.
        if format.special == Special::Ieee && magnitude == largest + 1 { f64::INFINITY } else { f64::NAN }
    } else if format.fraction == 0 {
        // A scale has no subnormals.
        power(magnitude as i32 - format.bias)
    } else {
        f64::from_bits(magnitude << (F64_FRACTION - format.fraction)) * power(F64_BIAS - format.bias)
    };
    let negative = format.signed && code >> (format.exponent + format.fraction) & 1 == 1;
    if negative { -value } else { value }
}

fn code(format: FloatFormat, value: f64, rounding: Rounding, overflow: Overflow) -> u64 {
    let Limits { all_ones, largest } = Limits::of(format);
    let finite_only = format.special == Special::None;
    if value.is_nan() {
        return if finite_only { largest } else { all_ones };
    }
    let negative = value.is_sign_negative() && format.signed;
    let magnitude = round(format, value.abs(), negative, rounding);
    let inward = match rounding {
        Rounding::TowardZero => true,
        Rounding::Up => negative,
        Rounding::Down => !negative,
        Rounding::NearestEven | Rounding::NearestAway | Rounding::Random { .. } => false,
    };
    let magnitude = match magnitude {
        Some(fits) if fits <= largest => fits,
        _ if finite_only || overflow == Overflow::Saturate => largest,
        Some(_) if inward => largest,
        _ if format.special == Special::AllOnesNan => all_ones,
        _ => largest + 1,
    };
    u64::from(negative) << (format.exponent + format.fraction) | magnitude
}

/// The code of a magnitude as if exponents went on for ever; `None` of infinity.
fn round(format: FloatFormat, magnitude: f64, negative: bool, rounding: Rounding) -> Option<u64> {
    if magnitude.is_infinite() {
        return None;
    }
    // Numbers of this binade are multiples of 2^quantum, and so are those below the smallest normal
    // exponent.
    let lowest = if format.fraction == 0 { -format.bias } else { 1 - format.bias };
    let exponent = ((magnitude.to_bits() >> F64_FRACTION) as i32 - F64_BIAS).max(lowest);
    let quantum = exponent - format.fraction as i32;
    // Scaled in two exact steps, since 2^-quantum may be too large for one.
    let multiple = magnitude * power(-(quantum / 2)) * power(quantum / 2 - quantum);
    let multiple = match rounding {
        Rounding::NearestEven => multiple.round_ties_even(),
        Rounding::NearestAway => multiple.round(),
        Rounding::TowardZero => multiple.trunc(),
        Rounding::Up if negative => multiple.trunc(),
        Rounding::Down if !negative => multiple.trunc(),
        Rounding::Up | Rounding::Down => multiple.ceil(),
        Rounding::Random { bits, length } => (multiple + f64::from(bits) * power(-i32::from(length))).floor(),
    } as u64;
    // The leading bit of a normal number adds one to the exponent field, and a carry one more.
    let field = (exponent - lowest) as u64;
    Some(if format.fraction == 0 {
        (field + multiple).saturating_sub(1)
    } else {
        (field << format.fraction) + multiple
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use half::{bf16, f16};

    const ROUNDINGS: [Rounding; 5] =
        [Rounding::NearestEven, Rounding::NearestAway, Rounding::TowardZero, Rounding::Up, Rounding::Down];

    fn floats() -> impl Iterator<Item = (Element, FloatFormat)> {
        Element::all().filter_map(|e| Some((e, e.float()?)))
    }

    /// Every finite number of a format of at most 16 bits with its code, by the definition in
    /// [`FloatFormat`].
    fn numbers(format: FloatFormat) -> Vec<(f64, u64)> {
        let Limits { largest, .. } = Limits::of(format);
        let number = |code: u64| {
            let (e, f) = (code >> format.fraction, code & ((1 << format.fraction) - 1));
            let fraction = f as f64 / f64::powi(2.0, format.fraction as i32);
            if e == 0 && format.fraction > 0 {
                fraction * f64::powi(2.0, 1 - format.bias)
            } else {
                (1.0 + fraction) * f64::powi(2.0, e as i32 - format.bias)
            }
        };
        (0..=largest).map(|code| (number(code), code)).collect()
    }

    #[test]
    fn every_code_of_a_narrow_format_means_its_definition() {
        for (element, format) in floats().filter(|(e, _)| e.bits() <= 16) {
            let sign = 1 << (format.exponent + format.fraction);
            for (value, code) in numbers(format) {
                assert_eq!(decode(element, code), Some(value), "{element} {code:#x}");
                if format.signed {
                    assert_eq!(decode(element, code | sign), Some(-value), "-{element} {code:#x}");
                }
            }
        }
    }

    #[test]
    fn codes_agree_with_published_tables() {
        let value = |e, code| decode(e, code).unwrap();
        // OCP 8-bit Floating Point Specification, table 1; OCP Microscaling Formats, tables 2 to 5.
        assert_eq!((value(Element::E4m3, 0x7e), value(Element::E4m3, 0x01)), (448.0, f64::powi(2.0, -9)));
        assert_eq!((value(Element::E5m2, 0x7b), value(Element::E5m2, 0x01)), (57344.0, f64::powi(2.0, -16)));
        assert_eq!((value(Element::E3m2, 0x1f), value(Element::E3m2, 0x01)), (28.0, 0.0625));
        assert_eq!((value(Element::E2m3, 0x1f), value(Element::E2m3, 0x01)), (7.5, 0.125));
        let e2m1: Vec<_> = (0..8).map(|code| value(Element::E2m1, code)).collect();
        assert_eq!(e2m1, [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]);
        assert_eq!(
            (value(Element::Ue8m0, 0), value(Element::Ue8m0, 254)),
            (f64::powi(2.0, -127), f64::powi(2.0, 127))
        );
        assert_eq!(value(Element::E5m2, 0x7c), f64::INFINITY);
        assert_eq!(value(Element::E5m2, 0xfc), f64::NEG_INFINITY);
        for (e, code) in
            [(Element::E4m3, 0x7f), (Element::E4m3, 0xff), (Element::E5m2, 0x7d), (Element::Ue8m0, 0xff)]
        {
            assert!(value(e, code).is_nan(), "{e} {code:#x}");
        }
    }

    /// The two neighbours of every number and of every midpoint, and the midpoint.
    fn around(numbers: &[(f64, u64)]) -> Vec<f64> {
        let mut values = vec![1e-300, 1e300];
        for pair in numbers.windows(2) {
            let middle = (pair[0].0 + pair[1].0) / 2.0;
            for v in [pair[0].0, middle] {
                values.extend([v, v.next_up(), v.next_down().max(0.0)]);
            }
        }
        values.extend(numbers.last().map(|n| n.0));
        values
    }

    /// Rounding by search among the neighbours: an independent definition.
    fn searched(numbers: &[(f64, u64)], value: f64, rounding: Rounding) -> Option<u64> {
        let above = numbers.partition_point(|n| n.0 < value);
        let &(up, up_code) = numbers.get(above)?;
        if up == value || above == 0 {
            return Some(up_code);
        }
        let (down, down_code) = numbers[above - 1];
        let even = if up_code % 2 == 0 { up_code } else { down_code };
        Some(match rounding {
            Rounding::TowardZero | Rounding::Down => down_code,
            Rounding::Up => up_code,
            _ => match (value - down).partial_cmp(&(up - value))? {
                std::cmp::Ordering::Less => down_code,
                std::cmp::Ordering::Greater => up_code,
                _ if rounding == Rounding::NearestAway => up_code,
                _ => even,
            },
        })
    }

    #[test]
    fn rounding_is_the_nearest_by_search() {
        for (element, format) in floats().filter(|(e, _)| e.bits() <= 16) {
            let sign = 1 << (format.exponent + format.fraction);
            let numbers = numbers(format);
            let largest = numbers.last().unwrap().0;
            for value in around(&numbers).into_iter().filter(|v| *v <= largest) {
                for rounding in ROUNDINGS {
                    if format.fraction == 0 && rounding == Rounding::NearestEven {
                        continue; // No fraction bit is even; `cvt` has only `.rz` and `.rp`.
                    }
                    let code = encode(element, value, rounding, Overflow::Ieee);
                    assert_eq!(code, searched(&numbers, value, rounding), "{element} {value:e} {rounding:?}");
                    if format.signed {
                        let mirrored = match rounding {
                            Rounding::Up => Rounding::Down,
                            Rounding::Down => Rounding::Up,
                            same => same,
                        };
                        let negative = encode(element, -value, mirrored, Overflow::Ieee);
                        assert_eq!(negative, code.map(|c| c | sign), "{element} -{value:e} {mirrored:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_code_survives_a_round_trip() {
        for (element, _) in floats().filter(|(e, _)| e.bits() <= 16) {
            for code in 0..1u64 << element.bits() {
                let value = decode(element, code).unwrap();
                let unsigned_half = element == Element::Ue4m3 && code > 0x7f;
                if !value.is_nan() && !unsigned_half {
                    for rounding in ROUNDINGS {
                        assert_eq!(
                            encode(element, value, rounding, Overflow::Ieee),
                            Some(code),
                            "{element} {code:#x}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn halves_and_singles_agree_with_half_and_rust() {
        let mut random = Rng::with_seed(7);
        for _ in 0..200_000 {
            let single = f32::from_bits(random.u32(..));
            let rn = |e, v| encode(e, v, Rounding::NearestEven, Overflow::Ieee).unwrap();
            if single.is_nan() {
                continue;
            }
            assert_eq!(
                rn(Element::F16, single.into()),
                u64::from(f16::from_f32(single).to_bits()),
                "{single:e}"
            );
            assert_eq!(
                rn(Element::Bf16, single.into()),
                u64::from(bf16::from_f32(single).to_bits()),
                "{single:e}"
            );
            // A double whose exponent is about a single's.
            let double = f64::from(single) * (1.0 + f64::from(random.u32(..)) * f64::powi(2.0, -33));
            assert_eq!(rn(Element::F32, double), u64::from((double as f32).to_bits()), "{double:e}");
            let truncated = u64::from(single.to_bits()) & !0x1fff;
            let rz = encode(Element::Tf32, single.into(), Rounding::TowardZero, Overflow::Ieee);
            assert_eq!(rz, Some(truncated), "{single:e}");
            assert_eq!(
                decode(Element::Tf32, single.to_bits().into()),
                Some(f32::from_bits(truncated as u32).into())
            );
            // `cvt.rna.tf32.f32` adds half a unit to the magnitude.
            let rna = encode(Element::Tf32, single.into(), Rounding::NearestAway, Overflow::Ieee);
            if single.is_finite() {
                assert_eq!(rna, Some((u64::from(single.to_bits()) + 0x1000) & !0x1fff), "{single:e}");
            }
        }
    }

    #[test]
    fn too_large_is_infinite_largest_or_nan() {
        let at = |e, v, r, o| encode(e, v, r, o).unwrap();
        use {Element::*, Overflow::*, Rounding::*};
        // The tie between 448 and 480, which would be the code of NaN, goes to 448.
        assert_eq!(at(E4m3, 464.0, NearestEven, Ieee), 0x7e);
        assert_eq!(at(E4m3, 465.0, NearestEven, Ieee), 0x7f);
        assert_eq!(at(E4m3, 465.0, NearestEven, Saturate), 0x7e);
        assert_eq!(at(E4m3, f64::NEG_INFINITY, NearestEven, Saturate), 0xfe);
        assert_eq!(at(E5m2, 1e6, NearestEven, Saturate), 0x7b);
        assert_eq!(at(E5m2, 1e6, NearestEven, Ieee), 0x7c);
        assert_eq!(at(E5m2, 1e6, TowardZero, Ieee), 0x7b);
        assert_eq!(at(E5m2, f64::INFINITY, TowardZero, Ieee), 0x7c);
        assert_eq!(at(F16, -1e6, Up, Ieee), 0xfbff);
        assert_eq!(at(F16, -1e6, Down, Ieee), 0xfc00);
        assert_eq!(at(F16, 65520.0, NearestEven, Ieee), 0x7c00);
        assert_eq!(at(F16, 65520.0, NearestEven, Saturate), 0x7bff);
        for (e, code) in [(E2m1, 0x7), (E2m3, 0x1f), (E3m2, 0x1f)] {
            assert_eq!(at(e, 1e9, NearestEven, Ieee), code);
            assert_eq!(at(e, f64::NAN, NearestEven, Saturate), code);
        }
        for (e, code) in
            [(E4m3, 0x7f), (E5m2, 0x7f), (F16, 0x7fff), (Bf16, 0x7fff), (F32, 0x7fff_ffff), (Ue8m0, 0xff)]
        {
            assert_eq!(at(e, -f64::NAN, NearestEven, Saturate), code, "{e}");
        }
        assert_eq!(at(Ue8m0, f64::powi(2.0, 128), TowardZero, Saturate), 0xfe);
        assert_eq!(at(Ue8m0, 0.0, Up, Saturate), 0);
        assert_eq!((at(Ue8m0, 3.0, TowardZero, Saturate), at(Ue8m0, 3.0, Up, Saturate)), (128, 129));
    }

    #[test]
    fn integers_keep_their_sign() {
        for code in 0..256 {
            assert_eq!(decode_integer(Element::S8, code), Some(i64::from(code as u8 as i8)));
            assert_eq!(decode_integer(Element::U8, code), Some(i64::from(code as u8)));
            assert_eq!(
                decode_integer(Element::S4, code),
                Some(i64::from((code as u8) << 4) as i8 as i64 >> 4)
            );
            assert_eq!(decode_integer(Element::U4, code), Some((code & 15) as i64));
        }
        assert_eq!(decode_integer(Element::S32, 0xffff_ffff), Some(-1));
        assert_eq!(decode_integer(Element::F16, 0), None);
    }
}
