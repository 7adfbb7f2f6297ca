//! An argument of a launch: its text, its values, and the form that a leaf of the manifest takes.

use crate::element::{Element, nearest_bf16};
use cute_manifest::Passed;
use half::f16;
use std::{
    fmt::{self, Display},
    sync::Arc,
};

/// The initial values of an array.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// The same number in every element.
    All(f64),
    /// 0, 1, 2, ..
    Range,
    /// Numbers that follow from a seed.
    Random(u64),
    /// A `.npy` file.
    File(String),
    /// The bytes of the elements, row by row.
    Rows(Arc<[u8]>),
    /// None: the array is at this address already.
    At(u64),
    /// The addresses of other arrays, by their names.
    Addresses(Vec<String>),
}

/// The strides of an array under a layout, in elements, one for each extent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Strides {
    /// Those of the layout. Where it leaves them open, the array is compact and row-major.
    #[default]
    Open,
    /// Those of a file, if the layout leaves them open.
    Usually(Vec<i64>),
    /// Those that were written. The layout must have them.
    Exactly(Vec<i64>),
}

impl Strides {
    /// Reads `S0xS1x..`, for an array of this rank if it is known.
    fn parse(text: &str, rank: Option<usize>) -> Result<Self, String> {
        let stride = |s: &str| {
            let stride = s.trim().parse::<i64>().ok().filter(|s| *s >= 0);
            stride.ok_or_else(|| {
                format!("'{s}' is not a valid stride; write numbers of elements, as in strides=72x1")
            })
        };
        let strides = text.split(['x', ',']).map(stride).collect::<Result<Vec<_>, _>>()?;
        match rank {
            Some(rank) if rank != strides.len() => {
                Err(format!("the array has {rank} extents, but {} strides", strides.len()))
            }
            _ => Ok(Self::Exactly(strides)),
        }
    }

    /// An error if strides were written for an array without a layout.
    ///
    /// # Errors
    /// As said.
    pub fn unused(&self, what: impl Display) -> Result<(), String> {
        match self {
            Self::Exactly(_) => Err(format!("strides are given for {what}, which has no layout")),
            Self::Open | Self::Usually(_) => Ok(()),
        }
    }
}

/// An argument as it was written.
#[derive(Debug, Clone, PartialEq)]
pub enum Spec {
    /// An array in global memory.
    Array {
        /// The element type.
        element: Element,
        /// Row-major.
        shape: Vec<usize>,
        /// Where its elements lie.
        strides: Strides,
        /// At the beginning.
        values: Values,
    },
    /// An array in global memory that is read from a `.npy` file, with its type and strides if they
    /// were written.
    File(Option<Element>, String, Strides),
    /// A number, as written; its type if it was written too.
    Scalar(Option<Element>, String),
    /// The null pointer.
    Null,
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Array { element, shape, .. } => {
                let extents: Vec<String> = shape.iter().map(usize::to_string).collect();
                write!(f, "{element}[{}]", extents.join("x"))
            }
            Self::File(_, file, _) => f.write_str(file),
            Self::Scalar(Some(element), number) => write!(f, "{element}={number}"),
            Self::Scalar(None, number) => f.write_str(number),
            Self::Null => f.write_str("null"),
        }
    }
}

/// The scalar that is the number of SMs.
pub const AUTO: &str = "auto";

/// The forms of an argument, for a text that has none of them.
const FORMS: &str = "write an array as TYPE[EXTENTS] or TYPE[EXTENTS]=VALUES, such as f16[128x64]=random(7); an array \
                     from a file as FILE.npy; a number as NUMBER or TYPE=NUMBER; or null";

