//! `wgmma`: the product of two tiles by the four warps of a warpgroup, all of it at once.
//!
//! What PTX leaves open is decided so, for every type alike:
//!
//! * Floats: each product is exact in f32 (unless it leaves its range), and is added by ascending k to the sum so far, which begins
//!   with C; each addition is rounded to f32, to nearest even. With f16 accumulators the sum of an instruction is then
//!   rounded to f16. Devices add in another order, with fewer or more bits; for e4m3 and e5m2 Hopper keeps only about 14 of them.
//!   Where all partial sums are representable, all of these agree. Subnormals are kept.
//! * Integers: exact; the sum wraps, or with `.satfinite` is clamped once, at the end.
//! * NaN is the canonical one: all ones but the sign.

use super::fragment::at_all;
use crate::value::format::decode;
use cute_arch::{
    Element,
    atoms::{Instruction, Major, MmaAtom, MmaOp, MmaQuery, NoSuchAtom, Operand, Space},
    smem::SmemDescriptor,
};
use half::f16;
use std::{collections::HashMap, sync::OnceLock};

/// Threads of a warpgroup.
pub const GROUP_LANES: usize = 128;

/// Bytes of the units that tiles in shared memory are made of.
pub const UNIT: usize = 16;

/// An atom of a warpgroup, ready to execute.
#[derive(Debug)]
pub struct Wgmma {
    atom: &'static MmaAtom,
    /// Of each value of C in each thread, its place in the matrix row after row: threads of a value side by side.
    c: Vec<u32>,
    /// Likewise of A, if it comes from registers.
    a: Vec<u32>,
    decode_a: Decoder,
    decode_b: Decoder,
}

/// Codes to numbers, which all are exact in f32.
#[derive(Debug)]
enum Decoder {
    Byte(Box<[f32; 256]>),
    F16,
    Bf16,
    Tf32,
}

/// The sums of a warpgroup, row after row.
#[derive(Debug, Clone, PartialEq)]
pub enum Sums {
    /// Floats, already rounded to the accumulator's type.
    Float(Vec<f32>),
    /// Integers.
    Int(Vec<i32>),
}

/// A tile in shared memory, as one of its 1024 possible beginnings within the pattern of a swizzle makes it.
#[derive(Debug)]
pub struct SmemTile {
    /// Where each unit begins, from the first multiple of 1024 that is not behind the tile: along K within each element of MN,
    /// or along MN within each element of K, as the tile's major says.
    units: Vec<u32>,
    /// The same bytes in ascending runs: where each begins, and how many they are.
    runs: Vec<(u32, u32)>,
}

impl Decoder {
    fn new(element: Element) -> Option<Self> {
        let byte = |code: usize| match element {
            Element::S8 => f32::from(code as u8 as i8),
            Element::U8 => code as f32,
            _ => decode(element, code as u64).unwrap_or(0.0) as f32,
        };
        Some(match element {
            Element::F16 => Decoder::F16,
            Element::Bf16 => Decoder::Bf16,
            Element::Tf32 => Decoder::Tf32,
            Element::S8 | Element::U8 | Element::E4m3 | Element::E5m2 => {
                Decoder::Byte(Box::new(std::array::from_fn(byte)))
            }
            _ => return None,
        })
    }

    /// Bytes of an element.
    fn bytes(&self) -> usize {
        match self {
            Decoder::Byte(_) => 1,
            Decoder::F16 | Decoder::Bf16 => 2,
            Decoder::Tf32 => 4,
        }
    }

    fn number(&self, code: u32) -> f32 {
        match self {
            Decoder::Byte(table) => table[code as usize & 255],
            Decoder::F16 => f16::from_bits(code as u16).to_f32(),
            Decoder::Bf16 => f32::from_bits(code << 16),
            Decoder::Tf32 => f32::from_bits(code & !0x1fff),
        }
    }

    /// The numbers of a unit.
    fn unit(&self, bytes: &[u8], mut give: impl FnMut(usize, f32)) {
        for (i, code) in bytes.chunks_exact(self.bytes()).enumerate() {
            let code = match *code {
                [a] => a.into(),
                [a, b] => u16::from_le_bytes([a, b]).into(),
                [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
                _ => 0,
            };
            give(i, self.number(code));
        }
    }
}

impl SmemTile {
    /// The tile (MN,K) of elements of `bits` that a descriptor points at.
    pub fn new(descriptor: &SmemDescriptor, major: Major, [mn, k]: [u32; 2], bits: u32) -> Option<Self> {
        let per_unit = 8 * UNIT as u32 / bits;
        let layout = descriptor.tile(major, [mn, k].map(i64::from), bits.into()).ok()?;
        let strides: Vec<_> = (0..2).filter_map(|mode| at_all(&layout.mode(mode).ok()?)).collect();
        let [of_mn, of_k] = &strides[..] else { return None };
        let (outer, inner, along, across) = match major {
            Major::K => (mn, k, of_k, of_mn),
            _ => (k, mn, of_mn, of_k),
        };
        let origin = descriptor.address - descriptor.address % PATTERN;
        let unit = |outer: u32, inner: u32| {
            let offset = across[outer as usize] + along[inner as usize];
            (descriptor.place(offset * i64::from(bits) / 8) - origin) as u32
        };
        let units: Vec<u32> = (0..outer)
            .flat_map(|outer| (0..inner).step_by(per_unit as usize).map(move |inner| (outer, inner)))
            .map(|(outer, inner)| unit(outer, inner))
            .collect();
        let mut sorted = units.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for start in sorted {
            match runs.last_mut() {
                Some((from, bytes)) if *from + *bytes == start => *bytes += UNIT as u32,
                _ => runs.push((start, UNIT as u32)),
            }
        }
        Some(SmemTile { units, runs })
    }

