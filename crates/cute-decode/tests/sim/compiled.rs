//! Operations of the LLVM dialect, beside the code that LLVM itself compiles for the host from the
//! same text. Where LLVM leaves a result open, the operands are replaced: shifts by the width,
//! quotients that do not exist, floats beyond an integer. NaN is compared without its payload.

use crate::{function, program};
use cute_sim::{Arg, Launch, Memory};
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

/// Every pair of these is computed with.
type Edges = [u64; 16];

const INTEGERS: Edges = [
    0,
    1,
    2,
    7,
    u64::MAX,
    u64::MAX - 1,
    0x7f,
    0x80,
    0x7fff,
    0x8000,
    0x7fff_ffff,
    0x8000_0000,
    i64::MAX as u64,
    i64::MIN as u64,
    0x0123_4567_89ab_cdef,
    0xfedc_ba98_7654_3210,
];

/// Numbers that f32 and f64 both round, from the smallest to beyond the largest of f32.
const FLOATS: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    1e-45,
    -1e-39,
    f32::MIN_POSITIVE as f64,
    f32::MAX as f64,
    2.5,
    16_777_217.0,
    0.1,
    -2_147_483_648.0,
    4_294_967_040.0,
];

/// An operation, whose result is a float of this width or an integer.
struct Operation {
    /// Its text, from `%x` and `%y` to `%r`.
    text: String,
    float: Option<u32>,
    /// LLVM leaves open which of two zeros it is.
    any_zero: bool,
}

/// The operation with names of its own, so that many are in one function, and its store.
fn numbered(operation: &Operation, number: usize) -> String {
    let mut text = String::new();
    for (i, part) in operation.text.split('%').enumerate() {
        let is_own = i > 0 && !part.starts_with(['x', 'y']);
        text += if i == 0 { "" } else { "%" };
        let end = part.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(part.len());
        match is_own {
            true => text += &format!("{}_{number}{}", &part[..end], &part[end..]),
            false => text += part,
        }
    }
    format!(
        "{text}
         %at_{number} = llvm.mlir.constant({number} : i64) : i64
         %place_{number} = llvm.add %first, %at_{number} : i64
         %to_{number} = llvm.getelementptr %out[%place_{number}] : (!llvm.ptr, i64) -> !llvm.ptr, i64
         llvm.store %r_{number}, %to_{number} : i64, !llvm.ptr\n"
    )
}

/// The body that computes all operations of pair `%t`.
fn body(operations: &[Operation]) -> String {
    let mut text = format!(
        "%count = llvm.mlir.constant({} : i64) : i64
         %first = llvm.mul %t, %count : i64
         %c4 = llvm.mlir.constant(4 : i64) : i64
         %c15 = llvm.mlir.constant(15 : i64) : i64
         %high = llvm.lshr %t, %c4 : i64
         %low = llvm.and %t, %c15 : i64
         %atx = llvm.getelementptr %in[%high] : (!llvm.ptr, i64) -> !llvm.ptr, i64
         %aty = llvm.getelementptr %in[%low] : (!llvm.ptr, i64) -> !llvm.ptr, i64
         %x = llvm.load %atx : !llvm.ptr -> i64
         %y = llvm.load %aty : !llvm.ptr -> i64\n",
        operations.len()
    );
    operations.iter().enumerate().for_each(|(i, operation)| text += &numbered(operation, i));
    text
}

/// The results in the simulator, by pairs.
fn simulated(edges: Edges, operations: &[Operation]) -> Vec<u64> {
    let source = format!(
        "%tid = nvvm.read.ptx.sreg.tid.x : i32
         %t = llvm.zext %tid : i32 to i64
         %in = llvm.addrspacecast %given : !llvm.ptr<1> to !llvm.ptr
         %out = llvm.addrspacecast %found : !llvm.ptr<1> to !llvm.ptr
         {}",
        body(operations)
    );
    let source = function("%given: !llvm.ptr<1>, %found: !llvm.ptr<1>", &source);
    let mut memory = Memory::new();
    let (from, to) = (memory.upload(&edges), memory.zeroed::<u64>(256 * operations.len()));
    let launch = Launch::new("kernel", [1; 3], [256, 1, 1]);
    let report = program(&source).run(&launch, &mut memory, &[Arg::Buffer(from), Arg::Buffer(to)]);
    report.unwrap_or_else(|e| panic!("{e}"));
    memory.download(to)
}

