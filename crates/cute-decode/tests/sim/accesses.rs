//! Vectors, hints and atomic updates of assembly, and `multimem` on one device.

use crate::{decode, function, program};
use cute_sim::{Arg, Error, Launch, Memory};

/// Runs assembly of one thread on 8 words, and returns the words. `$0` is their address, and `$1`
/// that of the words from the fifth on.
fn changed(words: [u32; 8], text: &str) -> [u32; 8] {
    let body = format!(
        "%four = llvm.mlir.constant(4 : i32) : i32
         %upper = llvm.getelementptr %words[%four] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         %a = llvm.ptrtoint %words : !llvm.ptr<1> to i64
         %b = llvm.ptrtoint %upper : !llvm.ptr<1> to i64
         llvm.inline_asm has_side_effects \"{text}\", \"l,l,~{{memory}}\" %a, %b : (i64, i64) -> ()"
    );
    let source = function("%words: !llvm.ptr<1>", &body.replace("{{ ", "{ "));
    let mut memory = Memory::new();
    let buffer = memory.upload(&words);
    let launch = Launch::new("kernel", [1; 3], [1; 3]);
    program(&source).run(&launch, &mut memory, &[Arg::Buffer(buffer)]).unwrap_or_else(|e| panic!("{e}"));
    memory.download(buffer).try_into().unwrap()
}

#[test]
fn vectors_are_loaded_and_stored_whatever_the_hints() {
    let words = [1, 2, 3, 4, 0, 0, 0, 0];
    let moved = [
        ("ld.global.v4.u32 {x, y, z, w}, [$0];", "st.global.v4.u32 [$1], {x, y, z, w};"),
        (
            "ld.global.nc.L1::no_allocate.L2::256B.v4.b32 {x, y, z, w}, [$0];",
            "st.weak.global.cs.v4.b32 [$1], {x, y, z, w};",
        ),
        (
            "ld.v2.u32 {x, y}, [$0]; ld.volatile.global.v2.u32 {z, w}, [$0+8];",
            "st.v4.b32 [$1], {x, y, z, w};",
        ),
        (
            "ld.relaxed.gpu.global.v4.u32 {x, y, z, w}, [$0];",
            "st.release.sys.global.v2.u32 [$1], {x, y}; st.relaxed.gpu.v2.u32 [$1+8], {z, w};",
        ),
    ];
    for (load, store) in moved {
        let text = format!("{{ .reg .b32 x, y, z, w; {load} {store} }}");
        assert_eq!(changed(words, &text), [1, 2, 3, 4, 1, 2, 3, 4], "{text}");
    }
    // 64-bit registers, and a load into the register of its own address.
    let text =
        "{ .reg .b64 x, y; mov.b64 x, $0; ld.global.v2.b64 {x, y}, [x]; st.global.v2.b64 [$1], {y, x}; }";
    assert_eq!(changed(words, text), [1, 2, 3, 4, 3, 4, 1, 2]);
    let text = "{ .reg .b32 x; ld.global.s8 x, [$0]; st.global.b32 [$1], x; ld.global.u8 x, [$0]; st.global.b32 [$1+4], x; }";
    assert_eq!(changed([0xf0, 0, 0, 0, 0, 0, 0, 0], text)[4..6], [0xffff_fff0, 0xf0]);
}

