//! The GEMMs of `docs/kernels.md`, step by step, in the simulator: compared with the plain loop,
//! and with the traffic that the document states.

use cute_mlir::Target;
use cute_sim::{Arg, Buffer, Element, Launch, Memory, Program, Report, Traffic};
use half::f16;
use melior::Context;

/// M, N and K.
type Shape = [usize; 3];

/// A step, lowered, with its launch configuration.
struct Step {
    name: &'static str,
    tile: usize,
    block: [u32; 3],
    program: Program,
}

impl Step {
    fn compile(name: &'static str, tile: usize, block: [u32; 3], source: &str) -> Self {
        let context = Context::new();
        cute_mlir::load(&context);
        let mut module = cute_mlir::parse(&context, source).unwrap_or_else(|e| panic!("{e}"));
        cute_mlir::lower(&context, &mut module, Target::Sm90a).unwrap_or_else(|e| panic!("{e}"));
        let program = cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{e}"));
        Self { name, tile, block, program }
    }

    /// Returns C, or the findings of the simulator.
    fn run<F: Element>(&self, [m, n, k]: Shape, a: &[F], b: &[F]) -> Result<(Vec<f32>, Report), String> {
        let mut memory = Memory::new();
        let (a, b) = (memory.upload(a), memory.upload(b));
        let c = memory.zeroed::<f32>(m * n);
        let matrix = |buffer: Buffer, rows: usize, columns: usize| {
            [Arg::Buffer(buffer), Arg::I32(rows as i32), Arg::I32(columns as i32), Arg::I64(columns as i64)]
        };
        let args = [matrix(a, m, k), matrix(b, n, k), matrix(c, m, n)].concat();
        let grid = [m.div_ceil(self.tile) as u32, n.div_ceil(self.tile) as u32, 1];
        let launch = Launch::new(self.name, grid, self.block);
        let report = self.program.run(&launch, &mut memory, &args).map_err(|e| e.to_string())?;
        Ok((memory.download(c), report))
    }

    /// Runs on eighths, whose sums are exact, and compares.
    fn check<F: Element>(&self, [m, n, k]: Shape, number: impl Fn(f32) -> F) -> Report {
        let [a, b] = [(m * k, 1), (n * k, 2)].map(|(count, seed)| eighths(count, seed));
        let of = |eighths: &[i64]| eighths.iter().map(|i| number(*i as f32 / 8.0)).collect::<Vec<_>>();
        let ran = self.run([m, n, k], &of(&a), &of(&b));
        let (found, report) = ran.unwrap_or_else(|e| panic!("{m} x {n} x {k}: {e}"));
        assert!(report.findings.is_empty(), "{m} x {n} x {k}: {:?}", report.findings);
        for i in 0..m {
            for j in 0..n {
                let sum: i64 = (0..k).map(|l| a[i * k + l] * b[j * k + l]).sum();
                assert_eq!(found[i * n + j], sum as f32 / 64.0, "{m} x {n} x {k}, row {i}, column {j}");
            }
        }
        report
    }
}

/// Numerators of a matrix, from -8 to 7.
fn eighths(count: usize, seed: usize) -> Vec<i64> {
    (0..count).map(|i| ((i * 7919 + seed * 104_729 + i / 13) % 16) as i64 - 8).collect()
}

/// The number of passes of all accesses to this memory by this op, and the minimum.
fn passes(report: &Report, op: &str, traffic: Traffic) -> (u64, u64) {
    let sites = || report.sites.iter().filter(|s| s.op == op && s.traffic == traffic);
    (sites().map(|s| s.passes).sum(), sites().map(|s| s.ideal).sum())
}

/// The problem that the document runs.
const SAID: Shape = [128, 128, 64];

const LOAD: &str = "llvm.load";
const BRING: &str = "nvvm.cp.async.shared.global";
const SHARED: &str = include_str!("../examples/gemm/3_shared.mlir");
const TENSOR_CORES: &str = include_str!("../examples/gemm/4_tensor_cores.mlir");

fn shared(source: &str) -> Step {
    Step::compile("gemm_shared", 64, [256, 1, 1], source)
}

