//! Arrays in `.npy` files.

use super::argument::Element;
use half::f16;
use npyz::{NpyFile, WriterBuilder};
use std::{fs, io::Cursor, path::Path};

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
    macro_rules! elements {
        ($t:ty) => {{
            let values = npy.into_vec::<$t>().map_err(|e| format!("'{name}' as {element}: {e}"))?;
            Ok(values.iter().flat_map(|v| v.to_le_bytes()).collect())
        }};
    }
    match element {
        Element::F16 => elements!(f16),
        Element::F32 => elements!(f32),
        Element::F64 => elements!(f64),
        Element::I8 => elements!(i8),
        Element::I16 => elements!(i16),
        Element::I32 => elements!(i32),
        Element::I64 => elements!(i64),
        Element::U8 => elements!(u8),
        Element::U16 => elements!(u16),
        Element::U32 => elements!(u32),
        Element::Bf16 | Element::I1 => Err(format!("a .npy file has no {element}")),
    }
}

/// A file's bytes, of an array's.
pub fn write(element: Element, shape: &[usize], bytes: &[u8]) -> Result<Vec<u8>, String> {
    let shape: Vec<u64> = shape.iter().map(|e| *e as u64).collect();
    let mut out = Vec::new();
    macro_rules! elements {
        ($t:ty) => {{
            const N: usize = size_of::<$t>();
            let writer = npyz::WriteOptions::<$t>::new().default_dtype().shape(&shape).writer(&mut out);
            let mut writer = writer.begin_nd().map_err(|e| e.to_string())?;
            let value = |b: &[u8]| <$t>::from_le_bytes(std::array::from_fn::<u8, N, _>(|i| b[i]));
            writer.extend(bytes.chunks_exact(N).map(value)).map_err(|e| e.to_string())?;
            writer.finish().map_err(|e| e.to_string())?;
        }};
    }
    match element {
        Element::F16 => elements!(f16),
        Element::F32 => elements!(f32),
        Element::F64 => elements!(f64),
        Element::I8 => elements!(i8),
        Element::I16 => elements!(i16),
        Element::I32 => elements!(i32),
        Element::I64 => elements!(i64),
        Element::U8 => elements!(u8),
        Element::U16 => elements!(u16),
        Element::U32 => elements!(u32),
        Element::Bf16 | Element::I1 => return Err(format!("a .npy file has no {element}")),
    }
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
