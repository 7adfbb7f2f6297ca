//! Scale factors of a block-scaled `tcgen05.mma`: their places in tensor memory.
//!
//! Row i of A, or column i of B, has `count` factors, one for each block of K. They are adjacent
//! bytes that begin in the word in lane i % 32 and column i / 32 from the address on. With K = 96
//! they continue in the word of the next four factors, which CUTLASS places 4 columns further for
//! each 128 rows. Each group of 32 lanes computes its own part of D from its own copy of them.

use super::sums::Factored;
use super::sums::number::{exponent, least};
use super::tmem::{Rect, TENSOR_COLUMNS, TENSOR_LANES};
use cute_arch::{Element, atoms::DescribedScales};
use cute_machine::format::decode;

/// Lanes that have a copy of the factors of their own.
const GROUP: u32 = 32;

/// The factors of an instruction.
#[derive(Debug)]
pub struct ScaleFactors {
    described: DescribedScales,
    /// Rows of A in a block, and columns of B that a group of lanes multiplies.
    extents: [u32; 2],
    numbers: Box<[Factor; 256]>,
}

/// A scale factor: a significand times a power of 2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Factor {
    /// The exponent, as it is encoded.
    pub(crate) exponent: i32,
    /// The significand: 0, or below 2, or NaN.
    pub(crate) significand: f64,
    /// Whether the type has significands other than 1.
    pub(crate) has_significand: bool,
}

impl Factor {
    /// The factor 1.
    pub(crate) const ONE: Factor = Factor { exponent: 0, significand: 1.0, has_significand: false };

    /// The factor with a code of a type. One without a number is NaN.
    pub(crate) fn of(element: Element, code: u8) -> Self {
        let number = decode(element, code.into()).unwrap_or(f64::NAN);
        if element == Element::Ue8m0 {
            let significand = if number.is_nan() { number } else { 1.0 };
            return Factor { exponent: i32::from(code) - 127, significand, has_significand: false };
        }
        let exponent = exponent(number as f32, least(element)).clamp(least(element), 127).into();
        Factor { exponent, significand: number / f64::from(exponent).exp2(), has_significand: true }
    }

    /// Its value.
    pub(crate) fn number(self) -> f64 {
        self.significand * f64::from(self.exponent).exp2()
    }
}

/// The factors of A or of B in a block, for each group of lanes, row after row.
#[derive(Debug)]
pub struct Factors {
    extent: usize,
    count: usize,
    values: Vec<Factor>,
    /// Rows whose factors are not all defined.
    undefined: Vec<bool>,
}

/// The number of each factor of a type. A code without one is NaN.
pub(crate) fn numbers(element: Element) -> Box<[Factor; 256]> {
    Box::new(std::array::from_fn(|code| Factor::of(element, code as u8)))
}

impl ScaleFactors {
    /// The factors that a descriptor describes, of this many rows of A and columns of B.
    pub fn new(described: DescribedScales, extents: [u32; 2]) -> Self {
        ScaleFactors { described, extents, numbers: numbers(described.element) }
    }

    /// The type of a factor.
    pub fn element(&self) -> Element {
        self.described.element
    }

    /// The byte of a word with the first factor of A (0) or of B (1).
    pub fn first_byte(&self, matrix: usize) -> u32 {
        self.described.first[matrix]
    }

    /// Columns of B that a group of lanes multiplies.
    pub fn columns_of_b(&self) -> usize {
        self.extents[1] as usize
    }

    /// The words with factors of A (0) or of B (1), from their address on.
    pub fn rects(&self, matrix: usize) -> impl Iterator<Item = Rect> + Clone + use<> {
        let extent = self.extents[matrix];
        let columns = extent.div_ceil(GROUP);
        let lanes = extent.min(GROUP);
        let (words, step) =
            ((self.described.first[matrix] + self.described.count).div_ceil(4), step_of(extent));
        let groups = (0..TENSOR_LANES).step_by(GROUP as usize);
        groups.flat_map(move |lane| {
            (0..words).map(move |word| Rect { lane, lanes, column: word * step, columns })
        })
    }

    /// The factors of A (0) or of B (1). `word` returns what a word holds, given its distance from
    /// the one at the address, and the bytes of it that are defined.
    pub fn read(&self, matrix: usize, word: impl Fn(usize) -> (u32, u8)) -> Factors {
        let (extent, count) = (self.extents[matrix], self.described.count);
        let (mut values, mut undefined) = (Vec::new(), Vec::new());
        for group in (0..TENSOR_LANES).step_by(GROUP as usize) {
            for i in 0..extent {
                let (lane, column) = (group + i % GROUP, i / GROUP);
                let mut is_undefined = false;
                for byte in self.described.first[matrix]..self.described.first[matrix] + count {
                    let at = lane * TENSOR_COLUMNS + column + byte / 4 * step_of(extent);
                    let (codes, defined) = word(at as usize);
                    is_undefined |= defined >> (byte % 4) & 1 == 0;
                    values.push(self.numbers[(codes >> (8 * (byte % 4))) as usize & 255]);
                }
                undefined.push(is_undefined);
            }
        }
        Factors { extent: extent as usize, count: count as usize, values, undefined }
    }
}

/// Columns from the word of four factors to that of the next four, for this many rows.
fn step_of(extent: u32) -> u32 {
    4 * extent.div_ceil(4 * GROUP)
}

impl Factors {
    /// The factors of a row, in a group of lanes.
    fn of(&self, group: usize, row: usize) -> &[Factor] {
        let at = (group * self.extent + row) * self.count;
        &self.values[at..at + self.count]
    }

    /// Whether all factors of a row are defined, in a group of lanes.
    pub fn are_defined(&self, group: usize, row: usize) -> bool {
        !self.undefined[group * self.extent + row]
    }
}

/// The group of lanes of a word of tensor memory.
pub fn group_of(word: u32) -> usize {
    (word / TENSOR_COLUMNS / GROUP) as usize
}

/// The factors of a matrix of the result in tensor memory.
#[derive(Debug)]
pub(crate) struct OfBlock<'f> {
    /// Those of A and of B.
    pub(crate) factors: [&'f Factors; 2],
    /// For each row, the lanes that compute the first column and each part of the columns.
    pub(crate) groups: Vec<u8>,
}

impl Factored for OfBlock<'_> {
    fn count(&self) -> usize {
        self.factors[0].count
    }

    fn of(&self, row: usize, column: usize, block: usize) -> [Factor; 2] {
        let [a, b] = self.factors;
        let parts = self.groups.len() / (a.extent);
        let group = usize::from(self.groups[row * parts + column / b.extent]);
        [a.of(group, row)[block], b.of(group, column % b.extent)[block]]
    }
}
