//! Conversions of scale factors: by `cvt` where a target has it, by integers elsewhere, and the
//! same in the simulator of PTX.

use std::fs;

use cute_arch::Element;
use cute_sim::format::{Overflow, Rounding, decode, encode};
use tempfile::TempDir;

use super::{gemms::elements::write, run_in};

const KERNEL: &str = include_str!("scale_factors.mlir");
/// 256 threads with three numbers each.
const COUNT: usize = 768;

fn bytes(folder: &TempDir, name: &str) -> Vec<u8> {
    let file = fs::read(folder.path().join(name)).unwrap();
    file[10 + usize::from(u16::from_le_bytes([file[8], file[9]]))..].to_vec()
}

/// Numbers of each exponent: the least and the largest fraction, and one between them; zeros, the
/// infinities and NaN, and negative ones.
fn numbers() -> Vec<u32> {
    let fractions = [0, 1, 0x40_0000, 0x40_0001, 0x7f_ffff];
    (0..COUNT as u32)
        .map(|i| {
            let sign = if i % 7 == 3 { 1 << 31 } else { 0 };
            sign | (i % 256) << 23 | fractions[(i / 256 + i) as usize % fractions.len()]
        })
        .collect()
}

#[test]
fn scale_factors_are_rounded_and_widened_alike_on_all_targets() {
    let numbers = numbers();
    let codes: Vec<u8> = (0..COUNT).map(|i| (i % 256) as u8).collect();
    for options in [
        "--target sm_90a",
        "--target sm_100a",
        "--target sm_80 --through ptx",
        "--target sm_120a --through ptx",
    ] {
        let folder = tempfile::tempdir().unwrap();
        // Thread by thread, three numbers each: the first mode of the arrays is contiguous.
        let transposed = |i: usize| (i % 3) * (COUNT / 3) + i / 3;
        let mut rows = vec![0u32; COUNT];
        let mut given = vec![0u8; COUNT];
        for i in 0..COUNT {
            (rows[transposed(i)], given[transposed(i)]) = (numbers[i], codes[i]);
        }
        let raw = rows.iter().flat_map(|n| n.to_le_bytes());
        write(folder.path(), "x.npy", "<f4", &[3, COUNT / 3], raw);
        write(folder.path(), "given.npy", "|u1", &[3, COUNT / 3], given.iter().copied());
        let arguments = format!(
            "{options} --grid 2 --arg x:f32[3x256]=x.npy --arg up:f8E8M0FNU[3x256] --arg down:f8E8M0FNU[3x256] \
             --arg given:f8E8M0FNU[3x256]=given.npy --arg wide:f32[3x256] --arg half:f16[3x256] --out up=up.npy \
             --out down=down.npy --out wide=wide.npy --out half=half.npy"
        );
        let (code, out, err) = run_in(&folder, KERNEL, &arguments);
        assert_eq!(code, Some(0), "{options}: {out}{err}");
        let [up, down, wide, half] =
            ["up.npy", "down.npy", "wide.npy", "half.npy"].map(|n| bytes(&folder, n));
        for i in 0..COUNT {
            let at = transposed(i);
            let number = f64::from(f32::from_bits(numbers[i]));
            let rounded = |how| encode(Element::Ue8m0, number, how, Overflow::Saturate).unwrap() as u8;
            assert_eq!(up[at], rounded(Rounding::Up), "{options}: {number:e} upwards");
            assert_eq!(down[at], rounded(Rounding::TowardZero), "{options}: {number:e} toward zero");
            let value = decode(Element::Ue8m0, codes[i].into()).unwrap();
            let single = f32::from_le_bytes(wide[4 * at..][..4].try_into().unwrap());
            assert!(
                f64::from(single) == value || (single.is_nan() && value.is_nan()),
                "{options}: {value:e}"
            );
            let short =
                decode(Element::F16, u16::from_le_bytes([half[2 * at], half[2 * at + 1]]).into()).unwrap();
            let expected = encode(Element::F16, value, Rounding::NearestEven, Overflow::Ieee).unwrap();
            let expected = decode(Element::F16, expected).unwrap();
            assert!(
                short == expected || (short.is_nan() && expected.is_nan()),
                "{options}: {value:e} as f16"
            );
        }
    }
}
