//! Compares the results of two places for the same arrays.

use crate::{
    array::Array,
    element::{Difference, Element},
};
use cute_sim::accuracy::Accuracy;
use serde::Serialize;
use std::{collections::BTreeMap, fmt};

/// An array of the GPU compared with the simulator's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Its name and type.
    pub array: String,
    /// The number of elements that were compared.
    pub elements: usize,
    /// The allowed difference of an element, relative to the larger of 1 and the simulator's value.
    pub tolerance: f64,
    /// Whether all bits are the same.
    pub is_bitwise: bool,
    /// Elements beyond the tolerance.
    pub beyond: usize,
    /// Largest `|gpu - simulator|`; null if one of the two is not a number.
    pub max_absolute: f64,
    /// Largest `|gpu - simulator| / |simulator|`.
    pub max_relative: f64,
    /// The first element beyond the tolerance.
    pub first: Option<First>,
}

/// An element that is different.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct First {
    pub at: Vec<usize>,
    pub gpu: String,
    pub simulator: String,
}

/// The default tolerance for approximate instructions: the error that PTX documents for results
/// near 1, once per instruction, and one unit of the array's type, because a small difference can
/// change its rounding. 0 without such instructions.
pub fn documented(approximate: &[Accuracy], element: Element) -> f64 {
    let mut worst = BTreeMap::<&str, f64>::new();
    for accuracy in approximate {
        let error = worst.entry(accuracy.instruction).or_default();
        *error = error.max(accuracy.allows(1.0));
    }
    if worst.is_empty() { 0.0 } else { worst.values().sum::<f64>() + element.epsilon() }
}

/// Compares an array, row by row: an element may differ by `tolerance * max(1, |simulator|)`. NaN
/// equals NaN.
pub fn compare(array: &Array, gpu: &[u8], simulator: &[u8], tolerance: f64) -> Comparison {
    let mut comparison = Comparison::of(array, tolerance);
    comparison.compare(array, 0, gpu, simulator);
    comparison
}

impl Comparison {
    /// Without a difference.
    pub(crate) fn of(array: &Array, tolerance: f64) -> Self {
        Self {
            array: format!("{}: {}[{}]", array.name, array.element, extents(&array.shape)),
            elements: array.shape.iter().product(),
            tolerance,
            is_bitwise: true,
            beyond: 0,
            max_absolute: 0.0,
            max_relative: 0.0,
            first: None,
        }
    }

    /// Adds a part of the array, whose first element has this number, counted row by row.
    pub(crate) fn compare(&mut self, array: &Array, first: usize, gpu: &[u8], simulator: &[u8]) {
        let size = array.element.bytes();
        let pairs = gpu.chunks_exact(size).zip(simulator.chunks_exact(size));
        for (i, (a, b)) in (first..).zip(pairs).filter(|(_, (a, b))| a != b) {
            self.is_bitwise = false;
            let difference = array.element.difference(a, b);
            self.add(&difference);
            let Difference { values: [gpu, simulator], absolute, size } = difference;
            if !absolute.is_finite() || absolute > self.tolerance * size.max(1.0) {
                self.beyond += 1;
                self.first.get_or_insert_with(|| First { at: place(i, &array.shape), gpu, simulator });
            }
        }
    }

    fn add(&mut self, difference: &Difference) {
        // Unlike f64::max, this keeps NaN.
        let max = |a: f64, b: f64| if a.is_nan() || b <= a { a } else { b };
        self.max_absolute = max(self.max_absolute, difference.absolute);
        self.max_relative = max(self.max_relative, difference.relative());
    }
}

/// `128x64`.
pub(crate) fn extents(shape: &[usize]) -> String {
    shape.iter().map(ToString::to_string).collect::<Vec<_>>().join("x")
}

