//! An argument of a launch: its text, its values, and the form that a leaf of the manifest takes.

use crate::{
    address::{self, Address},
    element::{Element, nearest_bf16},
};
use cute_manifest::Passed;
use half::f16;
use std::{fmt, ops::Range, sync::Arc};

/// The initial values of an array.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// The same number in every element.
    All(f64),
    /// The same bits in every element, of an integer.
    Bits(u64),
    /// 0, 1, 2, ..
    Range,
    /// None: a read of an element that nothing has written is a mistake. All bits are set, so that
    /// floats are not numbers.
    Undefined,
    /// Numbers that follow from a seed.
    Random(u64),
    /// A `.npy` file.
    File(String),
    /// The bytes of the elements, row by row.
    Rows(Arc<[u8]>),
    /// Memory in which the elements have places of their own.
    Strided(Strided),
    /// None: the array is at this address already.
    At(u64),
    /// The addresses of bytes of other arrays; `None` is the null pointer.
    Addresses(Vec<Option<Address>>),
}

/// The memory of a view, from its lowest to its highest byte, with what lies between the elements.
#[derive(Debug, Clone, PartialEq)]
pub struct Strided {
    /// A whole number of elements.
    pub memory: Arc<[u8]>,
    /// The place of the first element, counted in elements.
    pub first: usize,
    /// The strides in elements, one for each extent; they may be negative.
    pub strides: Vec<i64>,
}

impl Strided {
    /// The bytes of the elements, row by row.
    ///
    /// # Errors
    /// Fails if there is not enough memory for them.
    pub fn rows(&self, shape: &[usize], element: usize) -> Result<Vec<u8>, String> {
        let count: usize = shape.iter().product();
        let mut rows = reserved(count * element)?;
        for i in 0..count {
            let step = |(rest, at): (usize, i64), (extent, stride): (&usize, &i64)| {
                (rest / extent, at + (rest % extent) as i64 * stride)
            };
            let (_, at) = shape.iter().zip(&self.strides).rev().fold((i, self.first as i64), step);
            rows.extend_from_slice(&self.memory[at as usize * element..][..element]);
        }
        Ok(rows)
    }
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

    /// The strides that were written, if the array is not under a layout that determines them.
    pub fn written(&self) -> Option<&[i64]> {
        match self {
            Self::Exactly(strides) => Some(strides),
            Self::Open | Self::Usually(_) => None,
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
    /// A number of this type, which becomes one of its parameter's.
    Number(Element, String),
    /// The bytes of a parameter by value.
    Bytes(Arc<[u8]>),
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
            Self::Scalar(None, number) | Self::Number(_, number) => f.write_str(number),
            Self::Bytes(bytes) => write!(f, "{} bytes", bytes.len()),
            Self::Null => f.write_str("null"),
        }
    }
}

/// The scalar that is the number of SMs.
pub const AUTO: &str = "auto";

/// The forms of an argument, for a text that has none of them.
const FORMS: &str = "write an array as TYPE[EXTENTS] or TYPE[EXTENTS]=VALUES, such as f16[128x64]=random(7); an array \
                     from a file as FILE.npy; a number as NUMBER or TYPE=NUMBER; an address as &A+16; a struct as {&A,i32=5}; or null";

/// The name in front of a text, and the rest: `NAME:` or, as names of C++ are, `A::B:`.
pub(crate) fn named(text: &str) -> (Option<String>, &str) {
    let is_single = |at: &usize| {
        let bytes = text.as_bytes();
        bytes.get(at + 1) != Some(&b':') && (*at == 0 || bytes[at - 1] != b':')
    };
    let colons = text.match_indices(':').map(|(at, _)| at);
    match colons.filter(is_single).map(|at| text.split_at(at)).next() {
        Some((name, rest)) if !name.contains(['{', '(', '&']) => (Some(name.to_owned()), &rest[1..]),
        _ => (None, text),
    }
}

