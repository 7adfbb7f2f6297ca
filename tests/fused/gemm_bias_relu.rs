//! `examples/gemm_bias_relu.mlir`.

use cute_sim::{Arg, Memory, Report, Traffic};
use half::bf16;

use crate::{Example, Matrix, noise, unit};

fn example() -> Example {
    Example::compile("gemm_bias_relu", include_str!("../../examples/gemm_bias_relu.mlir"))
}

/// M, N and K, and the padding of rows.
#[derive(Debug, Clone, Copy)]
struct Problem([usize; 3], usize);

/// A, B and bias, without padding.
struct Data([Vec<bf16>; 3]);

impl Problem {
    fn data(self, mut number: impl FnMut() -> f32) -> Data {
        let [m, n, k] = self.0;
        Data([m * k, n * k, n].map(|count| (0..count).map(|_| bf16::from_f32(number())).collect()))
    }

    /// Runs the kernel. Padding is NaN, which would spoil every sum that includes it.
    fn run(self, example: &Example, Data([a, b, bias]): &Data) -> (Vec<bf16>, Report) {
        let Self([m, n, k], padding) = self;
        let matrix = |rows, columns| Matrix { rows, columns, pitch: columns + padding };
        let (shape_a, shape_b, shape_d) = (matrix(m, k), matrix(n, k), matrix(m, n));
        let mut memory = Memory::new();
        let untouched = bf16::from_f32(-1.0);
        let a = memory.upload(&shape_a.spread(a, bf16::NAN));
        let b = memory.upload(&shape_b.spread(b, bf16::NAN));
        let bias = memory.upload(bias);
        let d = memory.upload(&shape_d.spread(&vec![untouched; m * n], untouched));
        let mut args = [shape_a.args(a), shape_b.args(b)].concat();
        args.extend([Arg::Buffer(bias), Arg::I32(n as i32)]);
        args.extend(shape_d.args(d));
        let report = example.run([m.div_ceil(128), n.div_ceil(128)], 256, &mut memory, &args);
        let all = memory.download::<bf16>(d);
        assert!(all.chunks(n + padding).all(|row| row.iter().skip(n).all(|x| *x == untouched)), "{self:?}");
        (all.chunks(n + padding).flat_map(|row| &row[..n]).copied().collect(), report)
    }

    /// The sum in f64, and the sum of the magnitudes of its terms.
    fn exact(self, Data([a, b, bias]): &Data, i: usize, j: usize) -> (f64, f64) {
        let [_, _, k] = self.0;
        let products =
            a[i * k..][..k].iter().zip(&b[j * k..][..k]).map(|(a, b)| f64::from(*a) * f64::from(*b));
        let bias = f64::from(bias[j]);
        products.fold((bias, bias.abs()), |(sum, size), x| (sum + x, size + x.abs()))
    }
}

const PROBLEMS: [Problem; 6] = [
    Problem([128, 128, 32], 0),
    Problem([128, 256, 128], 8),
    Problem([1, 8, 8], 0),
    Problem([200, 136, 72], 0),
    Problem([65, 40, 200], 16),
    Problem([129, 264, 40], 8),
];

#[test]
fn is_exact_on_small_integers() {
    let example = example();
    for problem in PROBLEMS {
        let mut random = fastrand::Rng::with_seed(1);
        let data = problem.data(|| (noise(&mut random) * 4.0).round());
        let (found, _) = problem.run(&example, &data);
        let [_, n, _] = problem.0;
        for (at, found) in found.iter().enumerate() {
            let (exact, _) = problem.exact(&data, at / n, at % n);
            assert_eq!(
                *found,
                bf16::from_f64(exact.max(0.0)),
                "{problem:?}, row {}, column {}",
                at / n,
                at % n
            );
        }
    }
}

#[test]
fn is_within_half_a_unit() {
    let example = example();
    for problem in PROBLEMS {
        let mut random = fastrand::Rng::with_seed(2);
        let data = problem.data(|| noise(&mut random));
        let (found, _) = problem.run(&example, &data);
        let [_, n, k] = problem.0;
        for (at, found) in found.iter().enumerate() {
            let (exact, size) = problem.exact(&data, at / n, at % n);
            // Sums are rounded to f32 once per MMA, of 16 products, and once with the bias.
            let sums = size * f64::from(-24.0_f32).exp2() * (k.div_ceil(16) + 1) as f64;
            let allowed = unit(exact, 8, -126) / 2.0 + sums;
            let off = (f64::from(*found) - exact.max(0.0)).abs();
            assert!(off <= allowed, "{problem:?}, row {}, column {}: {found}, not {exact}", at / n, at % n);
        }
    }
}

#[test]
fn accesses_are_whole_sectors() {
    let problem = Problem([128, 256, 64], 0);
    let (_, report) = problem.run(&example(), &problem.data(|| 1.0));
    assert_eq!(report.excess(Traffic::Global), 0);
}
