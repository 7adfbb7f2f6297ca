//! Arrays in `.npy` files.
//!
//! The format has no name for bf16 and for floats of 8 bits or less. They are written as the
//! Python package ml_dtypes writes them: as opaque bytes (`<V2`, `<V1`) that
//! `.view(ml_dtypes.bfloat16)` turns into numbers again. They are read in that form, or as integers
//! of the same width. Elements of less than a byte have a byte each.

use cute_launch::{
    bind::{Files, Kind},
    element::Element,
    fill::DimensionOrder,
    initial::Stored,
};
use header::{BEYOND, Header};
use std::{path::Path, sync::Arc};

mod header;

/// The type string of an element in files.
fn type_string(element: Element) -> &'static str {
    use Element::*;
    match element {
        F16 => "<f2",
        F32 => "<f4",
        F64 => "<f8",
        I1 => "|b1",
        I8 => "|i1",
        I16 => "<i2",
        I32 => "<i4",
        I64 => "<i8",
        U8 => "|u1",
        U16 => "<u2",
        U32 => "<u4",
        U64 => "<u8",
        Bf16 => "<V2",
        E4m3 | E5m2 | E8m0 | E2m3 | E3m2 | E2m1 => "<V1",
    }
}

/// A file up to this size is read even if the array is smaller, to say which shape it has.
const LEAST_READ: u64 = 64 << 20;

/// A type string without its byte order.
fn without_order(ty: &str) -> &str {
    ty.trim_start_matches(['<', '|', '=', '>'])
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
    let most = memory.saturating_add(header::MOST).max(LEAST_READ);
    let bytes = cute_output::read_start(file, most, 2 * header::MOST)
        .map_err(|why| format!("cannot read '{name}': {}", cute_output::plain(&why)))?;
    let Header { ty, is_row_major, shape, .. } =
        Header::read(&bytes).map_err(|why| format!("'{name}' {why}"))?;
    let (named, raw) = elements(without_order(&ty));
    let expected = expected.and_then(|element| element.parse().ok());
    let element = match (given, named) {
        (Some(element), _) => element,
        (None, []) => {
            return Err(format!("'{name}' has elements of type '{ty}', which is not supported"));
        }
        (None, named) => match (expected.filter(|e| named.contains(e) || raw.contains(e)), named) {
            (Some(expected), _) => expected,
            (None, [one]) => *one,
            (None, several) => {
                return Err(format!(
                    "'{name}' has elements of type '{ty}', which does not tell {}; write TYPE={name}",
                    several.iter().map(ToString::to_string).collect::<Vec<_>>().join(" from ")
                ));
            }
        },
    };
    if !fits(element, &shape) {
        return Err(format!("'{name}' {BEYOND}"));
    }
    Ok(Kind { element, shape, is_row_major })
}

/// Whether the strides of an array are addresses. Extents of 0 count as 1, as other extents still
/// have strides.
fn fits(element: Element, shape: &[usize]) -> bool {
    let mut extents = shape.iter().map(|extent| (*extent).max(1));
    extents.try_fold(element.bytes(), usize::checked_mul).is_some()
}

/// Whether elements of a file's type, without its byte order, hold an element: its own, or for one
/// without a name an unsigned number as wide.
fn holds(ty: &str, element: Element) -> bool {
    let (named, _) = elements(ty);
    let is_opaque = type_string(element).contains('V') || element == Element::I1;
    named.contains(&element) || is_opaque && ty.strip_prefix('u') == Some(&element.bytes().to_string())
}