/// Reads `[NAME:]TYPE[EXTENTS][=VALUES]`, `[NAME:][TYPE=]FILE.npy`, `NAME=FILE.npy`,
/// `[NAME:][TYPE=]NUMBER` or `null`. Extents may be followed by `,strides=..`, a file by
/// `[strides=..]`.
pub fn parse(text: &str) -> Result<(Option<String>, Spec), String> {
    let (name, rest) = match text.split_once(':') {
        Some((name, rest)) => (Some(name.to_owned()), rest),
        None => (None, text),
    };
    if rest == "null" {
        return Ok((name, Spec::Null));
    }
    let (rest, strides) = match rest.split_once(".npy[strides=") {
        Some((file, strides)) => {
            let strides = strides.strip_suffix(']').ok_or("the strides of a file must end with ]")?;
            (&rest[..file.len() + ".npy".len()], Strides::parse(strides, None)?)
        }
        None => (rest, Strides::Open),
    };
    // An `=` in the brackets behind a type is that of strides.
    let end = match (rest.find('['), rest.find('=')) {
        (Some(open), Some(equals)) if open < equals => rest.find(']').unwrap_or(0),
        _ => 0,
    };
    let (ty, value) = match rest[end..].find('=') {
        Some(at) => (&rest[..end + at], Some(&rest[end + at + 1..])),
        None => (rest, None),
    };
    if let Some(file) = value.unwrap_or(ty).ends_with(".npy").then(|| value.unwrap_or(ty).to_owned())
        && !ty.contains('[')
    {
        return match (name, value.map(|_| ty)) {
            (name, None) => Ok((name, Spec::File(None, file, strides))),
            (name, Some(ty)) if ty.parse::<Element>().is_ok() => {
                Ok((name, Spec::File(ty.parse().ok(), file, strides)))
            }
            (None, Some(name)) if !name.is_empty() => {
                Ok((Some(name.to_owned()), Spec::File(None, file, strides)))
            }
            (_, Some(ty)) => Err(format!("'{ty}' is not a type; {FORMS}")),
        };
    }
    if strides != Strides::Open {
        return Err(
            "strides after a file are for FILE.npy[strides=..]; with TYPE[EXTENTS], write them there".into(),
        );
    }
    let Some((element, extents)) = ty.split_once('[') else {
        return Ok((
            name,
            match value {
                Some(number) => Spec::Scalar(Some(ty.parse()?), number.to_owned()),
                None if ty == AUTO || ty.parse::<f64>().is_ok() => Spec::Scalar(None, ty.to_owned()),
                None => return Err(format!("'{ty}' is not an array or a number; {FORMS}")),
            },
        ));
    };
    let element: Element = element.parse()?;
    let extents = extents.strip_suffix(']').ok_or("the extents must end with ], as in f32[128x64]")?;
    let (extents, strides) = match extents.split_once(",strides=") {
        Some((extents, strides)) => (extents, Some(strides)),
        None => (extents, None),
    };
    let extent =
        |e: &str| e.trim().parse::<usize>().map_err(|_| format!("'{e}' is not a valid extent; write 128x64"));
    let shape = extents.split(['x', ',']).map(extent).collect::<Result<Vec<_>, _>>()?;
    fits(element, &shape)?;
    let strides = strides.map_or(Ok(Strides::Open), |text| Strides::parse(text, Some(shape.len())))?;
    let values = match value {
        None => Values::All(0.0),
        Some("range") => Values::Range,
        Some(file) if file.ends_with(".npy") => Values::File(file.into()),
        Some(v) if v.starts_with('&') => addresses(v, element, shape.iter().product())?,
        Some(v) => match v.strip_prefix("random(").and_then(|s| s.strip_suffix(')')) {
            Some(seed) => Values::Random(seed.parse().map_err(|_| format!("'{seed}' is not a valid seed"))?),
            None => {
                Values::All(v.parse().map_err(|_| {
                    format!("'{v}' is not a number, range, random(SEED), &NAME or a .npy file")
                })?)
            }
        },
    };
    Ok((name, Spec::Array { element, shape, strides, values }))
}

/// Checks that the bytes of an array can be counted.
pub fn fits(element: Element, shape: &[usize]) -> Result<(), String> {
    let bytes = shape.iter().try_fold(element.bytes(), |n, e| n.checked_mul(*e));
    bytes.map(|_| ()).ok_or_else(|| "the array has more bytes than there are addresses".into())
}

/// The file that an argument names.
pub fn file(text: &str) -> Option<String> {
    match parse(text) {
        Ok((_, Spec::Array { values: Values::File(file), .. } | Spec::File(_, file, _))) => Some(file),
        _ => None,
    }
}

/// Reads `&NAME,&NAME,..`, one per element.
fn addresses(text: &str, element: Element, count: usize) -> Result<Values, String> {
    if element != Element::I64 {
        return Err(format!("addresses must have type i64, not {element}"));
    }
    let name = |item: &str| {
        let name = item.trim().strip_prefix('&').filter(|name| !name.is_empty());
        name.map(str::to_owned).ok_or_else(|| format!("'{item}' is not an address; write &NAME"))
    };
    let names = text.split(',').map(name).collect::<Result<Vec<_>, _>>()?;
    if names.len() != count {
        return Err(format!("the array has {count} elements, but {} addresses are given", names.len()));
    }
    Ok(Values::Addresses(names))
}

