//! `examples/softmax.mlir`.

use cute_sim::{Memory, Report, Traffic};
use half::f16;

use crate::{Example, Matrix, noise, unit};

fn example() -> Example {
    Example::compile("softmax", include_str!("../../examples/softmax.mlir"))
}

/// Runs the kernel on a matrix whose padding is NaN, which would spoil every row that includes it.
fn run(example: &Example, shape: Matrix, x: &[f16]) -> (Vec<f16>, Report) {
    let mut memory = Memory::new();
    let untouched = f16::from_f32(-1.0);
    let from = memory.upload(&shape.spread(x, f16::NAN));
    let to = memory.upload(&shape.spread(&vec![untouched; x.len()], untouched));
    let args = [shape.args(from), shape.args(to)].concat();
    let report = example.run([shape.rows.div_ceil(4), 1], 128, &mut memory, &args);
    let all = memory.download::<f16>(to);
    assert!(all.chunks(shape.pitch).all(|row| row.iter().skip(shape.columns).all(|y| *y == untouched)));
    (all.chunks(shape.pitch).flat_map(|row| &row[..shape.columns]).copied().collect(), report)
}

/// The plain loop in f64.
fn exact(row: &[f16]) -> Vec<f64> {
    let max = row.iter().map(|x| f64::from(*x)).fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = row.iter().map(|x| (f64::from(*x) - max).exp()).collect();
    let sum: f64 = powers.iter().sum();
    powers.iter().map(|p| p / sum).collect()
}

/// Every element is within a unit in the last place.
fn check(shape: Matrix, x: &[f16], y: &[f16]) {
    for (row, (x, y)) in x.chunks(shape.columns).zip(y.chunks(shape.columns)).enumerate() {
        for (column, (found, exact)) in y.iter().zip(exact(x)).enumerate() {
            let off = (f64::from(*found) - exact).abs();
            assert!(off <= unit(exact, 11, -14), "{shape:?}, ({row},{column}): {found}, not {exact}");
        }
    }
}

#[test]
fn is_within_a_unit() {
    let example = example();
    // A tile is 4 rows of 1024 columns.
    for (rows, columns, padding) in
        [(37, 1024, 0), (4, 2048, 8), (1, 8, 0), (3, 264, 16), (6, 1032, 0), (2, 3000, 8)]
    {
        let shape = Matrix { rows, columns, pitch: columns + padding };
        for scale in [0.0, 1.0, 16.0, 2000.0] {
            let mut random = fastrand::Rng::with_seed(3);
            let x: Vec<f16> =
                (0..rows * columns).map(|_| f16::from_f32(noise(&mut random) * scale)).collect();
            let (y, _) = run(&example, shape, &x);
            check(shape, &x, &y);
        }
    }
}

#[test]
fn takes_the_ends_of_the_range() {
    let shape = Matrix { rows: 4, columns: 1040, pitch: 1040 };
    let mut x = vec![f16::ZERO; shape.rows * shape.columns];
    x[..1040].fill(f16::MIN);
    x[1040..2080].fill(f16::NEG_INFINITY);
    x[2000] = f16::MIN;
    x[2080..3120].fill(f16::MAX);
    x[2500] = f16::MIN;
    x[3000] = f16::NEG_INFINITY;
    x[3120] = f16::NAN;
    let (y, _) = run(&example(), shape, &x);
    let (ordinary, with_nan) = y.split_at(3120);
    check(Matrix { rows: 3, ..shape }, &x[..3120], ordinary);
    assert!(with_nan.iter().all(|y| y.is_nan()));
}

#[test]
fn accesses_are_whole_sectors() {
    let shape = Matrix { rows: 8, columns: 1088, pitch: 1088 };
    let (_, report) = run(&example(), shape, &vec![f16::ONE; 8 * 1088]);
    assert_eq!(report.excess(Traffic::Global), 0);
}
