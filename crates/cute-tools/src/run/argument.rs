//! An `--arg`: its text, its values, and what a parameter of the manifest takes.

use crate::manifest::Parameter;
use cute_sim::Arg;
use half::{bf16, f16};
use std::{fmt, str::FromStr};

/// An element type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Element {
    F16,
    Bf16,
    F32,
    F64,
    I1,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
}

const NAMES: [(Element, &str, usize); 12] = [
    (Element::F16, "f16", 2),
    (Element::Bf16, "bf16", 2),
    (Element::F32, "f32", 4),
    (Element::F64, "f64", 8),
    (Element::I1, "i1", 1),
    (Element::I8, "i8", 1),
    (Element::I16, "i16", 2),
    (Element::I32, "i32", 4),
    (Element::I64, "i64", 8),
    (Element::U8, "u8", 1),
    (Element::U16, "u16", 2),
    (Element::U32, "u32", 4),
];

impl Element {
    fn entry(self) -> (Element, &'static str, usize) {
        NAMES.into_iter().find(|(e, ..)| *e == self).unwrap_or(NAMES[0])
    }

    /// Bytes of an element.
    pub fn bytes(self) -> usize {
        self.entry().2
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, Element::F16 | Element::Bf16 | Element::F32 | Element::F64)
    }

    /// The bytes of a number of this type, little-endian.
    pub fn encode(self, value: f64) -> Vec<u8> {
        match self {
            Element::F16 => f16::from_f64(value).to_le_bytes().into(),
            Element::Bf16 => bf16::from_f64(value).to_le_bytes().into(),
            Element::F32 => (value as f32).to_le_bytes().into(),
            Element::F64 => value.to_le_bytes().into(),
            _ => (value as i64).to_le_bytes()[..self.bytes()].into(),
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.entry().1)
    }
}

impl FromStr for Element {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || NAMES.map(|(_, name, _)| name).join(", ");
        let found = NAMES.into_iter().find(|(_, name, _)| *name == text);
        found.map(|(e, ..)| e).ok_or_else(|| format!("there is no type '{text}'; there are {}", names()))
    }
}

/// What an array begins with.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// The same everywhere.
    All(f64),
    /// 0, 1, 2, ..
    Range,
    /// Numbers that follow from a seed.
    Random(u64),
    /// A `.npy` file.
    File(String),
}

/// An argument as it was written.
#[derive(Debug, Clone, PartialEq)]
pub enum Spec {
    /// Of global memory.
    Array {
        /// Of its elements.
        element: Element,
        /// Row-major.
        shape: Vec<usize>,
        /// At the beginning.
        values: Values,
    },
    /// A number, as written; its type if it was written too.
    Scalar(Option<Element>, String),
    /// The null pointer.
    Null,
}

/// Elements that an array may have.
const MOST: usize = 1 << 34;

/// Reads `[NAME:]TYPE[EXTENTS][=VALUES]`, `[NAME:][TYPE=]NUMBER` or `null`.
pub fn parse(text: &str) -> Result<(Option<String>, Spec), String> {
    let (name, rest) = match text.split_once(':') {
        Some((name, rest)) => (Some(name.to_owned()), rest),
        None => (None, text),
    };
    if rest == "null" {
        return Ok((name, Spec::Null));
    }
    let (ty, value) = rest.split_once('=').map_or((rest, None), |(t, v)| (t, Some(v)));
    let Some((element, extents)) = ty.split_once('[') else {
        return Ok((
            name,
            match value {
                Some(number) => Spec::Scalar(Some(ty.parse()?), number.to_owned()),
                None if ty.parse::<f64>().is_ok() => Spec::Scalar(None, ty.to_owned()),
                None => return Err("an array is TYPE[EXTENTS], a scalar TYPE=NUMBER or NUMBER".into()),
            },
        ));
    };
    let element: Element = element.parse()?;
    let extents = extents.strip_suffix(']').ok_or("the extents end with ]")?;
    let extent = |e: &str| e.trim().parse::<usize>().map_err(|_| format!("'{e}' is no extent; write 128x64"));
    let shape = extents.split(['x', ',']).map(extent).collect::<Result<Vec<_>, _>>()?;
    let size = shape.iter().try_fold(1usize, |n, e| n.checked_mul(*e)).filter(|n| *n <= MOST);
    if size.is_none() {
        return Err(format!("more than {MOST} elements"));
    }
    let values = match value {
        None => Values::All(0.0),
        Some("range") => Values::Range,
        Some(file) if file.ends_with(".npy") => Values::File(file.into()),
        Some(v) => match v.strip_prefix("random(").and_then(|s| s.strip_suffix(')')) {
            Some(seed) => Values::Random(seed.parse().map_err(|_| format!("'{seed}' is no seed"))?),
            None => Values::All(
                v.parse().map_err(|_| format!("'{v}' is no number, range, random(SEED) or .npy file"))?,
            ),
        },
    };
    Ok((name, Spec::Array { element, shape, values }))
}

