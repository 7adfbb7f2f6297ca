//! The kernels of `examples/` that fuse several steps, run in the simulator and compared with plain
//! loops in f64.

mod attention;
mod gemm_bias_relu;
mod softmax;

use cute_mlir::Target;
use cute_sim::{Arg, Buffer, Element, Launch, Memory, Program, Report, Traffic};
use fastrand::Rng;
use melior::Context;

/// An example, lowered.
struct Example {
    name: &'static str,
    program: Program,
}

impl Example {
    fn compile(name: &'static str, source: &str) -> Self {
        let context = Context::new();
        cute_mlir::load(&context);
        let mut module = cute_mlir::parse(&context, source).unwrap_or_else(|e| panic!("{e}"));
        cute_mlir::lower(&context, &mut module, Target::Sm90a).unwrap_or_else(|e| panic!("{e}"));
        let program = cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{e}"));
        Self { name, program }
    }

    /// Runs the kernel, which must have no finding and no bank conflicts.
    fn run(&self, grid: [usize; 2], threads: u32, memory: &mut Memory, args: &[Arg]) -> Report {
        let launch = Launch::new(self.name, [grid[0] as u32, grid[1] as u32, 1], [threads, 1, 1]);
        let report = self.program.run(&launch, memory, args).unwrap_or_else(|e| panic!("{e}"));
        assert!(report.findings.is_empty(), "{:?}", report.findings);
        assert_eq!(report.excess(Traffic::Shared), 0, "bank conflicts");
        report
    }
}

/// A matrix in memory: rows of `columns` elements, `pitch` apart. The last row has no padding after
/// it.
#[derive(Debug, Clone, Copy)]
struct Matrix {
    rows: usize,
    columns: usize,
    pitch: usize,
}

impl Matrix {
    /// Rows without padding, spread out; the padding has the given value.
    fn spread<T: Element>(self, dense: &[T], padding: T) -> Vec<T> {
        let mut all = vec![padding; (self.rows - 1) * self.pitch + self.columns];
        for (to, from) in all.chunks_mut(self.pitch).zip(dense.chunks(self.columns)) {
            to[..self.columns].copy_from_slice(from);
        }
        all
    }

    /// Kernel arguments: pointer, shape, row stride.
    fn args(self, buffer: Buffer) -> [Arg; 4] {
        let [rows, columns] = [self.rows, self.columns].map(|extent| Arg::I32(extent as i32));
        [Arg::Buffer(buffer), rows, columns, Arg::I64(self.pitch as i64)]
    }
}

/// Uniform in [-1, 1), in steps of 2^-23.
fn noise(random: &mut Rng) -> f32 {
    random.u32(..1 << 24) as f32 / (1 << 23) as f32 - 1.0
}

/// The distance between floats in the binade of `x`, for a format with `digits` digits and the
/// minimum exponent `least`.
fn unit(x: f64, digits: i32, least: i32) -> f64 {
    let exponent = if x == 0.0 { least } else { (x.abs().log2().floor() as i32).max(least) };
    f64::from(exponent - digits + 1).exp2()
}
