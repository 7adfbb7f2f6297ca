//! Kernels that differ from right ones in one type, one projection or one operand: each is refused,
//! with a message that says what to change. The right ones are accepted.

mod outputs;
mod scales;

use std::{fs, path::Path};

use cute_kernels::gemm::{sm80, sm90, sm100, sm120, types::Types};
use cute_mlir::Target;
use melior::{Context, ir::Module};

/// The pass that decides it, beside the verifier.
const CHECK: &str = "builtin.module(cute-check-fragments)";

fn context() -> Context {
    let context = Context::new();
    cute_mlir::load(&context);
    context
}

/// The text of a kernel, in `examples/` or next to this file.
fn kernel(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = ["examples", "tests/operands"].map(|folder| root.join(folder).join(name));
    let path = path.iter().find(|path| path.exists()).unwrap_or_else(|| panic!("no kernel {name}"));
    fs::read_to_string(path).expect("a kernel")
}

/// What the verifier and the pass report about a kernel.
fn report(text: &str) -> String {
    let context = context();
    let checked =
        cute_mlir::parse(&context, text).and_then(|mut module| cute_mlir::run(&context, &mut module, CHECK));
    checked.err().map(|e| e.to_string()).unwrap_or_default()
}

/// Checks that a kernel with these words replaced is refused for the stated reason.
#[track_caller]
fn breaks(name: &str, words: &[(&str, &str)], why: &str) {
    let mut text = kernel(name);
    for (right, wrong) in words {
        assert!(text.contains(right), "{name} has no `{right}`");
        text = text.replace(right, wrong);
    }
    let report = report(&text);
    assert!(report.contains(why), "{name} with {words:?} is not refused by `{why}`:\n{report}");
}

const HALVES: (&str, &str) = ("(f16, f16, f32)", "(bf16, bf16, f32)");
const B_LIKE_A: (&str, &str) = ("%B, %tiler, %at, \"(_,1,1)\"", "%B, %tiler, %at, \"(1,_,1)\"");
const A_LIKE_B: (&str, &str) = ("%A, %tiler, %at, \"(1,_,1)\"", "%A, %tiler, %at, \"(_,1,1)\"");

const NOT_B: &str = "'cute.local_tile' op cuts the tile of B by modes 0 and 2 of the tiler, which A and B then both have; the tile (N,K) has modes 1 and 2: use the projection \"(_,1,1)\"";
const NOT_A: &str = "'cute.local_tile' op cuts the tile of A by modes 1 and 2 of the tiler, which A and B then both have; the tile (M,K) has modes 0 and 2: use the projection \"(1,_,1)\"";
const FILLS_B: &str = "'cute.copy' op fills B from the tile of A, so that the gemm multiplies A by itself: read the memory of the tile of B, which has modes 1 and 2 of the tiler";
const FILLS_A: &str = "'cute.copy' op fills A from the tile of B, so that the gemm multiplies B by itself: read the memory of the tile of A, which has modes 0 and 2 of the tiler";
const TAKES_B: &str = "'cute.tiled.mma.partition' op takes B from the tile of A, so that the gemm multiplies A by itself: read the memory of the tile of B";

#[test]
fn mma_sync() {
    for name in ["gemm/4_tensor_cores.mlir", "tma/gemm.mlir"] {
        breaks(name, &[B_LIKE_A], NOT_B);
        breaks(name, &[A_LIKE_B], NOT_A);
        // The atom and its fragments.
        let fragments = [
            HALVES,
            ("!regs_A = !cute.memref<f16", "!regs_A = !cute.memref<bf16"),
            ("!regs_B = !cute.memref<f16", "!regs_B = !cute.memref<bf16"),
            ("!loaded_A = !cute.memref<f16", "!loaded_A = !cute.memref<bf16"),
            ("!loaded_B = !cute.memref<f16", "!loaded_B = !cute.memref<bf16"),
        ];
        breaks(
            name,
            &fragments,
            "the source holds f16, but the destination holds bf16, and a copy does not convert: recast the iterator",
        );
        // The atom alone.
        breaks(name, &[HALVES], "is not a weakening of !cute.memref<bf16, rmem");
    }
    let name = "gemm/4_tensor_cores.mlir";
    breaks(name, &[("partition_S(%loadB, %sB", "partition_S(%loadB, %sA")], FILLS_B);
    breaks(name, &[("%nowB, %tBsB)", "%nowA, %tBsB)")], FILLS_B);
    let exchanged = (
        "%tCrA, %tCrB, %tCrC) : (!mma, !regs_C, !regs_A, !regs_B",
        "%tCrB, %tCrA, %tCrC) : (!mma, !regs_C, !regs_B, !regs_A",
    );
    breaks(name, &[exchanged], "'cute.gemm' op expects same size in rank 1");
}

