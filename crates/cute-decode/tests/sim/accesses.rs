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
            "ld.weak.global.nc.L1::no_allocate.L2::256B.v4.b32 {x, y, z, w}, [$0];",
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
