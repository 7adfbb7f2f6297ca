//! Products of matrices by a warp, of one number everywhere: zeros, infinities, NaN, subnormal
//! numbers, saturation, extremes of narrow types and scale factors (PTX ISA: mma, with and without
//! `.block_scale`). With one number in each matrix every element of D is K a b + c.

use super::{Grid, f, g};

/// The registers of D of lane 31 after a product, whose operands are the same in all registers.
fn uniform(text: &str, registers: [usize; 4], [a, b, c]: [u64; 3], tail: &str) -> u32 {
    let is_wide = text.contains(".f64");
    let list = |letter: &str, count: usize| {
        let all: Vec<String> = (0..count).map(|i| format!("{letter}{i}")).collect();
        format!("{{{}}}", all.join(", "))
    };
    let ty = if is_wide { "b64" } else { "b32" };
    let mut body = format!("{{ .reg .{ty} d<8>, a<8>, b<8>, c<8>; ");
    for (letter, count, word) in [("a", registers[1], a), ("b", registers[2], b), ("c", registers[3], c)] {
        (0..count).for_each(|i| body += &format!("mov.{ty} {letter}{i}, {word}; "));
    }
    let [d, a, b, c] = [0, 1, 2, 3].map(|i| list(["d", "a", "b", "c"][i], registers[i]));
    let last = registers[0] - 1;
    let read = match is_wide {
        true => format!("mov.b64 {{_, %r2}}, d{last};"),
        false => format!("mov.b32 %r2, d{last};"),
    };
    body += &format!("{text} {d}, {a}, {b}, {c}{tail}; {read} }}");
    let found = Grid::WARP.run(&body, &[0; 32]).unwrap_or_else(|e| panic!("{body}: {e}"));
    assert!(found.iter().all(|word| *word == found[0]), "{body}: {found:x?}");
    found[0]
}

/// Two, four or eight codes in a word.
fn words(code: u64, bits: u32) -> u64 {
    (0..32 / bits).fold(0, |word, i| word | code << (bits * i))
}

const NAN: u64 = 0x7fff_ffff;