/// The results on the host.
fn compiled(edges: Edges, operations: &[Operation]) -> Vec<u64> {
    let words: Vec<String> = edges.iter().map(|word| (*word as i64).to_string()).collect();
    let count = 256 * operations.len();
    let bytes = 8 * count;
    let source = format!(
        "llvm.mlir.global internal @given(dense<[{}]> : tensor<16xi64>) : !llvm.array<16 x i64>
         llvm.mlir.global internal @found() : !llvm.array<{count} x i64> {{
           %zero = llvm.mlir.zero : !llvm.array<{count} x i64>
           llvm.return %zero : !llvm.array<{count} x i64>
         }}
         llvm.func @write(i32, !llvm.ptr, i64) -> i64
         llvm.func @compute(%in: !llvm.ptr, %out: !llvm.ptr, %t: i64) {{
           {}
           llvm.return
         }}
         llvm.func @main() -> i32 {{
           %in = llvm.mlir.addressof @given : !llvm.ptr
           %out = llvm.mlir.addressof @found : !llvm.ptr
           %c0 = llvm.mlir.constant(0 : i64) : i64
           %c1 = llvm.mlir.constant(1 : i64) : i64
           %c256 = llvm.mlir.constant(256 : i64) : i64
           llvm.br ^next(%c0 : i64)
         ^next(%t: i64):
           llvm.call @compute(%in, %out, %t) : (!llvm.ptr, !llvm.ptr, i64) -> ()
           %u = llvm.add %t, %c1 : i64
           %more = llvm.icmp \"ult\" %u, %c256 : i64
           llvm.cond_br %more, ^next(%u : i64), ^all
         ^all:
           %output = llvm.mlir.constant(1 : i32) : i32
           %bytes = llvm.mlir.constant({bytes} : i64) : i64
           %written = llvm.call @write(%output, %out, %bytes) : (i32, !llvm.ptr, i64) -> i64
           %ok = llvm.mlir.constant(0 : i32) : i32
           llvm.return %ok : i32
         }}",
        words.join(", "),
        body(operations),
    );
    let llvm =
        PathBuf::from(env::var("MLIR_SYS_220_PREFIX").unwrap_or("/usr/lib/llvm-22".into())).join("bin");
    let folder = tempfile::tempdir().unwrap();
    let (mlir, ll) = (folder.path().join("k.mlir"), folder.path().join("k.ll"));
    fs::write(&mlir, source).unwrap();
    let output = |command: &mut Command| {
        let output = command.output().unwrap();
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    output(Command::new(llvm.join("mlir-translate")).arg("--mlir-to-llvmir").arg(&mlir).arg("-o").arg(&ll));
    let bytes = output(Command::new(llvm.join("lli")).arg(&ll));
    bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect()
}

fn compare(edges: Edges, operations: &[Operation]) {
    let (found, expected) = (simulated(edges, operations), compiled(edges, operations));
    assert_eq!(found.len(), expected.len());
    let mut compared = 0;
    for (i, (found, expected)) in found.into_iter().zip(expected).enumerate() {
        let (pair, Operation { text, float, any_zero }) =
            (i / operations.len(), &operations[i % operations.len()]);
        let number = |word: u64| match float {
            Some(32) => Some(f32::from_bits(word as u32).into()),
            Some(_) => Some(f64::from_bits(word)),
            None => None,
        };
        let is_like = match (number(found), number(expected)) {
            (Some(one), Some(other)) => {
                one.is_nan() && other.is_nan() || *any_zero && one == 0.0 && other == 0.0
            }
            _ => false,
        };
        let [x, y] = [edges[pair / 16], edges[pair % 16]];
        assert!(
            found == expected || is_like,
            "{text}\nof {x:#x}, {y:#x}: {found:#x}, not {expected:#x} as LLVM"
        );
        compared += usize::from(!is_like);
    }
    assert!(compared > 128 * operations.len(), "{compared}");
}

/// The operands in `bits` bits, and the result in a word.
fn of_width(bits: u32, text: &str) -> Operation {
    let take = |name: &str| match bits {
        64 => format!(
            "%z{name} = llvm.mlir.constant(0 : i64) : i64\n%{name} = llvm.or %{name}x, %z{name} : i64\n"
        ),
        _ => format!("%{name} = llvm.trunc %{name}x : i64 to i{bits}\n"),
    };
    let put = match bits {
        64 => "%zr = llvm.mlir.constant(0 : i64) : i64\n%r = llvm.or %v, %zr : i64",
        _ => "%r = llvm.zext %v : iBITS to i64",
    };
    let takes = (take("a") + &take("b")).replace("%ax", "%x").replace("%bx", "%y");
    let text = format!("{takes}{text}\n{put}").replace("BITS", &bits.to_string());
    Operation { text, float: None, any_zero: false }
}

#[test]
fn integers_are_computed_as_llvm_does() {
    let mut operations = Vec::new();
    for bits in [8, 16, 32, 64] {
        let mut add = |text: String| operations.push(of_width(bits, &text));
        for op in ["add", "sub", "mul", "and", "or", "xor"] {
            add(format!("%v = llvm.{op} %a, %b : iBITS"));
        }
        for op in ["shl", "lshr", "ashr"] {
            add(format!(
                "%w = llvm.mlir.constant({} : iBITS) : iBITS\n%s = llvm.and %b, %w : iBITS\n%v = llvm.{op} %a, %s : iBITS",
                bits - 1
            ));
        }
        for op in ["udiv", "urem", "sdiv", "srem"] {
            add(format!(
                "%one = llvm.mlir.constant(1 : iBITS) : iBITS
                 %none = llvm.mlir.constant(0 : iBITS) : iBITS
                 %all = llvm.mlir.constant(-1 : iBITS) : iBITS
                 %p = llvm.icmp \"eq\" %b, %none : iBITS
                 %q = llvm.icmp \"eq\" %b, %all : iBITS
                 %o = llvm.or %p, %q : i1
                 %d = llvm.select %o, %one, %b : i1, iBITS
                 %v = llvm.{op} %a, %d : iBITS"
            ));
        }
        for predicate in ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"] {
            add(format!("%p = llvm.icmp \"{predicate}\" %a, %b : iBITS\n%v = llvm.zext %p : i1 to iBITS"));
        }
        for op in ["smin", "smax", "umin", "umax", "sadd.sat", "uadd.sat", "ssub.sat", "usub.sat"] {
            add(format!("%v = llvm.intr.{op}(%a, %b) : (iBITS, iBITS) -> iBITS"));
        }
        for (op, flag) in [
            ("abs", "is_int_min_poison"),
            ("ctlz", "is_zero_poison"),
            ("cttz", "is_zero_poison"),
            ("ctpop", ""),
            ("bitreverse", ""),
        ] {
            let flag = if flag.is_empty() { String::new() } else { format!(" <{{{flag} = false}}>") };
            add(format!("%v = \"llvm.intr.{op}\"(%a){flag} : (iBITS) -> iBITS"));
        }
        if bits > 8 {
            add("%v = \"llvm.intr.bswap\"(%a) : (iBITS) -> iBITS".to_owned());
            add("%n = llvm.trunc %a : iBITS to i8\n%v = llvm.sext %n : i8 to iBITS".to_owned());
            add("%n = llvm.trunc %a : iBITS to i8\n%v = llvm.zext %n : i8 to iBITS".to_owned());
        }
    }
    compare(INTEGERS, &operations);
}

