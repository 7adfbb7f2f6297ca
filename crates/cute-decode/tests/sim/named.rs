//! Instructions by name: intrinsics of LLVM, and assembly with the attribute that says what it is.
//! And `nvvm.mma.sync` for all types that it takes, beside them.

use crate::{context, decode, function, program};
use cute_arch::{
    Element,
    atoms::{Generation, Instruction, Major, MmaAtom, MmaOp},
};
use cute_sim::{Arg, Error, Launch, Memory, Program, matrix::Mma, tensor::Sums};
use fastrand::Rng;
use melior::ir::Module;

const ATTRIBUTE: &str = cute_ffi::lowered::OPERATION_ATTRIBUTE;

/// How a kernel says what it multiplies.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Spelling {
    Op,
    Intrinsic,
    InlineAsm,
    InlinePtx,
    /// PTX with its registers in braces.
    Text,
}

fn layouts(atom: &MmaAtom) -> [&'static str; 2] {
    let pick = |major, [k, mn]: [&'static str; 2]| if major == Major::Mn { mn } else { k };
    [pick(atom.a_major, ["row", "col"]), pick(atom.b_major, ["col", "row"])]
}

fn ptx_name(element: Element) -> &'static str {
    if element == Element::U1 { "b1" } else { element.name() }
}

/// Has it a number of less than 8 bits, or is it one of the desktop's?
fn is_f8f6f4(atom: &MmaAtom) -> bool {
    atom.generation == Generation::Sm120
}

fn ptx(atom: &MmaAtom) -> String {
    let [m, n, k] = atom.shape;
    let [a, b] = layouts(atom);
    let types = [atom.d, atom.a.element, atom.b.element, atom.c.element].map(ptx_name).join(".");
    let kind = if is_f8f6f4(atom) { ".kind::f8f6f4" } else { "" };
    let (before, behind) = match atom.op {
        MmaOp::MulAdd => ("", ""),
        MmaOp::MulAddSaturate => (".satfinite", ""),
        MmaOp::XorPopc => ("", ".xor.popc"),
        MmaOp::AndPopc => ("", ".and.popc"),
    };
    format!("mma.sync.aligned.m{m}n{n}k{k}.{a}.{b}{kind}{before}.{types}{behind}")
}

fn intrinsic(atom: &MmaAtom) -> String {
    let [m, n, k] = atom.shape;
    let [la, lb] = layouts(atom);
    let [d, a, b, c] = [atom.d, atom.a.element, atom.b.element, atom.c.element].map(ptx_name);
    let types = match atom.a.element {
        Element::F16 => format!("{d}.{c}"),
        e if e.float().is_some() && e.bits() <= 8 => format!("{d}.{a}.{b}.{c}"),
        _ if a == b => a.to_owned(),
        _ => format!("{a}.{b}"),
    };
    let kind = if is_f8f6f4(atom) { ".kind.f8f6f4" } else { "" };
    let (first, last) = match atom.op {
        MmaOp::MulAdd => ("", ""),
        MmaOp::MulAddSaturate => ("", ".satfinite"),
        MmaOp::XorPopc => (".xor.popc", ""),
        MmaOp::AndPopc => (".and.popc", ""),
    };
    format!("llvm.nvvm.mma{first}.m{m}n{n}k{k}.{la}.{lb}{kind}{last}.{types}")
}

/// The type of the registers of a matrix, and the words of each.
fn register(element: Element, is_accumulator: bool) -> (&'static str, usize) {
    match element {
        Element::F64 => ("f64", 2),
        Element::F16 => ("vector<2xf16>", 1),
        Element::F32 if is_accumulator => ("f32", 1),
        _ => ("i32", 1),
    }
}

