//! `cute-choose-swizzle`: the pass finds the swizzles of the examples after they are removed, and
//! the simulator counts no conflict behind them.

use cute_mlir::Target;
use cute_sim::{Arg, Buffer, Launch, Memory, Report, Traffic};
use half::f16;
use melior::Context;

/// An example whose allocations leave their swizzle open.
fn open(source: &str, swizzle: &str, partitions: &[(&str, &str)]) -> String {
    let plain = source.replace(&format!("{swizzle} o 0 o "), "");
    assert_ne!(plain, source, "the example says its swizzle");
    let open = plain.replace("cute.memref.alloc_smem() :", "cute.memref.alloc_smem() swizzle = auto :");
    // Behind a swizzle of the layout, a thread's steps depend on its start; behind a swizzle of the
    // pointer, they are fixed.
    partitions.iter().fold(open, |text, (swizzled, fixed)| {
        assert!(text.contains(swizzled), "{swizzled}");
        text.replace(swizzled, fixed)
    })
}

fn run(source: &str, launch: &Launch, memory: &mut Memory, args: &[Arg]) -> Report {
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = cute_mlir::parse(&context, source).unwrap_or_else(|e| panic!("{e}"));
    cute_mlir::lower(&context, &mut module, Target::Sm90a).unwrap_or_else(|e| panic!("{e}"));
    let program = cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{e}"));
    let report = program.run(launch, memory, args).unwrap_or_else(|e| panic!("{e}"));
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    report
}

fn matrix(buffer: Buffer, rows: usize, columns: usize) -> [Arg; 4] {
    [Arg::Buffer(buffer), Arg::I32(rows as i32), Arg::I32(columns as i32), Arg::I64(columns as i64)]
}

#[test]
fn the_transposition_is_swizzled_unaided() {
    let source = open(
        include_str!("../examples/transpose.mlir"),
        "S<3,3,6>",
        &[
            ("((8,(2,2)),1,1):((1,(?{div=16},?{div=32})),0,0)", "((8,4),1,1):((1,1024),0,0)"),
            ("((1,(8,(2,2))),1,1):((0,(64,(?{div=16},?{div=32}))),0,0)", "((1,(8,4)),1,1):((0,(64,16)),0,0)"),
        ],
    );
    let (m, n) = (72, 136);
    let from: Vec<u16> = (0..m * n).map(|i| i as u16).collect();
    let mut memory = Memory::new();
    let (src, dst) = (memory.upload(&from), memory.zeroed::<u16>(m * n));
    let args = [matrix(src, m, n), matrix(dst, n, m)].concat();
    let launch = Launch::new("transpose", [n.div_ceil(64) as u32, m.div_ceil(64) as u32, 1], [128, 1, 1]);
    let report = run(&source, &launch, &mut memory, &args);
    let found = memory.download::<u16>(dst);
    assert!((0..m * n).all(|i| found[(i % n) * m + i / n] == from[i]));
    assert_eq!(report.excess(Traffic::Shared), 0);
}

#[test]
fn the_tiles_of_a_gemm_are_swizzled_unaided() {
    let source = open(
        include_str!("../examples/gemm/4_tensor_cores.mlir"),
        "S<3,3,3>",
        &[("((8,1),2,(2,2)):((1,0),2048,(?{div=16},?{div=32}))", "((8,1),2,4):((1,0),2048,16)")],
    );
    let (m, n, k) = (64, 128, 128);
    let number = |i: usize, seed: usize| ((i * 7919 + seed) % 16) as i64 - 8;
    let of =
        |count: usize, seed| (0..count).map(|i| f16::from_f32(number(i, seed) as f32)).collect::<Vec<_>>();
    let mut memory = Memory::new();
    let (a, b) = (memory.upload(&of(m * k, 1)), memory.upload(&of(n * k, 2)));
    let c = memory.zeroed::<f32>(m * n);
    let args = [matrix(a, m, k), matrix(b, n, k), matrix(c, m, n)].concat();
    let launch =
        Launch::new("gemm_tensor_cores", [m.div_ceil(64) as u32, n.div_ceil(64) as u32, 1], [128, 1, 1]);
    let report = run(&source, &launch, &mut memory, &args);
    let found = memory.download::<f32>(c);
    for i in 0..m {
        for j in 0..n {
            let sum: i64 = (0..k).map(|l| number(i * k + l, 1) * number(j * k + l, 2)).sum();
            assert_eq!(found[i * n + j], sum as f32, "row {i}, column {j}");
        }
    }
    assert_eq!(report.excess(Traffic::Shared), 0);
}
