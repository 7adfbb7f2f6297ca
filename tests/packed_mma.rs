//! `mma.sync` on 4-bit integers and single bits, from packed matrices in global memory to D: every
//! such atom runs through the whole pipeline and the simulator, and is compared with the plain
//! loop.

use cute_arch::{
    Element,
    atoms::{Instruction, MmaAtom, MmaOp},
};
use cute_mlir::{
    Axis, Kernel, Kernels, MmaOperand, Result, Target,
    atoms::{self as values, MmaKind, MmaOptions},
    types::{self, Space},
};
use cute_sim::{Arg, Launch, Memory};
use fastrand::Rng;
use melior::{Context, ir::Module};

/// `D = A * B + C` with one atom: a warp takes its parts of packed A (M,K) and B (N,K), K
/// contiguous, and of C (M,N).
fn kernel<'c>(context: &'c Context, atom: &MmaAtom) -> Module<'c> {
    written(context, atom).unwrap_or_else(|e| panic!("{}: {e}", atom.name))
}

fn written<'c>(context: &'c Context, atom: &MmaAtom) -> Result<Module<'c>> {
    let [m, n, k] = atom.shape.map(i64::from);
    let elems = [atom.a.element, atom.b.element, Element::S32].map(|elem| types::element(context, elem));
    let [a, b, c] = elems;
    let elems = [a?, b?, c?];
    let matrix = |which: MmaOperand, rows: i64, columns: i64| {
        let layout = format!("({rows},{columns}):({columns},1)");
        types::pointer(elems[which as usize], Space::Gmem).align(16).memref(&layout)
    };
    let sums = matrix(MmaOperand::C, m, n)?;
    let [a, b] = [matrix(MmaOperand::A, m, k)?, matrix(MmaOperand::B, n, k)?];
    let options = MmaOptions { op: atom.op, ..MmaOptions::default() };
    let mma = values::mma(MmaKind::Sm80, [m, n, k], elems, options)?;
    let mma = values::tiled_mma(mma, "(1,1,1):(1,1,0)", [m, n, k])?;
    let kernels = Kernels::new(context)?;
    let kernel = Kernel::new(context, "kernel", [("A", a), ("B", b), ("C", sums), ("D", sums)]);
    kernels.kernel(&kernel.block(32), |code, [a, b, c, d]| {
        let (mma, thread) = (code.tiled_mma(&mma, &[])?, code.thread_id(Axis::X)?);
        let bring = |which: MmaOperand, of, bits: i64| {
            let copy = code.atom(values::universal_copy(elems[which as usize], bits)?)?;
            let part = code.mma_partition(mma, which, of, thread)?;
            let fragment = code.mma_fragment(mma, which, part)?;
            code.copy(copy, part, fragment).map(|()| (copy, fragment))
        };
        let (_, a) = bring(MmaOperand::A, a, 32)?;
        let (_, b) = bring(MmaOperand::B, b, 32)?;
        let (copy, c) = bring(MmaOperand::C, c, 64)?;
        code.gemm(mma, [c, a, b, c])?;
        code.copy(copy, c, code.mma_partition(mma, MmaOperand::C, d, thread)?)
    })?;
    kernels.finish()
}

/// Codes without a pattern.
fn codes(count: usize, width: u32, seed: u64) -> Vec<u32> {
    let mut random = Rng::with_seed(seed);
    (0..count).map(|_| random.u32(..) & ((1 << width) - 1)).collect()
}

/// Element i at bit i * width.
fn packed(codes: &[u32], width: u32) -> Vec<u32> {
    let word = |codes: &[u32]| (0..).zip(codes).fold(0, |word, (i, code)| word | code << (i * width));
    codes.chunks((32 / width) as usize).map(word).collect()
}

fn number(element: Element, code: u32) -> i64 {
    let code = i64::from(code);
    if element == Element::S4 && code > 7 { code - 16 } else { code }
}

fn atoms() -> impl Iterator<Item = &'static MmaAtom> {
    Instruction::MMA_SYNC.atoms().filter(|atom| atom.a.bits < 8)
}

