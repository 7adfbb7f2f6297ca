//! The contents of arrays after a run, of which huge ones are never whole in memory.

use crate::{array::Array, packed};
use cute_sim::{Buffer, Memory};
use std::{borrow::Cow, sync::Arc};

/// Elements that are handed on together: a multiple of those that fill whole bytes.
const PART: usize = 1 << 16;

/// The contents of an array after a run.
#[derive(Debug, Clone)]
pub enum After {
    /// The bytes of its elements, row by row.
    Rows(Vec<u8>),
    /// Those of a buffer of the simulator.
    Simulated(Arc<Memory>, Buffer),
}

impl After {
    /// The bytes of the array's elements, row by row.
    pub fn rows(&self, array: &Array) -> Cow<'_, [u8]> {
        match self {
            Self::Rows(rows) => Cow::Borrowed(rows),
            Self::Simulated(memory, buffer) => Cow::Owned(array.rows(memory.download_bytes(*buffer))),
        }
    }

    /// Hands on the bytes of the array's elements, row by row and part by part.
    ///
    /// # Errors
    /// Returns the first error of `part`.
    pub fn parts<E>(
        &self,
        array: &Array,
        mut part: impl FnMut(&[u8]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let (bits, size) = (array.element.bits(), array.element.bytes());
        let (memory, buffer) = match self {
            Self::Simulated(memory, buffer) if bits >= 8 || array.order.is_row_major() => (memory, *buffer),
            _ => return part(&self.rows(array)),
        };
        let count: usize = array.shape.iter().product();
        for first in (0..count).step_by(PART) {
            let some = first..(first + PART).min(count);
            let mut bytes = vec![0; packed::size(some.len(), bits)];
            match array.order.is_row_major() {
                true => memory.look(buffer, packed::size(first, bits), &mut bytes),
                false => some.clone().zip(bytes.chunks_exact_mut(size)).for_each(|(i, element)| {
                    memory.look(buffer, array.order.place(i) * size, element);
                }),
            }
            let mut rows = packed::unpack(bytes, bits);
            rows.truncate(some.len() * size);
            part(&rows)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{element::Element, fill::DimensionOrder};
    use std::convert::Infallible;

    #[test]
    fn parts_are_the_rows() {
        let shape = vec![300, 451];
        let [columns, pitched] =
            [DimensionOrder::column_major(&shape), DimensionOrder::of_strides(&shape, &[460, 1])];
        for (element, order) in [
            ("f32", DimensionOrder::default()),
            ("u16", columns),
            ("i64", pitched),
            ("f4E2M1FN", DimensionOrder::default()),
            ("f6E3M2FN", DimensionOrder::default()),
        ] {
            let element: Element = element.parse().unwrap();
            let places = order.reach(shape.iter().product());
            let memory: Vec<u8> =
                (0..packed::size(places, element.bits())).map(|i| (i * 7 % 251) as u8).collect();
            let (name, shape, contents) = ("x".to_owned(), shape.clone(), Arc::new(memory.clone()));
            let array = Array {
                name,
                element,
                shape,
                contents,
                order,
                holes: Vec::new(),
                rows: None,
                is_undefined: false,
                layout: None,
            };
            let mut simulated = Memory::new();
            let buffer = simulated.upload_bytes(&memory);
            let after = After::Simulated(Arc::new(simulated), buffer);
            let mut whole = Vec::new();
            let mut parts = 0;
            let all: Result<(), Infallible> = after.parts(&array, |part| {
                whole.extend_from_slice(part);
                parts += 1;
                Ok(())
            });
            assert_eq!((all, parts), (Ok(()), 3), "{element}");
            assert_eq!(whole, array.rows(memory), "{element}");
            assert_eq!(whole, &*after.rows(&array), "{element}");
        }
    }
}
