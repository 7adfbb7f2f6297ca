//! Moves: numbers of each type, parts of registers, and predicates (PTX ISA: mov).

use super::{check, f, g};

/// Constants of the text with signs, in each base, and as bits of floats.
#[test]
fn numbers_are_moved() {
    check(&[
        ("mov.b16 h8, -1; mov.b16 h9, 0xffff;", &[], &[0xffff, 0xffff]),
        ("mov.s16 h8, -32768; mov.u16 h9, 65535;", &[], &[0x8000, 0xffff]),
        ("mov.b32 r8, -2147483648; mov.u32 r9, 4294967295;", &[], &[1 << 31, 0xffff_ffff]),
        ("mov.s64 d8, -9223372036854775808; mov.u64 d9, 18446744073709551615;", &[], &[1 << 63, u64::MAX]),
        ("mov.u32 r8, 0b1011; mov.u32 r9, 017;", &[], &[11, 15]),
        ("mov.u32 r8, 0xFFFFFFFFU; mov.u64 d9, 0x8000000000000000U;", &[], &[0xffff_ffff, 1 << 63]),
        ("mov.f32 r8, 0f7F800000; mov.f32 r9, 0fFFC00001;", &[], &[0x7f80_0000, 0xffc0_0001]),
        ("mov.f64 d8, 0dFFF0000000000000; mov.f64 d9, 0d0000000000000001;", &[], &[0xfff0_0000_0000_0000, 1]),
        ("mov.f32 r8, 1.5; mov.f64 d9, -0.0;", &[], &[f(1.5), g(-0.)]),
        // Each form of a number keeps its bits where that many fit, as ptxas takes it.
        ("mov.f64 d8, 0f3FC00000; mov.b64 d9, 1.5;", &[], &[0x3fc0_0000, g(1.5)]),
        ("mov.f32 r8, 0d3FF8000000000000; mov.pred p9, 2;", &[], &[f(1.5), 1]),
        // A register keeps all its bits, those of a NaN too.
        ("mov.f32 r8, r0; mov.b64 d9, d1;", &[0x7f80_0001, u64::MAX], &[0x7f80_0001, u64::MAX]),
        ("mov.b16 h8, h0;", &[0x8001], &[0x8001]),
        ("mov.pred p8, p0; mov.pred p9, p1;", &[1, 0], &[1, 0]),
        ("mov.b128 w1, {d0, d1}; mov.b128 w2, w1; mov.b128 {d8, d9}, w2;", &[5, u64::MAX], &[5, u64::MAX]),
    ]);
}

/// The first part is the lowest; a part that nobody needs has no register.
#[test]
fn registers_have_parts() {
    check(&[
        ("mov.b32 r8, {h0, h1};", &[0x5678, 0x1234], &[0x1234_5678]),
        ("mov.b32 {h8, h9}, r0;", &[0x1234_5678], &[0x5678, 0x1234]),
        ("mov.b64 d8, {r0, r1};", &[0xffff_ffff, 1], &[0x1_ffff_ffff]),
        ("mov.b64 {r8, r9}, d0;", &[0x8000_0000_0000_0001], &[1, 0x8000_0000]),
        ("mov.b64 d8, {h0, h1, h2, h3};", &[1, 2, 3, 0x8000], &[0x8000_0003_0002_0001]),
        ("mov.b64 {h8, h1, h2, h9}, d0;", &[0x8000_0003_0002_0001], &[1, 0x8000]),
        ("mov.b32 {b0, b1, b2, b3}, r0; mov.b32 r8, {b3, b2, b1, b0};", &[0x8123_45ff], &[0xff45_2381]),
        ("mov.b32 {b0, b1, b2, b3}, r0; mov.b16 h8, {b3, b0};", &[0x8123_45ff], &[0xff81]),
        ("mov.b16 {b0, b1}, h0; mov.b32 r8, {b1, b0, b0, b1};", &[0x80ff], &[0x80ff_ff80]),
        ("mov.b64 {_, r8}, d0;", &[0x7_0000_0005], &[7]),
        ("mov.b32 {h8, _}, r0;", &[0x7_0005], &[5]),
        // Into the register of its own part.
        ("mov.b64 d8, {r0, r1}; mov.b64 {r7, r9}, d8; mov.b64 d8, {r9, r7};", &[5, 7], &[0x5_0000_0007]),
    ]);
}