/// The coordinate of an element, row-major.
pub(crate) fn place(mut i: usize, shape: &[usize]) -> Vec<usize> {
    let mut at = vec![0; shape.len()];
    for (c, extent) in at.iter_mut().zip(shape).rev() {
        (*c, i) = (i % extent, i / extent);
    }
    at
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { array, elements, tolerance, is_bitwise, beyond, max_absolute, max_relative, first } = self;
        write!(f, "{array}: ")?;
        match first {
            None if *is_bitwise => write!(f, "all {elements} elements have the simulator's bits")?,
            None if *max_absolute == 0.0 => write!(f, "all {elements} elements equal the simulator's")?,
            None => write!(f, "all {elements} elements are within the tolerance of {tolerance:e}")?,
            Some(First { at, gpu, simulator }) => write!(
                f,
                "{beyond} of {elements} elements differ, the first at {at:?}: {gpu} on the GPU, {simulator} in the \
                 simulator"
            )?,
        }
        if *max_absolute != 0.0 {
            write!(f, "; largest error {max_absolute:e}, relative {max_relative:e}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{element::Element, fill::DimensionOrder};

    fn of(gpu: [f32; 4], simulator: [f32; 4], tolerance: f64) -> Comparison {
        let bytes = |values: [f32; 4]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>();
        let (name, order) = ("y".into(), DimensionOrder::default());
        let array = Array {
            name,
            element: Element::F32,
            shape: vec![2, 2],
            contents: std::sync::Arc::new(vec![]),
            order,
            holes: vec![],
            rows: None,
            is_undefined: false,
            layout: None,
        };
        compare(&array, &bytes(gpu), &bytes(simulator), tolerance)
    }

    #[test]
    fn equal_is_equal_bits_or_equal_numbers() {
        let text = of([1.0, 0.0, f32::NAN, 3.0], [1.0, -0.0, -f32::NAN, 3.0], 0.0).to_string();
        assert_eq!(text, "y: f32[2x2]: all 4 elements equal the simulator's");
        let text = of([1.0, -0.0, f32::NAN, 3.0], [1.0, -0.0, f32::NAN, 3.0], 0.5).to_string();
        assert_eq!(text, "y: f32[2x2]: all 4 elements have the simulator's bits");
    }

    #[test]
    fn the_tolerance_is_relative_above_one_and_absolute_below() {
        let [gpu, simulator] = [[1.0, 0.25, 5.0, 3.0], [1.0, 0.0, 4.0, 3.0]];
        assert_eq!(of(gpu, simulator, 0.25).beyond, 0);
        assert_eq!(
            of(gpu, simulator, 0.2).to_string(),
            "y: f32[2x2]: 2 of 4 elements differ, the first at [0, 1]: 0.25 on the GPU, 0 in the simulator; largest \
             error 1e0, relative inf"
        );
        assert_eq!(
            of([1.0, 2.0, 5.0, 3.0], [1.0, 2.0, 4.0, 3.0], 0.25).to_string(),
            "y: f32[2x2]: all 4 elements are within the tolerance of 2.5e-1; largest error 1e0, relative 2.5e-1"
        );
    }

    #[test]
    fn approximate_instructions_have_a_tolerance_of_their_own() {
        let of = |names: &[&str]| -> Vec<_> {
            names.iter().flat_map(|name| cute_sim::accuracy::accuracies(name)).copied().collect()
        };
        assert_eq!(documented(&[], Element::F16), 0.0);
        let unit = f64::from(f32::EPSILON);
        assert_eq!(documented(&of(&["ex2.approx.f32"]), Element::F32), 3.0 * unit);
        assert_eq!(documented(&of(&["ex2.approx.f32", "rcp.approx.f32"]), Element::I32), 3.0 * unit);
        // If there are several ranges of operands, the worst one counts.
        let sine = documented(&of(&["sin.approx.f32"]), Element::F16);
        assert!((1.01e-3..1.02e-3).contains(&sine), "{sine}");
    }

    #[test]
    fn what_is_no_number_is_beyond_any_tolerance() {
        let infinite = of([1.0, 2.0, 3.0, 4.0], [1.0, f32::INFINITY, 3.0, 4.0], 1.0);
        let none = of([f32::NAN, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.5], 1.0);
        assert_eq!((infinite.beyond, none.beyond), (1, 1));
        assert!(none.max_absolute.is_nan());
    }
}