/// The bytes of an array that comes from no file.
pub fn bytes(element: Element, count: usize, values: &Values) -> Vec<u8> {
    let mut state = if let Values::Random(seed) = values { *seed } else { 0 };
    let mut value = |i: usize| match values {
        Values::All(v) => *v,
        Values::Range => i as f64,
        Values::Random(_) | Values::File(_) => {
            let bits = split_mix(&mut state);
            if element.is_float() {
                (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0
            } else {
                (bits >> 60) as f64 - 8.0
            }
        }
    };
    (0..count).flat_map(|i| element.encode(value(i))).collect()
}

/// SplitMix64 (Steele, Lea, Flood).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A scalar for a parameter.
pub fn scalar(element: Option<Element>, text: &str, parameter: &Parameter) -> Result<Arg, String> {
    let kind = parameter.kind.as_str();
    let wanted: Element = kind.parse().map_err(|_| format!("parameter {} is a {kind}", parameter.name))?;
    if element.is_some_and(|e| e != wanted) {
        return Err(format!("parameter {} is {wanted}", parameter.name));
    }
    let bad = || format!("'{text}' is no {wanted}");
    let integer = |least: i64, most: i64| {
        text.parse::<i64>().ok().filter(|v| (least..=most).contains(v)).ok_or_else(bad)
    };
    let real = || text.parse::<f64>().map_err(|_| bad());
    Ok(match wanted {
        Element::F16 => Arg::F16(f16::from_f64(real()?)),
        Element::Bf16 => Arg::Bf16(bf16::from_f64(real()?)),
        Element::F32 => Arg::F32(real()? as f32),
        Element::F64 => Arg::F64(real()?),
        Element::I1 => Arg::Bool(integer(0, 1)? != 0),
        Element::I8 | Element::U8 => Arg::I8(integer(i8::MIN.into(), u8::MAX.into())? as i8),
        Element::I16 | Element::U16 => Arg::I16(integer(i16::MIN.into(), u16::MAX.into())? as i16),
        Element::I32 | Element::U32 => Arg::I32(integer(i32::MIN.into(), u32::MAX.into())? as i32),
        Element::I64 => Arg::I64(integer(i64::MIN, i64::MAX)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_as_they_are_described() {
        let array = |element, shape: &[usize], values| Spec::Array { element, shape: shape.to_vec(), values };
        assert_eq!(
            parse("in:f32[128x64]=random(7)"),
            Ok((Some("in".into()), array(Element::F32, &[128, 64], Values::Random(7))))
        );
        assert_eq!(parse("f16[8]"), Ok((None, array(Element::F16, &[8], Values::All(0.0)))));
        assert_eq!(parse("n:i32=-4"), Ok((Some("n".into()), Spec::Scalar(Some(Element::I32), "-4".into()))));
        assert_eq!(parse("64"), Ok((None, Spec::Scalar(None, "64".into()))));
        assert_eq!(parse("p:null"), Ok((Some("p".into()), Spec::Null)));
        for wrong in [
            "",
            "f31[4]",
            "f32[4",
            "f32[4x]",
            "f32[4]=x",
            "f32[99999999999x99999999999]",
            "f32",
            "f32[4]=random(x)",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn random_numbers_follow_from_their_seed_and_lie_around_zero() {
        let floats = |seed| bytes(Element::F32, 1000, &Values::Random(seed));
        assert!(floats(7) == floats(7) && floats(7) != floats(8));
        let values: Vec<f32> =
            floats(7).chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
        assert!(values.iter().all(|v| (-1.0..=1.0).contains(v)));
        let mean = values.iter().sum::<f32>() / 1000.0;
        assert!(mean.abs() < 0.1, "{mean}");
        let integers = bytes(Element::I8, 1000, &Values::Random(7));
        assert!(integers.iter().all(|b| (-8..8).contains(&(*b as i8))));
    }
}
