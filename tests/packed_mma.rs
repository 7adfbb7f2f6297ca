//! `mma.sync` on 4-bit integers and single bits, from packed matrices in global memory to D: every
//! such atom runs through the whole pipeline and the simulator, and is compared with the plain
//! loop.

use cute_algebra::MmaOperand;
use cute_arch::{
    Element,
    atoms::{Instruction, MmaAtom, MmaOp},
};
use cute_dialect::{
    atom::{self, MmaKind, MmaOptions},
    types::type_of,
    value::Value,
};
use cute_kernels::{
    module::{Signature, module},
    tiling,
};
use cute_mlir::Target;
use cute_sim::{Arg, Launch, Memory, Program};
use fastrand::Rng;
use melior::{
    Context,
    ir::{Module, Type},
};

/// MLIR's name of an element.
fn mlir(element: Element) -> &'static str {
    match element {
        Element::S4 => "i4",
        Element::U4 => "ui4",
        Element::U1 => "i1",
        other => panic!("{other}"),
    }
}

/// `D = A * B + C` with one atom: a warp takes its parts of packed A (M,K) and B (N,K), K
/// contiguous, and of C (M,N).
fn kernel<'c>(context: &'c Context, atom: &MmaAtom) -> Module<'c> {
    let [m, n, k] = atom.shape.map(i64::from);
    let [a, b] = [&atom.a, &atom.b].map(|operand| mlir(operand.element));
    let matrix = |elem: &str, rows: i64, columns: i64| {
        format!("!cute.memref<{elem}, gmem, align<16>, \"({rows},{columns}):({columns},1)\">")
    };
    let parameters = [
        ("A", matrix(a, m, k)),
        ("B", matrix(b, n, k)),
        ("C", matrix("i32", m, n)),
        ("D", matrix("i32", m, n)),
    ];
    let signature = Signature { name: "kernel", parameters: &parameters, threads: 32, shared: 0 };
    let written = module(context, &signature, |code, arguments| {
        let elems = [a, b, "i32"].map(|t| Type::parse(context, t).unwrap());
        let options = MmaOptions { op: atom.op, ..MmaOptions::default() };
        let mma = atom::MmaAtom::new(MmaKind::Sm80, [m, n, k], elems, options).unwrap();
        let tiled = tiling::tiled_mma(mma, [1, 1], [m, n, k]).unwrap();
        let types =
            [Value::TiledMma(tiled.clone()), Value::MmaAtom(tiled.atom)].map(|v| type_of(context, &v));
        let mma = code.tiled("mma", "cute.make_tiled_mma", types[0], types[1])?;
        let thread = code.index(code.register("tid", "tid.x")?)?;
        let bring = |which: MmaOperand, bits: i64| {
            let [x, elem] = match which {
                MmaOperand::A => ["A", a],
                MmaOperand::B => ["B", b],
                MmaOperand::C => ["C", "i32"],
            };
            let copy = code.parse_type(&format!("!cute_nvgpu.atom.universal_copy<{elem}, {bits} b>"))?;
            let copy = code.typed(("copy", "cute.make_atom"), &[], copy, &[])?;
            let part = code.mma_partition(x, mma, which, arguments[which as usize], thread)?;
            let fragment = code.mma_fragment(x, mma, which, part)?;
            code.copy(copy, part, fragment, None)?;
            Ok((copy, fragment))
        };
        let ((_, a), (_, b), (copy, c)) =
            (bring(MmaOperand::A, 32)?, bring(MmaOperand::B, 32)?, bring(MmaOperand::C, 64)?);
        code.effect("cute.gemm", &[mma, c, a, b, c], &[])?;
        let d = code.mma_partition("D", mma, MmaOperand::C, arguments[3], thread)?;
        code.copy(copy, c, d, None)
    });
    written.unwrap_or_else(|e| panic!("{}: {e}", atom.name))
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
            Program::decode(lowered.as_operation()).unwrap_or_else(|e| panic!("{}: {e}", atom.name));

        let [m, n, k] = atom.shape.map(|extent| extent as usize);
        let width = atom.a.element.bits();
        let (a, b) = (codes(m * k, width, 1), codes(n * k, width, 2));
        // Sums at the edge of i32 wrap or saturate.
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
            cute_mlir::compile(&context, &mut kernel, Target::Sm80).unwrap_or_else(|e| panic!("{e}")).text;
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
    let program = Program::decode(module.as_operation()).unwrap_or_else(|e| panic!("{e}"));
    let mut memory = Memory::new();
    let out = memory.zeroed::<i32>(8);
    let launch = Launch::new("kernel", [1, 1, 1], [8, 1, 1]);
    program.run(&launch, &mut memory, &[Arg::Buffer(out)]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(memory.download::<i32>(out), [0, 1, 4, 9, 0, 9, 4, 1]);
}
