//! A 256^3 f16 GEMM made of `mma.sync.m16n8k16`, next to a naive triple loop that converts every
//! f16 it meets, and to one on f32.

#![allow(missing_docs)] // of what the macros make

use criterion::{Criterion, criterion_group, criterion_main};
use cute_arch::atoms::MmaAtom;
use cute_sim::matrix::Mma;
use cute_sim::tensor::Sums;
use half::f16;
use std::hint::black_box;

/// Rows and columns.
const SIZE: usize = 256;

fn matrix(seed: usize) -> Vec<f16> {
    (0..SIZE * SIZE).map(|i| f16::from_f32(((i * 7 + seed) % 17) as f32 - 8.0)).collect()
}

/// C = A * B^T, rows contiguous.
fn naive<T: Copy>(a: &[T], b: &[T], number: impl Fn(T) -> f32) -> Vec<f32> {
    let mut c = vec![0.0; SIZE * SIZE];
    for m in 0..SIZE {
        for n in 0..SIZE {
            for k in 0..SIZE {
                c[m * SIZE + n] += number(a[m * SIZE + k]) * number(b[n * SIZE + k]);
            }
        }
    }
    c
}

/// The same by a warp that loads its fragments as PTX describes them, and one `mma` for each 16 x 8
/// x 16.
fn by_mma(a: &[f16], b: &[f16]) -> Vec<f32> {
    let mma = MmaAtom::by_name("SM80_16x8x16_F32F16F16F32_TN").and_then(Mma::of).expect("a modelled atom");
    let pair = |matrix: &[f16], row: usize, column: usize| {
        let at = row * SIZE + column;
        u32::from(matrix[at].to_bits()) | u32::from(matrix[at + 1].to_bits()) << 16
    };
    let mut c = vec![0.0; SIZE * SIZE];
    for m in (0..SIZE).step_by(16) {
        for n in (0..SIZE).step_by(8) {
            let mut sums = vec![0; 32 * 4];
            for k in (0..SIZE).step_by(16) {
                let (mut ra, mut rb) = ([0; 32 * 4], [0; 32 * 2]);
                for lane in 0..32 {
                    let (group, column) = (lane / 4, k + lane % 4 * 2);
                    for r in 0..4 {
                        ra[lane * 4 + r] = pair(a, m + group + r % 2 * 8, column + r / 2 * 8);
                    }
                    for r in 0..2 {
                        rb[lane * 2 + r] = pair(b, n + group, column + r * 8);
                    }
                }
                sums = mma.execute(&ra, &rb, &sums, Sums::Device(9, 0));
            }
            for lane in 0..32 {
                for r in 0..4 {
                    let (row, column) = (m + lane / 4 + r / 2 * 8, n + lane % 4 * 2 + r % 2);
                    c[row * SIZE + column] = f32::from_bits(sums[lane * 4 + r]);
                }
            }
        }
    }
    c
}

fn gemm(criterion: &mut Criterion) {
    let (a, b) = (matrix(1), matrix(5));
    let singles = |matrix: &[f16]| matrix.iter().map(|x| x.to_f32()).collect::<Vec<_>>();
    let (a32, b32) = (singles(&a), singles(&b));
    assert_eq!(naive(&a32, &b32, |x| x), by_mma(&a, &b), "small integers have exact sums");
    let mut group = criterion.benchmark_group("gemm 256");
    group.sample_size(10);
    group.bench_function("naive f16", |bencher| {
        bencher.iter(|| naive(black_box(&a), black_box(&b), f16::to_f32));
    });
    group.bench_function("naive f32", |bencher| {
        bencher.iter(|| naive(black_box(&a32), black_box(&b32), |x| x));
    });
    group.bench_function("mma", |bencher| bencher.iter(|| by_mma(black_box(&a), black_box(&b))));
    group.finish();
}

criterion_group!(benches, gemm);
criterion_main!(benches);
