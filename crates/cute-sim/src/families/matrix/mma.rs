//! `mma.sync`: gather the fragments, multiply small dense matrices, scatter.
//!
//! Sums of floats follow the rules of [`sums`](crate::tensor::sums); others are the same on all
//! devices:
//!
//! * f64: one fused multiply-add for each k, ascending, rounded to nearest even or as asked.
//! * Integers and bits: exact; the sum wraps, or with `.satfinite` is clamped once, at the end.
//! * NaN is the canonical one: all ones except the sign.

use super::scales::{Scaled, WarpScales};
use super::sums::UNIT;
use crate::tensor::{
    LANES,
    fragment::{Fragment, Places, at_all},
    sums::{Factored, Product, Query, Sums},
};
use cute_algebra::{Layout, Tuple, complement};
use cute_arch::{
    Element,
    atoms::{Instruction, MmaAtom, MmaOp, MmaQuery, NoSuchAtom, Operand},
};
use cute_machine::exact;
use cute_machine::format::{Rounding, decode, decode_integer};
use half::f16;
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
    Table(Vec<f32>),
    /// tf32, in the place of an f32. Elements of f64 and integers are decoded elsewhere.
    Single,
}

impl Decoder {
    fn new(element: Element) -> Self {
        if element.float().is_some() && element.bits() <= 16 {
            Decoder::Table((0..1u64 << element.bits()).map(|code| number(element, code) as f32).collect())
        } else {
            Decoder::Single
        }
    }