/// A kernel in which each lane loads its words of A, B and C, multiplies, and stores its words of
/// D.
fn kernel(name: &str, mma: &Mma, spelling: Spelling) -> String {
    let atom = mma.atom();
    let matrices = [
        ("a", register(atom.a.element, false)),
        ("b", register(atom.b.element, false)),
        ("c", register(atom.c.element, true)),
        ("d", register(atom.d, true)),
    ];
    let mut body = String::from("%t = nvvm.read.ptx.sreg.laneid : i32\n");
    let mut names = Vec::new();
    for ((x, (ty, words)), total) in matrices.into_iter().zip(mma.registers()) {
        // Assembly has registers of words.
        let ty = if spelling == Spelling::Text && ty.starts_with("vector") { "i32" } else { ty };
        body += &format!(
            "%s{x} = llvm.mlir.constant({} : i32) : i32
             %o{x} = llvm.mul %t, %s{x} : i32
             %p{x} = llvm.getelementptr %{x}[%o{x}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8\n",
            4 * total
        );
        let registers = total / words;
        for r in (0..registers).filter(|_| x != "d") {
            body += &format!(
                "%p{x}{r} = llvm.getelementptr %p{x}[{}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
                 %{x}{r} = llvm.load %p{x}{r} {{alignment = 4 : i64}} : !llvm.ptr<1> -> {ty}\n",
                4 * words * r
            );
        }
        names.push(((0..registers).map(|r| format!("%{x}{r}")).collect::<Vec<_>>(), ty));
    }
    let [(a, ta), (b, tb), (c, tc), (d, td)] = &names[..] else { unreachable!() };
    let types = |regs: &[String], ty: &str| vec![ty.to_owned(); regs.len()].join(", ");
    let result = format!("!llvm.struct<({})>", types(d, td));
    let operands = [a.join(", "), b.join(", "), c.join(", ")];
    let operand_types = [types(a, ta), types(b, tb), types(c, tc)].join(", ");
    let all = operands.join(", ");
    let asm = ptx(atom);
    let text = format!("{asm} {{$0}};");
    match spelling {
        Spelling::Op => {
            let [m, n, k] = atom.shape;
            let [la, lb] = layouts(atom);
            let more = match atom.op {
                MmaOp::XorPopc => ", b1Op = #nvvm.mma_b1op<xor_popc>",
                MmaOp::AndPopc => ", b1Op = #nvvm.mma_b1op<and_popc>",
                MmaOp::MulAddSaturate => ", intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>",
                MmaOp::MulAdd if atom.a.element.integer().is_some() => {
                    ", intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>"
                }
                MmaOp::MulAdd => "",
            };
            let multiplicands = match atom.a.element {
                Element::F16 | Element::F64 => String::new(),
                _ => format!(
                    ", multiplicandAPtxType = #nvvm.mma_type<{}>, multiplicandBPtxType = #nvvm.mma_type<{}>",
                    ptx_name(atom.a.element),
                    ptx_name(atom.b.element)
                ),
            };
            body += &format!(
                "%r = nvvm.mma.sync A[{}] B[{}] C[{}] {{layoutA = #nvvm.mma_layout<{la}>, layoutB = #nvvm.mma_layout<{lb}>,
                 shape = #nvvm.shape<m = {m}, n = {n}, k = {k}>{multiplicands}{more}}} : ({ta}, {tb}, {tc}) -> {result}\n",
                operands[0], operands[1], operands[2]
            );
        }
        Spelling::Intrinsic => {
            body += &format!(
                "%r = llvm.call_intrinsic \"{}\"({all}) : ({operand_types}) -> {result}\n",
                intrinsic(atom)
            );
        }
        Spelling::InlineAsm => {
            body += &format!(
                "%r = llvm.inline_asm has_side_effects {{{ATTRIBUTE} = \"{asm}\"}} \"{text}\", \"=r,r\" {all} : ({operand_types}) -> {result}\n"
            );
        }
        Spelling::Text => {
            let mut next = 0;
            let lists = [d.len(), a.len(), b.len(), c.len()].map(|count| {
                let list: Vec<String> = (next..next + count).map(|i| format!("${i}")).collect();
                next += count;
                format!("{{{}}}", list.join(", "))
            });
            let constraints: Vec<&str> = (0..next).map(|i| if i < d.len() { "=r" } else { "r" }).collect();
            body += &format!(
                "%r = llvm.inline_asm has_side_effects \"{asm} {};\", \"{}\" {all} : ({operand_types}) -> {result}\n",
                lists.join(", "),
                constraints.join(",")
            );
        }
        Spelling::InlinePtx => {
            let results = d.join(", ");
            body += &format!(
                "{results} = nvvm.inline_ptx \"{text}\" ro ({all} : {operand_types}) {{{ATTRIBUTE} = \"{asm}\"}} -> {}\n",
                types(d, td)
            );
        }
    }
    for (r, value) in d.iter().enumerate() {
        if spelling != Spelling::InlinePtx {
            body += &format!("{value} = llvm.extractvalue %r[{r}] : {result}\n");
        }
        body += &format!(
            "%pd{r} = llvm.getelementptr %pd[{}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
             llvm.store {value}, %pd{r} {{alignment = 4 : i64}} : {td}, !llvm.ptr<1>\n",
            r * if *td == "f64" { 8 } else { 4 }
        );
    }
    let parameters = ["a", "b", "c", "d"].map(|x| format!("%{x}: !llvm.ptr<1>")).join(", ");
    function(&parameters, &body).replace("@kernel", &format!("@{name}"))
}

/// Words in which every bit pattern of every type comes up.
fn words(count: usize, seed: u64) -> Vec<u32> {
    let mut random = Rng::with_seed(seed);
    std::iter::repeat_with(|| random.u32(..)).take(32 * count).collect()
}

fn check(program: &Program, name: &str, mma: &Mma) {
    let [ra, rb, rc, rd] = mma.registers();
    let (a, b, c) = (words(ra, 1), words(rb, 2), words(rc, 3));
    let mut memory = Memory::new();
    let buffers = [memory.upload(&a), memory.upload(&b), memory.upload(&c), memory.zeroed::<u32>(32 * rd)];
    let report = program.run(&Launch::new(name, [1; 3], [32, 1, 1]), &mut memory, &buffers.map(Arg::Buffer));
    report.unwrap_or_else(|e| panic!("{}: {e}", mma.atom().name));
    assert_eq!(
        memory.download::<u32>(buffers[3]),
        mma.execute(&a, &b, &c, Sums::Device(9, 0)),
        "{}",
        mma.atom().name
    );
}

fn models() -> Vec<&'static Mma> {
    Instruction::MMA_SYNC.atoms().filter_map(Mma::of).collect()
}