/// Reads `[NAME:]TYPE[EXTENTS][=VALUES]`, `[NAME:][TYPE=]FILE.npy`, `NAME=FILE.npy`,
/// `[NAME:][TYPE=]NUMBER` or `null`. Extents may be followed by `,strides=..`, a file by
/// `[strides=..]`.
pub fn parse(text: &str) -> Result<(Option<String>, Spec), String> {
    let (name, rest) = named(text);
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
                None if ty == AUTO || ty.parse::<f64>().is_ok() || ty.starts_with("0x") => {
                    Spec::Scalar(None, ty.to_owned())
                }
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
        Some("undef") => Values::Undefined,
        Some(file) if file.ends_with(".npy") => Values::File(file.into()),
        Some(v) if v.starts_with('&') || v.split(',').any(|item| item.trim() == "null") => {
            addresses(v, element, shape.iter().product())?
        }
        Some(v) => match v.strip_prefix("random(").and_then(|s| s.strip_suffix(')')) {
            Some(seed) => Values::Random(seed.parse().map_err(|_| format!("'{seed}' is not a valid seed"))?),
            None => match v.parse::<f64>() {
                Ok(number) if element.is_float() => Values::All(number),
                Err(_) if element.is_float() || !v.starts_with("0x") => {
                    return Err(format!(
                        "'{v}' is not a number, range, undef, random(SEED), &NAME or a .npy file"
                    ));
                }
                _ => Values::Bits(element.integer(v)?),
            },
        },
    };
    Ok((name, Spec::Array { element, shape, strides, values }))
}

/// Checks that the bytes of an array can be counted.
pub fn fits(element: Element, shape: &[usize]) -> Result<(), String> {
    let bytes = shape.iter().try_fold(element.bytes(), |n, e| n.checked_mul(*e));
    bytes.map(|_| ()).ok_or_else(|| "the array has more bytes than there are addresses".into())
}

/// Reads `&NAME,&NAME+BYTES,null,..`, one per element.
fn addresses(text: &str, element: Element, count: usize) -> Result<Values, String> {
    if !matches!(element, Element::I64 | Element::U64) {
        return Err(format!("addresses must have type i64 or u64, not {element}"));
    }
    let one = |item: &str| match item.trim() {
        "null" => Ok(None),
        item => match address::parse(item) {
            Some(address) => address.map(Some),
            None => Err(format!("'{item}' is not an address; write &NAME or &NAME+BYTES")),
        },
    };
    let all = text.split(',').map(one).collect::<Result<Vec<_>, _>>()?;
    if all.len() != count {
        return Err(format!("the array has {count} elements, but {} addresses are given", all.len()));
    }
    Ok(Values::Addresses(all))
}

/// The bytes of an array that does not come from a file, row by row. Addresses are zero until the
/// arrays have theirs.
///
/// # Errors
/// Fails if there is not enough memory for the array.
pub fn bytes(element: Element, count: usize, values: &Values) -> Result<Vec<u8>, String> {
    let mut bytes = reserved(count * element.bytes())?;
    match values {
        Values::Strided(_) => return Err("a view has places of its own".into()),
        Values::File(file) => return Err(format!("'{file}' is not read here")),
        Values::At(_) | Values::Addresses(_) => bytes.resize(count * element.bytes(), 0),
        Values::Rows(rows) => bytes.extend_from_slice(rows),
        values => append(element, 0..count, values, &mut bytes),
    }
    Ok(bytes)
}