/// The elements of an array of this type and shape.
pub fn read(file: &Path, element: Element, shape: &[usize]) -> Result<Stored, String> {
    let name = file.display();
    let size = shape.iter().product::<usize>() * element.bytes();
    let most = (size as u64).saturating_add(header::MOST).max(LEAST_READ);
    let mut bytes = cute_output::read(file, most)
        .map_err(|why| format!("cannot read '{name}': {}", cute_output::plain(&why)))?;
    let header = Header::read(&bytes).map_err(|why| format!("'{name}' {why}"))?;
    if !fits(element, &header.shape) {
        return Err(format!("'{name}' {BEYOND}"));
    }
    if header.shape != shape {
        return Err(format!("'{name}' has the shape {:?}, not {shape:?}", header.shape));
    }
    if !holds(without_order(&header.ty), element) {
        return Err(format!("'{name}' as {element}: its elements are of type '{}'", header.ty));
    }
    let elements = bytes.len().saturating_sub(header.start);
    let rest = bytes.get_mut(header.start..).and_then(|rest| rest.get_mut(..size));
    let rest = rest.ok_or_else(|| format!("'{name}' as {element}: it has {elements} bytes of {size}"))?;
    if header.ty.starts_with('>') {
        rest.chunks_exact_mut(element.bytes()).for_each(<[u8]>::reverse);
    }
    let is_row_major = header.is_row_major || shape.len() < 2;
    let order = if is_row_major { DimensionOrder::default() } else { DimensionOrder::column_major(shape) };
    Ok(Stored { bytes: Arc::new(bytes), first: header.start, order })
}

/// The bytes of a file before its elements, which are the bytes of an array row by row.
pub fn header(element: Element, shape: &[usize]) -> Vec<u8> {
    let ty = type_string(element).to_owned();
    Header { ty, is_row_major: true, shape: shape.to_vec(), start: 0 }.bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of these bytes, of an array's row by row.
    fn write(element: Element, shape: &[usize], bytes: &[u8]) -> Vec<u8> {
        [&header(element, shape)[..], bytes].concat()
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
    fn another_reader_reads_the_headers() {
        use Element::*;
        for element in [F16, F32, F64, I1, I8, I16, I32, I64, U8, U16, U32, U64] {
            for shape in [&[][..], &[0], &[7], &[2, 3], &[1, 20_000, 3, 4, 5, 6_000, 7]] {
                let file = header(element, shape);
                assert_eq!(file.len() % 64, 0);
                let theirs = npyz::NpyFile::new(&file[..]).unwrap();
                assert!(shape.iter().map(|extent| *extent as u64).eq(theirs.shape().iter().copied()));
                assert_eq!(theirs.order(), npyz::Order::C);
                assert_eq!(theirs.dtype().descr(), format!("'{}'", type_string(element)));
            }
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.npy");
        let bytes: Vec<u8> = (0..48).collect();
        for element in [Element::F16, Element::F32, Element::F64, Element::I8, Element::U16, Element::I64] {
            let shape = [2, 24 / element.bytes()];
            fs::write(&file, write(element, &shape, &bytes)).unwrap();
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
        fs::write(&file, write(Element::F32, &[3], &[0; 11])).unwrap();
        assert!(
            read(&file, Element::F32, &[3]).unwrap_err().ends_with("a.npy' as f32: it has 11 bytes of 12")
        );
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
            fs::write(&file, write(element, &[2, 3], &bytes)).unwrap();
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
        assert!(kind(&file, None, None, 1 << 20).unwrap_err().ends_with("' is not a .npy file"));
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
            let text = String::from_utf8_lossy(&write(element, &shape, &bytes)[..64]).into_owned();
            assert!(text.contains(&format!("'descr': {descr}")), "{text}");
            for own in [descr].into_iter().chain(also) {
                let text = String::from_utf8(header(element, &shape)[10..].to_vec()).unwrap();
                fs::write(&file, [with_header(&text.replace(descr, own)), bytes.to_vec()].concat()).unwrap();
                assert_eq!(read(&file, element, &shape).unwrap(), bytes, "{element} {own}");
            }
            fs::write(&file, write(Element::F32, &[1], &[0; 4])).unwrap();
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
            assert!(error.ends_with("' has more bytes than there are addresses"), "{error}");
        }
    }
}