    fn decode(&self, code: u64) -> f32 {
        match self {
            Decoder::Table(numbers) => numbers[code as usize],
            Decoder::Single => f32::from_bits(code as u32 & !UNUSED_TF32),
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
    /// [`tensor`](crate::tensor).
    ///
    /// # Panics
    ///
    /// If a slice is not [`registers`](Self::registers) words for each of 32 lanes, or if the
    /// instruction has scale factors.
    pub fn execute(&self, a: &[u32], b: &[u32], c: &[u32], sums: Sums) -> Vec<u32> {
        self.execute_rounded(a, b, c, (sums, Rounding::NearestEven))
    }

    /// The same, with sums in f64 rounded as asked. Other sums do not depend on it.
    ///
    /// # Panics
    ///
    /// Like [`execute`](Self::execute).
    pub fn execute_rounded(
        &self,
        a: &[u32],
        b: &[u32],
        c: &[u32],
        (sums, rounding): (Sums, Rounding),
    ) -> Vec<u32> {
        assert!(self.scales.is_none(), "{} has scale factors", self.atom.name);
        self.check_words([a, b, c]);
        let mut d = vec![0; self.d.words()];
        for &first in &self.tiles {
            match (self.atom.op, self.atom.d) {
                (MmaOp::MulAdd, Element::F64) if rounding == Rounding::NearestEven => {
                    self.doubles([a, b, c], &mut d, first, |sum, a, b| a.mul_add(b, sum));
                }
                (MmaOp::MulAdd, Element::F64) => {
                    self.doubles([a, b, c], &mut d, first, |sum, a, b| exact::fma(a, b, sum, rounding));
                }
                (MmaOp::MulAdd, element) if element.float().is_some() => {
                    self.floats([a, b, c], &mut d, first, (None, sums));
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
    pub fn execute_scaled(
        &self,
        a: &[u32],
        b: &[u32],
        c: &[u32],
        (scaled, sums): (&Scaled<'_>, Sums),
    ) -> Vec<u32> {
        let scales = self.scales.as_ref().expect("an instruction with scale factors");
        self.check_words([a, b, c]);
        let mut d = vec![0; self.d.words()];
        for &first in &self.tiles {
            self.floats([a, b, c], &mut d, first, (Some(&scales.factors(scaled)), sums));
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

    /// The instruction, as far as its sums depend on it.
    pub(crate) fn query(&self) -> Query {
        let MmaAtom { shape, a, b, d, .. } = self.atom;
        let shape = shape.map(|extent| extent as usize);
        let (unit, scaled) = (&UNIT, self.scales.is_some());
        // Two elements in a byte are those that are packed.
        let packed = scaled && a.bits == 4;
        Query { unit, a: a.element, b: b.element, d: *d, shape, scaled, packed }
    }

    fn floats(
        &self,
        [a, b, c]: [&[u32]; 3],
        d: &mut [u32],
        first: usize,
        (factors, sums): (Option<&dyn Factored>, Sums),
    ) {
        let [_, n, k] = self.atom.shape.map(|extent| extent as usize);
        let numbers = |fragment: &Fragment, decoder: &Decoder, registers: &[u32]| -> Vec<f32> {
            fragment.gather(registers, first).map(|code| decoder.decode(code)).collect()
        };
        let (a, b) = (numbers(&self.a, &self.decode_a, a), numbers(&self.b, &self.decode_b, b));
        let b: Vec<f32> = transposed(&b, [n, k]);
        let c = self.c.gather(c, first).map(|code| match self.atom.c.element {
            Element::F16 => f16::from_bits(code as u16).to_f32(),
            _ => f32::from_bits(code as u32),
        });
        let mut all: Vec<f32> = c.collect();
        let types = [self.atom.a.element, self.atom.b.element, self.atom.d];
        Product { rule: sums.row(&self.query()).rule, types, n, k }.add([&a, &b], factors, false, &mut all);
        let code = |sum: f32| match self.atom.d {
            Element::F16 if sum.is_nan() => CANONICAL_HALF,
            Element::F16 => f16::from_f32(sum).to_bits().into(),
            _ if sum.is_nan() => CANONICAL_NAN,
            _ => sum.to_bits().into(),
        };
        self.d.scatter(all.into_iter().map(code), d, first);
    }

    fn doubles(
        &self,
        [a, b, c]: [&[u32]; 3],
        d: &mut [u32],
        first: usize,
        step: impl Fn(f64, f64, f64) -> f64,
    ) {
        let numbers = |fragment: &Fragment, registers: &[u32]| -> Vec<f64> {
            fragment.gather(registers, first).map(f64::from_bits).collect()
        };
        let sums = self.product(numbers(&self.a, a), numbers(&self.b, b), numbers(&self.c, c), step);
        let code = |sum: f64| if sum.is_nan() { CANONICAL_DOUBLE } else { sum.to_bits() };
        self.d.scatter(sums.into_iter().map(code), d, first);
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

    /// `d[m,n] = step(.. step(d[m,n], a[m,0], b[n,0]) .., a[m,K-1], b[n,K-1])`.
    fn product<T: Copy>(
        &self,
        a: Vec<T>,
        b: Vec<T>,
        mut accumulators: Vec<T>,
        step: impl Fn(T, T, T) -> T,
    ) -> Vec<T> {
        let [_, n, k] = self.atom.shape.map(|extent| extent as usize);
        let b = transposed(&b, [n, k]);
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

/// Bits of the place of a tf32 that it does not have.
const UNUSED_TF32: u32 = 0x1fff;

/// A matrix (N,K) along N for each of K, so that the innermost loop runs along rows.
fn transposed<T: Copy>(b: &[T], [n, k]: [usize; 2]) -> Vec<T> {
    (0..n * k).map(|i| b[i % n * k + i / n]).collect()
}

/// The instructions that are modelled.
const INSTRUCTIONS: [Instruction; 2] = [Instruction::MMA_SYNC, Instruction::MMA_SYNC.scaled()];

/// The replacements for every NaN of an f32, an f16 and an f64.
const CANONICAL_NAN: u64 = 0x7fff_ffff;
const CANONICAL_HALF: u64 = 0x7fff;
const CANONICAL_DOUBLE: u64 = 0x7fff_ffff_ffff_ffff;
