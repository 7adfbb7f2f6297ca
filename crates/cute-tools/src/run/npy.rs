//! Arrays in `.npy` files.

use super::element::Element;
use half::f16;
use npyz::{NpyFile, WriterBuilder};
use std::{fs, io::Cursor, path::Path};

/// `$body` with `$t` standing for the Rust type of an element, if files have that type.
macro_rules! with_type {
    ($element:expr, $t:ident => $body:expr) => {
        with_type!($element, $t => $body; F16 f16, F32 f32, F64 f64, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16,
            U32 u32)
    };
    ($element:expr, $t:ident => $body:expr; $($variant:ident $native:ty),*) => {
        match $element {
            $(Element::$variant => {
                type $t = $native;
                $body
            })*
            Element::Bf16 | Element::I1 => Err(format!("a .npy file has no {}", $element)),
        }
    };
}

/// The bytes of an array of this type and shape.
pub fn read(file: &Path, element: Element, shape: &[usize]) -> Result<Vec<u8>, String> {
    let name = file.display();
    let bytes = fs::read(file).map_err(|e| format!("cannot read '{name}': {e}"))?;
    let npy = NpyFile::new(Cursor::new(bytes)).map_err(|e| format!("'{name}': {e}"))?;
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

/// A file's bytes, of an array's.
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
    Ok(out)
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
        assert!(write(Element::Bf16, &[1], &[0, 0]).is_err());
    }
}
