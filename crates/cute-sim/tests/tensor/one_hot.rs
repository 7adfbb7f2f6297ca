//! One element of A times one of B is one element of D, exactly where the thread-value layouts say
//! that CUTLASS prints.

use super::{models, one, padding, put, scaled, take, zeros};
use cute_algebra::{Layout, Tuple, crd2idx, parse_layout};
use cute_arch::{
    Element,
    atoms::{Instruction, MmaAtom, MmaOp, Operand},
};
use cute_sim::matrix::{Mma, Scaled};
use cute_sim::tensor::Sums;
use serde_json::Value;

fn read(text: &str) -> Layout<i64> {
    // See docs/errata.md.
    let text = text.replace("((512,1),((16,8)))", "((512,1),(16,8))");
    parse_layout(&text).unwrap().to_const().unwrap()
}

fn at(layout: &Layout<i64>, thread: usize, value: usize) -> usize {
    let coord = Tuple::from_leaves([thread as i64, value as i64]).to_coord();
    *crd2idx(&coord, layout).unwrap().as_leaf().unwrap() as usize
}

/// An element: where it is in the registers, and where in the matrix.
#[derive(Debug)]
struct Place {
    lane: usize,
    bit: usize,
    row: usize,
    column: usize,
}

/// CUTLASS's output for one matrix of an atom.
struct Matrix {
    places: Vec<Place>,
    /// The code of 1.
    one: u64,
}

impl Matrix {
    fn new(entry: &Value, key: &str, rows: usize, operand: &Operand) -> Self {
        let text = |key: &str| entry[key].as_str().unwrap();
        let (layout, thr_id) = (read(text(key)), read(text("thr_id")));
        let threads = entry["threads"].as_u64().unwrap() as usize;
        let values = layout.shape().leaves().iter().product::<i64>() as usize / threads;
        let lane =
            |thread| *crd2idx(&Tuple::leaf(thread as i64).to_coord(), &thr_id).unwrap().as_leaf().unwrap();
        let place = |i| {
            let (thread, value) = (i % threads, i / threads);
            let index = at(&layout, thread, value);
            let bit = value * operand.bits as usize + padding(operand);
            Place { lane: lane(thread) as usize, bit, row: index % rows, column: index / rows }
        };
        Matrix { places: (0..threads * values).map(place).collect(), one: one(operand.element) }
    }
}

#[test]
fn every_element_is_where_cutlass_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/atoms.json");
    let vectors: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut seen = 0;
    for entry in ["sm70", "sm75", "sm80", "sm89", "sm90", "sm120"]
        .iter()
        .flat_map(|g| vectors["mma"][g].as_array().unwrap())
    {
        let name = entry["name"].as_str().unwrap();
        let Some(mma) = MmaAtom::by_name(name).and_then(Mma::of) else {
            let complex = name.contains("C64");
            assert!(complex, "{name} is not modelled");
            continue;
        };
        seen += 1;
        check(mma, entry);
    }
    assert_eq!(seen, 8 + 3 + 63 + 8 + 3 + 10 + 3);
}

/// CUTLASS has no atoms for `m16n8k16` on floats of 8 bits. PTX has one figure for these fragments
/// and for those of integers of 8 bits.
#[test]
fn floats_of_8_bits_are_where_integers_are() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/atoms.json");
    let vectors: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let integers = vectors["mma"]["sm80"].as_array().unwrap().iter();
    let mut integers = integers.filter(|entry| entry["name"] == "SM80_16x8x16_S32S8S8S32_TN");
    let entry = integers.next().unwrap();
    let mut seen = 0;
    for atom in Instruction::MMA_SYNC.atoms().filter(|atom| atom.name.starts_with("SM89_16x8x16_")) {
        check(Mma::of(atom).unwrap(), entry);
        seen += 1;
    }
    assert_eq!(seen, 8);
}

/// Row r of a matrix of signatures has 1 in column k if bit r of k is set: 8 rows tell 256 columns
/// apart.
fn signed(row: usize, column: usize) -> bool {
    column >> row & 1 == 1
}

