//! Numerical results: exact references, roundings, wraps and clamps.

use super::{models, padding, put, take, zeros};
use cute_arch::{
    Element, Target,
    atoms::{Instruction, MmaAtom, MmaOp, MmaQuery, Operand},
};
use cute_sim::{
    format::{Overflow, Rounding, decode, decode_integer, encode},
    matrix::Mma,
    tensor::Sums,
};
use fastrand::Rng;

/// A matrix of random codes: the words, and the code at each column-major index.
fn random(operand: &Operand, registers: usize, random: &mut Rng) -> (Vec<u32>, Vec<u64>) {
    let mut words = zeros(registers);
    let mut codes = vec![0; 32 * operand.values()];
    for lane in 0..32 {
        for value in 0..operand.values() {
            let code = match operand.element {
                Element::S32 => random.u32(..).into(),
                float if float.float().is_some() => {
                    let number = f64::from(random.u32(..9)) - 4.0;
                    encode(float, number, Rounding::NearestEven, Overflow::Ieee).unwrap()
                }
                small => random.u64(..1 << small.bits()),
            };
            put(&mut words, lane, value * operand.bits as usize + padding(operand), code);
            let coord = cute_algebra::Tuple::from_leaves([lane as i64, value as i64]).to_coord();
            let index = cute_algebra::crd2idx(&coord, &operand.layout).unwrap();
            codes[*index.as_leaf().unwrap() as usize] = code;
        }
    }
    (words, codes)
}

/// Sums of small whole numbers are exact on each device.
#[test]
fn random_products_are_the_exact_sums() {
    let mut source = Rng::with_seed(7);
    let devices = [(7, 0), (8, 0), (8, 9), (9, 0), (10, 0), (12, 0)];
    let all = devices.map(|(major, minor)| Sums::Device(major, minor)).into_iter().chain([Sums::Plain]);
    let models = || models().filter(|mma| mma.atom().threads() == 32);
    for (sums, mma) in all.flat_map(|sums| models().map(move |mma| (sums, mma))) {
        let atom = mma.atom();
        let [m, n, k] = atom.shape.map(|extent| extent as usize);
        let [ra, rb, rc, _] = mma.registers();
        let (wa, a) = random(&atom.a, ra, &mut source);
        let (wb, b) = random(&atom.b, rb, &mut source);
        let (wc, c) = random(&atom.c, rc, &mut source);
        let result = mma.execute(&wa, &wb, &wc, sums);
        for lane in 0..32 {
            for value in 0..atom.c.values() {
                let coord = cute_algebra::Tuple::from_leaves([lane as i64, value as i64]).to_coord();
                let index =
                    *cute_algebra::crd2idx(&coord, &atom.c.layout).unwrap().as_leaf().unwrap() as usize;
                let (i, j) = (index % m, index / m);
                let found = take(&result, lane, value * atom.d.bits() as usize, atom.d.bits());
                let expected = match decode(atom.c.element, c[index]) {
                    Some(c) => {
                        let number = |element, code| decode(element, code).unwrap();
                        let sum = (0..k).rev().fold(c, |sum, k| {
                            sum + number(atom.a.element, a[i + m * k]) * number(atom.b.element, b[j + n * k])
                        });
                        encode(atom.d, sum, Rounding::NearestEven, Overflow::Ieee).unwrap()
                    }
                    None => {
                        let number = |element, code| i128::from(decode_integer(element, code).unwrap());
                        let sum = (0..k).fold(number(atom.c.element, c[index]), |sum, k| {
                            let (a, b) =
                                (number(atom.a.element, a[i + m * k]), number(atom.b.element, b[j + n * k]));
                            sum + match atom.op {
                                MmaOp::XorPopc => a ^ b,
                                MmaOp::AndPopc => a & b,
                                _ => a * b,
                            }
                        });
                        let clamped = sum.clamp(i32::MIN.into(), i32::MAX.into());
                        (if atom.op == MmaOp::MulAddSaturate { clamped } else { sum }) as u32 as u64
                    }
                };
                assert_eq!(found, expected, "{} D({i},{j}), {sums:?}", atom.name);
            }
        }
    }
}

/// One number everywhere in A, B and C: D of any place.
fn uniform(name: &str, a: u64, b: u64, c: u64) -> u64 {
    let mma = MmaAtom::by_name(name).and_then(Mma::of).unwrap();
    let atom = mma.atom();
    let fill = |operand: &Operand, registers, code| {
        let mut words = zeros(registers);
        for lane in 0..32 {
            for value in 0..operand.values() {
                put(&mut words, lane, value * operand.bits as usize, code);
            }
        }
        words
    };
    let [ra, rb, rc, _] = mma.registers();
    let d =
        mma.execute(&fill(&atom.a, ra, a), &fill(&atom.b, rb, b), &fill(&atom.c, rc, c), Sums::Device(8, 0));
    take(&d, 31, 0, atom.d.bits())
}

