//! `nvvm.convert.*` and the same conversions by name, over all codes of the narrow formats, over
//! what CUDA's headers compute (`tests/vectors/conversions.json`), and against the crate `half`.

use crate::kernel;
use cute_arch::Element;
use cute_sim::format::{
    Overflow::{Ieee, Saturate},
    Rounding::NearestEven,
    decode, encode,
};
use cute_sim::{Arg, Launch, Memory};
use half::{bf16, f16};

/// `body` makes `%r`, of type `to`, of `%x` and `%y`, of type `from`. One thread for each pair; all
/// as 32-bit words.
fn run(from: &str, to: &str, body: &str, x: &[u32], y: &[u32]) -> Vec<u32> {
    let load = |v: &str| {
        format!(
            "%p{v} = llvm.getelementptr %{v}s[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             %{v} = llvm.load %p{v} {{alignment = 4 : i64}} : !llvm.ptr<1> -> {from}\n"
        )
    };
    let body = format!(
        "%t = nvvm.read.ptx.sreg.tid.x : i32
         %b = nvvm.read.ptx.sreg.ctaid.x : i32
         %d = nvvm.read.ptx.sreg.ntid.x : i32
         %o = llvm.mul %b, %d : i32
         %i = llvm.add %o, %t : i32
         %in = llvm.icmp \"slt\" %i, %n : i32
         llvm.cond_br %in, ^in, ^out
       ^in:
         {}{}{body}
         %pr = llvm.getelementptr %rs[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         llvm.store %r, %pr {{alignment = 4 : i64}} : {to}, !llvm.ptr<1>
         llvm.br ^out
       ^out:",
        load("x"),
        load("y")
    );
    let program = kernel("%xs: !llvm.ptr<1>, %ys: !llvm.ptr<1>, %rs: !llvm.ptr<1>, %n: i32", &body);
    let mut memory = Memory::new();
    let (dx, dy, out) = (memory.upload(x), memory.upload(y), memory.zeroed::<u32>(x.len()));
    let args = [Arg::Buffer(dx), Arg::Buffer(dy), Arg::Buffer(out), Arg::I32(x.len() as i32)];
    let launch = Launch::new("kernel", [x.len().div_ceil(256) as u32, 1, 1], [256, 1, 1]);
    program.run(&launch, &mut memory, &args).unwrap_or_else(|e| panic!("{e}"));
    memory.download(out)
}

/// Conversions of one operand.
fn run1(from: &str, to: &str, body: &str, x: &[u32]) -> Vec<u32> {
    run(from, to, body, x, x)
}

/// Column `column` of CUDA's table, beside the f32 it belongs to.
fn table(column: usize) -> (Vec<u32>, Vec<u32>) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/conversions.json");
    let vectors: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cell = |row: &serde_json::Value, column: usize| row[column].as_u64().unwrap() as u32;
    vectors["rows"].as_array().unwrap().iter().map(|row| (cell(row, 0), cell(row, column))).unzip()
}