    /// The runs of bytes, from the multiple of 1024 at or before the tile's beginning.
    pub fn runs(&self) -> &[(u32, u32)] {
        &self.runs
    }
}

/// Bytes after which all patterns of swizzles repeat.
pub const PATTERN: i64 = 1024;

impl Wgmma {
    /// The model of an atom; `None` if it is not one dense `wgmma`.
    pub fn of(atom: &MmaAtom) -> Option<&'static Self> {
        type Model = (&'static MmaAtom, OnceLock<Option<Wgmma>>);
        static MODELS: OnceLock<HashMap<&'static str, Model>> = OnceLock::new();
        let model = |atom: &'static MmaAtom| (atom.name.as_str(), (atom, OnceLock::new()));
        let models = MODELS.get_or_init(|| Instruction::WGMMA.atoms().map(model).collect());
        let (atom, model) = models.get(atom.name.as_str())?;
        model.get_or_init(|| Wgmma::new(atom)).as_ref()
    }

    /// The model of the instruction that PTX spells so, with A from registers or shared memory, or which field names none.
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
        if atom.instruction != Instruction::WGMMA {
            return None;
        }
        let [m, n, k] = atom.shape.map(|extent| extent as usize);
        let places = |operand: &Operand, columns: usize| -> Option<Vec<u32>> {
            // Column-major in M rows.
            let place = |index: i64| (index as usize % m * columns + index as usize / m) as u32;
            let all: Vec<u32> = at_all(&operand.layout)?.into_iter().map(place).collect();
            (all.len() == m * columns).then_some(all)
        };
        Some(Wgmma {
            atom,
            c: places(&atom.c, n)?,
            a: if atom.a.from == Space::Register { places(&atom.a, k)? } else { Vec::new() },
            decode_a: Decoder::new(atom.a.element)?,
            decode_b: Decoder::new(atom.b.element)?,
        })
    }

