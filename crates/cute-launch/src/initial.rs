//! The memory that an array begins with, whose bytes are made of the numbers of its elements where
//! something touches them.

use std::sync::Arc;

use crate::{
    argument::{Values, append, reserved},
    element::Element,
    fill::{DimensionOrder, Inverse},
    packed,
};
use cute_sim::Contents;

/// Elements that exist already, such as those of a file.
#[derive(Debug, Clone)]
pub struct Stored {
    /// The bytes that hold them.
    pub bytes: Arc<dyn Contents>,
    /// The byte at which the first of them begins.
    pub first: usize,
    /// The order in which they lie.
    pub order: DimensionOrder,
}

impl Stored {
    /// Appends the bytes of an element, counted row by row.
    fn append(&self, i: usize, element: Element, to: &mut Vec<u8>) {
        let (size, end) = (element.bytes(), to.len());
        to.resize(end + size, 0);
        self.bytes.read(self.first + self.order.place(i) * size, &mut to[end..]);
    }

    /// The bytes of the first `count` elements, row by row.
    ///
    /// # Errors
    /// Fails if there is not enough memory for them.
    pub fn rows(&self, count: usize, element: Element) -> Result<Vec<u8>, String> {
        let mut rows = reserved(count * element.bytes())?;
        match self.order.is_row_major() {
            true => {
                rows.resize(count * element.bytes(), 0);
                self.bytes.read(self.first, &mut rows);
            }
            false => (0..count).for_each(|i| self.append(i, element, &mut rows)),
        }
        Ok(rows)
    }
}

/// Where the numbers of elements come from.
#[derive(Debug)]
enum Source {
    /// The same bits in all.
    Zero,
    Values(Values),
    Stored(Stored),
}

/// The memory of an array.
#[derive(Debug)]
pub(crate) struct Initial {
    element: Element,
    source: Source,
    /// The number of the element at each place, unless the elements lie row by row.
    inverse: Option<Inverse>,
    /// Elements that the memory has room for.
    places: usize,
}

impl Initial {
    /// Whether the values follow from the numbers of the elements.
    fn is_made(values: &Values) -> bool {
        use Values::{All, Bits, Random, Range, Undefined};
        matches!(values, All(_) | Bits(_) | Range | Random(_) | Undefined)
    }

    /// Whether the bytes take memory only where something touches them.
    pub(crate) fn is_made_later(values: &Values, order: &DimensionOrder) -> bool {
        Self::is_made(values) && (order.is_row_major() || order.inverse().is_some())
    }

    /// The memory of `count` elements in this order, if the bytes at a place follow from the place.
    /// `stored` are the elements if the values say that they exist already.
    pub(crate) fn of(
        element: Element,
        count: usize,
        values: &Values,
        stored: Option<Stored>,
        order: &DimensionOrder,
    ) -> Option<Self> {
        let source = match (stored, values) {
            // The codes of packed elements are checked when they are packed.
            (Some(_), _) if element.bits() < 8 => return None,
            (Some(stored), _) => Source::Stored(stored),
            (None, values) if Self::is_made(values) => {
                let mut one = Vec::new();
                append(element, 0..1, values, &mut one);
                let is_constant = matches!(values, Values::All(_) | Values::Bits(_));
                match is_constant && one.iter().all(|byte| *byte == 0) {
                    true => Source::Zero,
                    false => Source::Values(values.clone()),
                }
            }
            _ => return None,
        };
        let inverse = match order.is_row_major() {
            true => None,
            false => Some(order.inverse()?),
        };
        Some(Self { element, source, inverse, places: order.reach(count) })
    }

    /// Appends elements by their numbers, row by row.
    fn append(&self, i: std::ops::Range<usize>, to: &mut Vec<u8>) {
        match &self.source {
            Source::Zero => to.resize(to.len() + i.len() * self.element.bytes(), 0),
            Source::Values(values) => append(self.element, i, values, to),
            Source::Stored(stored) => i.for_each(|i| stored.append(i, self.element, to)),
        }
    }

    /// The elements at these places; what lies between elements is 0.
    fn at(&self, places: std::ops::Range<usize>) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(places.len() * self.element.bytes());
        let Some(inverse) = &self.inverse else {
            self.append(places, &mut bytes);
            return bytes;
        };
        for place in places {
            match inverse.element(place) {
                Some(i) => self.append(i..i + 1, &mut bytes),
                None => bytes.resize(bytes.len() + self.element.bytes(), 0),
            }
        }
        bytes
    }
}

