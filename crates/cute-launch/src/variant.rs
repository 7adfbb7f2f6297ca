//! Variants of a run: the same launches with other numbers, whose errors are taken aside, so that
//! their results can be compared with those of the run.

use crate::{
    argument::{reserved, split_mix},
    array::Array,
    element::Element,
    job::{Job, Outcome},
    packed,
    report::{Report, Reports},
};
use cute_sim::{Grade, LeftOut};
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

impl Array {
    /// Replaces the elements by numbers in [-1, 1) of several magnitudes that follow from a seed,
    /// if they are floats that the array begins with. Integers stay, because they may be indices.
    fn randomise(&mut self, seed: u64) {
        let is_given = self.element.is_float() && self.holes.is_empty() && !self.is_undefined;
        let random = match self.element {
            _ if !is_given => None,
            Element::E8m0 => Some(powers(self.contents.size(), seed)),
            _ => self.numbers(seed).ok(),
        };
        // A view may lie in more memory than its elements take.
        if let Some(random) = random.filter(|random| random.len() == self.contents.size()) {
            self.contents = Arc::new(random);
        }
    }

    /// Numbers as they lie in memory. Those of one magnitude would hide which is the largest.
    fn numbers(&self, seed: u64) -> Result<Vec<u8>, String> {
        let count: usize = self.shape.iter().product();
        let mut rows = reserved(count * self.element.bytes())?;
        for i in 0..count as u64 {
            let bits = split_mix(seed, i);
            let number = (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
            self.element.encode(number / (1u64 << (bits % MAGNITUDES)) as f64, &mut rows);
        }
        packed::pack(self.order.to_memory(rows, self.element.bytes())?, self.element.bits())
    }
}

/// Powers of two, from 1 downwards, that numbers are multiplied by.
const MAGNITUDES: u64 = 8;

/// Powers of two from 1/4 to 4, without signs: a byte is the exponent and 127.
fn powers(count: usize, seed: u64) -> Vec<u8> {
    (0..count as u64).map(|i| 125 + (split_mix(seed, i) % 5) as u8).collect()
}

impl Job<'_> {
    /// Replaces the floats of all arrays by others, which follow from a seed.
    pub fn randomise(&mut self, seed: u64) {
        for (array, i) in self.arrays.iter_mut().zip(0..) {
            array.randomise(seed.wrapping_add(i));
        }
    }
}

impl Outcome {
    /// A number that follows from the elements of all arrays. Runs with the same elements have the
    /// same number.
    pub fn digest(&self, job: &Job<'_>) -> u64 {
        let mut hasher = DefaultHasher::new();
        for (array, after) in job.arrays.iter().zip(&self.arrays) {
            // Addresses differ from run to run.
            if array.holes.is_empty() {
                after.rows(array).hash(&mut hasher);
            }
        }
        hasher.finish()
    }
}

impl Reports {
    /// Takes the errors away, and what depends on the schedule. Returns the kinds of the errors,
    /// each once.
    pub fn take_errors(&mut self) -> Vec<&'static str> {
        let mut kinds = Vec::new();
        for (_, report) in &mut self.launches {
            let Report::Simulator(report) = report else { continue };
            let errors = report.findings.extract_if(.., |finding| finding.grade == Grade::Error);
            kinds.extend(errors.map(|finding| finding.kind.name()));
            report.left_out = LeftOut::default();
        }
        self.differences.clear();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fill::DimensionOrder;

    fn array(element: Element, is_undefined: bool) -> Array {
        let (name, shape, contents) =
            ("x".to_owned(), vec![4], Arc::new(vec![0; element.bits() as usize / 2]));
        let (order, holes, rows, layout) = (DimensionOrder::default(), Vec::new(), None, None);
        Array { name, element, shape, contents, order, holes, rows, is_undefined, layout }
    }

    fn bytes(mut array: Array) -> Vec<u8> {
        array.randomise(1);
        let mut bytes = vec![0; array.contents.size()];
        array.contents.read(0, &mut bytes);
        bytes
    }

    #[test]
    fn floats_become_others_and_nothing_else_does() {
        let floats = bytes(array(Element::F32, false));
        let floats: Vec<f32> = floats.chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
        assert!(floats.iter().all(|x| *x != 0.0 && x.abs() <= 1.0), "{floats:?}");
        let packed = bytes(array(Element::E2m1, false));
        assert!(packed.len() == 2 && packed != [0; 2], "{packed:?}");
        assert!(bytes(array(Element::E8m0, false)).iter().all(|byte| (125..130).contains(byte)));
        assert_eq!(bytes(array(Element::I32, false)), [0; 16]);
        assert_eq!(bytes(array(Element::F32, true)), [0; 16]);
    }
}
