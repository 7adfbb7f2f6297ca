//! Atomic updates (PTX ISA: atom, red, multimem.red): sums that wrap, limits, signs, subnormal
//! numbers, and widths.

use super::run_with_tile;

const M: u32 = u32::MAX;
const LOW: u32 = 1 << 31;

/// Two words after an update of them, and two words of the result of `atom`. `space`: of the words.
fn updated(space: &str, instruction: &str, old: [u32; 2]) -> Result<[u32; 4], String> {
    let (mut given, mut out) = ([0; 16], [0; 16]);
    given[..2].copy_from_slice(&old);
    out[..2].copy_from_slice(&old);
    let (address, back) = match space {
        "shared" => ("[tile]", "ld.shared.v2.b32 {%r2, %r3}, [tile]; st.global.v2.b32 [%rd1], {%r2, %r3};"),
        _ => ("[%rd1]", ""),
    };
    let instruction = instruction.replace("SPACE", space).replace("[]", address);
    let body = format!("mov.b64 %rd2, 0; {instruction} st.global.b64 [%rd1+8], %rd2; {back}");
    let found = run_with_tile(&body, given, out).map_err(|e| e.to_string())?;
    Ok([found[0], found[1], found[2], found[3]])
}

/// An update of 32 bits in each space, with the new word. `red` does the same without a result.
fn check(operation: &str, old: u32, operand: u32, new: u32) {
    for space in ["global", "shared"] {
        let both =
            format!("mov.b32 %r4, {operand}; atom.SPACE.{operation} %r5, [], %r4; cvt.u64.u32 %rd2, %r5;");
        assert_eq!(updated(space, &both, [old, 7]), Ok([new, 7, old, 0]), "{operation} {old} {operand}");
        if !operation.starts_with("exch") {
            let alone = format!("mov.b32 %r4, {operand}; red.SPACE.{operation} [], %r4;");
            assert_eq!(updated(space, &alone, [old, 7]), Ok([new, 7, 0, 0]), "{operation} {old} {operand}");
        }
    }
}

#[test]
fn words_are_updated() {
    for (operation, old, operand, new) in [
        ("add.u32", M, 1, 0),
        ("add.s32", LOW, M, LOW - 1),
        ("min.s32", LOW, 1, LOW),
        ("min.u32", LOW, 1, 1),
        ("max.s32", LOW, M, M),
        ("max.u32", LOW, 1, LOW),
        ("and.b32", 0xff00_ff00, 0x0ff0_0ff0, 0x0f00_0f00),
        ("or.b32", 0xff00_ff00, 0x0ff0_0ff0, 0xfff0_fff0),
        ("xor.b32", M, M, 0),
        ("exch.b32", 5, M, M),
        // To 0 at the limit or above it; to the limit at 0 or above the limit.
        ("inc.u32", 2, 3, 3),
        ("inc.u32", 3, 3, 0),
        ("inc.u32", 9, 3, 0),
        ("inc.u32", 0, 0, 0),
        ("inc.u32", M, M, 0),
        ("dec.u32", 3, 3, 2),
        ("dec.u32", 4, 3, 3),
        ("dec.u32", 0, 3, 3),
        ("dec.u32", 0, 0, 0),
        ("dec.u32", M, M, M - 1),
    ] {
        check(operation, old, operand, new);
    }
}

/// Sums of f32 in global memory flush subnormal numbers to zero with their sign, and those in
/// shared memory do not; those of f64 and of half precision never do.
#[test]
fn floats_are_added() {
    let f = f32::to_bits;
    for (old, operand, new) in [
        (f(1.), f(2f32.powi(-24)), f(1.)),
        (f(1.) + 1, f(2f32.powi(-24)), f(1.) + 2),
        (f(-0.), f(-0.), f(-0.)),
        (f(1.), f(-1.), 0),
        (f(f32::MAX), f(f32::MAX), f(f32::INFINITY)),
    ] {
        check("add.f32", old, operand, new);
    }
    let sum = |space: &str, old: u32, operand: u32| {
        let text = format!("mov.b32 %r4, {operand}; red.SPACE.add.f32 [], %r4;");
        updated(space, &text, [old, 0]).unwrap()[0]
    };
    let least = f(f32::MIN_POSITIVE);
    for (old, operand, shared, global) in [
        (1, 1, 2, 0),
        (LOW | 1, LOW | 1, LOW | 2, LOW),
        (least, 1, least + 1, least),
        (least + 1, LOW | least, 1, 0),
        (1, f(1.), f(1.), f(1.)),
    ] {
        assert_eq!(sum("shared", old, operand), shared, "{old:#x} {operand:#x}");
        assert_eq!(sum("global", old, operand), global, "{old:#x} {operand:#x}");
    }
    let nan = sum("global", f(f32::INFINITY), f(f32::NEG_INFINITY));
    assert!(f32::from_bits(nan).is_nan());
    for space in ["global", "shared"] {
        // 1 and the least number of half precision, twice.
        let pairs = "mov.b32 %r4, 0x00013c00; red.SPACE.add.noftz.f16x2 [], %r4;";
        assert_eq!(updated(space, pairs, [0x0001_3c00, 5]), Ok([0x0002_4000, 5, 0, 0]));
        let half = "mov.b16 %h1, 0x0001; atom.SPACE.add.noftz.f16 %h2, [], %h1; cvt.u64.u16 %rd2, %h2;";
        assert_eq!(updated(space, half, [0x1234_8001, 5]), Ok([0x1234_0000, 5, 0x8001, 0]));
        let wide = "mov.b64 %rd3, 1; atom.SPACE.add.f64 %rd2, [], %rd3;";
        assert_eq!(updated(space, wide, [1, 0]), Ok([2, 0, 1, 0]));
    }
    let vector = "mov.f32 %r4, 0f3F800000; atom.global.add.v2.f32 {%r5, %r6}, [%rd1], {%r4, %r4}; mov.b64 %rd2, {%r5, %r6};";
    assert_eq!(updated("global", vector, [1, f(-1.)]), Ok([f(1.), 0, 1, f(-1.)]));
}