    /// The atom.
    pub fn atom(&self) -> &'static MmaAtom {
        self.atom
    }

    /// 32-bit registers that a thread holds its part of A in, if any, and of C.
    pub fn registers(&self) -> [usize; 2] {
        let values = |places: &[u32], bits: u32| places.len() / GROUP_LANES * bits as usize / 32;
        [values(&self.a, self.atom.a.element.bits()), values(&self.c, self.atom.d.bits())]
    }

    /// Sums that are all zero.
    pub fn zero(&self) -> Sums {
        let [m, n, _] = self.atom.shape.map(|extent| extent as usize);
        if self.atom.d == Element::S32 { Sums::Int(vec![0; m * n]) } else { Sums::Float(vec![0.0; m * n]) }
    }

    /// Bits of an element of C.
    pub fn sum_bits(&self) -> u32 {
        self.atom.d.bits()
    }

    /// Where value `value` of a thread's part of C is in the matrix.
    pub fn place(&self, value: usize, thread: usize) -> usize {
        self.c[value * GROUP_LANES + thread] as usize
    }

    /// The row of A that value `value` of a thread's part of it is in.
    pub fn row_of_a(&self, value: usize, thread: usize) -> usize {
        self.a[value * GROUP_LANES + thread] as usize / self.atom.shape[2] as usize
    }

    /// The code of a sum.
    pub fn code(&self, sums: &Sums, place: usize) -> u32 {
        match (sums, self.atom.d) {
            (Sums::Int(sums), _) => sums[place] as u32,
            (Sums::Float(sums), Element::F16) if sums[place].is_nan() => 0x7fff,
            (Sums::Float(sums), Element::F16) => f16::from_f32(sums[place]).to_bits().into(),
            (Sums::Float(sums), _) if sums[place].is_nan() => 0x7fff_ffff,
            (Sums::Float(sums), _) => sums[place].to_bits(),
        }
    }

    /// Makes a sum what a code says.
    pub fn set_code(&self, sums: &mut Sums, place: usize, code: u32) {
        match (sums, self.atom.d) {
            (Sums::Int(sums), _) => sums[place] = code as i32,
            (Sums::Float(sums), Element::F16) => sums[place] = f16::from_bits(code as u16).to_f32(),
            (Sums::Float(sums), _) => sums[place] = f32::from_bits(code),
        }
    }

    /// A, row after row, from the 32-bit registers of 128 threads, thread by thread; negated or not.
    pub fn a_of_registers(&self, words: &[u32], negate: bool) -> Vec<f32> {
        let [m, _, k] = self.atom.shape.map(|extent| extent as usize);
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

    /// A, row after row, from shared memory. `memory` begins where the tile's runs count from.
    pub fn a_of_tile(&self, tile: &SmemTile, major: Major, memory: &[u8], negate: bool) -> Vec<f32> {
        let [m, _, k] = self.atom.shape.map(|extent| extent as usize);
        let mut rows = vec![0.0; m * k];
        gather(&self.decode_a, tile, memory, [m, k], major, |i, j, x| rows[i * k + j] = sign(x, negate));
        rows
    }

    /// B, along N for each of K, likewise.
    pub fn b_of_tile(&self, tile: &SmemTile, major: Major, memory: &[u8], negate: bool) -> Vec<f32> {
        let [_, n, k] = self.atom.shape.map(|extent| extent as usize);
        let mut columns = vec![0.0; n * k];
        gather(&self.decode_b, tile, memory, [n, k], major, |i, j, x| columns[j * n + i] = sign(x, negate));
        columns
    }

    /// Adds the product to the sums, or with `fresh` makes it the sums.
    pub fn multiply(&self, a: &[f32], b: &[f32], fresh: bool, sums: &mut Sums) {
        let [_, n, k] = self.atom.shape.map(|extent| extent as usize);
        match sums {
            Sums::Float(sums) if self.atom.d == Element::F16 => {
                let begin = |c| if fresh { 0.0 } else { c };
                product(a, b, [n, k], sums, begin, |_, sum| f16::from_f32(sum).to_f32());
            }
            Sums::Float(sums) if fresh => product(a, b, [n, k], sums, |_| 0.0, |_, sum| sum),
            Sums::Float(sums) => product(a, b, [n, k], sums, |c| c, |_, sum| sum),
            // Sums of one instruction's products are below 2^24.
            Sums::Int(sums) => {
                let saturates = self.atom.op == MmaOp::MulAddSaturate;
                let end = |c: i32, sum| match (if fresh { 0 } else { c }, sum as i32) {
                    (c, sum) if saturates => c.saturating_add(sum),
                    (c, sum) => c.wrapping_add(sum),
                };
                product(a, b, [n, k], sums, |_| 0.0, end);
            }
        }
    }
}

fn sign(x: f32, negate: bool) -> f32 {
    if negate { -x } else { x }
}

/// Gives each number of a tile (MN,K) with its place in it.
fn gather(
    decoder: &Decoder,
    tile: &SmemTile,
    memory: &[u8],
    [mn, k]: [usize; 2],
    major: Major,
    mut give: impl FnMut(usize, usize, f32),
) {
    let per_unit = UNIT / decoder.bytes();
    let inner = if major == Major::K { k } else { mn } / per_unit;
    for (outer, units) in tile.units.chunks_exact(inner).enumerate() {
        for (unit, first) in units.iter().zip((0..).step_by(per_unit)) {
            let bytes = &memory[*unit as usize..*unit as usize + UNIT];
            match major {
                Major::K => decoder.unit(bytes, |i, x| give(outer, first + i, x)),
                _ => decoder.unit(bytes, |i, x| give(first + i, outer, x)),
            }
        }
    }
}

/// `sums[m,n] = end(sums[m,n], begin(sums[m,n]) + a[m,0] * b[0,n] + .. + a[m,k-1] * b[k-1,n])`, from the left. K is a multiple of 4.
#[inline(always)]
fn product<T: Copy>(
    a: &[f32],
    b: &[f32],
    [n, k]: [usize; 2],
    sums: &mut [T],
    begin: impl Fn(T) -> f32,
    end: impl Fn(T, f32) -> T,
) {
    let mut row = vec![0.0f32; n];
    for (a, sums) in a.chunks_exact(k).zip(sums.chunks_exact_mut(n)) {
        row.iter_mut().zip(&*sums).for_each(|(to, from)| *to = begin(*from));
        for (a, b) in a.chunks_exact(4).zip(b.chunks_exact(4 * n)) {
            add_scaled(&mut row, a, b);
        }
        sums.iter_mut().zip(&row).for_each(|(to, sum)| *to = end(*to, *sum));
    }
}

/// Adds four rows of B, each times a number.
fn add_scaled(sums: &mut [f32], a: &[f32], b: &[f32]) {
    let n = sums.len();
    let [a0, a1, a2, a3] = *a else { return };
    let ((b0, b1), (b2, b3)) = (b[..2 * n].split_at(n), b[2 * n..].split_at(n));
    for ((((sum, b0), b1), b2), b3) in sums.iter_mut().zip(b0).zip(b1).zip(b2).zip(b3) {
        *sum = *sum + a0 * b0 + a1 * b1 + a2 * b2 + a3 * b3;
    }
}