/// Every atom of `mma.sync`, from Volta's f16 to the desktop Blackwell's e2m1.
#[test]
fn a_multiplication_is_what_its_name_says() {
    let models = models();
    assert_eq!(models.len(), 143);
    for spelling in [Spelling::Intrinsic, Spelling::InlineAsm, Spelling::InlinePtx, Spelling::Text] {
        let kernels: Vec<_> =
            models.iter().enumerate().map(|(i, m)| kernel(&format!("k{i}"), m, spelling)).collect();
        let program = program(&kernels.join("\n"));
        for (i, mma) in models.iter().enumerate() {
            check(&program, &format!("k{i}"), mma);
        }
    }
}

#[test]
fn the_multiplication_of_nvvm_takes_these_types() {
    let context = context();
    context.attach_diagnostic_handler(|_| true);
    let mut taken = Vec::new();
    for mma in models() {
        let text = format!("gpu.module @kernels {{\n{}\n}}", kernel("k", mma, Spelling::Op));
        // Its verifier does not know all of them.
        let Some(module) = Module::parse(&context, &text) else { continue };
        let program = melior::ir::operation::OperationLike::verify(&module.as_operation()).then(|| {
            cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{}: {e}", mma.atom().name))
        });
        check(&program.unwrap(), "k", mma);
        taken.push(mma.atom().a.element);
    }
    let count = taken.len();
    taken.sort();
    taken.dedup();
    use Element::*;
    assert_eq!((taken, count), (vec![F64, Tf32, F16, Bf16, S8, U8, S4, U4, U1], 74));
}

