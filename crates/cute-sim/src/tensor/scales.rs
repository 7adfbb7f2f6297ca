//! Scale factors of a block-scaled `tcgen05.mma`: their places in tensor memory, and the sums of
//! products that they scale.
//!
//! Row i of A, or column i of B, has `count` factors, one for each block of K. They are adjacent
//! bytes that begin in the word in lane i % 32 and column i / 32 from the address on. With K = 96
//! they continue in the word of the next four factors, which CUTLASS places 4 columns further for
//! each 128 rows. Each group of 32 lanes computes its own part of D from its own copy of them.

use super::accumulators::{Accumulators, add_scaled, single};
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
    numbers: Box<[f64; 256]>,
}

/// The factors of A or of B in a block, for each group of lanes, row after row.
#[derive(Debug)]
pub struct Factors {
    extent: usize,
    count: usize,
    values: Vec<f64>,
    /// Rows whose factors are not all defined.
    undefined: Vec<bool>,
}

/// The number of each factor of a type. A code without one is NaN.
pub(super) fn numbers(element: Element) -> Box<[f64; 256]> {
    Box::new(std::array::from_fn(|code| decode(element, code as u64).unwrap_or(f64::NAN)))
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
    fn of(&self, group: usize, row: usize) -> &[f64] {
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

/// Adds the scaled products of rows of A and columns of B to accumulators in f32, or with `fresh`
/// replaces them. `group` returns the lanes that compute an accumulator; those of `part` adjacent
/// columns are in one group.
///
/// The products of a block are summed as without factors. The sum times both factors is exact, and
/// is rounded when it is added; partial sums have the exponents of f64.
pub(super) fn multiply(
    [a, b]: [&[f32]; 2],
    [factors_a, factors_b]: [&Factors; 2],
    [n, k]: [usize; 2],
    group: impl Fn(usize) -> usize,
    fresh: bool,
    accumulators: &mut Accumulators,
) {
    let Accumulators::Float(all) = accumulators else { return };
    let (count, part) = (factors_a.count, factors_b.extent);
    let (mut products, mut sums) = (vec![0.0f32; n], vec![0.0f64; n]);
    for (row, (a, results)) in a.chunks_exact(k).zip(all.chunks_exact_mut(n)).enumerate() {
        let begin = |c: &f32| if fresh { 0.0 } else { f64::from(*c) };
        sums.iter_mut().zip(&*results).for_each(|(sum, c)| *sum = begin(c));
        for block in 0..count {
            products.fill(0.0);
            let of_k = block * k / count..(block + 1) * k / count;
            for (a, b) in a[of_k.clone()].chunks_exact(4).zip(b[of_k.start * n..].chunks_exact(4 * n)) {
                add_scaled(&mut products, a, b);
            }
            for first in (0..n).step_by(part) {
                let group = group(row * n + first);
                let of_a = factors_a.of(group, row)[block];
                for i in 0..part {
                    let scale = of_a * factors_b.of(group, i)[block];
                    let sum = &mut sums[first + i];
                    *sum = single(*sum + f64::from(products[first + i]) * scale);
                }
            }
        }
        results.iter_mut().zip(&sums).for_each(|(result, sum)| *result = *sum as f32);
    }
}