/// Products are exact, and their sum is rounded once; NaN is the canonical one.
#[test]
fn floats_are_multiplied() {
    let inf = f(f32::INFINITY);
    let half = |a: u64, b: u64, c: u64| {
        let text = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
        u64::from(uniform(text, [4, 4, 2, 4], [words(a, 16), words(b, 16), c], ""))
    };
    for (a, b, c, d) in [
        (0, 0, 0, 0),
        // A sum of 0 is +0, even of -0.
        (0x8000, 0, f(-0.), 0),
        (0x8000, 0, 0, 0),
        (0x3c00, 0x3c00, f(-16.), 0),
        (0x7bff, 0x7bff, 0, f(16. * 65504. * 65504.)),
        // The least numbers are not flushed: 16 times 2^-24 times 2^-24.
        (1, 1, 0, f(2f32.powi(-44))),
        (1, 0x3c00, 1, f(2f32.powi(-20))),
        (0, 0x3c00, 1, 1),
        (0x7c00, 0x3c00, 0, inf),
        (0x7c00, 0xbc00, 0, f(f32::NEG_INFINITY)),
        (0x7c00, 0, 0, NAN),
        (0x7c00, 0x3c00, f(f32::NEG_INFINITY), NAN),
        (0x3c00, 0x3c00, f(f32::MAX), f(f32::MAX)),
        (0xfe01, 0, 0, NAN),
        (0, 0, 0xffc0_0001, NAN),
    ] {
        assert_eq!(half(a, b, c), d, "{a:#x} {b:#x} {c:#x}");
    }
    let halves = |a: u64, b: u64, c: u64| {
        let text = "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16";
        u64::from(uniform(text, [2, 2, 1, 2], [a, b, c].map(|code| words(code, 16)), ""))
    };
    for (a, b, c, d) in [
        // 65504 + 8 stays, 65504 + 16 is infinite, and -65504 + 8 is -65504 after one rounding.
        (0x3c00, 0x3c00, 0x7bff, 0x7bff),
        (0x3c00, 0x4000, 0x7bff, 0x7c00),
        (0x3c00, 0x3c00, 0xfbff, 0xfbff),
        // 8 times 2^-24 is the number of code 8.
        (1, 0x3c00, 0, 8),
        (1, 1, 0, 0),
        (0x7c00, 0xfc00, 0x7c00, 0x7fff),
    ] {
        assert_eq!(halves(a, b, c), words(d, 16), "{a:#x} {b:#x} {c:#x}");
    }
    let brain = |a: u64, b: u64, c: u64| {
        let text = "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32";
        u64::from(uniform(text, [4, 2, 1, 4], [words(a, 16), words(b, 16), c], ""))
    };
    // The largest number squared is infinite; the least one, 2^-133, times 1.
    assert_eq!(brain(0x7f7f, 0x7f7f, 0), inf);
    assert_eq!(brain(1, 0x3f80, 0), f(2f64.powi(-130) as f32));
    assert_eq!(brain(0x7f80, 0x8000, 0), NAN);
    let tensor = |a: u64, b: u64, c: u64| {
        let text = "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32";
        u64::from(uniform(text, [4, 2, 1, 4], [a, b, c], ""))
    };
    // 13 bits of a register do not count, not even those of a NaN.
    assert_eq!(tensor(f(1.) | 0x1fff, f(1.), 0), f(4.));
    assert_eq!(tensor(inf | 0x1fff, f(1.), 0), inf);
    assert_eq!(tensor(f(2f64.powi(-136) as f32), f(1.), 0), f(2f64.powi(-134) as f32));
    // Floats of 8 bits, with half of K: 16 products.
    let eight = |types: &str, [a, b, c]: [u64; 3]| {
        let text = format!("mma.sync.aligned.m16n8k16.row.col.{types}");
        let sums = if types.starts_with("f16") { 2 } else { 4 };
        u64::from(uniform(&text, [sums, 2, 1, sums], [words(a, 8), words(b, 8), c], ""))
    };
    assert_eq!(eight("f32.e4m3.e5m2.f32", [0x38, 0x40, f(-1.)]), f(31.));
    assert_eq!(eight("f32.e5m2.e4m3.f32", [0x7b, 0x7e, 0]), f(16. * 57344. * 448.));
    assert_eq!(eight("f32.e4m3.e4m3.f32", [1, 1, 0]), f(2f32.powi(-14)));
    assert_eq!(eight("f32.e4m3.e4m3.f32", [0x7f, 0, 0]), NAN);
    assert_eq!(eight("f16.e5m2.e5m2.f16", [0x3c, 0xbc, words(0x4c00, 16)]), 0);
    assert_eq!(eight("f16.e5m2.e5m2.f16", [0x7c, 0x3c, 0]), words(0x7c00, 16));
    let double = |a: f64, b: f64, c: f64| {
        let text = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64";
        uniform(text, [2, 1, 1, 2], [a, b, c].map(g), "")
    };
    assert_eq!(double(f64::MAX, 2., f64::NEG_INFINITY), 0xfff0_0000);
    assert!(f64::from_bits(u64::from(double(f64::INFINITY, 0., 0.)) << 32).is_nan());
    assert_eq!(double(-0., 0., -0.), 0x8000_0000);
}

/// Sums wrap, or end at the limits with `.satfinite`.
#[test]
fn integers_are_multiplied() {
    let (most, least) = (0x7fff_ffff, 0x8000_0000);
    let bytes = |types: &str, satfinite: &str, a: u64, b: u64, c: u64| {
        let text = format!("mma.sync.aligned.m8n8k16.row.col{satfinite}.s32.{types}.s32");
        uniform(&text, [2, 1, 1, 2], [words(a, 8), words(b, 8), c], "")
    };
    for (types, a, b, c, wrapped, clamped) in [
        ("s8.s8", 0x80, 0x80, 0, 16 * 128 * 128, 16 * 128 * 128),
        ("s8.s8", 0x80, 0x7f, 0, (-16 * 128 * 127i32) as u32, (-16 * 128 * 127i32) as u32),
        ("u8.u8", 0xff, 0xff, 0, 16 * 255 * 255, 16 * 255 * 255),
        ("s8.u8", 0xff, 0xff, 0, (-16 * 255i32) as u32, (-16 * 255i32) as u32),
        ("u8.s8", 0xff, 0xff, 0, (-16 * 255i32) as u32, (-16 * 255i32) as u32),
        ("s8.s8", 1, 1, most, most as u32 + 16, most as u32),
        ("s8.s8", 1, 0xff, least, (least - 16) as u32, least as u32),
        ("u8.u8", 0, 0xff, least, least as u32, least as u32),
    ] {
        assert_eq!(bytes(types, "", a, b, c), wrapped, "{types} {a:#x} {b:#x} {c:#x}");
        assert_eq!(bytes(types, ".satfinite", a, b, c), clamped, "{types} {a:#x} {b:#x} {c:#x}");
    }
    let nibbles = |types: &str, satfinite: &str, a: u64, b: u64, c: u64| {
        let text = format!("mma.sync.aligned.m16n8k64.row.col{satfinite}.s32.{types}.s32");
        uniform(&text, [4, 4, 2, 4], [words(a, 4), words(b, 4), c], "")
    };
    assert_eq!(nibbles("s4.s4", "", 8, 8, 0), 64 * 64);
    assert_eq!(nibbles("s4.u4", "", 8, 15, 0), (-64 * 120i32) as u32);
    assert_eq!(nibbles("u4.u4", ".satfinite", 15, 15, most), most as u32);
    assert_eq!(nibbles("u4.u4", "", 15, 15, most), most as u32 + 64 * 225);
    let bits = |operation: &str, a: u64, b: u64, c: u64| {
        let text = format!("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.{operation}.popc");
        uniform(&text, [2, 1, 1, 2], [words(a, 1), words(b, 1), c], "")
    };
    for (a, b, xor, and) in [(0, 0, 0, 0u32), (1, 0, 128, 0), (1, 1, 0, 128)] {
        assert_eq!(bits("xor", a, b, 5), xor + 5);
        assert_eq!(bits("and", a, b, M), and.wrapping_sub(1), "the sum wraps");
    }
}

