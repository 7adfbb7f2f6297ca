//! `wgmma`: the product of two tiles by the four warps of a warpgroup, computed as a whole.
//!
//! Sums of floats follow the rules of [`sums`](crate::tensor::sums). Those of integers are exact;
//! the sum wraps, or with `.satfinite` is clamped once, at the end. NaN is the canonical one: all
//! ones except the sign. The metadata of a sparse A are in `sparse`.

mod sparse;

pub(super) use sparse::Columns;

use crate::tensor::accumulators::{Accumulators, integers};
use crate::tensor::fragment::at_all;
use crate::tensor::sums::{Evidence, Product, Query, Row, Sums, Unit, Window};
use crate::tensor::tile::{Decoder, SmemTile, gather, sign};
use crate::tensor::tiles::Tile;
use cute_arch::atoms::{Instruction, Major, MmaAtom, MmaOp, MmaQuery, NoSuchAtom, Operand, Space};
use sparse::Sparsity;
use std::{collections::HashMap, sync::OnceLock};

/// With a dense A, and with a sparse one.
const INSTRUCTIONS: [Instruction; 2] = [Instruction::WGMMA, Instruction::WGMMA.sparse()];

/// The unit of `wgmma` with a dense A.
pub(crate) static DENSE: Unit = Unit {
    name: "wgmma",
    row: |_, query| match (query.are_fp8(), query.shape[2]) {
        (true, k) => Row::windows(Window::short(k), Evidence::Measured),
        (false, k) => Row::windows(Window::wide(k, query), Evidence::Modelled),
    },
};

/// The same with a sparse A, of which half of K is stored: it adds as many products as with a dense
/// one. No words are published, nor a model.
static SPARSE: Unit = Unit {
    name: "wgmma.sp",
    row: |device, query| {
        let [m, n, k] = query.shape;
        let stored = Query { shape: [m, n, k / 2], ..*query };
        Row { evidence: Evidence::Assumed, ..(DENSE.row)(device, &stored) }
    },
};

/// Threads of a warpgroup.
const GROUP_LANES: usize = 128;

/// The operands of an MMA that it has not read.
#[derive(Debug)]
pub(super) struct Operands {
    pub(super) a: Matrix,
    /// The columns of the elements of A that are stored, if it is sparse.
    pub(super) columns: Option<Columns>,
    pub(super) b: Tile,
    /// For A and B: whether their elements are negated, and their contiguous modes.
    pub(super) negate: [bool; 2],
    pub(super) majors: [Major; 2],
}

/// A of an MMA.
#[derive(Debug)]
pub(super) enum Matrix {
    /// From registers, which must not change.
    Numbers(Vec<f32>),
    Tile(Tile),
}

impl Operands {
    /// The tiles that the MMA reads.
    pub(super) fn tiles(&self) -> impl Iterator<Item = &Tile> {
        let a = match &self.a {
            Matrix::Tile(tile) => Some(tile),
            Matrix::Numbers(_) => None,
        };
        a.into_iter().chain([&self.b])
    }
}

/// An atom of a warpgroup, ready to execute.
#[derive(Debug)]
pub struct Wgmma {
    atom: &'static MmaAtom,
    /// For each value of C in each thread, its place in the matrix, row after row; the threads of a
    /// value are adjacent.
    c: Vec<u32>,
    /// The same for A, if it is in registers.
    a: Vec<u32>,
    /// Elements of A that are stored in a row.
    stored: usize,
    sparsity: Option<Sparsity>,
    decode_a: Decoder,
    decode_b: Decoder,
}

impl Wgmma {
    /// The model of an atom; `None` if it is not one `wgmma`.
    pub fn of(atom: &MmaAtom) -> Option<&'static Self> {
        type Model = (&'static MmaAtom, OnceLock<Option<Wgmma>>);
        static MODELS: OnceLock<HashMap<&'static str, Model>> = OnceLock::new();
        let model = |atom: &'static MmaAtom| (atom.name.as_str(), (atom, OnceLock::new()));
        let models =
            MODELS.get_or_init(|| INSTRUCTIONS.iter().flat_map(|of| of.atoms()).map(model).collect());
        let (atom, model) = models.get(atom.name.as_str())?;
        model.get_or_init(|| Wgmma::new(atom)).as_ref()
    }