impl Contents for Initial {
    fn size(&self) -> usize {
        packed::size(self.places, self.element.bits())
    }

    fn read(&self, at: usize, to: &mut [u8]) {
        match &self.source {
            Source::Zero => return to.fill(0),
            Source::Stored(stored) if self.inverse.is_none() && stored.order.is_row_major() => {
                return stored.bytes.read(stored.first + at, to);
            }
            _ => {}
        }
        // The elements that fill the fewest whole bytes.
        let (elements, bytes) = match self.element.bits() {
            bits @ ..8 => (8, bits as usize),
            _ => (1, self.element.bytes()),
        };
        let (first, end) = (at / bytes, (at + to.len()).div_ceil(bytes));
        let codes = self.at(first * elements..(end * elements).min(self.places));
        let memory = packed::packed(&codes, self.element.bits());
        to.copy_from_slice(&memory[at - first * bytes..][..to.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{argument::bytes, fill::column_major};

    /// The same bytes as if all elements were made at once, whatever part is read.
    #[test]
    fn parts_are_parts_of_the_whole() {
        let shape = [5usize, 7, 3];
        let count = shape.iter().product();
        let pitched = DimensionOrder::of_strides(&shape, &[40, 1, 9]);
        let orders = [DimensionOrder::default(), DimensionOrder::column_major(&shape), pitched];
        let values = [
            Values::Random(7),
            Values::Range,
            Values::All(2.0),
            Values::All(0.0),
            Values::Bits(3),
            Values::Undefined,
        ];
        let elements = ["f16", "f64", "i8", "f8E8M0FNU", "f6E2M3FN", "f4E2M1FN"]
            .map(|name| name.parse::<Element>().unwrap());
        let all = elements.iter().flat_map(|element| orders.iter().map(move |order| (*element, order)));
        for (element, order, values) in all.flat_map(|(e, o)| values.iter().map(move |v| (e, o, v))) {
            if element.is_float() && matches!(values, Values::Bits(_)) {
                continue;
            }
            let rows = bytes(element, count, values).unwrap();
            let whole =
                packed::pack(order.to_memory(rows, element.bytes()).unwrap(), element.bits()).unwrap();
            let initial = Initial::of(element, count, values, None, order).unwrap();
            assert_eq!(initial.size(), whole.len());
            for at in 0..whole.len() {
                for len in [0, 1, 2, 5, 64, whole.len()] {
                    let len = len.min(whole.len() - at);
                    let mut part = vec![0xee; len];
                    initial.read(at, &mut part);
                    assert_eq!(part, whole[at..at + len], "{element} {order:?} {values:?}: {len} at {at}");
                }
            }
        }
    }

    #[test]
    fn stored_elements_are_moved_to_their_places() {
        let shape = [4usize, 3];
        let rows: Vec<u8> = (0..24).collect();
        let strides = column_major(&shape);
        assert_eq!(strides, [1, 4]);
        let columns = DimensionOrder::column_major(&shape);
        let file: Vec<u8> = [vec![9; 5], columns.to_memory(rows.clone(), 2).unwrap()].concat();
        let stored = Stored { bytes: Arc::new(file), first: 5, order: columns.clone() };
        assert_eq!(stored.rows(12, Element::U16), Ok(rows.clone()));
        for order in [DimensionOrder::default(), columns, DimensionOrder::of_strides(&shape, &[1, 5])] {
            let whole = order.to_memory(rows.clone(), 2).unwrap();
            let values = Values::File("x.npy".into());
            let initial = Initial::of(Element::U16, 12, &values, Some(stored.clone()), &order).unwrap();
            let mut all = vec![0; initial.size()];
            initial.read(0, &mut all);
            assert_eq!(all, whole, "{order:?}");
        }
    }

    #[test]
    fn elements_that_share_a_place_are_not_made_of_it() {
        let repeated = DimensionOrder::of_strides(&[2, 3], &[0, 1]);
        assert!(Initial::of(Element::F32, 6, &Values::Range, None, &repeated).is_none());
    }
}
