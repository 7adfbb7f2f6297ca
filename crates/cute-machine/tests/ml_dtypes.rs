//! Narrow floats beside ml_dtypes, whose results `ml_dtypes.py` wrote to a table.

use cute_arch::Element;
use cute_machine::convert::Conversion;
use cute_machine::format::{Overflow, Rounding, decode, encode};

const TABLE: &str = include_str!("ml_dtypes.txt");

/// The lines of the table of this kind: an element, and what is about it.
fn lines(kind: &str) -> Vec<(Element, Vec<&'static str>)> {
    let of_kind = TABLE.lines().filter_map(|line| line.strip_prefix(kind)?.strip_prefix(' '));
    of_kind
        .map(|line| {
            let mut words = line.split(' ');
            (words.next().unwrap().parse().unwrap(), words.collect())
        })
        .collect()
}

fn word(text: &str) -> u32 {
    u32::from_str_radix(text, 16).unwrap()
}

#[test]
fn every_code_is_the_same_number() {
    let lines = lines("codes");
    assert_eq!(lines.len(), 6);
    for (element, numbers) in lines {
        assert_eq!(numbers.len(), 1 << element.bits());
        for (code, number) in (0..).zip(numbers) {
            let (found, expected) = (decode(element, code).unwrap(), f64::from(f32::from_bits(word(number))));
            let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
            assert!(same, "{element} {code:#x}: {found}, not {expected}");
        }
    }
}

/// bf16 has all numbers of the narrow floats, as the upper half of their f32.
#[test]
fn every_code_is_the_same_number_in_bf16() {
    for (element, numbers) in lines("codes") {
        let (to, rounding, overflow) = (Element::Bf16, Rounding::NearestEven, Overflow::Ieee);
        let conversion = Conversion { from: element, to, rounding, overflow, relu: false };
        for (code, number) in (0..).zip(numbers) {
            let expected = match f32::from_bits(word(number)) {
                number if number.is_nan() => 0x7fff,
                number => number.to_bits() >> 16,
            };
            assert_eq!(conversion.apply(code), expected.into(), "{element} {code:#x}");
            let relu = Conversion { relu: true, ..conversion };
            let kept = if expected >> 15 == 1 { 0 } else { expected };
            assert_eq!(relu.apply(code), kept.into(), "{element} {code:#x}");
        }
    }
}

#[test]
fn every_number_has_the_same_code() {
    let lines = lines("numbers");
    assert_eq!(lines.len(), 5);
    for (element, pairs) in lines {
        for pair in pairs {
            let (number, expected) = pair.split_once(':').unwrap();
            let (number, expected) = (f32::from_bits(word(number)), u64::from(word(expected)));
            let found = encode(element, number.into(), Rounding::NearestEven, Overflow::Ieee).unwrap();
            let is_nan = |code| decode(element, code).unwrap().is_nan();
            // Here NaN has no sign.
            let same = found == expected || is_nan(found) && is_nan(expected);
            assert!(same, "{element}: {number:?} is {found:#x}, not {expected:#x}");
        }
    }
}