/// The column, the bits between the two numbers, and operations that all compute it, each with the
/// type of its result.
type Case = (usize, u32, Vec<(&'static str, String)>);

const RN: &str = "rnd = #nvvm.fp_rnd_mode<rn>";
const SAT: &str = "sat = #nvvm.sat_mode<satfinite>";

#[test]
fn pairs_of_singles_become_small_floats() {
    let e8m0 = |rnd: &str| {
        format!(
            "nvvm.convert.f32x2.to.f8x2 %x, %y {{rnd = #nvvm.fp_rnd_mode<{rnd}>, {SAT}}} : i16 (f8E8M0FNU)"
        )
    };
    let call = |name: &str| format!("llvm.call_intrinsic \"llvm.nvvm.{name}\"(%x, %y) : (f32, f32) -> i16");
    let cases: [Case; 7] = [
        (1, 8, vec![
            ("i16", format!("nvvm.convert.f32x2.to.f8x2 %x, %y {{{RN}, {SAT}}} : i16 (f8E4M3FN)")),
            ("vector<2xi8>", format!("nvvm.convert.f32x2.to.f8x2 %x, %y {{{RN}, {SAT}}} : vector<2xi8> (f8E4M3FN)")),
            ("i16", call("ff.to.e4m3x2.rn")),
            ("i16", "llvm.inline_asm {cute.op = \"cvt.rn.satfinite.e4m3x2.f32\"} \"cvt.rn.satfinite.e4m3x2.f32 $0, $1, $2;\", \"=h,f,f\" %x, %y : (f32, f32) -> i16".into()),
        ]),
        (3, 8, vec![
            ("i16", format!("nvvm.convert.f32x2.to.f8x2 %x, %y {{{RN}, {SAT}}} : i16 (f8E5M2)")),
            ("i16", call("ff.to.e5m2x2.rn")),
        ]),
        (5, 8, vec![
            ("i16", "nvvm.convert.f32x2.to.f6x2 %x, %y : i16 (f6E2M3FN)".into()),
            ("i16", call("ff.to.e2m3x2.rn.satfinite")),
        ]),
        (6, 8, vec![
            ("vector<2xi8>", "nvvm.convert.f32x2.to.f6x2 %x, %y : vector<2xi8> (f6E3M2FN)".into()),
            ("i16", call("ff.to.e3m2x2.rn.satfinite")),
        ]),
        (7, 4, vec![
            ("i8", "nvvm.convert.f32x2.to.f4x2 %x, %y : i8 (f4E2M1FN)".into()),
            ("i16", call("ff.to.e2m1x2.rn.satfinite")),
        ]),
        (8, 8, vec![("i16", e8m0("rz")), ("i16", call("ff.to.ue8m0x2.rz.satfinite"))]),
        (9, 8, vec![("i16", e8m0("rp")), ("i16", call("ff.to.ue8m0x2.rp.satfinite"))]),
    ];
    for (column, width, operations) in cases {
        let (x, codes) = table(column);
        let y: Vec<u32> = x.iter().rev().copied().collect();
        let expected: Vec<u32> =
            codes.iter().zip(codes.iter().rev()).map(|(hi, lo)| hi << width | lo).collect();
        for (to, operation) in operations {
            let found = run("f32", to, &format!("%r = {operation}"), &x, &y);
            let wrong = (0..x.len()).find(|i| found[*i] != expected[*i]);
            let wrong =
                wrong.map(|i| format!("{:#x}, {:#x}: {:#x}, not {:#x}", x[i], y[i], found[i], expected[i]));
            assert_eq!(wrong, None, "{operation}");
        }
    }
}

#[test]
fn below_zero_is_zero_with_relu() {
    let x = [-1.5f32, 1.5, f32::NAN, -0.0].map(f32::to_bits);
    let body = format!("%r = nvvm.convert.f32x2.to.f8x2 %x, %x {{{RN}, {SAT}, relu = true}} : i16 (f8E5M2)");
    assert_eq!(run1("f32", "i16", &body, &x), [0, 0x3e3e, 0x7f7f, 0]);
    let body = "%r = nvvm.convert.f32x2.to.f4x2 %x, %x {relu = true} : i8 (f4E2M1FN)";
    assert_eq!(run1("f32", "i8", body, &x), [0, 0x33, 0x77, 0]);
}

/// Every code of each small float is the half that it stands for; NaN is the canonical one.
#[test]
fn small_floats_become_halves() {
    let canonical = |v: f64| if v.is_nan() { 0x7fff } else { u32::from(f16::from_f64(v).to_bits()) };
    for (element, ty, name) in [
        (Element::E4m3, "f8E4M3FN", "e4m3x2"),
        (Element::E5m2, "f8E5M2", "e5m2x2"),
        (Element::E2m3, "f6E2M3FN", "e2m3x2"),
        (Element::E3m2, "f6E3M2FN", "e3m2x2"),
        (Element::E2m1, "f4E2M1FN", "e2m1x2"),
    ] {
        let codes = 1u32 << element.bits();
        let width = if element.bits() == 4 { 4 } else { 8 };
        let pairs: Vec<u32> = (0..codes).map(|c| (codes - 1 - c) << width | c).collect();
        let value = |code: u32| canonical(decode(element, code.into()).unwrap());
        let expected: Vec<u32> = (0..codes).map(|c| value(codes - 1 - c) << 16 | value(c)).collect();
        let from = if width == 4 { "i8" } else { "vector<2xi8>" };
        let size = element.bits();
        let op = format!("%r = nvvm.convert.f{size}x2.to.f16x2 %x : {from} ({ty}) -> vector<2xf16>");
        assert_eq!(run1(from, "vector<2xf16>", &op, &pairs), expected, "{element}");
        let call =
            format!("%r = llvm.call_intrinsic \"llvm.nvvm.{name}.to.f16x2.rn\"(%x) : (i16) -> vector<2xf16>");
        assert_eq!(run1("i16", "vector<2xf16>", &call, &pairs), expected, "{element}");
    }
    let scales: Vec<u32> = (0..256).map(|c| c << 8 | c).collect();
    let op = "%r = nvvm.convert.f8x2.to.bf16x2 %x : vector<2xi8> (f8E8M0FNU) -> vector<2xbf16>";
    let found = run1("vector<2xi8>", "vector<2xbf16>", op, &scales);
    let power = |c: u32| {
        if c == 255 { 0x7fff } else { u32::from(bf16::from_f64(f64::powi(2.0, c as i32 - 127)).to_bits()) }
    };
    assert!((0..256).all(|c| found[c as usize] == power(c) << 16 | power(c)));
}

/// Every half, and every bf16 as a scale.
#[test]
fn halves_become_small_floats() {
    let pairs: Vec<u32> = (0..1 << 16).map(|c| (0xffff - c) << 16 | c).collect();
    for (element, ty) in [(Element::E4m3, "f8E4M3FN"), (Element::E5m2, "f8E5M2")] {
        let code = |half: u32| {
            let value = f16::from_bits(half as u16).to_f64();
            encode(element, value, NearestEven, Saturate).unwrap() as u32
        };
        let op = format!("%r = nvvm.convert.f16x2.to.f8x2 %x : vector<2xf16> -> i16 ({ty})");
        let found = run1("vector<2xf16>", "i16", &op, &pairs);
        assert!((0..1 << 16).all(|c: u32| found[c as usize] == code(0xffff - c) << 8 | code(c)), "{element}");
    }
    let op = format!(
        "%r = nvvm.convert.bf16x2.to.f8x2 %x {{rnd = #nvvm.fp_rnd_mode<rp>, {SAT}}} : vector<2xbf16> -> i16 (f8E8M0FNU)"
    );
    let found = run1("vector<2xbf16>", "i16", &op, &pairs);
    // The power of two at or above the magnitude.
    let scale = |bits: u32| {
        let magnitude = f64::from(bf16::from_bits(bits as u16)).abs();
        if magnitude.is_nan() {
            255
        } else {
            (0..255).find(|c| f64::powi(2.0, c - 127) >= magnitude).unwrap_or(254) as u32
        }
    };
    assert!((0..1 << 16).all(|c: u32| found[c as usize] == scale(0xffff - c) << 8 | scale(c)));
}

#[test]
fn singles_become_halves_and_tf32() {
    let (x, _) = table(1);
    let mut x = x;
    x.extend((0..4096u32).map(|i| i.wrapping_mul(0x9e37_79b9)));
    let y: Vec<u32> = x.iter().rev().copied().collect();
    let single = |bits: u32| f32::from_bits(bits);
    let half = |bits: u32| {
        if single(bits).is_nan() { 0x7fff } else { u32::from(f16::from_f32(single(bits)).to_bits()) }
    };
    let brain = |bits: u32| {
        if single(bits).is_nan() { 0x7fff } else { u32::from(bf16::from_f32(single(bits)).to_bits()) }
    };
    let pair =
        |f: &dyn Fn(u32) -> u32| x.iter().zip(&y).map(|(x, y)| f(*x) << 16 | f(*y)).collect::<Vec<_>>();
    let op = |to: &str| format!("%r = nvvm.convert.f32x2.to.{to}x2 %x, %y {{{RN}}} : vector<2x{to}>");
    assert_eq!(run("f32", "vector<2xf16>", &op("f16"), &x, &y), pair(&half));
    assert_eq!(run("f32", "vector<2xbf16>", &op("bf16"), &x, &y), pair(&brain));
    let call = "%r = llvm.call_intrinsic \"llvm.nvvm.ff2bf16x2.rn\"(%x, %y) : (f32, f32) -> vector<2xbf16>";
    assert_eq!(run("f32", "vector<2xbf16>", call, &x, &y), pair(&brain));
    let finite: Vec<u32> = x.iter().copied().filter(|b| single(*b).is_finite()).collect();
    // Half a unit more, and the lower bits away.
    let away: Vec<u32> = finite.iter().map(|b| (b + 0x1000) & !0x1fff).collect();
    let op = "%r = nvvm.convert.float.to.tf32 %x {rnd = #nvvm.fp_rnd_mode<rna>}";
    assert_eq!(run1("f32", "i32", op, &finite), away);
    let call = "%r = llvm.call_intrinsic \"llvm.nvvm.f2tf32.rna\"(%x) : (f32) -> i32";
    assert_eq!(run1("f32", "i32", call, &finite), away);
    let zero = "%r = nvvm.convert.float.to.tf32 %x {rnd = #nvvm.fp_rnd_mode<rz>}";
    assert_eq!(run1("f32", "i32", zero, &finite), finite.iter().map(|b| b & !0x1fff).collect::<Vec<_>>());
    let even = format!("%r = nvvm.convert.float.to.tf32 %x {{{RN}}}");
    let nearest = |b: &u32| encode(Element::Tf32, single(*b).into(), NearestEven, Ieee).unwrap() as u32;
    assert_eq!(run1("f32", "i32", &even, &finite), finite.iter().map(nearest).collect::<Vec<_>>());
}