const M: u64 = 0xffff_ffff;

/// The extremes of types of 8 bits and less. Numbers of 4 and 6 bits are in the bits from 2 and 0
/// on of their bytes.
#[test]
fn narrow_floats_are_multiplied() {
    let run = |kind: &str, types: &str, a: u64, b: u64, c: u64| {
        let text = format!("mma.sync.aligned.m16n8k32.row.col{kind}.f32.{types}.f32");
        u64::from(uniform(&text, [4, 4, 2, 4], [words(a, 8), words(b, 8), c], ""))
    };
    for (types, a, b, d) in [
        // 448, and the least number, 2^-9; 0x7f is NaN.
        ("e4m3.e4m3", 0x7e, 0x7e, f(32. * 448. * 448.)),
        ("e4m3.e4m3", 0x01, 0x01, f(32. * 2f32.powi(-18))),
        ("e4m3.e4m3", 0x7f, 0x00, NAN),
        ("e4m3.e4m3", 0xff, 0x38, NAN),
        ("e4m3.e4m3", 0x80, 0x38, 0),
        // 57344, 2^-16, infinity and NaN.
        ("e5m2.e5m2", 0x7b, 0x7b, f(32. * 57344. * 57344.)),
        ("e5m2.e5m2", 0x01, 0x01, f(32. * 2f32.powi(-32))),
        ("e5m2.e5m2", 0x7c, 0x3c, f(f32::INFINITY)),
        ("e5m2.e5m2", 0x7c, 0x80, NAN),
        ("e5m2.e4m3", 0xfb, 0x7e, f(-32. * 57344. * 448.)),
        ("e4m3.e5m2", 0x01, 0x7d, NAN),
    ] {
        assert_eq!(run("", types, a, b, 0), d, "{types} {a:#x} {b:#x}");
    }
    for (types, a, b, d) in [
        // 6 and 0.5 in e2m1, 7.5 and 2^-3 in e2m3, 28 and 2^-4 in e3m2; none has NaN or infinity.
        ("e2m1.e2m1", 7 << 2, 7 << 2, f(32. * 36.)),
        ("e2m1.e2m1", 1 << 2, 15 << 2, f(-32. * 3.)),
        ("e2m1.e2m1", 8 << 2, 7 << 2, 0),
        ("e2m3.e2m3", 0x1f, 0x3f, f(-32. * 7.5 * 7.5)),
        ("e2m3.e2m3", 0x01, 0x01, f(32. / 64.)),
        ("e3m2.e3m2", 0x1f, 0x1f, f(32. * 28. * 28.)),
        ("e3m2.e3m2", 0x01, 0x01, f(32. / 256.)),
        ("e2m1.e4m3", 7 << 2, 0x7f, NAN),
        ("e3m2.e5m2", 0x20, 0x7c, NAN),
        // Bits beside the number do not count.
        ("e2m1.e2m3", 0xc3 | 1 << 2, 0xc0 | 0x08, f(32. * 0.5)),
    ] {
        assert_eq!(run(".kind::f8f6f4", types, a, b, 0), d, "{types} {a:#x} {b:#x}");
    }
}

