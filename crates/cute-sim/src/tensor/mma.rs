//! `mma.sync`: gather the fragments, multiply small dense matrices, scatter.
//!
//! Where PTX leaves the result open, it is determined as follows, for all types:
//!
//! * Floats narrower than f64: the products are exact, they are added to C in f64 by ascending k,
//!   and the sum is rounded once to D, to nearest even. PTX specifies no order and only "at least
//!   single precision" (with f16 accumulators, half). A device aligns the products of a few k and
//!   truncates, so its last bits differ. Subnormals are kept.
//! * f64: one fused multiply-add for each k, ascending, rounded to nearest even or as asked.
//! * Integers and bits: exact; the sum wraps, or with `.satfinite` is clamped once, at the end.
//! * Scale factors: the products of a block are summed in f64 by ascending k, multiplied by the
//!   product of both factors and then added to C, block after block.
//! * NaN is the canonical one: all ones except the sign.

use super::{
    LANES,
    fragment::{Fragment, Places, at_all},
    warp_scales::{Scaled, WarpScales},
};
use cute_algebra::{Layout, Tuple, complement};
use cute_arch::{
    Element,
    atoms::{Instruction, MmaAtom, MmaOp, MmaQuery, NoSuchAtom, Operand},
};
use cute_machine::exact;
use cute_machine::format::{Overflow, Rounding, decode, decode_integer, encode};
use std::{collections::HashMap, sync::OnceLock};

/// An atom of one warp, ready to execute.
#[derive(Debug)]
pub struct Mma {
    atom: &'static MmaAtom,
    a: Fragment,
    b: Fragment,
    c: Fragment,
    d: Fragment,
    /// The first lane of each of the tiles that the warp computes at once: one, or the four quad
    /// pairs of Volta.
    tiles: Vec<usize>,
    scales: Option<WarpScales>,
    decode_a: Decoder,
    decode_b: Decoder,
}

/// Codes of floats to numbers: a table, where the codes are few.
#[derive(Debug)]
enum Decoder {
    Table(Vec<f64>),
    Compute(Element),
}

impl Decoder {
    fn new(element: Element) -> Self {
        if element.float().is_some() && element.bits() <= 16 {
            Decoder::Table((0..1u64 << element.bits()).map(|code| number(element, code)).collect())
        } else {
            Decoder::Compute(element)
        }
    }

    fn decode(&self, code: u64) -> f64 {
        match self {
            Decoder::Table(numbers) => numbers[code as usize],
            Decoder::Compute(element) => number(*element, code),
        }
    }
}

/// The number of a float's code.
fn number(element: Element, code: u64) -> f64 {
    decode(element, code).expect("the matrices of an MMA of floats hold floats")
}

impl Mma {
    /// The model of an atom; `None` if the atom is not one `mma.sync`.
    ///
    /// Fragment tables are made once an atom.
    pub fn of(atom: &MmaAtom) -> Option<&'static Self> {
        type Model = (&'static MmaAtom, OnceLock<Option<Mma>>);
        static MODELS: OnceLock<HashMap<&'static str, Model>> = OnceLock::new();
        let model = |atom: &'static MmaAtom| (atom.name.as_str(), (atom, OnceLock::new()));
        let all = || INSTRUCTIONS.into_iter().flat_map(Instruction::atoms);
        let models = MODELS.get_or_init(|| all().map(model).collect());
        let (atom, model) = models.get(atom.name.as_str())?;
        model.get_or_init(|| Mma::new(atom)).as_ref()
    }

