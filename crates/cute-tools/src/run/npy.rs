//! Arrays in `.npy` files.
//!
//! The format has no name for bf16 and 8-bit floats. They are written as the Python package
//! ml_dtypes writes them: as opaque bytes (`<V2`, `<V1`) that `.view(ml_dtypes.bfloat16)` turns
//! into numbers again. They are read in that form, or as integers of the same width.

use super::element::Element;
use half::f16;
use npyz::{NpyFile, WriterBuilder};
use std::{borrow::Cow, fs, io::Cursor, path::Path};

/// `$body` with `$t` standing for the Rust type of an element, or of one as wide.
macro_rules! with_type {
    ($element:expr, $t:ident => $body:expr) => {
        with_type!($element, $t => $body; F16 f16, F32 f32, F64 f64, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16,
            U32 u32, I1 u8, Bf16 u16, E4m3 u8, E5m2 u8, E8m0 u8)
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
        Element::E4m3 | Element::E5m2 | Element::E8m0 => Some(("<V1", &["|V1", "<f1", "|f1"], "|u1")),
        Element::I1 => Some(("|b1", &[], "|u1")),
        _ => None,
    }
}

/// The number of bytes at the start of a file that may contain a header's text.
const HEADER: usize = 256;

/// The file with one type string replaced by another of the same length, if its header has it.
fn retyped<'b>(bytes: &'b [u8], from: &str, to: &str) -> Option<Cow<'b, [u8]>> {
    let quoted = format!("'{from}'");
    let header = &bytes[..bytes.len().min(HEADER)];
    let at = header.windows(quoted.len()).position(|w| w == quoted.as_bytes())?;
    let mut bytes = bytes.to_vec();
    bytes[at + 1..][..to.len()].copy_from_slice(to.as_bytes());
    Some(bytes.into())
}

/// The bytes of an array of this type and shape, row by row.
pub fn read(file: &Path, element: Element, shape: &[usize]) -> Result<Vec<u8>, String> {
    let name = file.display();
    let bytes = fs::read(file).map_err(|e| format!("cannot read '{name}': {e}"))?;
    let taken = opaque(element).and_then(|(own, others, stand_in)| {
        let names = [own].into_iter().chain(others.iter().copied());
        names.into_iter().find_map(|n| retyped(&bytes, n, stand_in))
    });
    let npy = NpyFile::new(Cursor::new(taken.as_deref().unwrap_or(&bytes)));
    let npy = npy.map_err(|e| format!("'{name}': {e}"))?;
    let extents: Vec<usize> = npy.shape().iter().map(|e| *e as usize).collect();
    if extents != shape {
        return Err(format!("'{name}' has the shape {extents:?}, not {shape:?}"));
    }
    if npy.order() != npyz::Order::C && extents.len() > 1 {
        return Err(format!("'{name}' is column-major; save it row-major"));
    }
    with_type!(element, T => {
        let values = npy.into_vec::<T>().map_err(|e| format!("'{name}' as {element}: {e}"))?;
        Ok(values.iter().flat_map(|v| v.to_le_bytes()).collect())
    })
}

/// A file's bytes, of an array's row by row.
pub fn write(element: Element, shape: &[usize], bytes: &[u8]) -> Result<Vec<u8>, String> {
    let shape: Vec<u64> = shape.iter().map(|e| *e as u64).collect();
    let mut out = Vec::new();
    with_type!(element, T => {
        const N: usize = size_of::<T>();
        let writer = npyz::WriteOptions::<T>::new().default_dtype().shape(&shape).writer(&mut out);
        let mut writer = writer.begin_nd().map_err(|e| e.to_string())?;
        let value = |b: &[u8]| T::from_le_bytes(std::array::from_fn::<u8, N, _>(|i| b[i]));
        writer.extend(bytes.chunks_exact(N).map(value)).map_err(|e| e.to_string())?;
        writer.finish().map_err(|e| e.to_string())
    })?;
    let own = opaque(element).and_then(|(own, _, stand_in)| retyped(&out, stand_in, own));
    Ok(own.map(Cow::into_owned).unwrap_or(out))
}

#[cfg(test)]
mod tests {
    use super::*;

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
                let read_as = retyped(&written, &descr[1..4], &own[1..4]).unwrap();
                fs::write(&file, read_as).unwrap();
                assert_eq!(read(&file, element, &shape).unwrap(), bytes, "{element} {own}");
            }
            fs::write(&file, write(Element::F32, &[1], &[0; 4]).unwrap()).unwrap();
            assert!(read(&file, element, &[1]).is_err());
        }
    }
}