/// An operation on floats of `bits` bits, which gives `%v`: one of them, or an integer of 64 bits.
fn of_float(bits: u32, text: &str, gives_float: bool, any_zero: bool) -> Operation {
    let takes = match bits {
        64 => "%a = llvm.bitcast %x : i64 to f64\n%b = llvm.bitcast %y : i64 to f64\n",
        _ => {
            "%na = llvm.trunc %x : i64 to i32\n%a = llvm.bitcast %na : i32 to f32
             %nb = llvm.trunc %y : i64 to i32\n%b = llvm.bitcast %nb : i32 to f32\n"
        }
    };
    let put = match (gives_float, bits) {
        (false, _) => "%zr = llvm.mlir.constant(0 : i64) : i64\n%r = llvm.or %v, %zr : i64",
        (true, 64) => "%r = llvm.bitcast %v : f64 to i64",
        _ => "%nv = llvm.bitcast %v : f32 to i32\n%r = llvm.zext %nv : i32 to i64",
    };
    let text = format!("{takes}{text}\n{put}").replace("BITS", &bits.to_string());
    Operation { text, float: gives_float.then_some(bits), any_zero }
}

#[test]
fn floats_are_computed_as_llvm_does() {
    for bits in [32, 64] {
        let mut operations = Vec::new();
        for op in ["fadd", "fsub", "fmul", "fdiv"] {
            operations.push(of_float(bits, &format!("%v = llvm.{op} %a, %b : fBITS"), true, false));
        }
        for op in ["minimum", "maximum", "copysign", "minnum", "maxnum"] {
            let text = format!("%v = llvm.intr.{op}(%a, %b) : (fBITS, fBITS) -> fBITS");
            operations.push(of_float(bits, &text, true, op.ends_with("num")));
        }
        for op in ["fabs", "sqrt", "floor", "ceil", "trunc", "roundeven", "round"] {
            let text = format!("%v = \"llvm.intr.{op}\"(%a) : (fBITS) -> fBITS");
            operations.push(of_float(bits, &text, true, false));
        }
        operations.push(of_float(bits, "%v = llvm.fneg %a : fBITS", true, false));
        for third in ["%a", "%b"] {
            let text = format!("%v = llvm.intr.fma(%a, %b, {third}) : (fBITS, fBITS, fBITS) -> fBITS");
            operations.push(of_float(bits, &text, true, false));
        }
        for predicate in
            ["oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno"]
        {
            let text =
                format!("%p = llvm.fcmp \"{predicate}\" %a, %b : fBITS\n%v = llvm.zext %p : i1 to i64");
            operations.push(of_float(bits, &text, false, false));
        }
        for (op, low, high) in
            [("fptosi", -2_147_483_648.0, 2_147_483_520.0), ("fptoui", 0.0, 4_294_967_040.0)]
        {
            let text = format!(
                "%low = llvm.mlir.constant({low:.1} : fBITS) : fBITS
                 %high = llvm.mlir.constant({high:.1} : fBITS) : fBITS
                 %p = llvm.fcmp \"oge\" %a, %low : fBITS
                 %q = llvm.fcmp \"ole\" %a, %high : fBITS
                 %s = llvm.and %p, %q : i1
                 %d = llvm.select %s, %a, %high : i1, fBITS
                 %i = llvm.{op} %d : fBITS to i32
                 %v = llvm.zext %i : i32 to i64"
            );
            operations.push(of_float(bits, &text, false, false));
        }
        let other = if bits == 32 {
            "%w = llvm.fpext %a : f32 to f64\n%s = llvm.fmul %w, %w : f64\n%v = llvm.fptrunc %s : f64 to f32"
        } else {
            "%n = llvm.fptrunc %a : f64 to f32\n%v = llvm.fpext %n : f32 to f64"
        };
        operations.push(of_float(bits, other, true, false));
        let edges = FLOATS
            .map(|value| if bits == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() });
        compare(edges, &operations);
    }
    let mut operations = Vec::new();
    for (op, from) in
        [("sitofp", 8), ("uitofp", 16), ("sitofp", 32), ("uitofp", 32), ("sitofp", 64), ("uitofp", 64)]
    {
        let narrow = if from == 64 { "%x" } else { "%n" };
        let take = if from == 64 { String::new() } else { format!("%n = llvm.trunc %x : i64 to i{from}\n") };
        for to in [32, 64] {
            let text = format!("{take}%v = llvm.{op} {narrow} : i{from} to f{to}");
            operations.push(of_float(to, &text, true, false));
        }
    }
    compare(INTEGERS, &operations);
}