#[test]
fn wide_and_narrow_numbers_are_updated() {
    for space in ["global", "shared"] {
        for (operation, old, operand, new) in [
            ("add.u64", [M, M], 1i64, [0, 0]),
            ("add.u64", [M, 0], 1, [0, 1]),
            ("min.s64", [0, LOW], 1, [0, LOW]),
            ("min.u64", [0, LOW], 1, [1, 0]),
            ("max.s64", [0, LOW], -1, [M, M]),
            ("max.u64", [0, LOW], 1, [0, LOW]),
            ("and.b64", [5, 6], 3, [1, 0]),
            ("or.b64", [5, 6], 3, [7, 6]),
            ("xor.b64", [5, 6], -1, [!5, !6]),
            ("exch.b64", [5, 6], -1, [M, M]),
        ] {
            let text = format!("mov.b64 %rd3, {operand}; atom.SPACE.{operation} %rd2, [], %rd3;");
            let expected = [new[0], new[1], old[0], old[1]];
            assert_eq!(updated(space, &text, old), Ok(expected), "{operation} {old:?} {operand}");
        }
        // The second operand replaces the first alone.
        for (expected, new) in [(5, 9), (6, 5)] {
            let word = format!("atom.SPACE.cas.b32 %r5, [], {expected}, 9; cvt.u64.u32 %rd2, %r5;");
            assert_eq!(updated(space, &word, [5, 1]), Ok([new, 1, 5, 0]));
            let wide = format!(
                "mov.b64 %rd3, {expected}; mov.b64 %rd4, 9; atom.SPACE.cas.b64 %rd2, [], %rd3, %rd4;"
            );
            assert_eq!(updated(space, &wide, [5, 0]), Ok([new, 0, 5, 0]));
            let narrow = format!(
                "mov.b16 %h1, {expected}; mov.b16 %h2, 9; atom.SPACE.cas.b16 %h3, [], %h1, %h2; cvt.u64.u16 %rd2, %h3;"
            );
            assert_eq!(updated(space, &narrow, [0xffff_0005, 1]), Ok([0xffff_0000 | new, 1, 5, 0]));
        }
        for (text, message) in [
            ("atom.SPACE.add.u32 %r5, [+2], 1;", "is not aligned to 4 bytes"),
            ("red.SPACE.add.u64 [+4], 1;", "is not aligned to 8 bytes"),
            ("atom.SPACE.exch.b32 %r5, [+64], 1;", "4 bytes at byte 64 of"),
            ("red.SPACE.add.u32 [+0], %r6;", "undefined"),
        ] {
            let base = if space == "shared" { "[tile+" } else { "[%rd1+" };
            let error = updated(space, &text.replace("[+", base), [0, 0]).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}

/// The words from the first one on after a body, of which `%rd1` is the address.
fn changed(body: &str, old: &[u32]) -> Result<Vec<u32>, String> {
    let mut out = [0; 16];
    out[..old.len()].copy_from_slice(old);
    let found = run_with_tile(body, [0; 16], out).map_err(|e| e.to_string())?;
    Ok(found[..old.len()].to_vec())
}

/// One device has one copy, which is the result of a reduction of all copies, and what all of them
/// are set to.
#[test]
fn one_copy_is_all_copies() {
    let (m, nan) = (M, 0x7f80_0001);
    for (load, store, old) in [
        (
            "multimem.ld_reduce.weak.global.add.u32 %r1, [%rd1];",
            "multimem.st.weak.global.u32 [%rd1+32], %r1;",
            &[m][..],
        ),
        ("multimem.ld_reduce.global.min.s32 %r1, [%rd1];", "multimem.st.global.s32 [%rd1+32], %r1;", &[LOW]),
        ("multimem.ld_reduce.max.u64 %rd2, [%rd1];", "multimem.st.u64 [%rd1+32], %rd2;", &[m, LOW]),
        (
            "multimem.ld_reduce.relaxed.gpu.global.and.b32 %r1, [%rd1];",
            "multimem.st.relaxed.gpu.global.b32 [%rd1+32], %r1;",
            &[5],
        ),
        (
            "multimem.ld_reduce.acquire.sys.global.xor.b64 %rd2, [%rd1];",
            "multimem.st.release.sys.global.b64 [%rd1+32], %rd2;",
            &[m, 3],
        ),
        // Zeros keep their signs and subnormal numbers their bits.
        ("multimem.ld_reduce.global.add.f32 %r1, [%rd1];", "multimem.st.global.f32 [%rd1+32], %r1;", &[LOW]),
        (
            "multimem.ld_reduce.global.add.f64 %rd2, [%rd1];",
            "multimem.st.global.f64 [%rd1+32], %rd2;",
            &[1, 0],
        ),
        (
            "multimem.ld_reduce.global.add.v4.f32 {%r1, %r2, %r3, %r4}, [%rd1];",
            "multimem.st.global.v4.f32 [%rd1+32], {%r1, %r2, %r3, %r4};",
            &[1, LOW, 0x7f80_0000, nan],
        ),
        (
            "multimem.ld_reduce.global.min.v4.bf16x2 {%r1, %r2, %r3, %r4}, [%rd1];",
            "multimem.st.global.v4.bf16x2 [%rd1+32], {%r1, %r2, %r3, %r4};",
            &[1, 0x8000_7f80, 3, m],
        ),
        (
            "multimem.ld_reduce.global.add.acc::f32.v2.f16x2 {%r1, %r2}, [%rd1];",
            "multimem.st.global.v2.f16x2 [%rd1+32], {%r1, %r2};",
            &[0x0001_8001, 0x7bff_fbff],
        ),
        (
            "multimem.ld_reduce.global.add.acc::f16.v4.e4m3x4 {%r1, %r2, %r3, %r4}, [%rd1];",
            "multimem.st.global.v4.e4m3x4 [%rd1+32], {%r1, %r2, %r3, %r4};",
            &[0x017e_80fe, 0, m, 0x3838_3838],
        ),
    ] {
        let mut before = old.to_vec();
        before.resize(16, 0);
        let mut expected = before.clone();
        expected[8..8 + old.len()].copy_from_slice(old);
        assert_eq!(changed(&format!("{load} {store}"), &before), Ok(expected), "{load}");
    }
    for (red, old, new) in [
        ("multimem.red.relaxed.gpu.global.add.u32 [%rd1], 1;", [m, 7], [0, 7]),
        ("multimem.red.add.u64 [%rd1], %rd3;", [m, 0], [m - 1, 0]),
        ("multimem.red.global.min.s32 [%rd1], -5;", [0, 7], [m - 4, 7]),
        ("multimem.red.global.max.u32 [%rd1], 6;", [m, 7], [m, 7]),
        ("multimem.red.global.and.b32 [%rd1], 6;", [5, 7], [4, 7]),
        ("multimem.red.release.sys.global.or.b64 [%rd1], %rd3;", [5, 0], [m, m]),
        ("multimem.red.global.xor.b32 [%rd1], -1;", [m, 7], [0, 7]),
        // 1 and the least number of half precision, twice; 1 + 2^-25 is 1.
        ("multimem.red.global.add.f16x2 [%rd1], %r4;", [0x0001_3c00, 7], [0x0002_4000, 7]),
        (
            "multimem.red.global.add.v2.f32 [%rd1], {0f3F800000, 0f33000000};",
            [0, 0x3f80_0000],
            [0x3f80_0000; 2],
        ),
        (
            "multimem.red.global.max.v2.bf16x2 [%rd1], {%r5, %r5};",
            [0, 0x4000_bf80],
            [0x3f80_0000, 0x4000_0000],
        ),
        (
            "multimem.red.global.min.v4.f16 [%rd1], {%h1, %h1, %h1, %h1};",
            [0x3c00_c000, 0x7c00_fc00],
            [0x3c00_c000, 0x4000_fc00],
        ),
    ] {
        let body = format!(
            "mov.b64 %rd3, -1; mov.b32 %r4, 0x00013c00; mov.b32 %r5, 0x3f800000; mov.b16 %h1, 0x4000; {red}"
        );
        assert_eq!(changed(&body, &old), Ok(new.to_vec()), "{red}");
    }
    for (text, message) in [
        (
            "multimem.ld_reduce.global.add.v4.f32 {%r1, %r2, %r3, %r4}, [%rd1+8];",
            "is not aligned to 16 bytes",
        ),
        ("multimem.ld_reduce.global.add.u32 %r1, [%rd1+64];", "4 bytes at byte 64 of"),
        ("multimem.st.global.v2.f32 [%rd1+4], {%r0, %r0};", "is not aligned to 8 bytes"),
        ("multimem.st.global.b64 [%rd1+60], %rd0;", "8 bytes at byte 60 of"),
        ("multimem.st.global.b32 [%rd1], %r6;", "undefined"),
        ("multimem.red.global.add.u64 [%rd1+4], %rd0;", "is not aligned to 8 bytes"),
        ("multimem.red.global.add.u32 [%rd1+-4], 1;", "4 bytes at byte -4 of"),
    ] {
        let error = changed(text, &[0; 16]).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
}