fn tensor_cores(source: &str) -> Step {
    Step::compile("gemm_tensor_cores", 64, [128, 1, 1], source)
}

#[test]
fn step_1_takes_any_shape() {
    let source = include_str!("../examples/gemm/1_naive.mlir");
    let step = Step::compile("gemm_naive", 16, [16, 16, 1], source);
    for shape in [[16, 16, 8], [33, 17, 5], [1, 1, 0]] {
        step.check(shape, |x| x);
    }
    let report = step.check(SAID, |x| x);
    assert_eq!(passes(&report, LOAD, Traffic::Global), (589_824, 98_304));
}

#[test]
fn step_2_loads_a_quarter_of_step_1() {
    let source = include_str!("../examples/gemm/2_partitioned.mlir");
    let step = Step::compile("gemm_partitioned", 64, [256, 1, 1], source);
    for shape in [[64, 64, 8], [64, 128, 24], [128, 64, 0]] {
        step.check(shape, |x| x);
    }
    let report = step.check(SAID, |x| x);
    assert_eq!(passes(&report, LOAD, Traffic::Global), (147_456, 24_576));
}

#[test]
fn step_3_reads_each_tile_once_and_without_conflicts() {
    let step = shared(SHARED);
    for shape in [[64, 64, 8], [64, 128, 24], [128, 64, 0]] {
        step.check(shape, |x| x);
    }
    let report = step.check(SAID, |x| x);
    assert_eq!(passes(&report, BRING, Traffic::Global), (4096, 4096));
    assert_eq!(passes(&report, BRING, Traffic::Shared), (1024, 1024));
    assert_eq!((report.excess(Traffic::Global), report.excess(Traffic::Shared)), (0, 0));
}

#[test]
fn step_3_has_conflicts_without_padding() {
    let report = shared(&SHARED.replace(",68)\"", ",64)\"")).check(SAID, |x| x);
    assert_eq!(passes(&report, BRING, Traffic::Shared), (8192, 1024));
}

#[test]
fn step_4_has_no_excess_traffic() {
    let step = tensor_cores(TENSOR_CORES);
    for shape in [[64, 64, 64], [64, 128, 192], [128, 64, 0]] {
        step.check(shape, f16::from_f32);
    }
    let report = step.check(SAID, f16::from_f32);
    assert_eq!(passes(&report, BRING, Traffic::Global), (2048, 2048));
    assert_eq!(passes(&report, "nvvm.ldmatrix", Traffic::Shared), (1024, 1024));
    assert_eq!((report.excess(Traffic::Global), report.excess(Traffic::Shared)), (0, 0));
}

#[test]
fn step_4_has_conflicts_without_the_swizzle() {
    let plain = TENSOR_CORES
        .replace("S<3,3,3> o 0 o (64,64):(64,1)\">", "(64,64):(64,1)\">")
        .replace("((8,1),2,(2,2)):((1,0),2048,(?{div=16},?{div=32}))", "((8,1),2,4):((1,0),2048,16)");
    let report = tensor_cores(&plain).check(SAID, f16::from_f32);
    assert_eq!(passes(&report, "nvvm.ldmatrix", Traffic::Shared), (8192, 1024));
    let two_bits = TENSOR_CORES
        .replace("S<3,3,3> o 0 o (64,64):(64,1)\">", "S<2,3,3> o 0 o (64,64):(64,1)\">")
        .replace("(?{div=16},?{div=32})", "(?{div=16},32)");
    let report = tensor_cores(&two_bits).check(SAID, f16::from_f32);
    assert_eq!(passes(&report, "nvvm.ldmatrix", Traffic::Shared), (2048, 1024));
}

#[test]
fn step_4_races_without_its_barriers() {
    let bare = TENSOR_CORES.replace("        nvvm.barrier0\n", "");
    let zeros = vec![f16::from_f32(0.0); 64 * 128];
    let race =
        tensor_cores(&bare).run([64, 64, 128], &zeros, &zeros).expect_err("missing barriers are found");
    assert!(race.contains("nothing orders it with the asynchronous copy"), "{race}");
}