    /// The model of the instruction with this PTX spelling; the error names the unsupported field.
    pub fn by_ptx(query: &MmaQuery) -> Result<Option<&'static Self>, NoSuchAtom> {
        query.find().map(Self::of)
    }

    fn new(atom: &'static MmaAtom) -> Option<Self> {
        if !INSTRUCTIONS.contains(&atom.instruction) {
            return None;
        }
        let scales = WarpScales::new(atom);
        if scales.is_some() != atom.instruction.scaled {
            return None;
        }
        let [m, n, k] = atom.shape.map(|extent| extent as usize);
        let fragment = |operand: &Operand, rows, columns| Fragment::new(operand, &atom.thr_id, rows, columns);
        let d = Operand { element: atom.d, bits: atom.d.bits(), ..atom.c.clone() };
        let tiles: Layout<i64> = complement(&atom.thr_id, Tuple::leaf(LANES as i64).view()).ok()?;
        Some(Mma {
            atom,
            a: fragment(&atom.a, m, k)?,
            b: fragment(&atom.b, n, k)?,
            c: fragment(&atom.c, m, n)?,
            d: fragment(&d, m, n)?,
            tiles: at_all(&tiles)?.into_iter().map(|lane| lane as usize).collect(),
            scales,
            decode_a: Decoder::new(atom.a.element),
            decode_b: Decoder::new(atom.b.element),
        })
    }

    /// The row of the table of atoms that describes the instruction.
    pub fn atom(&self) -> &'static MmaAtom {
        self.atom
    }

    /// The scale factors, if the instruction has some.
    pub fn scales(&self) -> Option<&WarpScales> {
        self.scales.as_ref()
    }

    /// 32-bit registers that a lane holds A, B, C and D in.
    pub fn registers(&self) -> [usize; 4] {
        [&self.a, &self.b, &self.c, &self.d].map(|f| f.registers)
    }

    /// The elements of A, of B by their columns, or of C, in the registers of each lane; `None` if
    /// a lane's number does not add rows and columns by its bits.
    pub fn places(&self, matrix: usize) -> Option<Places> {
        let [_, n, k] = self.atom.shape.map(|extent| extent as usize);
        match matrix {
            0 => self.a.places(k),
            1 => self.b.places(k),
            _ => self.c.places(n),
        }
    }

    /// The registers of D, computed from those of A, B and C: lane by lane, in the order of
    /// [`tensor`](super).
    ///
    /// # Panics
    ///
    /// If a slice is not [`registers`](Self::registers) words for each of 32 lanes, or if the
    /// instruction has scale factors.
    pub fn execute(&self, a: &[u32], b: &[u32], c: &[u32]) -> Vec<u32> {
        self.execute_rounded(a, b, c, Rounding::NearestEven)
    }

    /// The same, with sums in f64 rounded as asked. Other sums do not depend on it.
    ///
    /// # Panics
    ///
    /// Like [`execute`](Self::execute).
    pub fn execute_rounded(&self, a: &[u32], b: &[u32], c: &[u32], rounding: Rounding) -> Vec<u32> {
        assert!(self.scales.is_none(), "{} has scale factors", self.atom.name);
        self.check_words([a, b, c]);
        let mut d = vec![0; self.d.words()];
        for &first in &self.tiles {
            match (self.atom.op, self.atom.d) {
                (MmaOp::MulAdd, Element::F64) if rounding == Rounding::NearestEven => {
                    self.floats(a, b, c, &mut d, first, |sum, a, b| a.mul_add(b, sum));
                }
                (MmaOp::MulAdd, Element::F64) => {
                    self.floats(a, b, c, &mut d, first, |sum, a, b| exact::fma(a, b, sum, rounding));
                }
                (MmaOp::MulAdd, element) if element.float().is_some() => {
                    self.floats(a, b, c, &mut d, first, |sum, a, b| sum + a * b);
                }
                (MmaOp::MulAdd | MmaOp::MulAddSaturate, _) => {
                    self.integers(a, b, c, &mut d, first, |sum, a, b| sum + a * b);
                }
                (MmaOp::XorPopc, _) => self.integers(a, b, c, &mut d, first, |sum, a, b| sum + (a ^ b)),
                (MmaOp::AndPopc, _) => self.integers(a, b, c, &mut d, first, |sum, a, b| sum + (a & b)),
            }
        }
        d
    }

    /// The same, with scale factors.
    ///
    /// # Panics
    ///
    /// If a slice is not as long as [`execute`](Self::execute) requires, if the instruction does
    /// not have scale factors, or if it does not have the [selectors](WarpScales::check).
    pub fn execute_scaled(&self, a: &[u32], b: &[u32], c: &[u32], scaled: &Scaled<'_>) -> Vec<u32> {
        let scales = self.scales.as_ref().expect("an instruction with scale factors");
        self.check_words([a, b, c]);
        let mut d = vec![0; self.d.words()];
        for &first in &self.tiles {
            let (a, b, mut sums) = self.numbers(a, b, c, first);
            scales.multiply([&a, &b], &mut sums, scaled);
            self.round(sums, &mut d, first);
        }
        d
    }

    fn check_words(&self, matrices: [&[u32]; 3]) {
        for ((registers, fragment), matrix) in matrices.iter().zip([&self.a, &self.b, &self.c]).zip('A'..) {
            assert_eq!(registers.len(), fragment.words(), "words of {matrix} of {}", self.atom.name);
        }
    }

    /// The undefined bits of D for undefined bits of A, B, C and scale factors: all bits of the
    /// elements that have such an element or factor of A in their row, of B in their column, or of
    /// C in their place. Registers as in [`execute`](Self::execute).
    pub fn spoilt(&self, a: &[u32], b: &[u32], c: &[u32], scaled: Option<&Scaled<'_>>) -> Vec<u32> {
        let mut d = vec![0; self.d.words()];
        let [_, n, k] = self.atom.shape.map(|extent| extent as usize);
        for &first in &self.tiles {
            let with = |matrix| -> Option<Vec<bool>> { Some(self.scales()?.rows_with(matrix, scaled?)) };
            let factors = [with(0), with(1)];
            let factor = |matrix: usize, i| factors[matrix].as_ref().is_some_and(|of: &Vec<bool>| of[i]);
            let spoilt = |fragment: &Fragment, registers, extent| -> Vec<bool> {
                let codes: Vec<u64> = fragment.gather(registers, first).collect();
                codes.chunks(extent).map(|row| row.iter().any(|code| *code != 0)).collect()
            };
            let (rows, columns) = (spoilt(&self.a, a, k), spoilt(&self.b, b, k));
            let elements = spoilt(&self.c, c, 1).into_iter().enumerate();
            let all = u64::MAX >> (64 - self.atom.d.bits());
            let code = |(i, own): (usize, bool)| {
                let (row, column) = (i / n, i % n);
                if own || rows[row] || columns[column] || factor(0, row) || factor(1, column) {
                    all
                } else {
                    0
                }
            };
            self.d.scatter(elements.map(code), &mut d, first);
        }
        d
    }

    fn floats(
        &self,
        a: &[u32],
        b: &[u32],
        c: &[u32],
        d: &mut [u32],
        first: usize,
        step: impl Fn(f64, f64, f64) -> f64,
    ) {
        let (a, b, c) = self.numbers(a, b, c, first);
        self.round(self.product(a, b, c, step), d, first);
    }

    /// The numbers of A, B and C, row after row.
    fn numbers(&self, a: &[u32], b: &[u32], c: &[u32], first: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let a = self.a.gather(a, first).map(|code| self.decode_a.decode(code)).collect();
        let b = self.b.gather(b, first).map(|code| self.decode_b.decode(code)).collect();
        let c = self.c.gather(c, first).map(|code| number(self.atom.c.element, code)).collect();
        (a, b, c)
    }

    /// Rounds accumulators to D.
    fn round(&self, accumulators: Vec<f64>, d: &mut [u32], first: usize) {
        let code = |sum: f64| match self.atom.d {
            Element::F32 if sum.is_nan() => CANONICAL_NAN,
            Element::F32 => (sum as f32).to_bits().into(),
            element => encode(element, sum, Rounding::NearestEven, Overflow::Ieee)
                .expect("the accumulators of an MMA of floats are floats"),
        };
        self.d.scatter(accumulators.into_iter().map(code), d, first);
    }

    fn integers(
        &self,
        a: &[u32],
        b: &[u32],
        c: &[u32],
        d: &mut [u32],
        first: usize,
        step: impl Fn(i64, i64, i64) -> i64,
    ) {
        let integers = |fragment: &Fragment, element, registers: &[u32]| {
            let value = |code| {
                decode_integer(element, code).expect("the matrices of an MMA of integers hold integers")
            };
            fragment.gather(registers, first).map(value).collect()
        };
        let a = integers(&self.a, self.atom.a.element, a);
        let b = integers(&self.b, self.atom.b.element, b);
        let c = integers(&self.c, self.atom.c.element, c);
        let accumulators = self.product(a, b, c, step);
        let code = |sum: i64| match self.atom.op {
            MmaOp::MulAddSaturate => sum.clamp(i32::MIN.into(), i32::MAX.into()) as u32,
            _ => sum as u32,
        };
        self.d.scatter(accumulators.into_iter().map(|sum| code(sum).into()), d, first);
    }

    /// `d[m,n] = step(.. step(d[m,n], a[m,0], b[n,0]) .., a[m,K-1], b[n,K-1])`. B is
    /// transposed first, so that the innermost loop runs along rows.
    fn product<T: Copy>(
        &self,
        a: Vec<T>,
        b: Vec<T>,
        mut accumulators: Vec<T>,
        step: impl Fn(T, T, T) -> T,
    ) -> Vec<T> {
        let [_, n, k] = self.atom.shape.map(|extent| extent as usize);
        let b: Vec<T> = (0..n * k).map(|i| b[i % n * k + i / n]).collect();
        for (accumulators, a) in accumulators.chunks_exact_mut(n).zip(a.chunks_exact(k)) {
            for (a, b) in a.iter().zip(b.chunks_exact(n)) {
                for (sum, b) in accumulators.iter_mut().zip(b) {
                    *sum = step(*sum, *a, *b);
                }
            }
        }
        accumulators
    }
}

/// The instructions that are modelled.
const INSTRUCTIONS: [Instruction; 2] = [Instruction::MMA_SYNC, Instruction::MMA_SYNC.scaled()];

/// The replacement for every NaN of an f32.
const CANONICAL_NAN: u64 = 0x7fff_ffff;