#[test]
fn updates_return_the_old_value() {
    let words = [7, 0xffff_fff0, 6, 1.5f32.to_bits(), 0, 0, 0, 0];
    let text = "{ .reg .b32 old;
        atom.global.add.u32 old, [$0], 5; st.global.b32 [$1], old;
        atom.relaxed.gpu.global.max.s32 old, [$0+4], 3; st.global.b32 [$1+4], old;
        atom.acq_rel.sys.global.cas.b32 old, [$0+8], 6, 60; st.global.b32 [$1+8], old;
        red.release.gpu.global.add.f32 [$0+12], 0f3E800000; atom.exch.b32 old, [$1+12], 9; }";
    let [a, b, c, d, old_a, old_b, old_c, exchanged] = changed(words, &text.replace('\n', " "));
    assert_eq!([a, b, c, d], [12, 3, 60, 1.75f32.to_bits()]);
    assert_eq!([old_a, old_b, old_c, exchanged], [7, 0xffff_fff0, 6, 9]);
    // Each half of a pair, and each element of a vector.
    let halves = 0x4000_3c00;
    let text = "{ .reg .b32 x; ld.global.b32 x, [$0]; red.global.add.noftz.f16x2 [$1], x;
        red.global.add.v2.f32 [$1+8], {0f3F800000, 0f40000000}; }";
    let found = changed([halves, 0, 0, 0, halves, 0, 0, 1f32.to_bits()], &text.replace('\n', " "));
    assert_eq!(found[4..], [0x4400_4000, 0, 1f32.to_bits(), 3f32.to_bits()]);
}

/// All copies of the memory are the one of this device.
#[test]
fn multimem_has_one_copy() {
    let words = [1f32, 2., 3., 4., 0., 0., 0., 0.].map(f32::to_bits);
    let text = "{ .reg .f32 x, y, z, w;
        multimem.ld_reduce.weak.global.add.v4.f32 {x, y, z, w}, [$0];
        multimem.st.weak.global.v4.f32 [$1], {w, z, y, x};
        multimem.red.release.sys.global.add.f32 [$1], 0f3F800000; }";
    let found = changed(words, &text.replace('\n', " ")).map(f32::from_bits);
    assert_eq!(found, [1., 2., 3., 4., 5., 3., 2., 1.]);
    let text = "{ .reg .b32 x, y; multimem.ld_reduce.relaxed.sys.global.add.acc::f32.v2.bf16x2 {x, y}, [$0];
        multimem.st.relaxed.sys.global.v2.bf16x2 [$1], {y, x}; multimem.red.relaxed.gpu.global.add.s32 [$1+8], -1; }";
    assert_eq!(changed([5, 6, 0, 0, 0, 0, 3, 0], &text.replace('\n', " "))[4..], [6, 5, 2, 0]);
}

#[test]
fn vectors_of_another_length_are_refused() {
    let error = |text: &str| {
        let body = format!("llvm.inline_asm has_side_effects \"{text}\", \"l\" %x : (i64) -> ()");
        decode(&function("%x: i64", &body)).unwrap_err()
    };
    let two = error("{ .reg .b32 a, b; ld.global.v4.u32 {a, b}, [$0]; }");
    assert!(two.to_string().ends_with("2 registers for a vector of 4"), "{two}");
    let far = error("{ .reg .b64 a; ld.global.v8.u64 {a, a, a, a, a, a, a, a}, [$0]; }");
    assert!(far.to_string().ends_with("the PTX instruction `ld.global.v8.u64` is not modelled"), "{far}");
    assert!(matches!(far, Error::Unmodelled { .. }), "{far}");
}

