//! Arrays in `.npy` files.
//!
//! The format has no name for bf16 and for floats of 8 bits or less. They are written as the
//! Python package ml_dtypes writes them: as opaque bytes (`<V2`, `<V1`) that
//! `.view(ml_dtypes.bfloat16)` turns into numbers again. They are read in that form, or as integers
//! of the same width. Elements of less than a byte have a byte each.

use cute_launch::{
    argument::reserved,
    bind::{Files, Kind},
    element::Element,
    fill::DimensionOrder,
    initial::Stored,
};
use half::f16;
use npyz::{NpyFile, WriterBuilder};
use std::{io::Cursor, path::Path, sync::Arc};

/// `$body` with `$t` standing for the Rust type of an element, or of one as wide.
macro_rules! with_type {
    ($element:expr, $t:ident => $body:expr) => {
        with_type!($element, $t => $body; F16 f16, F32 f32, F64 f64, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16,
            U32 u32, U64 u64, I1 u8, Bf16 u16, E4m3 u8, E5m2 u8, E8m0 u8,
            E2m3 u8, E3m2 u8, E2m1 u8)
    };
    ($element:expr, $t:ident => $body:expr; $($variant:ident $native:ty),*) => {
        match $element {
            $(Element::$variant => {
                type $t = $native;
                $body
            })*
        }
    };
}