    /// The model of the instruction with this PTX spelling, with A in registers or shared memory;
    /// the error names the unsupported field.
    pub fn by_ptx(query: &MmaQuery, a: Space) -> Result<Option<&'static Self>, NoSuchAtom> {
        let fits = |atom: &&MmaAtom| {
            atom.shape == query.shape
                && [atom.d, atom.a.element, atom.b.element, atom.c.element] == query.types
                && atom.op == query.op
                && atom.a.from == a
        };
        match query.instruction.atoms().find(fits) {
            Some(atom) => Ok(Self::of(atom)),
            None => query.find().map(|_| None),
        }
    }

    fn new(atom: &'static MmaAtom) -> Option<Self> {
        if !INSTRUCTIONS.contains(&atom.instruction) {
            return None;
        }
        let [m, n, k] = atom.shape.map(|extent| extent as usize);
        let places = |operand: &Operand, columns: usize| -> Option<Vec<u32>> {
            // Column-major in M rows. A value of a sparse A is one of several adjacent elements.
            let per_value = operand.per_value as usize;
            let place = |index: &i64| {
                let (row, column) = (*index as usize % m, *index as usize / m / per_value);
                (row * columns + column) as u32
            };
            let all = at_all(&operand.layout)?;
            let values = all.chunks_exact(GROUP_LANES).step_by(per_value);
            let all: Vec<u32> = values.flatten().map(place).collect();
            (all.len() == m * columns).then_some(all)
        };
        let stored = k / atom.a.per_value as usize;
        let sparsity = Sparsity::of(atom);
        if atom.instruction.sparse != sparsity.is_some() {
            return None;
        }
        Some(Wgmma {
            atom,
            c: places(&atom.c, n)?,
            a: if atom.a.from == Space::Register { places(&atom.a, stored)? } else { Vec::new() },
            stored,
            sparsity,
            decode_a: Decoder::new(atom.a.element, atom.a.bits)?,
            decode_b: Decoder::new(atom.b.element, atom.b.bits)?,
        })
    }

    /// The row of the table of atoms that describes the instruction.
    pub fn atom(&self) -> &'static MmaAtom {
        self.atom
    }

    /// 32-bit registers that a thread holds its part of A in, if any, and of C.
    pub fn registers(&self) -> [usize; 2] {
        let values = |places: &[u32], bits: u32| places.len() / GROUP_LANES * bits as usize / 32;
        [values(&self.a, self.atom.a.element.bits()), values(&self.c, self.atom.d.bits())]
    }

    /// The metadata, if A is sparse.
    pub fn sparsity(&self) -> Option<&Sparsity> {
        self.sparsity.as_ref()
    }

    /// Elements of A that are stored in a row: K, or if it is sparse half of that.
    pub fn stored(&self) -> usize {
        self.stored
    }

    /// Accumulators that are all zero.
    pub fn zero(&self) -> Accumulators {
        let [m, n, _] = self.atom.shape.map(|extent| extent as usize);
        Accumulators::zero(self.atom.d, m * n)
    }

    /// Bits of an element of C.
    pub fn sum_bits(&self) -> u32 {
        self.atom.d.bits()
    }

    /// The place in the matrix of value `value` of a thread's part of C.
    pub fn place(&self, value: usize, thread: usize) -> usize {
        self.c[value * GROUP_LANES + thread] as usize
    }

    /// The row of A for value `value` of a thread's part of it.
    pub fn row_of_a(&self, value: usize, thread: usize) -> usize {
        self.a[value * GROUP_LANES + thread] as usize / self.stored
    }

    /// The code of a sum.
    pub fn code(&self, accumulators: &Accumulators, place: usize) -> u32 {
        accumulators.code(self.atom.d, place)
    }

    /// Sets a sum from its code.
    pub fn set_code(&self, accumulators: &mut Accumulators, place: usize, code: u32) {
        accumulators.set_code(self.atom.d, place, code);
    }

    /// The stored elements of A, row after row, from the 32-bit registers of 128 threads, thread by
    /// thread; negated or not.
    pub fn a_of_registers(&self, words: &[u32], negate: bool) -> Vec<f32> {
        let (m, k) = (self.atom.shape[0] as usize, self.stored);
        let bits = self.atom.a.element.bits() as usize;
        let (per_word, registers) = (32 / bits, self.registers()[0]);
        let mut rows = vec![0.0; m * k];
        for (i, place) in self.a.iter().enumerate() {
            let (value, thread) = (i / GROUP_LANES, i % GROUP_LANES);
            let word = words[thread * registers + value / per_word];
            let code = word >> (value % per_word * bits) & (u32::MAX >> (32 - bits));
            rows[*place as usize] = sign(self.decode_a.number(code), negate);
        }
        rows
    }

    /// The same from shared memory. `memory` begins where the tile's runs count from.
    fn a_of_tile(&self, tile: &SmemTile, major: Major, memory: &[u8], negate: bool) -> Vec<f32> {
        let (m, k) = (self.atom.shape[0] as usize, self.stored);
        let mut rows = vec![0.0; m * k];
        gather(&self.decode_a, tile, memory, [m, k], major, |i, j, x| rows[i * k + j] = sign(x, negate));
        rows
    }

    /// B, along N for each of K, likewise.
    fn b_of_tile(&self, tile: &SmemTile, major: Major, memory: &[u8], negate: bool) -> Vec<f32> {
        let [_, n, k] = self.atom.shape.map(|extent| extent as usize);
        let mut columns = vec![0.0; n * k];
        gather(&self.decode_b, tile, memory, [n, k], major, |i, j, x| columns[j * n + i] = sign(x, negate));
        columns
    }

    /// The instruction, as far as its sums depend on it.
    pub(crate) fn query(&self) -> Query {
        let MmaAtom { shape, a, b, d, .. } = self.atom;
        let shape = shape.map(|extent| extent as usize);
        let (a, b, d) = (a.element, b.element, *d);
        let unit = if self.sparsity.is_some() { &SPARSE } else { &DENSE };
        Query { unit, a, b, d, shape, scaled: false, packed: false }
    }

    /// Reads the operands, and adds the MMA to the accumulators, or with `fresh` replaces them by
    /// it. `memory` has the bytes of a tile from its origin on.
    pub(super) fn execute<'m>(
        &self,
        operands: Operands,
        memory: impl Fn(&Tile) -> &'m [u8],
        (fresh, sums): (bool, Sums),
        accumulators: &mut Accumulators,
    ) {
        let Operands { a, columns, b, negate, majors } = operands;
        let a = match a {
            Matrix::Numbers(rows) => rows,
            Matrix::Tile(own) => self.a_of_tile(&own.tile, majors[0], memory(&own), negate[0]),
        };
        let b = self.b_of_tile(&b.tile, majors[1], memory(&b), negate[1]);
        self.multiply([&a, &b], columns.as_deref(), (fresh, sums), accumulators);
    }

    /// Adds the MMA to the accumulators, or with `fresh` replaces them by it. `columns` has those
    /// of the stored elements of a sparse A.
    pub fn multiply(
        &self,
        matrices: [&[f32]; 2],
        columns: Option<&[u16]>,
        (fresh, sums): (bool, Sums),
        accumulators: &mut Accumulators,
    ) {
        let (n, k) = (self.atom.shape[1] as usize, self.stored);
        match accumulators {
            Accumulators::Int(values) => {
                let saturates = self.atom.op == MmaOp::MulAddSaturate;
                let add = |matrices: [&[f32]; 2], values: &mut [i32]| {
                    integers(matrices, [n, k], saturates, fresh, values);
                };
                add_rows(matrices, columns, [n, k], values, add);
            }
            Accumulators::Float(values) => {
                let types = [self.atom.a.element, self.atom.b.element, self.atom.d];
                let product = Product { rule: sums.row(&self.query()).rule, types, n, k };
                let add = |matrices: [&[f32]; 2], values: &mut [f32]| {
                    product.add(matrices, None, fresh, values);
                };
                add_rows(matrices, columns, [n, k], values, add);
            }
        }
    }
}

/// Adds products of matrices: at once, or for a sparse A row by row, each times the rows of B that
/// its stored elements meet. The elements that are 0 multiply nothing, not even an infinity.
fn add_rows<T>(
    [a, b]: [&[f32]; 2],
    columns: Option<&[u16]>,
    [n, k]: [usize; 2],
    sums: &mut [T],
    add: impl Fn([&[f32]; 2], &mut [T]),
) {
    let Some(columns) = columns else { return add([a, b], sums) };
    let rows = a.chunks_exact(k).zip(columns.chunks_exact(k));
    let mut met = Vec::with_capacity(k * n);
    for ((a, columns), sums) in rows.zip(sums.chunks_exact_mut(n)) {
        met.clear();
        columns.iter().for_each(|column| met.extend_from_slice(&b[usize::from(*column) * n..][..n]));
        add([a, &met], sums);
    }
}