/// Each hint alone, and several of them: the bytes do not change (PTX ISA 9.7.9.8, 9.7.9.11).
#[test]
fn hints_change_nothing() {
    let words = [1, 2, 3, 4, 0, 0, 0, 0];
    let hints = [
        ("ca", "wb"),
        ("cg", "cg"),
        ("cs", "cs"),
        ("lu", "wt"),
        ("cv", "wt"),
        ("ca.nc", "wb"),
        ("L1::evict_first", "L1::evict_last"),
        ("L1::evict_unchanged.L2::evict_last", "L1::no_allocate.L2::evict_first"),
        ("nc.L1::evict_normal.L2::128B", "L1::evict_normal"),
        ("L2::64B", "L1::evict_unchanged"),
        ("nc.L2::256B", "L2::evict_normal"),
    ];
    for (load, store) in hints {
        let text = format!(
            "{{ .reg .b32 x, y; ld.global.{load}.v2.b32 {{x, y}}, [$0]; st.global.{store}.v2.b32 [$1], {{y, x}}; }}"
        );
        assert_eq!(changed(words, &text), [1, 2, 3, 4, 2, 1, 0, 0], "{text}");
    }
    let policies = "{ .reg .b64 p, q, r; .reg .b128 w; .reg .b32 x;
        createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 p, 0f3F000000;
        createpolicy.range.global.L2::evict_last.L2::evict_first.b64 q, [$0], 128, 256;
        createpolicy.cvt.L2.b64 r, q;
        ld.global.L1::no_allocate.L2::cache_hint.L2::128B.b128 w, [$0], p;
        st.global.L2::cache_hint.b128 [$1], w, q;
        atom.global.add.L2::cache_hint.u32 x, [$0], 4, r; red.global.or.L2::cache_hint.b32 [$0+4], 8, p;
        prefetch.global.L2::evict_last [$0]; prefetchu.L1 [$0]; prefetch.tensormap [$0];
        applypriority.global.L2::evict_normal [$0], 128; }";
    assert_eq!(changed(words, &policies.replace('\n', " ")), [5, 10, 3, 4, 1, 2, 3, 4]);
}

/// Signed numbers fill their registers, and parts that are not used keep their place.
#[test]
fn widths_of_registers_and_types_may_differ() {
    let words = [0x8000_80f0, 0xffff_fffe, 3, 4, 0, 0, 0, 0];
    for (text, expected) in [
        ("ld.global.s8 x, [$0]; st.global.b32 [$1], x;", [0xffff_fff0, 0]),
        ("ld.global.u8 x, [$0]; st.global.b32 [$1], x;", [0xf0, 0]),
        ("ld.global.s16 d, [$0]; st.global.b64 [$1], d;", [0xffff_80f0, u32::MAX]),
        ("ld.global.s32 d, [$0+4]; st.global.b64 [$1], d;", [0xffff_fffe, u32::MAX]),
        ("ld.global.u32 d, [$0+4]; st.global.b64 [$1], d;", [0xffff_fffe, 0]),
        ("ld.global.v2.s8 {x, y}, [$0]; st.global.v2.b32 [$1], {x, y};", [0xffff_fff0, 0xffff_ff80]),
        ("ld.global.v2.b32 {_, y}, [$0]; st.global.b8 [$1], y;", [0xfe, 0]),
        ("ld.global.v4.b16 {h, _, _, i}, [$0]; st.global.v2.b16 [$1], {i, h};", [0x80f0_ffff, 0]),
        ("ld.global.b64 d, [$0]; mov.b64 {_, y}, d; st.global.b32 [$1], y;", [0xffff_fffe, 0]),
        ("ld.volatile.global.u8 h, [$0+1]; st.volatile.global.u16 [$1], h;", [0x80, 0]),
        ("ld.mmio.relaxed.sys.global.u32 x, [$0+8]; st.mmio.relaxed.sys.global.u32 [$1], x;", [3, 0]),
        ("ldu.global.v2.b32 {x, y}, [$0+8]; st.global.v2.b32 [$1], {y, x};", [4, 3]),
        ("ld.acquire.cta.global.b16 h, [$0+8]; st.release.cluster.global.b16 [$1], h;", [3, 0]),
    ] {
        let text = format!("{{ .reg .b16 h, i; .reg .b32 x, y; .reg .b64 d; {text} }}");
        assert_eq!(changed(words, &text)[4..6], expected, "{text}");
    }
    let text = "{ .reg .b32 a, b, c, d, e, f, g, h; ld.global.v8.b32 {a, b, c, d, e, f, g, h}, [$0];
        st.global.v8.b32 [$0], {h, g, f, e, d, c, b, a}; }";
    assert_eq!(changed([1, 2, 3, 4, 5, 6, 7, 8], &text.replace('\n', " ")), [8, 7, 6, 5, 4, 3, 2, 1]);
    let text = "{ .reg .b128 v, w; ld.relaxed.gpu.global.b128 v, [$0]; mov.b128 w, v; st.release.gpu.global.b128 [$1], w; }";
    assert_eq!(changed([1, 2, 3, 4, 0, 0, 0, 0], text)[4..], [1, 2, 3, 4]);
}