#[test]
fn what_has_no_name_or_no_model_is_an_error_before_anything_runs() {
    let error = |body: &str| match decode(&function("%x: f32, %i: i32", body)).unwrap_err() {
        e @ (Error::Unmodelled { .. } | Error::Malformed { .. }) => e.to_string(),
        e => panic!("{e}"),
    };
    let intrinsic = "%r = llvm.call_intrinsic \"llvm.nvvm.sust.p.1d.i32.trap\"(%i) : (i32) -> i32";
    assert_eq!(
        error(intrinsic),
        "-:3:6: `llvm.call_intrinsic`: the intrinsic `llvm.nvvm.sust.p.1d.i32.trap` (a surface) is not modelled"
    );
    let asm = |attributes: &str| {
        error(&format!(
            "%r = llvm.inline_asm {attributes} \"vadd.f32 $0, $1, $1;\", \"=f,f\" %x : (f32) -> f32"
        ))
    };
    assert!(
        asm("").ends_with("the PTX instruction `vadd.f32` (a video instruction) is not modelled"),
        "{}",
        asm("")
    );
    assert!(
        asm("{cute.op = \"sin.approx.f32\"}")
            .ends_with("`cute.op` names `sin.approx.f32`, which the assembly does not hold")
    );
    let mma =
        "%r = llvm.call_intrinsic \"llvm.nvvm.mma.m16n8k64.row.col.f32.e4m3.e4m3.f32\"(%i) : (i32) -> f32";
    assert!(error(mma).contains("no mma.sync has shape m16n8k64 with A e4m3"), "{}", error(mma));
    let short = "%r = llvm.call_intrinsic \"llvm.nvvm.mma.m8n8k16.row.col.s8\"(%i, %i) : (i32, i32) -> !llvm.struct<(i32, i32)>";
    assert!(error(short).ends_with("C has 0 bits, but the instruction takes 64"), "{}", error(short));
}

/// `body` makes `%r` of `%x`, `%y` and `%z`, each thread's of three arrays.
fn map(ty: &str, body: &str, inputs: [&[u32]; 3]) -> Vec<u32> {
    let load = |x: &str| {
        format!(
            "%p{x} = llvm.getelementptr %{x}s[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             %{x} = llvm.load %p{x} {{alignment = 4 : i64}} : !llvm.ptr<1> -> {ty}\n"
        )
    };
    let body = format!(
        "%t = nvvm.read.ptx.sreg.tid.x : i32
         {}{}{}
         {body}
         %pr = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         llvm.store %r, %pr {{alignment = 4 : i64}} : {ty}, !llvm.ptr<1>",
        load("x"),
        load("y"),
        load("z")
    );
    let program =
        crate::kernel("%xs: !llvm.ptr<1>, %ys: !llvm.ptr<1>, %zs: !llvm.ptr<1>, %out: !llvm.ptr<1>", &body);
    let mut memory = Memory::new();
    let n = inputs[0].len();
    let buffers = inputs.map(|v| memory.upload(v));
    let out = memory.zeroed::<u32>(n);
    let args = [buffers[0], buffers[1], buffers[2], out].map(Arg::Buffer);
    program
        .run(&Launch::new("kernel", [1; 3], [n as u32, 1, 1]), &mut memory, &args)
        .unwrap_or_else(|e| panic!("{e}"));
    memory.download(out)
}

