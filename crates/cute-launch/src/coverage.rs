//! The elements of arrays that kernels have written.

use crate::{
    array::Array,
    compare::{extents, place},
    fill::DimensionOrder,
};
use cute_sim::{Buffer, Memory};
use serde::Serialize;
use std::{fmt, ops::Range};

/// An array that a kernel has written, but not all of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unwritten {
    /// Its name and type.
    pub array: String,
    /// The number of its elements.
    pub elements: usize,
    /// Those that nothing has written.
    pub unwritten: usize,
    /// The first of these.
    pub at: Vec<usize>,
}

/// The arrays that were written in part. What lies between the elements of an array does not count.
pub(crate) fn unwritten(arrays: &[Array], buffers: &[Buffer], memory: &Memory) -> Vec<Unwritten> {
    arrays.iter().zip(buffers).filter_map(|(array, buffer)| of_array(array, *buffer, memory)).collect()
}

fn of_array(array: &Array, buffer: Buffer, memory: &Memory) -> Option<Unwritten> {
    let (shape, order) = array.layout.as_ref().map_or((&array.shape, &array.order), |(s, o)| (s, o));
    let bits = array.element.bits() as usize;
    let elements: usize = shape.iter().product();
    let written = written(memory, buffer, bits, order, elements)?;
    if written == 0 || written >= elements {
        return None;
    }
    let bytes = |at: usize| at * bits / 8..((at + 1) * bits).div_ceil(8);
    let first = (0..elements).find(|i| !memory.has_written(buffer, bytes(order.place(*i))))?;
    Some(Unwritten {
        array: format!("{}: {}[{}]", array.name, array.element, extents(shape)),
        elements,
        unwritten: elements - written,
        at: place(first, shape),
    })
}

/// The number of elements of which something has written a byte; `None` if elements share memory.
fn written(
    memory: &Memory,
    buffer: Buffer,
    bits: usize,
    order: &DimensionOrder,
    elements: usize,
) -> Option<usize> {
    let inverse = match order.is_row_major() {
        true => None,
        false => Some(order.inverse()?),
    };
    let (mut count, mut next) = (0, 0);
    memory.each_written(buffer, |bytes: Range<usize>| {
        // A part of an element may have been counted with the run before.
        let places = (8 * bytes.start / bits).max(next)..(8 * bytes.end).div_ceil(bits);
        next = next.max(places.end);
        count += match &inverse {
            None => places.end.min(elements).saturating_sub(places.start),
            Some(inverse) => places.filter(|place| inverse.element(*place).is_some()).count(),
        };
    });
    Some(count)
}

impl fmt::Display for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { array, elements, unwritten, at } = self;
        let were = if *unwritten == 1 { "was" } else { "were" };
        write!(f, "{array}: {unwritten} of {elements} elements {were} never written, the first at {at:?}")
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "one run of bytes is a list of runs")]
mod tests {
    use super::*;
    use crate::element::Element;
    use std::sync::Arc;

    fn array(element: &str, shape: &[usize], order: DimensionOrder) -> Array {
        let (element, shape): (Element, _) = (element.parse().unwrap(), shape.to_vec());
        let (name, contents, holes) = ("x".to_owned(), Arc::new(Vec::new()), Vec::new());
        let (rows, is_undefined, layout) = (None, false, None);
        Array { name, element, shape, contents, order, holes, rows, is_undefined, layout }
    }

    /// The text about an array of this many bytes, of which these are written.
    fn of(array: &Array, bytes: usize, written: &[Range<usize>]) -> Option<String> {
        let mut memory = Memory::new();
        let buffer = memory.zeroed::<u8>(bytes);
        written.iter().for_each(|range| memory.fill(buffer, range.clone(), 7));
        of_array(array, buffer, &memory).map(|unwritten| unwritten.to_string())
    }

    #[test]
    fn elements_are_counted_in_any_order() {
        let shape = [4, 6];
        let rows = array("f16", &shape, DimensionOrder::default());
        assert_eq!(of(&rows, 48, &[]), None);
        assert_eq!(of(&rows, 48, &[0..48]), None);
        let some = "x: f16[4x6]: 20 of 24 elements were never written, the first at [0, 1]";
        // A byte of an element is enough, and one that is written twice counts once.
        assert_eq!(of(&rows, 48, &[0..2, 12..15, 15..16, 47..48]), Some(some.into()));
        let columns = array("f16", &shape, DimensionOrder::column_major(&shape));
        let last = "x: f16[4x6]: 1 of 24 elements was never written, the first at [3, 5]";
        assert_eq!(of(&columns, 48, &[0..46]), Some(last.into()));
        let pitched = array("f16", &shape, DimensionOrder::of_strides(&shape, &[8, 1]));
        assert_eq!(of(&pitched, 60, &[0..12, 16..28, 32..44, 48..60]), None);
        let gap = "x: f16[4x6]: 23 of 24 elements were never written, the first at [0, 0]";
        assert_eq!(of(&pitched, 60, &[12..18]), Some(gap.into()));
        let repeated = array("f16", &shape, DimensionOrder::of_strides(&shape, &[0, 1]));
        assert_eq!(of(&repeated, 12, &[0..2]), None);
    }

    #[test]
    fn packed_elements_and_memory_of_a_layout() {
        let packed = array("f4E2M1FN", &[2, 8], DimensionOrder::default());
        let half = "x: f4E2M1FN[2x8]: 14 of 16 elements were never written, the first at [0, 0]";
        assert_eq!(of(&packed, 8, &[3..4]), Some(half.into()));
        let six = array("f6E3M2FN", &[8], DimensionOrder::default());
        let rest = "x: f6E3M2FN[8]: 4 of 8 elements were never written, the first at [4]";
        assert_eq!(of(&six, 6, &[0..3]), Some(rest.into()));
        let memory = Array {
            layout: Some((vec![3, 2], DimensionOrder::of_strides(&[3, 2], &[4, 1]))),
            ..array("i32", &[16], DimensionOrder::default())
        };
        assert_eq!(of(&memory, 64, &[0..8, 16..24, 32..40]), None);
        let one = "x: i32[3x2]: 1 of 6 elements was never written, the first at [1, 1]";
        assert_eq!(of(&memory, 64, &[0..8, 16..20, 32..40]), Some(one.into()));
    }
}