/// PTX ISA 9.7.13.3: each number of a vector has its old value.
#[test]
fn updates_of_vectors_pairs_and_16_bytes() {
    let [one, two, four] = [1f32, 2., 4.].map(f32::to_bits);
    let text = "{ .reg .f32 x, y; atom.relaxed.gpu.global.add.v2.f32 {x, y}, [$0], {0f3F800000, 0f40000000};
        st.global.v2.f32 [$1], {x, y}; }";
    let found = changed([one, two, 0, 0, 0, 0, 0, 0], &text.replace('\n', " "));
    assert_eq!(found, [two, four, 0, 0, one, two, 0, 0]);
    // 1 and 2 with 2 and 1, in halves.
    let text = "{ .reg .b32 x, y; mov.b32 y, 0x3c004000; atom.global.max.noftz.v2.f16x2 {x, _}, [$0], {y, y};
        st.global.b32 [$1], x; mov.b32 x, 0x3f803f80; atom.global.add.noftz.bf16x2 x, [$1+4], x; st.global.b32 [$1+8], x; }";
    let found = changed([0x4000_3c00, 0, 0, 0, 0, 0x3f80_0000, 0, 0], &text.replace('\n', " "));
    assert_eq!(found, [0x4000_4000, 0x3c00_4000, 0, 0, 0x4000_3c00, 0x4000_3f80, 0x3f80_0000, 0]);
    let text =
        "{ .reg .b16 h, i; ld.global.b16 i, [$0+6]; atom.global.cas.b16 h, [$0], 7, i; st.global.b16 [$1], h;
        atom.global.add.noftz.f16 h, [$0+2], i; red.global.min.noftz.v2.bf16 [$0+8], {i, i}; }";
    let found = changed([0x3c00_0007, 0x3c00_0000, 0x3f80_4000, 0, 0, 0, 0, 0], &text.replace('\n', " "));
    // 0x3c00 is 1 in f16, and 2^-7 in bf16.
    assert_eq!(found, [0x4000_3c00, 0x3c00_0000, 0x3c00_3c00, 0, 7, 0, 0, 0]);
    let text = "{ .reg .b128 a, b, old; .reg .b64 d; ld.global.b128 a, [$0]; ld.global.b128 b, [$1];
        atom.global.exch.b128 old, [$0], b; st.global.b128 [$1], old; }";
    assert_eq!(changed([1, 2, 3, 4, 5, 6, 7, 8], &text.replace('\n', " ")), [5, 6, 7, 8, 1, 2, 3, 4]);
    let cas = |expected: u64| {
        let text = format!(
            "{{ .reg .b128 a, b, old; mov.b128 a, {{{expected}, 0x400000003}}; ld.global.b128 b, [$1];
             atom.acq_rel.gpu.global.cas.b128 old, [$0], a, b; st.global.b128 [$1], old; }}"
        );
        changed([1, 2, 3, 4, 5, 6, 7, 8], &text.replace('\n', " "))
    };
    assert_eq!(cas(0x2_0000_0001), [5, 6, 7, 8, 1, 2, 3, 4]);
    assert_eq!(cas(0x2_0000_0002), [1, 2, 3, 4, 1, 2, 3, 4]);
    let text = "{ .reg .b64 d; .reg .b32 x; atom.global.min.s64 d, [$0], -5; st.global.b64 [$1], d;
        atom.global.inc.u32 x, [$0+8], 3; atom.global.dec.u32 x, [$0+12], 9; red.global.max.u64 [$1+8], 6; }";
    let found = changed([1, 0, 3, 0, 0, 0, 5, 0], &text.replace('\n', " "));
    assert_eq!(found, [-5i32 as u32, u32::MAX, 0, 9, 1, 0, 6, 0]);
}