#[test]
fn arithmetic_by_name() {
    let bits = |v: [f32; 4]| v.map(f32::to_bits);
    let (x, y, z) =
        (bits([1.5, 3.0, -2.0, 1e-40]), bits([2.0, 7.0, 0.5, 1.0]), bits([0.25, -21.0, 1.0, 0.0]));
    let run = |name: &str, operands: &str| {
        let n = operands.split(", ").count();
        let body = format!(
            "%r = llvm.call_intrinsic \"llvm.nvvm.{name}\"({operands}) : ({}) -> f32",
            ["f32"; 3][..n].join(", ")
        );
        map("f32", &body, [&x, &y, &z]).into_iter().map(f32::from_bits).collect::<Vec<_>>()
    };
    assert_eq!(run("fma.rn.f", "%x, %y, %z"), [3.25, 0.0, 0.0, 1e-40]);
    assert_eq!(run("fma.rn.ftz.f", "%x, %y, %z"), [3.25, 0.0, 0.0, 0.0]);
    assert_eq!(run("add.rn.sat.f", "%x, %z"), [1.0, 0.0, 0.0, 1e-40]);
    assert_eq!(run("div.rp.f", "%x, %y"), [0.75, 3.0 / 7.0, -4.0, 1e-40]);
    assert_eq!(run("ex2.approx", "%y"), [4.0, 128.0, 2f32.sqrt(), 2.0]);
    assert_eq!(run("fmax.f", "%x, %z"), [1.5, 3.0, 1.0, 1e-40]);
    let reciprocal = map("f32", "%r = nvvm.rcp.approx.ftz.f %y : f32", [&x, &y, &z]);
    assert_eq!(reciprocal.iter().map(|b| f32::from_bits(*b)).collect::<Vec<_>>(), [0.5, 1.0 / 7.0, 2.0, 1.0]);
    let tanh = "%r = llvm.inline_asm {cute.op = \"tanh.approx.f32\"} \"tanh.approx.f32 $0, $1;\", \"=f,f\" %x : (f32) -> f32";
    assert_eq!(map("f32", tanh, [&x, &y, &z])[0], 1.5f32.tanh().to_bits());
    // Two halves: 1 * 2 + 3 and 2 * 2 + -4, below zero clamped.
    let halves = |a: f32, b: f32| {
        let h = |v| u32::from(half::f16::from_f32(v).to_bits());
        [h(a) | h(b) << 16]
    };
    let fma = "%r = llvm.call_intrinsic \"llvm.nvvm.fma.rn.relu.f16x2\"(%x, %y, %z) : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> vector<2xf16>";
    let found = map("vector<2xf16>", fma, [&halves(1.0, 2.0), &halves(2.0, 2.0), &halves(3.0, -5.0)]);
    assert_eq!(found, halves(5.0, 0.0));
}