#[test]
fn wgmma() {
    let name = "hopper/warp_roles.mlir";
    breaks(
        name,
        &[HALVES],
        "'cute.mma.make_fragment' op A's memory holds f16, but the atom multiplies bf16: recast the iterator to bf16, or use an atom of f16",
    );
    breaks(name, &[B_LIKE_A], NOT_B);
    breaks(name, &[A_LIKE_B], NOT_A);
    breaks(
        name,
        &[("%a, %b, %accumulators", "%b, %a, %accumulators")],
        "'cute.gemm' op A is given the descriptors of B: exchange them, or make those of A by cute.mma.make_fragment A, from a partition A",
    );
    breaks(name, &[("partition B(%mma, %sB, %g)", "partition B(%mma, %sA, %g)")], TAKES_B);
    breaks(name, &[("%tma_A, %k_A, %s_A", "%tma_A, %k_B, %s_A")], FILLS_A);
}

#[test]
fn wgmma_with_a_in_registers() {
    let name = "wgmma_rs.mlir";
    breaks(name, &[B_LIKE_A], NOT_B);
    breaks(name, &[A_LIKE_B], NOT_A);
    breaks(name, &[("partition B(%mma, %sB", "partition B(%mma, %sA")], TAKES_B);
    let registers = [
        (
            "cute.mma.make_fragment A(%mma, %shape_A) : (!mma, !shape_A) -> !regs_A",
            "cute.memref.alloca() : !regs_A",
        ),
        ("!regs_A = !cute.memref<f16", "!regs_A = !cute.memref<bf16"),
        ("!loaded = !cute.memref<f16", "!loaded = !cute.memref<bf16"),
        ("!a = !cute.memref<f16", "!a = !cute.memref<bf16"),
    ];
    let why = "'cute.gemm' op A's fragment holds bf16, but the atom multiplies f16: make the fragment by cute.mma.make_fragment of this atom, or use an atom of bf16";
    breaks(name, &registers, why);
    breaks(
        name,
        &registers,
        "the source holds f16, but the destination holds bf16, and a copy does not convert",
    );
    breaks(name, &[HALVES], "B's memory holds f16, but the atom multiplies bf16");
}

#[test]
fn tcgen05() {
    let name = "blackwell/umma.mlir";
    breaks(
        name,
        &[HALVES],
        "'cute.mma.make_fragment' op B's memory holds f16, but the atom multiplies bf16: recast the iterator to bf16, or use an atom of f16",
    );
    breaks(name, &[B_LIKE_A], NOT_B);
    breaks(name, &[A_LIKE_B], NOT_A);
    breaks(
        name,
        &[("%a, %b, %accumulators", "%b, %a, %accumulators")],
        "'cute.gemm' op A is given the descriptors of B: exchange them",
    );
    breaks(
        name,
        &[("partition B(%mma, %sB", "partition A(%mma, %sB")],
        "'cute.mma.make_fragment' op makes descriptors of B from a partition of A: partition the tile by cute.tiled.mma.partition B",
    );
    breaks(
        name,
        &[("make_fragment B(%mma, %tCsB)", "make_fragment A(%mma, %tCsB)")],
        "'cute.gemm' op B is given the descriptors of A",
    );
    breaks(name, &[("%tma_B, %k_B, %s_B", "%tma_B, %k_A, %s_B")], FILLS_B);
}