/// Runs assembly of one thread that has 64 bytes of shared memory, whose address is `$1`.
fn through_shared(text: &str) -> Result<[u32; 8], Error> {
    let body = format!(
        "%tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
         %a = llvm.ptrtoint %words : !llvm.ptr<1> to i64
         %b = llvm.ptrtoint %tile : !llvm.ptr<3> to i32
         llvm.inline_asm has_side_effects \"{}\", \"l,r,~{{memory}}\" %a, %b : (i64, i32) -> ()",
        text.replace('\n', " ")
    );
    let tile = "llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<16 x i32>\n";
    let mut memory = Memory::new();
    let buffer = memory.upload(&[1, 2, 3, 4, 5, 6, 7, 8]);
    let launch = Launch::new("kernel", [1; 3], [1; 3]);
    decode(&(tile.to_owned() + &function("%words: !llvm.ptr<1>", &body)))?.run(
        &launch,
        &mut memory,
        &[Arg::Buffer(buffer)],
    )?;
    Ok(memory.download(buffer).try_into().unwrap())
}

/// PTX ISA 9.7.9.25.3: what is not read is zero.
#[test]
fn copies_ignore_their_source_or_a_part_of_it() {
    let copy = |operands: &str| {
        let text = format!(
            "{{ .reg .b32 x, y, z, w, n; .reg .pred p; .reg .b64 policy; mov.b32 n, 8; setp.eq.b32 p, n, 8; mov.b64 policy, 0;
             cp.async.{operands}; cp.async.commit_group; cp.async.wait_group 0;
             ld.shared.v4.b32 {{x, y, z, w}}, [$1]; st.global.v4.b32 [$0+16], {{x, y, z, w}}; }}"
        );
        through_shared(&text).unwrap_or_else(|e| panic!("{e}"))[4..].to_vec()
    };
    assert_eq!(copy("cg.shared.global [$1], [$0], 16"), [1, 2, 3, 4]);
    assert_eq!(copy("cg.shared::cta.global.L2::128B [$1], [$0], 16, n"), [1, 2, 0, 0]);
    assert_eq!(copy("ca.shared.global.L2::cache_hint [$1], [$0], 16, policy"), [1, 2, 3, 4]);
    assert_eq!(copy("ca.shared.global.L2::cache_hint.L2::256B [$1], [$0], 16, 0, policy"), [0; 4]);
    assert_eq!(copy("ca.shared.global [$1], [$0], 16, p"), [0; 4]);
    let error = |operands: &str| through_shared(&format!("cp.async.{operands};")).unwrap_err().to_string();
    let narrow = error("cg.shared.global [$1], [$0], 8");
    assert!(narrow.ends_with("`.cg` of 8 bytes, where it copies 16"), "{narrow}");
    let odd = error("ca.shared.global [$1], [$0], 12");
    assert!(odd.ends_with("a size that is not 4, 8 or 16"), "{odd}");
}

/// PTX ISA 9.7.9.13.
#[test]
fn shared_memory_is_set_to_zero() {
    let text = |size: u32| {
        format!(
            "{{ .reg .b32 x, y; st.shared.b32 [$1+24], 7; st.bulk.weak.shared::cta [$1], {size}, 0;
             ld.shared.b32 x, [$1+24]; st.global.b32 [$0], x; }}"
        )
    };
    assert_eq!([0, 24, 32].map(|size| through_shared(&text(size)).unwrap()[0]), [7, 7, 0]);
    let odd = through_shared(&text(12)).unwrap_err().to_string();
    assert!(odd.contains("st.bulk"), "{odd}");
}