/// The type string of an element that files have no name for, other strings that are accepted, and
/// the string of the same length that replaces it, such as `'<u2'`.
fn opaque(element: Element) -> Option<(&'static str, &'static [&'static str], &'static str)> {
    match element {
        Element::Bf16 => Some(("<V2", &["|V2"], "<u2")),
        Element::E4m3 | Element::E5m2 | Element::E8m0 | Element::E2m3 | Element::E3m2 | Element::E2m1 => {
            Some(("<V1", &["|V1", "<f1", "|f1"], "|u1"))
        }
        Element::I1 => Some(("|b1", &[], "|u1")),
        _ => None,
    }
}

/// The number of bytes at the start of a file that may contain a header's text.
const HEADER: usize = 256;

/// The most bytes of a header.
const MOST_HEADER: u64 = 1 << 16;

/// A file up to this size is read even if the array is smaller, to say which shape it has.
const LEAST_READ: u64 = 64 << 20;

/// The most levels of brackets in a header. An array of numbers has two: a dictionary with a tuple.
const MOST_LEVELS: usize = 4;

/// Refuses a header that the parser cannot take: its time grows exponentially with the levels of
/// brackets, and its products of extents overflow.
fn check_header(bytes: &[u8]) -> Result<(), String> {
    // A number of 2 bytes in version 1 of the format, and of 4 in later ones.
    let (length, rest) = match bytes.strip_prefix(b"\x93NUMPY") {
        Some([1, _, a, b, rest @ ..]) => (u16::from_le_bytes([*a, *b]).into(), rest),
        Some([_, _, a, b, c, d, rest @ ..]) => (u32::from_le_bytes([*a, *b, *c, *d]), rest),
        // The parser says what it is.
        _ => return Ok(()),
    };
    if u64::from(length) > MOST_HEADER {
        return Err(format!("its header has {length} bytes, more than {MOST_HEADER}"));
    }
    let header = &rest[..rest.len().min(length as usize)];
    let mut depth = 0usize;
    for byte in header {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MOST_LEVELS {
            return Err(format!("its header has more than {MOST_LEVELS} levels of brackets"));
        }
    }
    check_size(header)
}

/// Replaces a type string of a file by another of the same length. Returns whether the header has
/// it.
fn retype(bytes: &mut [u8], from: &str, to: &str) -> bool {
    let quoted = format!("'{from}'");
    let header = &bytes[..bytes.len().min(HEADER)];
    let at = header.windows(quoted.len()).position(|w| w == quoted.as_bytes());
    at.is_some_and(|at| {
        bytes[at + 1..][..to.len()].copy_from_slice(to.as_bytes());
        true
    })
}

/// The type string of a file, without its quotes.
fn type_string(bytes: &[u8]) -> Option<String> {
    let header = String::from_utf8_lossy(&bytes[..bytes.len().min(HEADER)]).into_owned();
    let string = header.split_once("'descr':").and_then(|(_, rest)| rest.trim_start().strip_prefix('\''));
    string.and_then(|rest| rest.split_once('\'')).map(|(string, _)| string.to_owned())
}

/// The types of elements that a type string without its byte order may stand for. The first ones
/// are named by it; raw integers also stand for the second ones.
fn elements(name: &str) -> (&'static [Element], &'static [Element]) {
    use Element::*;
    match name {
        "f2" => (&[F16], &[]),
        "f4" => (&[F32], &[]),
        "f8" => (&[F64], &[]),
        "b1" => (&[I1], &[]),
        "i1" => (&[I8], &[]),
        "i2" => (&[I16], &[]),
        "i4" => (&[I32], &[]),
        "i8" => (&[I64], &[]),
        "u1" => (&[U8], &[E4m3, E5m2, E8m0, I1]),
        "u2" => (&[U16], &[Bf16]),
        "u4" => (&[U32], &[]),
        "u8" => (&[U64], &[]),
        "V2" => (&[Bf16], &[]),
        "V1" | "f1" => (&[E4m3, E5m2, E8m0, E2m3, E3m2, E2m1], &[]),
        _ => (&[], &[]),
    }
}

/// The files of this machine.
pub struct Npy;

impl Files for Npy {
    fn kind(
        &self,
        file: &str,
        given: Option<Element>,
        expected: Option<&str>,
        memory: u64,
    ) -> Result<Kind, String> {
        kind(Path::new(file), given, expected, memory)
    }

    fn read(&self, file: &str, element: Element, shape: &[usize]) -> Result<Stored, String> {
        read(Path::new(file), element, shape)
    }

    fn bytes(&self, file: &str, most: u64) -> Result<Vec<u8>, String> {
        cute_output::read(Path::new(file), most)
            .map_err(|why| format!("cannot read '{file}': {}", cute_output::plain(&why)))
    }
}

/// The type and extents of the array in a file: the given type, or that of the file, which is the
/// expected one where the file's type string stands for several. `memory` is the number of bytes
/// that arrays may still have.
pub fn kind(
    file: &Path,
    given: Option<Element>,
    expected: Option<&str>,
    memory: u64,
) -> Result<Kind, String> {
    let name = file.display();
    let most = memory.saturating_add(MOST_HEADER).max(LEAST_READ);
    let mut bytes = cute_output::read_start(file, most, 2 * MOST_HEADER)
        .map_err(|why| format!("cannot read '{name}': {}", cute_output::plain(&why)))?;
    check_header(&bytes).map_err(|why| format!("'{name}': {why}"))?;
    let string = type_string(&bytes).ok_or_else(|| format!("'{name}' is not a .npy file of numbers"))?;
    let (named, raw) = elements(string.trim_start_matches(['<', '|', '=', '>']));
    let expected = expected.and_then(|element| element.parse().ok());
    let element = match (given, named) {
        (Some(element), _) => element,
        (None, []) => {
            return Err(format!("'{name}' has elements of type '{string}', which is not supported"));
        }
        (None, named) => match (expected.filter(|e| named.contains(e) || raw.contains(e)), named) {
            (Some(expected), _) => expected,
            (None, [one]) => *one,
            (None, several) => {
                return Err(format!(
                    "'{name}' has elements of type '{string}', which does not tell {}; write TYPE={name}",
                    several.iter().map(ToString::to_string).collect::<Vec<_>>().join(" from ")
                ));
            }
        },
    };
    let stand_in = named.first().and_then(|named| opaque(*named)).map(|(.., stand_in)| stand_in);
    if let Some(to) = stand_in {
        retype(&mut bytes, &string, to);
    }
    let npy = NpyFile::new(Cursor::new(&bytes)).map_err(|e| format!("'{name}': {e}"))?;
    let shape = npy.shape().iter().map(|e| *e as usize).collect();
    Ok(Kind { element, shape, is_row_major: npy.order() == npyz::Order::C })
}

/// Refuses a header whose numbers multiply to more than the parser can count: the extents, and the
/// bytes of an element.
fn check_size(header: &[u8]) -> Result<(), String> {
    let numbers = header.split(|b| !b.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let number = |digits| str::from_utf8(digits).ok()?.parse::<u64>().ok();
    // The parser computes strides, of empty arrays too.
    let size = numbers.map(number).try_fold(1, |size: u64, n| size.checked_mul(n?.max(1)));
    size.map(|_| ()).ok_or_else(|| "an array of more bytes than there are addresses".into())
}

/// The elements of an array of this type and shape.
pub fn read(file: &Path, element: Element, shape: &[usize]) -> Result<Stored, String> {
    let name = file.display();
    let size = shape.iter().product::<usize>() * element.bytes();
    let most = (size as u64).saturating_add(MOST_HEADER).max(LEAST_READ);
    let mut bytes = cute_output::read(file, most)
        .map_err(|why| format!("cannot read '{name}': {}", cute_output::plain(&why)))?;
    check_header(&bytes).map_err(|why| format!("'{name}': {why}"))?;
    if let Some((own, others, stand_in)) = opaque(element) {
        let mut names = [own].into_iter().chain(others.iter().copied());
        names.any(|name| retype(&mut bytes, name, stand_in));
    }
    let npy = NpyFile::new(Cursor::new(&bytes)).map_err(|e| format!("'{name}': {e}"))?;
    let extents: Vec<usize> = npy.shape().iter().map(|e| *e as usize).collect();
    if extents != shape {
        return Err(format!("'{name}' has the shape {extents:?}, not {shape:?}"));
    }
    let is_row_major = npy.order() == npyz::Order::C || extents.len() < 2;
    let order = if is_row_major { DimensionOrder::default() } else { DimensionOrder::column_major(shape) };
    let own = header_text(element, shape)?;
    let first = start(&bytes);
    // Its bytes are those of the elements already.
    if type_string(&bytes) == type_string(&own) && bytes.len().checked_sub(size) >= Some(first) {
        return Ok(Stored { bytes: Arc::new(bytes), first, order });
    }
    let mut rows = reserved(size)?;
    with_type!(element, T => {
        let values = npy.into_vec::<T>().map_err(|e| format!("'{name}' as {element}: {e}"))?;
        rows.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    });
    Ok(Stored { bytes: Arc::new(rows), first: 0, order })
}

/// The byte at which the elements of a file begin, whose header has been checked.
fn start(bytes: &[u8]) -> usize {
    match bytes {
        [_, _, _, _, _, _, 1, _, a, b, ..] => 10 + usize::from(u16::from_le_bytes([*a, *b])),
        [_, _, _, _, _, _, _, _, a, b, c, d, ..] => 12 + u32::from_le_bytes([*a, *b, *c, *d]) as usize,
        _ => 0,
    }
}

/// The bytes of a file before its elements, which are the bytes of an array row by row.
pub fn header(element: Element, shape: &[usize]) -> Result<Vec<u8>, String> {
    let mut header = header_text(element, shape)?;
    if let Some((own, _, stand_in)) = opaque(element) {
        retype(&mut header, stand_in, own);
    }
    Ok(header)
}

/// The same with the type that stands for the elements where files have no name for them.
fn header_text(element: Element, shape: &[usize]) -> Result<Vec<u8>, String> {
    let shape: Vec<u64> = shape.iter().map(|e| *e as u64).collect();
    let mut out = Vec::new();
    with_type!(element, T => {
        let writer = npyz::WriteOptions::<T>::new().default_dtype().shape(&shape).writer(&mut out);
        drop(writer.begin_nd().map_err(|e| e.to_string())?);
    });
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of these bytes, of an array's row by row.
    fn write(element: Element, shape: &[usize], bytes: &[u8]) -> Result<Vec<u8>, String> {
        Ok([&header(element, shape)?[..], bytes].concat())
    }

    /// The bytes of an array row by row.
    fn read(file: &Path, element: Element, shape: &[usize]) -> Result<Vec<u8>, String> {
        super::read(file, element, shape)?.rows(shape.iter().product(), element)
    }
    use std::fs;

    /// A file with this header and no elements.
    fn with_header(text: &str) -> Vec<u8> {
        [&b"\x93NUMPY\x01\x00"[..], &(text.len() as u16).to_le_bytes()[..], text.as_bytes()].concat()
    }

    #[test]
    fn headers_that_nest_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.npy");
        let says = |bytes: &[u8]| {
            fs::write(&file, bytes).unwrap();
            let error = read(&file, Element::F32, &[1]).unwrap_err();
            error.strip_prefix(&format!("'{}': ", file.display())).unwrap().to_owned()
        };
        for levels in [3, 14, 10_000] {
            let ty = format!("{}'<f4'{}", "[('a', ".repeat(levels), ")]".repeat(levels));
            let header = format!("{{'descr': {ty}, 'fortran_order': False, 'shape': (1,), }}\n");
            let wrong = match levels {
                10_000 => {
                    [&b"\x93NUMPY\x02\x00"[..], &70_000u32.to_le_bytes()[..], header.as_bytes()].concat()
                }
                _ => with_header(&header),
            };
            let expected = match levels {
                10_000 => "its header has 70000 bytes, more than 65536",
                _ => "its header has more than 4 levels of brackets",
            };
            assert_eq!(says(&wrong), expected);
        }
        // One level is for the parser, which says what it is.
        let header = "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }\n";
        fs::write(&file, with_header(header)).unwrap();
        let error = read(&file, Element::F32, &[1]).unwrap_err();
        assert!(error.contains("' as f32: "), "{error}");
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.npy");
        let bytes: Vec<u8> = (0..48).collect();
        for element in [Element::F16, Element::F32, Element::F64, Element::I8, Element::U16, Element::I64] {
            let shape = [2, 24 / element.bytes()];
            fs::write(&file, write(element, &shape, &bytes).unwrap()).unwrap();
            assert_eq!(read(&file, element, &shape).unwrap(), bytes, "{element}");
            assert!(read(&file, element, &[48]).unwrap_err().contains("shape"));
            assert!(read(&file, Element::U32, &shape).is_err());
        }
    }

    #[test]
    fn numbers_of_the_other_byte_order_are_turned() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.npy");
        let header = "{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }\n";
        let numbers = [1.0f32, -2.5];
        let bytes: Vec<u8> = numbers.iter().flat_map(|v| v.to_be_bytes()).collect();
        fs::write(&file, [with_header(header), bytes].concat()).unwrap();
        let own: Vec<u8> = numbers.iter().flat_map(|v| v.to_le_bytes()).collect();
        assert_eq!(read(&file, Element::F32, &[2]), Ok(own));
    }

    #[test]
    fn a_file_that_ends_early_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.npy");
        fs::write(&file, write(Element::F32, &[3], &[0; 11]).unwrap()).unwrap();
        assert!(read(&file, Element::F32, &[3]).unwrap_err().contains("a.npy' as f32: "));
    }

    #[test]
    fn a_column_major_file_is_read_row_by_row() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.npy");
        let header = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n";
        let mut bytes = with_header(header);
        bytes.extend([1, 4, 2, 5, 3, 6]);
        fs::write(&file, bytes).unwrap();
        assert!(!kind(&file, None, None, 1 << 20).unwrap().is_row_major);
        assert_eq!(read(&file, Element::U8, &[2, 3]).unwrap(), [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn a_file_tells_its_type_and_extents() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.npy");
        let told = |element: Element, given, expected: Option<&str>| {
            let bytes = vec![0; 6 * element.bytes()];
            fs::write(&file, write(element, &[2, 3], &bytes).unwrap()).unwrap();
            kind(&file, given, expected, 1 << 20)
        };
        let of = |element| Ok(Kind { element, shape: vec![2, 3], is_row_major: true });
        use Element::*;
        for element in [F16, F32, F64, Bf16, I1, I8, I16, I32, I64, U8, U16, U32] {
            assert_eq!(told(element, None, None), of(element));
        }
        for element in [E4m3, E5m2, E8m0, E2m3, E3m2, E2m1] {
            assert_eq!(told(element, None, Some(&element.to_string())), of(element));
            assert_eq!(told(E4m3, Some(element), None), of(element));
            let why = told(element, None, Some("f32")).unwrap_err();
            let all = "f8E4M3FN from f8E5M2 from f8E8M0FNU from f6E2M3FN from f6E3M2FN from f4E2M1FN";
            assert!(why.contains(&format!("does not tell {all}; write TYPE=")), "{why}");
        }
        assert_eq!(told(U16, None, Some("bf16")), of(Bf16));
        assert_eq!(told(F32, None, Some("f16")), of(F32));
        // Bytes may be packed elements.
        assert_eq!(told(U8, None, Some("f4E2M1FN")), of(U8));
        fs::write(&file, "text").unwrap();
        assert!(kind(&file, None, None, 1 << 20).unwrap_err().ends_with("is not a .npy file of numbers"));
    }

    #[test]
    fn types_without_a_name_are_those_of_ml_dtypes_or_raw() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.npy");
        let bytes = [0x80, 0x3f, 0x00, 0xc0, 0x12, 0x34];
        for (element, descr, also) in [
            (Element::Bf16, "'<V2'", ["'|V2'", "'<u2'"]),
            (Element::E4m3, "'<V1'", ["'|V1'", "'|u1'"]),
            (Element::E5m2, "'<V1'", ["'<f1'", "'|u1'"]),
            (Element::I1, "'|b1'", ["'|u1'", "'|u1'"]),
        ] {
            let shape = [6 / element.bytes()];
            let written = write(element, &shape, &bytes).unwrap();
            let text = String::from_utf8_lossy(&written[..64]).into_owned();
            assert!(text.contains(&format!("'descr': {descr}")), "{text}");
            for own in [descr].into_iter().chain(also) {
                let mut read_as = written.clone();
                assert!(retype(&mut read_as, &descr[1..4], &own[1..4]));
                fs::write(&file, read_as).unwrap();
                assert_eq!(read(&file, element, &shape).unwrap(), bytes, "{element} {own}");
            }
            fs::write(&file, write(Element::F32, &[1], &[0; 4]).unwrap()).unwrap();
            assert!(read(&file, element, &[1]).is_err());
        }
    }

    #[test]
    fn sizes_beyond_all_addresses_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.npy");
        for shape in ["(4294967296, 4294967296)", "(0, 4294967296, 4294967296)", "(99999999999999999999,)"] {
            let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}\n");
            let length = (header.len() as u16).to_le_bytes();
            fs::write(&file, [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes()].concat()).unwrap();
            let error = read(&file, Element::F32, &[1]).unwrap_err();
            assert!(error.ends_with("': an array of more bytes than there are addresses"), "{error}");
        }
    }
}