/// Factors of ue8m0 are powers of 2 from 2^-127 to 2^127, and 255 is NaN; those of ue4m3 have no
/// sign.
#[test]
fn products_are_scaled() {
    let scaled = |kind: &str, registers: [usize; 4], [a, b]: [u64; 2], [sa, sb]: [u64; 2]| {
        let text = format!("mov.b32 %r20, {sa}; mov.b32 %r21, {sb}; mma.sync.aligned.m16n8{kind}");
        u64::from(uniform(&text, registers, [a, b, 0], ", %r20, {0, 0}, %r21, {0, 0}"))
    };
    let f8 = |a: u64, b: u64, factors: [u64; 2]| {
        let kind = "k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0";
        scaled(kind, [4, 4, 2, 4], [words(a, 8), words(b, 8)], factors)
    };
    for (a, b, factors, d) in [
        (0x38, 0x38, [127, 127], f(32.)),
        (0x38, 0x38, [0, 254], f(32.)),
        (0x38, 0x38, [0, 127], f(2f32.powi(-122))),
        (0x38, 0x38, [254, 127], f(f32::INFINITY)),
        (0x38, 0x38, [254, 254], f(f32::INFINITY)),
        (0x38, 0xb8, [254, 254], f(f32::NEG_INFINITY)),
        (0x38, 0x38, [0, 0], 0),
        (0x00, 0x38, [255, 127], NAN),
        (0x38, 0x38, [127, 255], NAN),
        (0x7f, 0x38, [0, 0], NAN),
        (0x7e, 0x7e, [127, 127], f(32. * 448. * 448.)),
    ] {
        assert_eq!(f8(a, b, factors), d, "{a:#x} {b:#x} {factors:?}");
    }
    let f4 = |vector: &str, ty: &str, a: u64, b: u64, factors: [u64; 2]| {
        let kind =
            format!("k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::{vector}.f32.e2m1.e2m1.f32.{ty}");
        scaled(&kind, [4, 4, 2, 4], [words(a, 4), words(b, 4)], factors.map(|code| words(code, 8)))
    };
    for (vector, ty, a, b, factors, d) in [
        ("2X", "ue8m0", 7, 7, [127, 127], f(64. * 36.)),
        ("2X", "ue8m0", 1, 9, [128, 127], f(-64. * 0.5)),
        ("2X", "ue8m0", 0, 0, [255, 127], NAN),
        // 448 and 2^-9; 0x7f is NaN.
        ("4X", "ue4m3", 7, 7, [0x7e, 0x7e], f(64. * 36. * 448. * 448.)),
        ("4X", "ue4m3", 1, 1, [0x01, 0x01], f(64. * 0.25 * 2f32.powi(-18))),
        ("4X", "ue4m3", 2, 2, [0x38, 0x00], 0),
        ("4X", "ue4m3", 2, 2, [0x7f, 0x38], NAN),
    ] {
        assert_eq!(f4(vector, ty, a, b, factors), d, "{vector} {ty} {a} {b} {factors:x?}");
    }
    // Scale factors of other lanes and bytes are not read: those that are chosen come from here.
    let chosen = |byte: u32, thread: u32| {
        let body = format!(
            "{{ .reg .b32 d<4>; mov.b32 %r8, 0; mov.b32 %r4, 0x38383838; mov.b32 %r5, 0x7f7f7f7f; shl.b32 %r6, 128, {}; and.b32 %r7, %r1, 3;
             setp.eq.u32 %p0, %r7, {thread}; selp.b32 %r6, %r6, %r5, %p0;
             mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0
             {{d0, d1, d2, d3}}, {{%r4, %r4, %r4, %r4}}, {{%r4, %r4}}, {{%r8, %r8, %r8, %r8}}, %r5, {{0, 0}}, %r6, {{{byte}, {thread}}};
             mov.b32 %r2, d0; }}",
            8 * byte
        );
        Grid::WARP.run(&body, &[0; 32]).unwrap_or_else(|e| panic!("{body}: {e}"))
    };
    for (byte, thread) in [(0, 0), (3, 0), (0, 3), (2, 1)] {
        assert_eq!(chosen(byte, thread), vec![64f32.to_bits(); 32], "{byte} {thread}");
    }
}