#[test]
fn collectives_registers_and_barriers_by_name() {
    let lanes: Vec<u32> = (0..32).collect();
    let run = |body: &str| map("i32", body, [&lanes, &[u32::MAX; 32], &[31; 32]]);
    let call = |name: &str, operands: &str, types: &str| {
        format!("llvm.call_intrinsic \"llvm.nvvm.{name}\"({operands}) : ({types}) -> i32")
    };
    let one = "%one = llvm.mlir.constant(1 : i32) : i32\n";
    let shuffle = call("shfl.sync.bfly.i32", "%y, %x, %one, %z", "i32, i32, i32, i32");
    assert_eq!(run(&format!("{one}%r = {shuffle}")), (0..32).map(|i| i ^ 1).collect::<Vec<_>>());
    let down = "%p = llvm.call_intrinsic \"llvm.nvvm.shfl.sync.down.i32p\"(%y, %x, %one, %z) : (i32, i32, i32, i32) -> !llvm.struct<(i32, i1)>
                %f = llvm.extractvalue %p[1] : !llvm.struct<(i32, i1)>
                %r = llvm.zext %f : i1 to i32";
    assert_eq!(run(&format!("{one}{down}"))[30..], [1, 0]);
    assert_eq!(run(&format!("%r = {}", call("redux.sync.add", "%x, %y", "i32, i32"))), [496; 32]);
    let vote = "%bit = llvm.trunc %x : i32 to i1
                %r = llvm.call_intrinsic \"llvm.nvvm.vote.ballot.sync\"(%y, %bit) : (i32, i1) -> i32";
    assert_eq!(run(vote), [0xaaaa_aaaa; 32]);
    assert_eq!(run(&format!("%r = {}", call("read.ptx.sreg.laneid", "", ""))), lanes);
    let barriers = format!(
        "{one}llvm.call_intrinsic \"llvm.nvvm.barrier.cta.sync.aligned.all\"(%one) : (i32) -> ()
         llvm.call_intrinsic \"llvm.nvvm.bar.warp.sync\"(%y) : (i32) -> ()
         llvm.call_intrinsic \"llvm.nvvm.membar.gl\"() : () -> ()
         %r = llvm.add %x, %one : i32"
    );
    assert_eq!(run(&barriers)[31], 32);
    // An 8 x 8 matrix, turned twice.
    let turn = |r: &str, x: &str| {
        let name = "movmatrix.sync.aligned.m8n8.trans.b16";
        format!(
            "%{r} = llvm.inline_asm {{cute.op = \"{name}\"}} \"{name} $0, $1;\", \"=r,r\" %{x} : (i32) -> i32\n"
        )
    };
    // Element 1 of row 0 is lane 0's upper half; turned it is element 0 of row 1, in lane 4.
    assert_eq!(run(&turn("r", "x"))[..2], [4 << 16, 12 << 16 | 8]);
    assert_eq!(run(&(turn("s", "x") + &turn("r", "s"))), lanes);
}

/// Rows of shared memory, loaded by the operation, the intrinsic and assembly; stored by the
/// intrinsic.
#[test]
fn matrices_by_name() {
    let source = |load: &str| {
        let body = format!(
            "%t = nvvm.read.ptx.sreg.laneid : i32
             %all = llvm.mlir.constant(-1 : i32) : i32
             %c7 = llvm.mlir.constant(7 : i32) : i32
             %c4 = llvm.mlir.constant(4 : i32) : i32
             %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
             %own = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
             llvm.store %t, %own : i32, !llvm.ptr<3>
             nvvm.bar.warp.sync %all : i32
             %row = llvm.and %t, %c7 : i32
             %off = llvm.shl %row, %c4 : i32
             %p = llvm.getelementptr %tile[%off] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
             {load}
             nvvm.bar.warp.sync %all : i32
             llvm.call_intrinsic \"llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.p3\"(%p, %v) : (!llvm.ptr<3>, i32) -> ()
             nvvm.bar.warp.sync %all : i32
             %w = llvm.load %own : !llvm.ptr<3> -> i32
             %q = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             llvm.store %w, %q : i32, !llvm.ptr<1>"
        );
        let tile = "llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x i32>\n";
        let program = program(&(tile.to_owned() + &function("%out: !llvm.ptr<1>", &body)));
        let mut memory = Memory::new();
        let out = memory.zeroed::<i32>(32);
        let run = program.run(&Launch::new("kernel", [1; 3], [32, 1, 1]), &mut memory, &[Arg::Buffer(out)]);
        run.unwrap_or_else(|e| panic!("{e}"));
        memory.download::<i32>(out)
    };
    let name = "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16";
    let turned = source(
        "%v = nvvm.ldmatrix %p {num = 1 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32",
    );
    assert_eq!(turned[..2], [4 << 16, 12 << 16 | 8]);
    let intrinsic = "%v = llvm.call_intrinsic \"llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.trans.b16.p3\"(%p) : (!llvm.ptr<3>) -> i32";
    assert_eq!(source(intrinsic), turned);
    let asm = format!(
        "%v = llvm.inline_asm has_side_effects {{cute.op = \"{name}\"}} \"{name} {{$0}}, [$1];\", \"=r,r\" %p : (!llvm.ptr<3>) -> i32"
    );
    assert_eq!(source(&asm), turned);
    let text = asm.replace(&format!("{{cute.op = \"{name}\"}} "), "");
    assert_ne!(text, asm);
    assert_eq!(source(&text), turned);
}

