//! Operands, modifiers, special registers and guards that an instruction does not have, each beside
//! one that it has. The error names the operand, what it is and what the instruction takes, at the
//! line.

use cute_assembler::module::{Reading, parse};

/// An instruction that is wrong, one that is right, and the error.
const CASES: &[[&str; 3]] = &[
    [
        "add.s32 %r2, %d1, %r1;",
        "add.s32 %r2, %r1, %r1;",
        "`%d1` is a register of type `.b64`, but the instruction takes `.s32` there",
    ],
    [
        "mul.wide.u32 %r2, %r1, 4;",
        "mul.wide.u32 %d2, %r1, 4;",
        "`%r2` is a register of type `.b32`, but the instruction takes `.u64` there",
    ],
    [
        "cvt.u64.u32 %r2, %r1;",
        "cvt.u64.u32 %d2, %r1;",
        "`%r2` is a register of type `.b32`, but the instruction takes `.u64` or a wider register there",
    ],
    [
        "cvt.u32.u64 %r2, %r1;",
        "cvt.u32.u64 %d2, %d1;",
        "`%r1` is a register of type `.b32`, but the instruction takes `.u64` or a wider register there",
    ],
    [
        "or.pred %p1, %r1, %p1;",
        "or.pred %p1, %p1, !%p1;",
        "`%r1` is a register of type `.b32`, but the instruction takes `.pred` there",
    ],
    [
        "or.b32 %r2, %r1, !%p1;",
        "or.b32 %r2, %r1, %f1;",
        "`!%p1` is a predicate, but the instruction takes `.b32` there",
    ],
    [
        "@%r2 mov.u32 %r2, 1;",
        "@!%p1 mov.u32 %r2, 1;",
        "`%r2` is a register of type `.b32`, but the instruction takes `.pred` there",
    ],
    [
        "@!%r2 bra L;",
        "@%p1 bra L;",
        "`%r2` is a register of type `.b32`, but the instruction takes `.pred` there",
    ],
    [
        "mov.b16 %d2, %h1;",
        "mov.b16 %h2, %h1;",
        "`%d2` is a register of type `.b64`, but the instruction takes `.b16` there",
    ],
    [
        "mov.b128 %r2, %r1;",
        "mov.b128 %q1, %q2;",
        "`%r2` is a register of type `.b32`, but the instruction takes `.b128` there",
    ],
    [
        "mov.b128 {%d1, %r2}, %q1;",
        "mov.b128 {%d1, %d2}, %q1;",
        "`%r2` is a register of type `.b32`, but the instruction takes `.b64` there",
    ],
    [
        "ld.global.b128 %d1, [%d1];",
        "ld.global.b128 %q1, [%d1];",
        "`%d1` is a register of type `.b64`, but the instruction takes `.b128` there",
    ],
    [
        "ld.global.f32 %i1, [%d1];",
        "ld.global.f32 %d2, [%d1];",
        "`%i1` is a register of type `.s32`, but the instruction takes `.f32` or a wider register there",
    ],
    [
        "st.global.u32 [%h1], %r1;",
        "st.global.u8 [%d1], %r1;",
        "`%h1` is a register of type `.b16`, but the instruction takes an address of 32 or of 64 bits there",
    ],
    [
        "st.global.u32 [16], %r1;",
        "st.local.u32 [16], %r1;",
        "an address is a number, which only `.local` memory has as an address",
    ],
    [
        "ld.shared.u32 %r1, [glb];",
        "ld.u32 %r1, [glb+4];",
        "`glb` is in the space `.global`, which `ld.shared.u32` does not access",
    ],
    [
        "ld.u64 %d1, [p];",
        "ld.param.u64 %d1, [p];",
        "`p` is in the space `.param`, which `ld.u64` does not access",
    ],
    [
        "add.f32 %f1, %f1, 1;",
        "add.f32 %f1, %f1, 1.0;",
        "the number 1 is an integer, but the instruction takes `.f32` there",
    ],
    [
        "add.u32 %r1, %r1, 0f3F800000;",
        "and.b32 %r1, %r1, 0f3F800000;",
        "the number 1 is a float, but the instruction takes `.u32` there",
    ],
    [
        "add.u32 %r1, %r1, %tid.x;",
        "mov.u32 %r1, %tid.x;",
        "`%tid.x` is a special register, which only `mov` and `cvt` between integers read",
    ],
    [
        "mov.u32 %r1, %clock64;",
        "mov.u64 %d1, %clock64;",
        "`%clock64` is a special register of 64 bits, but the instruction takes `.u32` there",
    ],
    ["mov.u32 %r1, %tid_x;", "mov.u32 %r1, %lanemask_lt;", "the register `%tid_x` is not modelled"],
    ["add.u32 %r1, %r1, %r9;", "add.u32 %r1, %r1, %r3;", "`%r9` is not declared"],
    [
        "add.u64 %d1, %d1, glb;",
        "mov.u64 %d1, glb;",
        "`glb` is a variable, whose address only `mov` and `cvta` take as an operand",
    ],
    [
        "mul.s32.lo %r2, %r1, %r1;",
        "mul.lo.s32 %r2, %r1, %r1;",
        "the instruction `mul.s32.lo %r2, %r1, %r1` is not modelled",
    ],
    [
        "cvt.rn.f32.f16 %h1, %f1;",
        "cvt.rn.f16.f32 %h1, %f1;",
        "each number has its value in the other type, so nothing is rounded",
    ],
    ["bra.acquire L;", "bra.uni L;", "`bra` has no `.acquire`"],
    ["add.sat.bf16 %h1, %h1, %h2;", "add.sat.f16 %h1, %h1, %h2;", "`.sat` does not go together with `.bf16`"],
    [
        "fma.f32 %f1, %f1, %f1, %f1;",
        "fma.rn.f32 %f1, %f1, %f1, %f1;",
        "`fma.f32` needs a rounding, such as `.rn`",
    ],
    ["setp.lt.b32 %p1, %r1, %r2;", "setp.eq.b32 %p1, %r1, %r2;", "`.lt` does not go together with `.b32`"],
    ["ld.global.ca.ca.u32 %r1, [%d1];", "ld.global.ca.u32 %r1, [%d1];", "`.ca` is there twice"],
    [
        "shfl.sync.up.b32 %r1, %r1, 1, 0, %f1;",
        "shfl.sync.up.b32 %f1, %f1, 1, 0, %r1;",
        "`%f1` is a register of type `.f32`, but the instruction takes an integer of 32 bits there",
    ],
    [
        "ld.global.u32 %r1, [%d1], %d2;",
        "ld.global.L2::cache_hint.u32 %r1, [%d1], %d2;",
        "a policy as the last operand needs `.L2::cache_hint`",
    ],
    [
        "st.global.L2::cache_hint.u32 [%d1], %r1;",
        "st.global.u32 [%d1], %r1;",
        "`.L2::cache_hint` needs a policy as its last operand",
    ],
    [
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d1, %r2}, {%d1}, {%d1}, {%d1, %d2};",
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d1, %d2}, {%d1}, {%d1}, {%d1, %d2};",
        "`%r2` is a register of type `.b32`, but the instruction takes `.f64` there",
    ],
    [
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%i1, %r1, %r1, %r1}, {%r1, %r1}, {%r1}, {%f1, %f1, %f1, %f1};",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %r1, %r2, %r3}, {%r1, %f1}, {%i1}, {%f1, %f1, %f1, %f1};",
        "`%i1` is a register of type `.s32`, but the instruction takes `.f32` there",
    ],
    [
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1, %f1, %f1, %f1}, %d1, %d2, %r1, 2, %p1, 1, 1, 0, 0;",
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1, %f1, %f1, %f1}, %d1, %d2, %r1, 1, %p1, 1, 1, 0, 0;",
        "the selector of metadata is 2: it must be 0 or 1",
    ],
    [
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1, %f1, %f1, %f1}, %d1, %d2, %r1, %r2, %p1, 1, 1, 0, 0;",
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1, %f1, %f1, %f1}, %d1, %d2, {%f1}, 0, %p1, 1, 1, 0, 0;",
        "the selector of metadata is not a number",
    ],
    [
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1, %f1, %f1, %f1}, %d1, %d2, 0x44444444, 0, %p1, 1, 1, 0, 0;",
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1, %f1, %f1, %f1}, %d1, %d2, %i1, 0, %p1, 1, 1, 0, 0;",
        "the metadata of A are not in a register",
    ],
    [
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1, %f1, %f1, %f1}, %d1, %d2, %d1, 0, %p1, 1, 1, 0, 0;",
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1, %f1, %f1, %f1}, %d1, %d2, %r1, 0, %p1, 1, 1, 0, 0;",
        "`%d1` is a register of type `.b64`, but the instruction takes `.b32` there",
    ],
    [
        "wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.u8.s8 {%r1, %r1, %r1, %r1}, %d1, %d2, %r2, 1, %p1;",
        "wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.u8.s8 {%r1, %r1, %r1, %r1}, %d1, %d2, %r2, 0, %p1;",
        "the selector of metadata is 1: it must be 0, because all threads have metadata",
    ],
    [
        "wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f1, %f1, %f1}, %d1, %d2, %r1, 0, %p1, 1, 1, 0, 0;",
        "wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.tf32.tf32 {%f1, %f1, %f1, %f1}, {%r1, %r1, %r1, %r1}, %d2, %r1, 1, %p1, 1, 1;",
        "no wgmma.sp has shape m64n8k16 with A f16, B f16, C f32, D f32; there are m64n8k32",
    ],
    [
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1, %f1, %f1, %f1}, %d1, %d2, %p1, 1, 1, 0, 0;",
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1, %f1, %f1, %f1}, %d1, %d2, %r1, 0, %p1, 1, 1, 0, 0;",
        "`%p1` is a register of type `.pred`, but the instruction takes `.b32` there",
    ],
    [
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f1, %f1, %f1}, %d1, %d2, 7, 1, 1, 0, 0;",
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f1, %f1, %f1}, %d1, %d2, 1, 1, 1, 0, 0;",
        "the number 7 says whether D is added: it must be 0 or 1",
    ],
    [
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f1, %f1, %f1}, %d1, %d2, !%tid.x, 1, 1, 0, 0;",
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f1, %f1, %f1}, %d1, %d2, !%p1, 1, 1, 0, 0;",
        "`%tid.x` is not a predicate, but the instruction takes `.pred` there",
    ],
    [
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, _, %f1, %f1}, %d1, %d2, 1, 1, 1, 0, 0;",
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f1, %f1, %f1}, {%r1, %r1, %r1, %r1}, %d2, 1, 1, 1, 0;",
        "a matrix in braces consists of registers",
    ],
    [
        "wgmma.mma_async.aligned.m64n8k16.f32.f16.f16 {%f1, %f1, %f1, %f1}, %d1, %d2, 1, 1, 1, 0, 0;",
        "wgmma.mma_async.sync.m64n8k16.f32.f16.f16 {%f1, %f1, %f1, %f1}, %d1, %d2, 1, 1, 1, 0, 0;",
        "is not modelled",
    ],
    [
        "mov.b32 %r1, {%h1, %tid.x};",
        "st.shared.v2.u8 [%r1], {%r1, %tid.x};",
        "`%tid.x` is a special register of 32 bits, but the instruction takes `.b16` there",
    ],
];

