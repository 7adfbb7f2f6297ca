//! `tcgen05.mma`: the product of two tiles, by the tensor core of a block or of a pair. Sums of
//! floats follow the rules of [`sums`](crate::tensor::sums); those of integers are exact.

use crate::tensor::accumulators::{Accumulators, integers};
use crate::tensor::fragment::at_all;
use crate::tensor::scales::{Factors, OfBlock, ScaleFactors, group_of};
use crate::tensor::sums::{Evidence, Factored, Product, Query, Row, Sums, Unit, Window};
use crate::tensor::tile::{Decoder, SmemTile, gather, sign};
use crate::tensor::tmem::{Rect, TENSOR_COLUMNS, rects};
use cute_algebra::{Layout, Tuple};
use cute_arch::{
    Element,
    atoms::{InstructionDescriptor, Tcgen05Group, Tcgen05Kind},
    tmem::{TmemAlloc, fragment, lane_stride},
};

/// The unit of `tcgen05.mma`.
pub(crate) static UNIT: Unit = Unit { name: "tcgen05.mma", row };

fn row(device: (u32, u32), query: &Query) -> Row {
    let k = query.shape[2];
    // No words of B300 and Thor are published, nor a model of them.
    let evidence = if device == (10, 0) && k <= 32 { Evidence::Measured } else { Evidence::Assumed };
    Row::windows(Window::wide(k.min(32), query), evidence)
}

/// The operation of an instruction descriptor, ready to execute.
#[derive(Debug)]
pub(crate) struct Tcgen05Mma {
    descriptor: InstructionDescriptor,
    group: Tcgen05Group,
    /// Bits of an element of A or B.
    bits: u32,
    /// For each element of D in a block, row after row, its word from the start of the matrix.
    d: Vec<u32>,
    d_rects: Vec<Rect>,
    /// For each element of A in a block's tensor memory, row after row, its word and its bit there;
    /// empty if A cannot be in tensor memory.
    a: Vec<(u32, u32)>,
    a_rects: Vec<Rect>,
    decode_a: Decoder,
    decode_b: Decoder,
    scales: Option<ScaleFactors>,
}

/// For each element of a fragment with this number of rows, row after row, its lane and its bit
/// there.
fn places(layout: &Layout<i64>, rows: usize, bits: u32) -> Option<Vec<(u32, u32)>> {
    let all = at_all(&layout.mode(0).ok()?.to_owned())?;
    let (lane, columns) = (lane_stride(bits.into()), all.len() / rows);
    let place = |at: i64| ((at / lane) as u32, (at % lane) as u32 * bits);
    // Column-major in the rows.
    Some((0..all.len()).map(|i| place(all[i % columns * rows + i / columns])).collect())
}

impl Tcgen05Mma {
    /// The model of a descriptor; `None` if its matrices have no place in tensor memory.
    pub fn new(descriptor: InstructionDescriptor, kind: Tcgen05Kind, group: Tcgen05Group) -> Option<Self> {
        let [m, n, k] = descriptor.shape.map(i64::from);
        let rows = m / i64::from(group.ctas());
        let shape = |columns: i64| Tuple::from_modes([Tuple::from_leaves([rows, columns])]);
        // Matrices of a pair that do not fill the lanes have their columns split one above the
        // other; so do those of `.ws`.
        let above = group != Tcgen05Group::One && rows < 128;
        let d = fragment(&shape(n), 32, 32, TmemAlloc::Interleaved, above).ok()?;
        let d = places(&d, rows as usize, 32)?;
        let element_bits = kind.row().bits;
        let is_wide = descriptor.shape[2] != kind.k();
        let a = if kind.fills(descriptor.a)
            && !is_wide
            && !(group == Tcgen05Group::WeightStationary && rows < 128)
        {
            let bits = element_bits.into();
            let pair = group == Tcgen05Group::Pair;
            let a = fragment(&shape(k), bits, bits, TmemAlloc::of_a(pair), pair).ok()?;
            // For 64 rows of a pair there are two copies, row after row.
            let copies = if pair && rows == 64 { 2 } else { 1 };
            places(&a, rows as usize * copies, element_bits)?
        } else {
            Vec::new()
        };
        let word = |(lane, bit): &(u32, u32)| lane * TENSOR_COLUMNS + bit / 32;
        let columns = (if above { n / 2 } else { n }) as u32;
        let scales = descriptor.scales.map(|scales| ScaleFactors::new(scales, [rows as u32, columns]));
        Some(Tcgen05Mma {
            descriptor,
            group,
            bits: element_bits,
            d_rects: rects(d.iter().map(|(lane, bit)| (*lane, bit / 32))),
            d: d.iter().map(word).collect(),
            a_rects: rects(a.iter().map(|(lane, bit)| (*lane, bit / 32))),
            a: a.iter().map(|place| (word(place), place.1 % 32)).collect(),
            decode_a: Decoder::new(descriptor.a, element_bits)?,
            decode_b: Decoder::new(descriptor.b, element_bits)?,
            scales,
        })
    }