/// Dot products and permutations of bytes, by operation and by name; and the lane that is elected.
#[test]
fn bytes_and_the_elected_lane() {
    let (x, y, z) = ([0x01fe_0304, 0x8000_00ff], [0x0502_ff02, 0x7f01_0201], [10, 0u32.wrapping_sub(1)]);
    let run = |body: &str| map("i32", body, [&x, &y, &z]);
    let split = |from: &str, to: &str, ty: &str| format!("%{to} = llvm.bitcast %{from} : i32 to {ty}\n");
    let bytes =
        |v: u32, signed: bool| v.to_le_bytes().map(|b| if signed { i64::from(b as i8) } else { b.into() });
    for (sa, sb) in [(true, true), (true, false), (false, false)] {
        let word = |s| if s { "signed" } else { "unsigned" };
        let op = split("x", "a", "vector<4xi8>")
            + &split("y", "b", "vector<4xi8>")
            + &format!(
                "%r = nvvm.dot.accumulate.4way %a <{}>, %b <{}>, %z : vector<4xi8>, vector<4xi8>",
                word(sa),
                word(sb)
            );
        let expected: Vec<u32> = (0..2)
            .map(|i| {
                let products = bytes(x[i], sa).into_iter().zip(bytes(y[i], sb)).map(|(a, b)| a * b);
                (products.sum::<i64>() + i64::from(z[i])) as u32
            })
            .collect();
        assert_eq!(run(&op), expected, "{sa} {sb}");
        let letter = |s| if s { "s" } else { "u" };
        let name = format!("llvm.nvvm.idp4a.{}.{}", letter(sa), letter(sb));
        let call = format!("%r = llvm.call_intrinsic \"{name}\"(%x, %y, %z) : (i32, i32, i32) -> i32");
        assert_eq!(run(&call), expected, "{name}");
    }
    let two = split("x", "a", "vector<2xi16>")
        + &split("y", "b", "vector<4xi8>")
        + "%r = nvvm.dot.accumulate.2way %a <signed>, %b <unsigned>, %z {b_hi = true} : vector<2xi16>, vector<4xi8>";
    let expected = |i: usize| {
        let halves = [x[i] as i16, (x[i] >> 16) as i16].map(i64::from);
        (halves[0] * bytes(y[i], false)[2] + halves[1] * bytes(y[i], false)[3] + i64::from(z[i])) as u32
    };
    assert_eq!(run(&two), [expected(0), expected(1)]);
    let swap = "%sel = llvm.mlir.constant(0x0123 : i32) : i32
                %r = llvm.call_intrinsic \"llvm.nvvm.prmt\"(%x, %y, %sel) : (i32, i32, i32) -> i32";
    assert_eq!(run(swap), x.map(u32::swap_bytes));
    let op = "%sel = llvm.mlir.constant(0x0123 : i32) : i32
              %r = nvvm.prmt #nvvm.permute_mode<default> %sel, %x, %y : i32";
    assert_eq!(run(op), x.map(u32::swap_bytes));
    let elect = "%mask = llvm.mlir.constant(3 : i32) : i32
                 %e = llvm.call_intrinsic \"llvm.nvvm.elect.sync\"(%mask) : (i32) -> !llvm.struct<(i32, i1)>
                 %lane = llvm.extractvalue %e[0] : !llvm.struct<(i32, i1)>
                 %is = llvm.extractvalue %e[1] : !llvm.struct<(i32, i1)>
                 %bit = llvm.zext %is : i1 to i32
                 %two = llvm.mlir.constant(2 : i32) : i32
                 %l = llvm.mul %lane, %two : i32
                 %r = llvm.add %l, %bit : i32";
    assert_eq!(run(elect), [1, 0]);
}