/// Appends elements by their numbers, row by row, whose values follow from the numbers. Others have
/// no bytes.
pub(crate) fn append(element: Element, numbers: Range<usize>, values: &Values, bytes: &mut Vec<u8>) {
    match values {
        Values::All(v) => {
            let mut one = Vec::new();
            element.encode(*v, &mut one);
            numbers.for_each(|_| bytes.extend_from_slice(&one));
        }
        Values::Bits(bits) => {
            numbers.for_each(|_| bytes.extend_from_slice(&bits.to_le_bytes()[..element.bytes()]));
        }
        Values::Range => numbers.for_each(|i| element.encode(i as f64, bytes)),
        Values::Undefined => {
            // A code of less than a byte has no other bits.
            let byte = u8::MAX >> 8u32.saturating_sub(element.bits());
            bytes.resize(bytes.len() + numbers.len() * element.bytes(), byte);
        }
        Values::Random(seed) => {
            for i in numbers {
                let bits = split_mix(*seed, i as u64);
                let value = if element.is_float() {
                    (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0
                } else {
                    (bits >> 60) as f64 - 8.0
                };
                element.encode(value, bytes);
            }
        }
        Values::Strided(_) | Values::File(_) | Values::At(_) | Values::Addresses(_) | Values::Rows(_) => {}
    }
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

/// Number `i` of the sequence of SplitMix64 (Steele, Lea, Flood) with this seed: its state is a
/// counter.
pub(crate) fn split_mix(seed: u64, i: u64) -> u64 {
    let state = seed.wrapping_add(i.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A scalar for a leaf: its type and its bits. `element` is the type that was written.
///
/// # Errors
/// A number of another type, or out of range.
pub fn scalar(element: Option<Element>, text: &str, passed: &Passed) -> Result<(Element, u64), String> {
    let wanted = match bits_of(passed) {
        // Bits of PTX have the type that is given.
        Some(bits) if element.is_some_and(|given| is_of(given, bits) && takes(given, passed)) => {
            element.expect("the guard saw it")
        }
        Some(bits) => format!("i{bits}").parse()?,
        None => passed.kind.parse().map_err(|_| {
            format!("{} is a {}, which cannot be given as a number", passed.leaf.text, passed.kind)
        })?,
    };
    // Signs are ignored.
    let is_wanted = |given: &Element| {
        *given == wanted || !given.is_float() && !wanted.is_float() && given.bytes() == wanted.bytes()
    };
    if let Some(given) = element.filter(|given| !is_wanted(given)) {
        return Err(format!("{} is {}, not {given}", passed.leaf.text, type_of(passed, wanted)));
    }
    Ok((wanted, encoded(wanted, text, passed)?))
}

/// A scalar for a leaf, of a number that has a type and may be converted, as an assignment does.
///
/// # Errors
/// A number that the type of the leaf does not have: one out of range, or a fraction for an
/// integer.
pub fn converted(given: Element, text: &str, passed: &Passed) -> Result<(Element, u64), String> {
    let Some(bits) = bits_of(passed) else { return scalar(None, text, passed) };
    if takes(given, passed) && (given.is_float() || is_of(given, bits)) {
        return scalar(Some(given), text, passed);
    }
    scalar(None, text, passed)
}

/// The number of bits of a leaf whose type PTX leaves open.
fn bits_of(passed: &Passed) -> Option<usize> {
    let kind = passed.kind.as_str();
    if kind == "word" { Some(64) } else { kind.strip_prefix('b').and_then(|n| n.parse().ok()) }
}

fn is_of(given: Element, bits: usize) -> bool {
    given.bytes() * 8 == bits
}

/// Whether a number of this type may be the bits of the leaf: those of `.u64` and `.s64` are an
/// integer, or an address.
fn takes(given: Element, passed: &Passed) -> bool {
    !given.is_float() || !matches!(passed.r#type.as_str(), ".u64" | ".s64")
}

/// The type of a leaf in messages: that of PTX where it has one.
fn type_of(passed: &Passed, wanted: Element) -> String {
    match passed.r#type.starts_with('.') {
        true => passed.r#type.clone(),
        false => wanted.to_string(),
    }
}

/// The bits of a number of this type.
fn encoded(wanted: Element, text: &str, passed: &Passed) -> Result<u64, String> {
    if !wanted.is_float() && text.parse::<i128>().is_err() && text.parse::<f64>().is_ok() {
        let name = type_of(passed, wanted);
        let open = name.starts_with(".b");
        let advice = if open { "; PTX leaves its type open: give the number one" } else { "" };
        return Err(format!("{} is {name}, but {text} is a float{advice}", passed.leaf.text));
    }
    bits(wanted, text)
}

/// Bytes as words of 8 bytes, the last with zeros where bytes are missing.
pub(crate) fn words(bytes: &[u8]) -> Vec<u64> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    bytes.chunks(8).map(word).collect()
}

/// The bits of a number of a type.
///
/// # Errors
/// A text that is not a number, or a number that the type does not have.
pub fn bits(wanted: Element, text: &str) -> Result<u64, String> {
    if !wanted.is_float() {
        return wanted.integer(text);
    }
    let number = text.parse::<f64>().map_err(|_| format!("'{text}' is not a valid {wanted}"))?;
    let (bits, is_infinite) = match wanted {
        Element::F16 => (f16::from_f64(number).to_bits().into(), f16::from_f64(number).is_infinite()),
        Element::Bf16 => (nearest_bf16(number).to_bits().into(), nearest_bf16(number).is_infinite()),
        Element::F32 => ((number as f32).to_bits().into(), (number as f32).is_infinite()),
        Element::F64 => (number.to_bits(), number.is_infinite()),
        narrow => {
            let mut byte = Vec::new();
            narrow.encode(number, &mut byte);
            (byte.iter().map(|b| u64::from(*b)).sum(), false)
        }
    };
    // `1e999` is infinite already when it is read.
    let says_infinite = text.trim_start_matches(['-', '+']).to_ascii_lowercase().starts_with("inf");
    match is_infinite && !says_infinite {
        true => Err(format!("{text} is larger than every {wanted}")),
        false => Ok(bits),
    }
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
        assert_eq!(parse("a::b:7"), Ok((Some("a::b".into()), Spec::Scalar(None, "7".into()))));
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
        let address = |name, offset| Some(Address { array: address::Pointee::named(name), offset });
        let addresses = Values::Addresses(vec![address("a", 0), None, address("b", 8)]);
        let given = parse("p:u64[3]=&a,null,&b+8");
        assert_eq!(given, Ok((Some("p".into()), array(Element::U64, &[3], addresses))));
        assert_eq!(parse("0x10"), Ok((None, Spec::Scalar(None, "0x10".into()))));
        assert_eq!(parse("f32[8]=undef"), Ok((None, array(Element::F32, &[8], Values::Undefined))));
        assert_eq!(parse("u8[4]=0xff"), Ok((None, array(Element::U8, &[4], Values::Bits(255)))));
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
            "i64[2]=&a,&b+x",
            "f32[1]=0x10",
            "u8[1]=0x100",
            "u8[1]=0x",
            "f32[4x4,strides=4]",
            "f32[4x4,strides=4x-1]",
            "f32[4x4,strides=]",
            "x.npy[strides=4",
            "f32[4]=x.npy[strides=4]",
            "i32[4]=1.5",
            "u8[4]=256",
            "u64[1]=18446744073709551616",
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
        assert_eq!([of("i64", "-1"), of("i64", "9223372036854775808")], [Some(u64::MAX), Some(1 << 63)]);
        assert_eq!(
            [of("i64", "18446744073709551615"), of("i64", "18446744073709551616")],
            [Some(u64::MAX), None]
        );
        assert_eq!([of("f32", "1e40"), of("f16", "65520")], [None, None]);
        assert_eq!(of("f32", "-inf"), Some(0xff80_0000));
        assert_eq!([of("bytes", "1"), of("i128", "1")], [None, None]);
    }

    #[test]
    fn a_number_with_a_type_becomes_one_of_its_parameter() {
        let to = |ty: &str, kind: &str, given: Element, text: &str| {
            let passed = Passed { kind: kind.into(), r#type: ty.into(), ..Passed::default() };
            converted(given, text, &passed).map(|(_, bits)| bits)
        };
        assert_eq!(to(".f32", "f32", Element::F64, "0.5"), Ok(0x3f00_0000));
        assert_eq!(to(".u32", "i32", Element::I64, "64"), Ok(64));
        assert_eq!(to(".u64", "word", Element::U64, "18446744073709551615"), Ok(u64::MAX));
        assert_eq!(to(".b32", "b32", Element::F32, "1.0"), Ok(0x3f80_0000));
        assert_eq!(to(".b64", "word", Element::F64, "1.0"), Ok(0x3ff0_0000_0000_0000));
        assert_eq!(to(".b64", "word", Element::I8, "-1").map(|bits| bits as i64), Ok(-1));
        assert!(
            to(".u64", "word", Element::F64, "2.5").unwrap_err().ends_with(" is .u64, but 2.5 is a float")
        );
        assert!(to(".b32", "b32", Element::F64, "2.5").unwrap_err().ends_with(" is .b32, not f64"));
        assert!(to(".u32", "i32", Element::I64, "4294967296").is_err());
        // A type that was written is the type of the parameter.
        let passed = Passed { kind: "i32".into(), r#type: ".u32".into(), ..Passed::default() };
        assert_eq!(scalar(Some(Element::U32), "7", &passed), Ok((Element::I32, 7)));
        assert!(scalar(Some(Element::I64), "7", &passed).is_err());
    }

    #[test]
    fn elements_of_a_view_are_gathered_from_their_places() {
        let of = |first, strides: &[i64]| Strided {
            memory: Arc::from((0..12).collect::<Vec<u8>>()),
            first,
            strides: strides.to_vec(),
        };
        assert_eq!(of(0, &[1, 4]).rows(&[2, 3], 1).unwrap(), [0, 4, 8, 1, 5, 9]);
        assert_eq!(of(5, &[-1]).rows(&[6], 2).unwrap(), [10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1]);
        assert_eq!(of(0, &[0, 1]).rows(&[2, 2], 1).unwrap(), [0, 1, 0, 1]);
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