#[test]
fn integers_wrap_or_saturate() {
    let max = u64::from(i32::MAX as u32);
    assert_eq!(
        uniform("SM80_16x8x32_S32S8S8S32_TN", 0x7f, 0x7f, max) as u32 as i32,
        i32::MAX.wrapping_add(32 * 127 * 127)
    );
    assert_eq!(uniform("SM80_16x8x32_S32S8S8S32_TN_SATURATE", 0x7f, 0x7f, max), max);
    let min = u64::from(i32::MIN as u32);
    assert_eq!(uniform("SM80_16x8x32_S32S8S8S32_TN_SATURATE", 0x80, 0x7f, min), min);
    assert_eq!(uniform("SM80_16x8x32_S32S8U8S32_TN", 0x80, 0xff, 0) as u32 as i32, 32 * -128 * 255);
    assert_eq!(uniform("SM80_8x8x32_S32S4U4S32_TN", 0x8, 0xf, 5) as u32 as i32, 5 + 32 * -8 * 15);
    assert_eq!(uniform("SM80_16x8x256_S32U1U1S32_TN_XORPOPC", 1, 0, 7), 256 + 7);
    assert_eq!(uniform("SM80_16x8x256_S32U1U1S32_TN_ANDPOPC", 1, 1, 7), 256 + 7);
}

#[test]
fn half_sums_round_once_a_window() {
    // 2048 + 8 * 1, twice: every addition alone would be a tie that stays at 2048.
    assert_eq!(uniform("SM80_16x8x16_F16F16F16F16_TN", 0x3c00, 0x3c00, 0x6800), 0x6808);
    // 65504 + 16 * 1 is a tie: to even is up, to infinity. The windows of 8 of an A100 stay.
    assert_eq!(uniform("SM80_16x8x16_F16F16F16F16_TN", 0x3c00, 0x3c00, 0x7bff), 0x7bff);
    assert_eq!(uniform("SM80_16x8x8_F16F16F16F16_TN", 0x3c00, 0x3c00, 0x7bff), 0x7bff);
}

#[test]
fn nan_and_infinity_spread() {
    let (one, inf) = (0x3c00, 0x7c00);
    assert_eq!(uniform("SM80_16x8x16_F32F16F16F32_TN", inf, one, 0), u64::from(f32::INFINITY.to_bits()));
    assert_eq!(uniform("SM80_16x8x16_F32F16F16F32_TN", inf, 0, 0), 0x7fff_ffff);
    assert_eq!(uniform("SM80_16x8x16_F16F16F16F16_TN", inf, 0, 0), 0x7fff);
    assert_eq!(
        uniform("SM80_16x8x16_F32F16F16F32_TN", inf, one, f32::NEG_INFINITY.to_bits().into()),
        0x7fff_ffff
    );
    // E4M3 has one NaN and no infinity.
    assert_eq!(uniform("SM89_16x8x32_F32E4M3E4M3F32_TN", 0x7f, 0x38, 0), 0x7fff_ffff);
    assert_eq!(uniform("SM89_16x8x32_F32E5M2E5M2F32_TN", 0x7c, 0x3c, 0), u64::from(f32::INFINITY.to_bits()));
}

#[test]
fn tf32_ignores_thirteen_bits_and_f64_is_fused() {
    let one = u64::from(1f32.to_bits());
    assert_eq!(uniform("SM80_16x8x8_F32TF32TF32F32_TN", one | 0x1fff, one, 0), u64::from(8f32.to_bits()));
    let (x, c) = (1.0 + f64::EPSILON, -4.0);
    let expected = (0..4).fold(c, |sum, _| x.mul_add(x, sum));
    let found = uniform("SM80_8x8x4_F64F64F64F64_TN", x.to_bits(), x.to_bits(), c.to_bits());
    assert_eq!(f64::from_bits(found), expected);
    let subnormal = f64::powi(2.0, -24);
    let d = uniform("SM80_16x8x16_F32F16F16F32_TN", 1, 0x3c00, 0);
    assert_eq!(f32::from_bits(d as u32), (16.0 * subnormal) as f32, "subnormals are kept");
}

#[test]
fn an_instruction_is_found_by_its_spelling() {
    let half = [Element::F16; 4];
    let query = MmaQuery::new(Instruction::MMA_SYNC, [16, 8, 16], half);
    assert_eq!(Mma::by_ptx(&query).unwrap().unwrap().atom().name, "SM80_16x8x16_F16F16F16F16_TN");
    let query = MmaQuery {
        target: Some(Target::Sm90a),
        ..MmaQuery::new(
            Instruction::MMA_SYNC,
            [16, 8, 32],
            [Element::F32, Element::E2m1, Element::E4m3, Element::F32],
        )
    };
    let error = Mma::by_ptx(&query).unwrap_err();
    assert_eq!(
        (error.field, error.legal.as_slice()),
        ("target", ["sm_120f, sm_120a, sm_121f, sm_121a".to_owned()].as_slice())
    );
}