    /// The instruction descriptor that the kernel passed.
    pub fn descriptor(&self) -> &InstructionDescriptor {
        &self.descriptor
    }

    /// A shape whose scale factors PTX and CUTLASS do not place. Those of K = 96 reach the next
    /// word, which is known for blocks of 128 rows, and for 192 columns in the place of 256.
    pub fn unknown_factors(&self) -> Option<String> {
        let [m, n, k] = self.descriptor.shape;
        let rows = self.parts()[0];
        let is_known = rows == 128 && [128, 192, 256].contains(&n);
        let reaches = self.descriptor.scales.is_some_and(|scales| !4u32.is_multiple_of(scales.count));
        (reaches && !is_known).then(|| {
            format!("K = {k} with M = {m} and N = {n}: scale factors are known for 128 rows in a block and 128, 192 or 256 columns")
        })
    }

    /// The blocks that multiply.
    pub fn group(&self) -> Tcgen05Group {
        self.group
    }

    /// Rows of A and columns of B in a block's shared memory.
    pub fn parts(&self) -> [u32; 2] {
        [self.descriptor.shape[0], self.descriptor.shape[1]].map(|extent| extent / self.group.ctas())
    }

    /// Bits of an element of A or B.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Bits of an element of D.
    fn sum_bits(&self) -> u32 {
        if self.descriptor.d == Element::F16 { 16 } else { 32 }
    }

    /// The words of D in a block, from where it begins.
    pub fn d_rects(&self) -> &[Rect] {
        &self.d_rects
    }

    /// The same for A; empty if A cannot be in tensor memory.
    pub fn a_rects(&self) -> &[Rect] {
        &self.a_rects
    }

    /// For each element of D in a block, row after row, its word from the start of the matrix:
    /// lanes times 512, plus columns.
    pub fn d(&self) -> &[u32] {
        &self.d
    }

    /// The same for each element of A in tensor memory, with its first bit there. If each half of
    /// the lanes holds all rows, they occur twice, and each copy is for the columns of D on the
    /// same lanes.
    pub fn a(&self) -> &[(u32, u32)] {
        &self.a
    }

    /// A of a block, row after row, from shared memory. `memory` begins at the origin of the tile's
    /// runs.
    pub fn a_of_tile(&self, tile: &SmemTile, memory: &[u8]) -> Vec<f32> {
        let (k, [rows, _]) = (self.descriptor.shape[2] as usize, self.parts());
        let (major, negate) = (self.descriptor.majors[0], self.descriptor.negate[0]);
        let mut a = vec![0.0; rows as usize * k];
        gather(&self.decode_a, tile, memory, [rows as usize, k], major, |i, j, x| {
            a[i * k + j] = sign(x, negate);
        });
        a
    }

    /// The same from the words of tensor memory at which its elements begin, in the order of
    /// [`a`](Self::a).
    pub fn a_of_words(&self, words: impl Iterator<Item = u32>) -> Vec<f32> {
        let mask = u32::MAX >> (32 - self.bits);
        let number = |((_, bit), word): (&(u32, u32), u32)| {
            sign(self.decode_a.number(word >> bit & mask), self.descriptor.negate[0])
        };
        self.a.iter().zip(words).map(number).collect()
    }

    /// Writes the block's columns of B, along N for each of K, to the B of all blocks.
    pub fn b_of_tile(&self, tile: &SmemTile, memory: &[u8], block: usize, b: &mut [f32]) {
        let [_, n, k] = self.descriptor.shape.map(|extent| extent as usize);
        let (major, negate) = (self.descriptor.majors[1], self.descriptor.negate[1]);
        let columns = self.parts()[1] as usize;
        let first = block * columns;
        gather(&self.decode_b, tile, memory, [columns, k], major, |i, j, x| {
            b[j * n + first + i] = sign(x, negate);
        });
    }

    /// The accumulators of a block, from the words of its D.
    pub fn accumulators(&self, words: impl Iterator<Item = u32>) -> Accumulators {
        let d = self.descriptor.d;
        let mut accumulators = Accumulators::zero(d, self.d.len());
        let mask = u32::MAX >> (32 - self.sum_bits());
        words.enumerate().for_each(|(place, word)| accumulators.set_code(d, place, word & mask));
        accumulators
    }