fn error(instruction: &str) -> Option<String> {
    let text = format!(
        ".version 9.0 .target sm_90a .address_size 64\n.global .align 8 .b32 glb[2];\n\
         .visible .entry k(.param .u64 p)\n{{ .reg .b32 %r<4>; .reg .b64 %d<3>; .reg .pred %p<2>; .reg .b16 %h<3>;\n\
         .reg .f32 %f<2>; .reg .s32 %i<2>; .reg .b128 %q<3>;\n{instruction}\nL: ret; }}\n"
    );
    let reading = Reading { file: "k.ptx", strict: true };
    parse(&text, reading).and_then(|file| file.program()).err().map(|error| error.to_string())
}

#[test]
fn an_operand_that_ptxas_refuses_is_an_error_at_its_line() {
    for [wrong, right, expected] in CASES {
        let found = error(wrong).unwrap_or_else(|| panic!("`{wrong}` is accepted"));
        assert!(found.contains(expected), "{wrong}: {found}");
        assert!(found.starts_with("k.ptx:6: "), "{wrong}: {found}");
        assert_eq!(error(right), None, "{right}");
    }
}

/// Assembly in a kernel has operands of LLVM's types.
#[test]
fn operands_of_assembly_have_widths_too() {
    use cute_assembler::Assembler;
    use cute_machine::place::SourcePlace;
    use cute_machine::types::{Scalar, Type};
    use cute_sim::program::Site;
    let site = Site { op: "llvm.inline_asm".into(), location: SourcePlace::words("k.mlir:7") };
    let read = |text: &str, bits: [u32; 2]| {
        let mut assembler = Assembler::default();
        let given = bits.map(|bits| {
            let scalar = Scalar::Int(bits);
            (assembler.allocate(&site, &Type::Scalar(scalar)).unwrap(), scalar)
        });
        assembler.assembly(&site, text, given.into(), true).err().map(|error| error.to_string())
    };
    for (text, right, wrong, expected) in [
        (
            "mov.b128 $0, $1;",
            None,
            [32, 32],
            "`$0` is a register of type `.b32`, but the instruction takes `.b128` there",
        ),
        (
            "mul.wide.u32 $0, $1, 4;",
            Some([64, 32]),
            [32, 32],
            "`$0` is a register of type `.b32`, but the instruction takes `.u64` there",
        ),
        (
            "@$1 mov.u32 $0, 1;",
            Some([32, 1]),
            [32, 64],
            "`$1` is a register of type `.b64`, but the instruction takes `.pred` there",
        ),
    ] {
        let found = read(text, wrong).unwrap_or_else(|| panic!("`{text}` is accepted"));
        assert!(found.contains(expected) && found.contains("k.mlir:7"), "{found}");
        if let Some(right) = right {
            assert_eq!(read(text, right), None, "{text}");
        }
    }
}
