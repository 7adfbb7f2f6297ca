//! The row kernel of `cute-kernels`, run in the simulator and compared with the plain loop.

use cute_kernels::layernorm::Layernorm;
use cute_mlir::Target;
use cute_sim::{Arg, Launch, Memory, Traffic};
use melior::Context;

const EPS: f32 = 1e-5;

/// A row, normalised in f64.
fn expected(row: &[f32], gamma: &[f32], beta: &[f32]) -> Vec<f32> {
    let n = row.len() as f64;
    let mean = row.iter().map(|x| f64::from(*x)).sum::<f64>() / n;
    let variance = row.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>() / n;
    let scale = 1.0 / (variance + f64::from(EPS)).sqrt();
    let one = |(i, x): (usize, &f32)| ((f64::from(*x) - mean) * scale) as f32 * gamma[i] + beta[i];
    row.iter().enumerate().map(one).collect()
}

#[test]
fn rows_are_normalised() {
    for (columns, warps, row_counts) in [(128, 1, [1, 3]), (1024, 4, [8, 5]), (384, 2, [2, 1])] {
        let context = Context::new();
        cute_mlir::load(&context);
        let kernel = Layernorm { columns: columns as i64, warps };
        let mut module = kernel.build(&context).unwrap_or_else(|e| panic!("{e}"));
        cute_mlir::lower(&context, &mut module, Target::Sm90a).unwrap_or_else(|e| panic!("{e}"));
        let program = cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{e}"));
        for rows in row_counts {
            let number = |i: usize, seed: usize| ((i * 7919 + seed) % 1009) as f32 / 100.0 - 3.0;
            let x: Vec<f32> = (0..rows * columns).map(|i| number(i, 5)).collect();
            let gamma: Vec<f32> = (0..columns).map(|i| number(i, 17)).collect();
            let beta: Vec<f32> = (0..columns).map(|i| number(i, 91)).collect();
            let mut memory = Memory::new();
            let buffers = [&x, &gamma, &beta].map(|v| memory.upload(v));
            let y = memory.zeroed::<f32>(rows * columns);
            let matrix = |b| [Arg::Buffer(b), Arg::I32(rows as i32), Arg::I64(columns as i64)];
            let mut args = matrix(buffers[0]).to_vec();
            args.extend([Arg::Buffer(buffers[1]), Arg::Buffer(buffers[2])]);
            args.extend(matrix(y));
            args.push(Arg::F32(EPS));
            let grid = [rows.div_ceil(warps as usize) as u32, 1, 1];
            let launch = Launch::new(Layernorm::NAME, grid, [kernel.threads() as u32, 1, 1]);
            let report = program.run(&launch, &mut memory, &args).unwrap_or_else(|e| panic!("{e}"));
            assert!(report.findings.is_empty(), "{:?}", report.findings);
            // Every access covers whole sectors.
            assert!(report.sites.iter().all(|s| s.traffic != Traffic::Global || s.excess() == 0));
            let found = memory.download::<f32>(y);
            for (row, found) in x.chunks(columns).zip(found.chunks(columns)) {
                for (found, expected) in found.iter().zip(expected(row, &gamma, &beta)) {
                    assert!((found - expected).abs() <= 1e-4, "{found} instead of {expected}");
                }
            }
        }
    }
}

#[test]
fn columns_that_do_not_fit_are_refused() {
    let context = Context::new();
    cute_mlir::load(&context);
    let error =
        |columns, warps| Layernorm { columns, warps }.build(&context).map(|_| ()).unwrap_err().to_string();
    assert_eq!(error(100, 4), "--columns must be between 128 and 8192 and a multiple of 128, but is 100");
    assert_eq!(error(16384, 4), "--columns must be between 128 and 8192 and a multiple of 128, but is 16384");
    assert_eq!(error(128, 33), "--warps must be between 1 and 32, but is 33");
    assert_eq!(
        error(8192, 32),
        "a row of 8192 columns has 256 elements for each lane, but the threads of 32 warps have 64 registers each: take at most 8 warps"
    );
}