#[test]
fn tcgen05_with_a_in_tensor_memory() {
    let name = "umma_ts.mlir";
    breaks(name, &[HALVES], "B's memory holds f16, but the atom multiplies bf16");
    breaks(name, &[HALVES], "A's fragment holds f16, but the atom multiplies bf16");
    let left = [
        ("!tmem_A = !cute.ptr<f16", "!tmem_A = !cute.ptr<bf16"),
        ("!left = !cute.memref<f16", "!left = !cute.memref<bf16"),
        ("!left_k = !cute.memref<f16", "!left_k = !cute.memref<bf16"),
        ("!rows_A = !cute.memref<f16", "!rows_A = !cute.memref<bf16"),
        ("!stored = !cute.memref<f16", "!stored = !cute.memref<bf16"),
    ];
    breaks(name, &left, "'cute.gemm' op A's fragment holds bf16, but the atom multiplies f16");
    breaks(name, &left, "the source holds f16, but the destination holds bf16, and a copy does not convert");
    breaks(name, &[B_LIKE_A], NOT_B);
    breaks(name, &[A_LIKE_B], NOT_A);
    breaks(name, &[("partition_S(%g2s, %gB", "partition_S(%g2s, %gA")], FILLS_B);
}

/// Checks that nothing is reported about a module.
#[track_caller]
fn accept(context: &Context, what: &str, module: Result<Module<'_>, impl std::fmt::Display>) {
    let mut module = module.unwrap_or_else(|e| panic!("{what}: {e}"));
    cute_mlir::run(context, &mut module, CHECK).unwrap_or_else(|e| panic!("{what}: {e}"));
}

#[test]
fn the_examples_are_accepted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [
        "examples",
        "examples/gemm",
        "examples/tma",
        "examples/hopper",
        "examples/blackwell",
        "examples/geforce",
    ];
    let files = folders.map(|folder| fs::read_dir(root.join(folder)).expect("examples"));
    let files = files.into_iter().flatten().map(|file| file.expect("a file").path());
    let files: Vec<_> = files.filter(|path| path.extension().is_some_and(|e| e == "mlir")).collect();
    assert!(files.len() > 12, "only {} examples", files.len());
    for path in files {
        let text = fs::read_to_string(&path).expect("an example");
        assert_eq!(report(&text), "", "{}", path.display());
    }
    for (name, target) in [("wgmma_rs.mlir", Target::Sm90a), ("umma_ts.mlir", Target::Sm100a)] {
        let context = context();
        let mut module = cute_mlir::parse(&context, &kernel(name)).unwrap_or_else(|e| panic!("{e}"));
        cute_mlir::lower(&context, &mut module, target).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

#[test]
fn what_the_builders_write_is_accepted() {
    let context = context();
    for types in [sm80::Types::F16, sm80::Types::Bf16, sm80::Types::Tf32, sm80::Types::S8] {
        let kernel = sm80::GemmSm80 { types, ..Default::default() };
        accept(&context, &format!("gemm_sm80 {types:?}"), kernel.build(&context));
    }
    for types in [Types::F16, Types::Bf16, Types::Tf32, Types::E4m3, Types::E5m2, Types::S8] {
        let kernel = sm90::GemmSm90 { types, ..Default::default() };
        accept(&context, &format!("gemm_sm90 {types:?}"), kernel.build(&context));
        let kernel = sm100::GemmSm100 { types, ..Default::default() };
        accept(&context, &format!("gemm_sm100 {types:?}"), kernel.build(&context));
        let kernel = sm120::GemmSm120 { types, ..Default::default() };
        accept(&context, &format!("gemm_sm120 {types:?}"), kernel.build(&context));
    }
    for types in [Types::Mxf8, Types::Mxf4, Types::Nvf4] {
        let kernel = sm100::GemmSm100 { types, ..Default::default() };
        accept(&context, &format!("gemm_sm100 {types:?}"), kernel.build(&context));
        let kernel = sm120::GemmSm120 { types, ..Default::default() };
        accept(&context, &format!("gemm_sm120 {types:?}"), kernel.build(&context));
    }
}