    /// The instruction, as far as its sums depend on it.
    pub(crate) fn query(&self) -> Query {
        let InstructionDescriptor { shape, a, b, d, .. } = self.descriptor;
        let (shape, scaled) = (shape.map(|extent| extent as usize), self.scales.is_some());
        Query { unit: &UNIT, a, b, d, shape, scaled, packed: self.bits == 4 }
    }

    /// Adds the MMA of the block's rows to the accumulators, or with `fresh` replaces them by it.
    /// With scale factors, they are those of A and of B.
    pub fn multiply(
        &self,
        [a, b]: [&[f32]; 2],
        factors: Option<&[Factors; 2]>,
        (fresh, sums): (bool, Sums),
        accumulators: &mut Accumulators,
    ) {
        let InstructionDescriptor { shape: [_, n, k], d, saturates, a: of_a, b: of_b, .. } = self.descriptor;
        let [n, k] = [n as usize, k as usize];
        match accumulators {
            Accumulators::Int(values) => integers([a, b], [n, k], saturates, fresh, values),
            Accumulators::Float(values) => {
                let factors = factors.map(|[a, b]| self.of_block([a, b]));
                let factors = factors.as_ref().map(|factors| -> &dyn Factored { factors });
                let product = Product { rule: sums.row(&self.query()).rule, types: [of_a, of_b, d], n, k };
                product.add([a, b], factors, fresh, values);
            }
        }
    }

    /// The factors of each element of a block's D.
    fn of_block<'f>(&self, factors: [&'f Factors; 2]) -> OfBlock<'f> {
        let (n, part) = (self.descriptor.shape[1] as usize, self.scales().map(ScaleFactors::columns_of_b));
        let first = self.d.iter().step_by(part.unwrap_or(n));
        OfBlock { factors, groups: first.map(|word| group_of(*word) as u8).collect() }
    }

    /// The scale factors, if the instruction has some.
    pub fn scales(&self) -> Option<&ScaleFactors> {
        self.scales.as_ref()
    }

    /// The group of lanes that computes an element of D, its row, and its column of those that the
    /// group multiplies.
    fn of_factors(&self, place: usize) -> (usize, [usize; 2]) {
        let n = self.descriptor.shape[1] as usize;
        let part = self.scales.as_ref().map_or(n, ScaleFactors::columns_of_b);
        (group_of(self.d[place]), [place / n, place % n % part])
    }

    /// Whether the scale factors of an element of D are defined.
    pub fn is_scaled_by(&self, [a, b]: &[Factors; 2], place: usize) -> bool {
        let (group, [row, column]) = self.of_factors(place);
        a.are_defined(group, row) && b.are_defined(group, column)
    }

    /// The word that a sum is written as.
    pub fn word(&self, accumulators: &Accumulators, place: usize) -> u32 {
        accumulators.code(self.descriptor.d, place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every valid descriptor has a model: its matrices have places, and their elements have
    /// distinct ones.
    #[test]
    fn every_descriptor_has_a_model() {
        let mut count = 0;
        for kind in Tcgen05Kind::ALL {
            let row = kind.row();
            let (format, a) = row.formats[0];
            let (last, _) = row.formats[row.formats.len() - 1];
            let d = match kind.accumulators(a, a)[..] {
                _ if kind.is_scaled() => 0,
                [Element::S32] => 2,
                _ => 1,
            };
            let powers = u32::from(kind.is_scaled()) << 23;
            let types = powers | d << 4 | format << 7 | last << 10;
            for group in [Tcgen05Group::One, Tcgen05Group::Pair, Tcgen05Group::WeightStationary] {
                let columns = [8, 16, 24, 32, 64, 80, 128, 256];
                for (m, n) in [32, 64, 128, 256].into_iter().flat_map(|m| columns.map(|n| (m, n))) {
                    let word = types | (n >> 3) << 17 | (m >> 4) << 24;
                    let Ok(descriptor) = InstructionDescriptor::read(word, kind, group) else { continue };
                    let model = Tcgen05Mma::new(descriptor, kind, group).expect("a model");
                    assert_eq!(model.d().len() as u32, m * n / group.ctas());
                    let words: u32 = model.d_rects().iter().map(|rect| rect.lanes * rect.columns).sum();
                    assert_eq!(words, m * n / group.ctas(), "{descriptor:?}");
                    count += 1;
                }
            }
        }
        assert!(count > 80, "{count}");
    }
}