#[test]
fn every_packed_atom_multiplies_packed_matrices() {
    assert_eq!(atoms().count(), 3 * 4 * 2 + 3 * 2);
    for atom in atoms() {
        let context = Context::new();
        cute_mlir::load(&context);
        let mut lowered = kernel(&context, atom);
        cute_mlir::lower(&context, &mut lowered, Target::Sm80)
            .unwrap_or_else(|e| panic!("{}: {e}", atom.name));
        let program =
            cute_decode::decode(lowered.as_operation()).unwrap_or_else(|e| panic!("{}: {e}", atom.name));

        let [m, n, k] = atom.shape.map(|extent| extent as usize);
        let width = atom.a.element.bits();
        let (a, b) = (codes(m * k, width, 1), codes(n * k, width, 2));
        // Accumulators at the edge of i32 wrap or saturate.
        let c: Vec<i32> = (0..m * n).map(|i| [i32::MAX, i32::MIN, i as i32 - 50][i % 3]).collect();
        let mut memory = Memory::new();
        let buffers =
            [memory.upload(&packed(&a, width)), memory.upload(&packed(&b, width)), memory.upload(&c)];
        let d = memory.zeroed::<i32>(m * n);
        let args: Vec<_> = buffers.into_iter().chain([d]).map(Arg::Buffer).collect();
        let launch = Launch::new("kernel", [1, 1, 1], [32, 1, 1]);
        let report =
            program.run(&launch, &mut memory, &args).unwrap_or_else(|e| panic!("{}: {e}", atom.name));
        assert!(report.findings.is_empty(), "{}: {:?}", atom.name, report.findings);

        let found: Vec<i32> = memory.download(d);
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let product = |l: usize| {
                let [x, y] = [(atom.a.element, a[i * k + l]), (atom.b.element, b[j * k + l])]
                    .map(|(element, code)| number(element, code));
                match atom.op {
                    MmaOp::XorPopc => x ^ y,
                    MmaOp::AndPopc => x & y,
                    MmaOp::MulAdd | MmaOp::MulAddSaturate => x * y,
                }
            };
            let sum = i64::from(c[i * n + j]) + (0..k).map(product).sum::<i64>();
            let expected = match atom.op {
                MmaOp::MulAddSaturate => sum.clamp(i32::MIN.into(), i32::MAX.into()) as i32,
                _ => sum as i32,
            };
            assert_eq!(found[i * n + j], expected, "{}: row {i}, column {j}", atom.name);
        }
    }
}

#[test]
fn ptx_has_the_instruction_of_every_packed_atom() {
    for atom in atoms() {
        let context = Context::new();
        cute_mlir::load(&context);
        let mut kernel = kernel(&context, atom);
        let ptx =
            cute_mlir::compile(&context, &mut kernel, Target::Sm80).unwrap_or_else(|e| panic!("{e}")).ptx;
        let [m, n, k] = atom.shape;
        let (a, b) = (atom.a.element.name(), atom.b.element.name());
        let (types, op) = match atom.op {
            MmaOp::XorPopc => (".s32.b1.b1.s32".into(), ".xor.popc"),
            MmaOp::AndPopc => (".s32.b1.b1.s32".into(), ".and.popc"),
            MmaOp::MulAddSaturate => (format!(".satfinite.s32.{a}.{b}.s32"), ""),
            MmaOp::MulAdd => (format!(".s32.{a}.{b}.s32"), ""),
        };
        let instruction = format!("mma.sync.aligned.m{m}n{n}k{k}.row.col{types}{op}");
        assert!(ptx.contains(&instruction), "{instruction}: {ptx}");
        assert!(!ptx.contains(".local"), "{instruction}: {ptx}");
    }
}

#[test]
fn single_elements_of_a_byte_are_stored_and_loaded() {
    // Thread t stores the elements of its fragment from the last on, and reads the one of its
    // number.
    const KERNEL: &str = r#"
    gpu.module @kernels {
      gpu.func @kernel(%out: !cute.memref<i32, gmem, "8:1">) kernel {
        %f = cute.memref.alloca() : !cute.memref<i4, rmem, "8:1">
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        %c7 = arith.constant 7 : i32
        %c8 = arith.constant 8 : i32
        scf.for %i = %c0 to %c8 step %c1 : i32 {
          %j = arith.subi %c7, %i : i32
          %square = arith.muli %j, %j : i32
          %v = arith.trunci %square : i32 to i4
          %at = cute.make_coord(%j) : (i32) -> !cute.coord<"?">
          cute.memref.store(%f, %at, %v) : (!cute.memref<i4, rmem, "8:1">, !cute.coord<"?">, i4) -> ()
        }
        %t = nvvm.read.ptx.sreg.tid.x : i32
        %at = cute.make_coord(%t) : (i32) -> !cute.coord<"?">
        %v = cute.memref.load(%f, %at) : (!cute.memref<i4, rmem, "8:1">, !cute.coord<"?">) -> i4
        %wide = arith.extui %v : i4 to i32
        cute.memref.store(%out, %at, %wide) : (!cute.memref<i32, gmem, "8:1">, !cute.coord<"?">, i32) -> ()
        gpu.return
      }
    }"#;
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = cute_mlir::parse(&context, KERNEL).unwrap_or_else(|e| panic!("{e}"));
    cute_mlir::lower(&context, &mut module, Target::Sm80).unwrap_or_else(|e| panic!("{e}"));
    let program = cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{e}"));
    let mut memory = Memory::new();
    let out = memory.zeroed::<i32>(8);
    let launch = Launch::new("kernel", [1, 1, 1], [8, 1, 1]);
    program.run(&launch, &mut memory, &[Arg::Buffer(out)]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(memory.download::<i32>(out), [0, 1, 4, 9, 0, 9, 4, 1]);
}