/// The bytes of an array that does not come from a file, row by row. Addresses are zero until the
/// arrays have theirs.
///
/// # Errors
/// Fails if there is not enough memory for the array.
pub fn bytes(element: Element, count: usize, values: &Values) -> Result<Vec<u8>, String> {
    let mut bytes = reserved(count * element.bytes())?;
    match values {
        Values::All(v) => {
            let mut one = Vec::new();
            element.encode(*v, &mut one);
            (0..count).for_each(|_| bytes.extend_from_slice(&one));
        }
        Values::At(_) | Values::Addresses(_) => bytes.resize(count * element.bytes(), 0),
        Values::Range => (0..count).for_each(|i| element.encode(i as f64, &mut bytes)),
        Values::Rows(rows) => bytes.extend_from_slice(rows),
        Values::File(file) => return Err(format!("'{file}' is not read here")),
        Values::Random(seed) => {
            let mut state = *seed;
            for _ in 0..count {
                let bits = split_mix(&mut state);
                let value = if element.is_float() {
                    (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0
                } else {
                    (bits >> 60) as f64 - 8.0
                };
                element.encode(value, &mut bytes);
            }
        }
    }
    Ok(bytes)
}

/// Room for this number of bytes.
///
/// # Errors
/// That the system refuses it.
pub fn reserved(count: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(count).map_err(|_| no_memory(count))?;
    Ok(bytes)
}

/// The error for an array of this size that does not fit into memory.
pub(crate) fn no_memory(count: usize) -> String {
    format!("there is no memory for an array of {count} bytes")
}

/// SplitMix64 (Steele, Lea, Flood).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A scalar for a leaf: its type and its bits.
pub fn scalar(element: Option<Element>, text: &str, passed: &Passed) -> Result<(Element, u64), String> {
    let kind = passed.kind.as_str();
    let bits = if kind == "word" { Some(64) } else { kind.strip_prefix('b').and_then(|n| n.parse().ok()) };
    let wanted: Element = match (bits, element) {
        // Bits of PTX have the type that is given.
        (Some(bits), Some(given)) if given.bytes() * 8 == bits => given,
        (Some(bits), _) => format!("i{bits}").parse()?,
        (None, _) => kind
            .parse()
            .map_err(|_| format!("{} is a {kind}, which cannot be given as a number", passed.leaf.text))?,
    };
    if let Some(given) = element.filter(|e| *e != wanted) {
        return Err(format!("{} is {wanted}, not {given}", passed.leaf.text));
    }
    let bad = || format!("'{text}' is not a valid {wanted}");
    // Signed or unsigned: a pattern of bits, or a number.
    let integer = |bits: u32| {
        let number = text.parse::<i64>().ok();
        number.filter(|v| bits == 64 || (-1 << (bits - 1)..1 << bits).contains(v)).ok_or_else(bad)
    };
    let real = || text.parse::<f64>().map_err(|_| bad());
    let bits = match wanted {
        Element::F16 => f16::from_f64(real()?).to_bits().into(),
        Element::Bf16 => nearest_bf16(real()?).to_bits().into(),
        Element::F32 => (real()? as f32).to_bits().into(),
        Element::F64 => real()?.to_bits(),
        Element::E4m3 | Element::E5m2 | Element::E8m0 | Element::E2m3 | Element::E3m2 | Element::E2m1 => {
            let mut byte = Vec::new();
            wanted.encode(real()?, &mut byte);
            byte.iter().map(|b| u64::from(*b)).sum()
        }
        Element::I1 => integer(1).and_then(|v| u64::try_from(v).map_err(|_| bad()))?,
        integral => integer(8 * integral.bytes() as u32)? as u64,
    };
    Ok((wanted, bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_as_they_are_described() {
        let strided = |element, shape: &[usize], strides, values| Spec::Array {
            element,
            shape: shape.to_vec(),
            strides,
            values,
        };
        let array = |element, shape: &[usize], values| strided(element, shape, Strides::Open, values);
        assert_eq!(
            parse("in:f32[128x64]=random(7)"),
            Ok((Some("in".into()), array(Element::F32, &[128, 64], Values::Random(7))))
        );
        assert_eq!(parse("f16[8]"), Ok((None, array(Element::F16, &[8], Values::All(0.0)))));
        assert_eq!(parse("n:i32=-4"), Ok((Some("n".into()), Spec::Scalar(Some(Element::I32), "-4".into()))));
        assert_eq!(parse("64"), Ok((None, Spec::Scalar(None, "64".into()))));
        assert_eq!(parse("auto"), Ok((None, Spec::Scalar(None, AUTO.into()))));
        assert_eq!(parse("p:null"), Ok((Some("p".into()), Spec::Null)));
        let file = |name: Option<&str>, element| {
            Ok((name.map(str::to_owned), Spec::File(element, "x.npy".to_owned(), Strides::Open)))
        };
        let exactly = |strides: &[i64]| Strides::Exactly(strides.to_vec());
        let pitched = |values| strided(Element::F32, &[3, 5], exactly(&[8, 1]), values);
        assert_eq!(parse("x:f32[3x5,strides=8x1]"), Ok((Some("x".into()), pitched(Values::All(0.0)))));
        assert_eq!(parse("f32[3x5,strides=8x1]=range"), Ok((None, pitched(Values::Range))));
        let odd = Spec::File(None, "[a].npy".into(), Strides::Open);
        assert_eq!(parse("in=[a].npy"), Ok((Some("in".into()), odd)));
        let file_with = Spec::File(None, "x.npy".into(), exactly(&[8, 1]));
        assert_eq!(parse("in=x.npy[strides=8x1]"), Ok((Some("in".into()), file_with)));
        assert_eq!(parse("x.npy"), file(None, None));
        assert_eq!([parse("in:x.npy"), parse("in=x.npy")], [file(Some("in"), None), file(Some("in"), None)]);
        assert_eq!(parse("in:f16=x.npy"), file(Some("in"), Some(Element::F16)));
        assert_eq!(parse("f16=x.npy"), file(None, Some(Element::F16)));
        assert!(parse("in:f31=x.npy").unwrap_err().starts_with("'f31' is not a type; write an array as"));
        assert!(parse("f32").unwrap_err().contains("an array from a file as FILE.npy"));
        let names = Values::Addresses(vec!["a".into(), "b".into()]);
        assert_eq!(parse("p:i64[2]=&a,&b"), Ok((Some("p".into()), array(Element::I64, &[2], names))));
        for wrong in [
            "",
            "f31[4]",
            "f32[4",
            "f32[4x]",
            "f32[4]=x",
            "f32[99999999999x99999999999]",
            "f32",
            "f32[4]=random(x)",
            "i64[2]=&a",
            "i64[2]=&a,b",
            "i64[1]=&",
            "i32[1]=&a",
            "f32[4x4,strides=4]",
            "f32[4x4,strides=4x-1]",
            "f32[4x4,strides=]",
            "x.npy[strides=4",
            "f32[4]=x.npy[strides=4]",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_scalar_is_the_bits_of_its_parameter() {
        let of = |kind: &str, text: &str| {
            let passed = Passed { kind: kind.into(), ..Passed::default() };
            match scalar(None, text, &passed) {
                Ok((element, bits)) if element.to_string() == kind => Some(bits),
                _ => None,
            }
        };
        let as_u8 = |bits: Option<u64>| bits.map(|b| b as u8);
        assert_eq!([of("f16", "1"), of("bf16", "1")], [Some(0x3c00), Some(0x3f80)]);
        assert_eq!([of("f32", "-2"), of("f64", "1")], [Some(0xc000_0000), Some(0x3ff0_0000_0000_0000)]);
        assert_eq!([of("i1", "1"), of("i1", "2"), of("i1", "-1")], [Some(1), None, None]);
        assert_eq!([as_u8(of("i8", "-128")), as_u8(of("i8", "255"))], [Some(128), Some(255)]);
        assert_eq!([of("i8", "-129"), of("i8", "256"), of("i16", "65536")], [None, None, None]);
        assert_eq!([of("i32", "64"), of("i32", "4294967296"), of("i32", "x")], [Some(64), None, None]);
        assert_eq!([of("i64", "-1"), of("i64", "9223372036854775808")], [Some(u64::MAX), None]);
        assert_eq!([of("bytes", "1"), of("i128", "1")], [None, None]);
    }

    #[test]
    fn random_numbers_follow_from_their_seed_and_lie_around_zero() {
        let floats = |seed| bytes(Element::F32, 1000, &Values::Random(seed)).unwrap();
        assert!(floats(7) == floats(7) && floats(7) != floats(8));
        let values: Vec<f32> =
            floats(7).chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
        assert!(values.iter().all(|v| (-1.0..=1.0).contains(v)));
        let mean = values.iter().sum::<f32>() / 1000.0;
        assert!(mean.abs() < 0.1, "{mean}");
        let integers = bytes(Element::I8, 1000, &Values::Random(7)).unwrap();
        assert!(integers.iter().all(|b| (-8..8).contains(&(*b as i8))));
    }
}