/// For each element of A, 1 there and 0 elsewhere, times the signatures as B: row r of D is the
/// signature of column k, all others are 0, where (r,k) is the element. Then the same for B. Scale
/// factors are 1.
pub fn check(mma: &Mma, entry: &Value) {
    let atom = mma.atom();
    let [m, n, k] = atom.shape.map(|extent| extent as usize);
    assert!(k <= 1 << n, "{}: n bits must tell k columns apart", atom.name);
    let [ra, rb, rc, _] = mma.registers();
    let a = Matrix::new(entry, "ALayout", m, &atom.a);
    let b = Matrix::new(entry, "BLayout", n, &atom.b);
    let d = Matrix::new(entry, "CLayout", m, &Operand { element: atom.d, ..atom.c.clone() });
    let signatures = |matrix: &Matrix, registers| {
        let mut words = zeros(registers);
        matrix
            .places
            .iter()
            .filter(|p| signed(p.row, p.column))
            .for_each(|p| put(&mut words, p.lane, p.bit, matrix.one));
        words
    };
    let execute = |a: &[u32], b: &[u32], c: &[u32]| {
        let Some(_) = mma.scales() else { return mma.execute(a, b, c, Sums::Device(9, 0)) };
        let ones = scaled::ones(mma);
        let scaled = Scaled { words: [&ones, &ones], selectors: [[0; 2]; 2] };
        mma.execute_scaled(a, b, c, (&scaled, Sums::Device(12, 0)))
    };
    let (all_a, all_b) = (signatures(&a, ra), signatures(&b, rb));
    // For XOR, the sum also includes the ones that are paired with a zero.
    let ones = |row: usize| (0..k).filter(|k| signed(row, *k)).count() as u64;
    let expected = |hot: bool, other: usize, column: usize| match atom.op {
        MmaOp::XorPopc if hot && signed(other, column) => ones(other) - 1,
        MmaOp::XorPopc => ones(other) + u64::from(hot),
        _ => {
            if hot && signed(other, column) {
                d.one
            } else {
                0
            }
        }
    };
    for hot in &a.places {
        let mut words = zeros(ra);
        put(&mut words, hot.lane, hot.bit, a.one);
        let result = execute(&words, &all_b, &zeros(rc));
        for at in &d.places {
            let found = take(&result, at.lane, at.bit, atom.d.bits());
            let expected = expected(at.row == hot.row, at.column, hot.column);
            assert_eq!(found, expected, "{}: A of one {hot:?}, D {at:?}", atom.name);
        }
    }
    for hot in &b.places {
        let mut words = zeros(rb);
        put(&mut words, hot.lane, hot.bit, b.one);
        let result = execute(&all_a, &words, &zeros(rc));
        for at in &d.places {
            let found = take(&result, at.lane, at.bit, atom.d.bits());
            let expected = expected(at.column == hot.row, at.row, hot.column);
            assert_eq!(found, expected, "{}: B of one {hot:?}, D {at:?}", atom.name);
        }
    }
    // C goes to D.
    for hot in &d.places {
        let mut words = zeros(rc);
        put(&mut words, hot.lane, hot.bit, d.one);
        assert_eq!(execute(&zeros(ra), &zeros(rb), &words), words, "{}: C {hot:?}", atom.name);
    }
}

/// The rule that PTX prints beside its figures, for three shapes: with g = lane / 4 and t = lane %
/// 4, m16n8k16 f16 has a(i) in row g (i < 2 or 4 <= i < 6) or g + 8, column 2 t + (i & 1), and 8
/// more from i = 4 on.
#[test]
fn fragments_are_those_of_the_ptx_manual() {
    let layout = |name| MmaAtom::by_name(name).unwrap();
    let f16 = layout("SM80_16x8x16_F32F16F16F32_TN");
    let s8 = layout("SM80_16x8x32_S32S8S8S32_TN");
    let f64s = layout("SM80_8x8x4_F64F64F64F64_TN");
    let tf32 = layout("SM80_16x8x8_F32TF32TF32F32_TN");
    for lane in 0..32 {
        let (g, t) = (lane / 4, lane % 4);
        for i in 0..8 {
            let row = if i < 2 || (4..6).contains(&i) { g } else { g + 8 };
            assert_eq!(at(&f16.a.layout, lane, i), row + 16 * (2 * t + (i & 1) + if i < 4 { 0 } else { 8 }));
        }
        for i in 0..4 {
            let (row, column) = (2 * t + (i & 1) + if i < 2 { 0 } else { 8 }, g);
            assert_eq!(at(&f16.b.layout, lane, i), column + 8 * row);
            let row = if i < 2 { g } else { g + 8 };
            assert_eq!(at(&f16.c.layout, lane, i), row + 16 * (2 * t + (i & 1)));
            let row = if i % 2 == 0 { g } else { g + 8 };
            assert_eq!(at(&tf32.a.layout, lane, i), row + 16 * (t + if i < 2 { 0 } else { 4 }));
        }
        for i in 0..16 {
            let row = if i < 4 || (8..12).contains(&i) { g } else { g + 8 };
            assert_eq!(at(&s8.a.layout, lane, i), row + 16 * (4 * t + (i & 3) + if i < 8 { 0 } else { 16 }));
        }
        assert_eq!((at(&f64s.a.layout, lane, 0), at(&f64s.b.layout, lane, 0)), (g + 8 * t, g + 8 * t));
    }
}

#[test]
fn volta_computes_four_tiles_at_once() {
    // Each quad pair multiplies its own number: lanes 4 q .. 4 q + 3 and 16 more.
    let mma = MmaAtom::by_name("SM70_8x8x4_F32F16F16F32_TN").and_then(Mma::of).unwrap();
    let mut a = zeros(2);
    for lane in 0..32 {
        let code = cute_sim::format::encode(
            Element::F16,
            (lane % 16 / 4 + 1) as f64,
            cute_sim::format::Rounding::NearestEven,
            cute_sim::format::Overflow::Ieee,
        );
        for value in 0..4 {
            put(&mut a, lane, value * 16, code.unwrap());
        }
    }
    let b = vec![0x3c00_3c00; 64];
    let d = mma.execute(&a, &b, &zeros(8), Sums::Device(7, 0));
    for lane in 0..32 {
        for value in 0..8 {
            assert_eq!(f32::from_bits(d[lane * 8 + value]), (4 * (lane % 16 / 4 + 1)) as f32, "lane {lane}");
        }
    }
}

#[test]
fn all_of_mma_sync_is_modelled() {
    assert_eq!(Instruction::MMA_SYNC.atoms().count(), models().count());
}
