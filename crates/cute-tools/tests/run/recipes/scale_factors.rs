//! `examples/blackwell/scale_factors.mlir`: factors from global to tensor memory.

use super::{Twin, bytes, clean, found, with_file};
use crate::arrays::floats;
use tempfile::TempDir;

const SCALED: &str = include_str!("../../../../../examples/blackwell/scale_factors.mlir");
const M: usize = 136;
const N: usize = 72;
const K: usize = 160;

/// Two K tiles, the second one ragged; factors from 2^-7 to 2^7, which differ from byte to byte.
fn arguments(folder: &TempDir) -> String {
    let factors = |blocks: usize| (0..512 * blocks).map(|i| (120 + i * 7 % 15) as u8).collect::<Vec<_>>();
    let sfa = with_file(folder, "sfa.npy", &[512, 2, 2], factors(4));
    let sfb = with_file(folder, "sfb.npy", &[512, 2, 1], factors(2));
    format!(
        "--target sm_100a --host --arg A:f8E4M3FN[{M}x{K}]=random(1) --arg B:f8E4M3FN[{N}x{K}]=random(2) --arg C:f32[{M}x{N}] \
         --arg SFA:f8E8M0FNU[512x2x2]={sfa} --arg SFB:f8E8M0FNU[512x2x1]={sfb}"
    )
}

fn e4m3(code: u8) -> f64 {
    let (exponent, mantissa) = (i32::from(code >> 3 & 15), f64::from(code & 7));
    let magnitude = match exponent {
        0 => mantissa / 8.0 * 2f64.powi(-6),
        _ => (1.0 + mantissa / 8.0) * 2f64.powi(exponent - 7),
    };
    if code & 128 == 0 { magnitude } else { -magnitude }
}

/// The rows of a matrix, scaled. `factors` is (512, K tiles, row tiles) with the last mode
/// contiguous in the file.
fn scaled(matrix: &[u8], factors: &[u8], row_tiles: usize) -> Vec<f64> {
    let value = |(i, code): (usize, &u8)| {
        let (row, k) = (i / K, i % K);
        let byte = row % 32 * 16 + row % 128 / 32 * 4 + k % 128 / 32;
        let factor = factors[(byte * 2 + k / 128) * row_tiles + row / 128];
        e4m3(*code) * 2f64.powi(i32::from(factor) - 127)
    };
    matrix.iter().enumerate().map(value).collect()
}

#[test]
fn factors_reach_the_rows_and_groups_that_they_scale() {
    for how in ["--schedules 4", "--runtime-checks"] {
        let folder = tempfile::tempdir().unwrap();
        let out = "--out A=a.npy --out B=b.npy --out C=c.npy";
        let arguments = arguments(&folder);
        clean(&folder, SCALED, &format!("{arguments} {how} {out}"));
        let [a, b, sfa, sfb] = ["a.npy", "b.npy", "sfa.npy", "sfb.npy"].map(|name| bytes(&folder, name));
        let (a, b) = (scaled(&a, &sfa, 2), scaled(&b, &sfb, 1));
        for (i, c) in floats(&folder, "c.npy").into_iter().enumerate() {
            let products = || (0..K).map(|k| a[i / N * K + k] * b[i % N * K + k]);
            let (sum, size) = (products().sum::<f64>(), products().map(f64::abs).sum::<f64>());
            assert!((sum - f64::from(c)).abs() <= size * 1e-6, "({},{}): {c}, not {sum}", i / N, i % N);
        }
    }
}

#[test]
fn factors_that_are_not_there_are_found() {
    let twins = [
        Twin {
            mistake: "SFB is not copied to tensor memory",
            right: "          cute.copy(%s2t, %stage_SFB, %into_SFB) : (!s2t, !desc_SF, !into_SF)\n",
            wrong: "",
            found: "of tensor memory, to which nothing has written a value",
        },
        Twin {
            mistake: "the barrier does not count the bytes of the factors",
            right: "%bytes = arith.constant 33792",
            wrong: "%bytes = arith.constant 32768",
            found: "nothing orders it with the asynchronous write",
        },
        Twin {
            mistake: "the copies do not wait for the stage",
            right: "          nvvm.mbarrier.try_wait.parity %full_p, %phase, %c1 : !llvm.ptr<3>, i32, i32\n",
            wrong: "",
            found: "is read before it is written",
        },
    ];
    let folder = tempfile::tempdir().unwrap();
    found(SCALED, &arguments(&folder), &twins);
}
