//! Comparisons, tests and selections (PTX ISA 9.7.6, 9.7.3, 9.7.9).

use super::{check, f, g};

const M: u64 = 0xffff_ffff;
const NAN: f32 = f32::NAN;

/// 9.7.6.2: the second predicate is for the opposite, or for the upper number of a pair.
#[test]
fn two_predicates() {
    check(&[
        ("setp.lt.s32 p8|p9, r0, r1;", &[M, 0], &[1, 0]),
        ("setp.lt.u32 p8|p9, r0, r1;", &[M, 0], &[0, 1]),
        ("setp.lt.and.s32 p8|p9, r0, r1, p2;", &[M, 0, 0], &[0, 0]),
        ("setp.lt.or.s32 p8|p9, r0, r1, p2;", &[M, 0, 1], &[1, 1]),
        ("setp.lt.xor.s32 p8|p9, r0, r1, p2;", &[M, 0, 1], &[0, 1]),
        // The condition may be the result.
        ("setp.ne.b32 p8, r2, 0; setp.lt.and.s32 p8|p9, r0, r1, p8;", &[1, 0, 1], &[0, 1]),
        ("setp.eq.f32 p8|p9, r0, r1;", &[f(NAN), f(NAN)], &[0, 1]),
        ("setp.equ.f32 p8|p9, r0, r1;", &[f(NAN), f(1.)], &[1, 0]),
        ("setp.num.f64 p8|p9, d0, d1;", &[g(1.), g(f64::NAN)], &[0, 1]),
        ("setp.lt.ftz.f32 p8|p9, r0, r1;", &[1, 2], &[0, 1]),
        ("setp.lt.f32 p8|p9, r0, r1;", &[1, 2], &[1, 0]),
        ("setp.hi.u64 p8|p9, d0, d1;", &[u64::MAX, 1], &[1, 0]),
        ("setp.lt.s16 p8|p9, h0, h1;", &[0x8000, 0], &[1, 0]),
        // 1 and 2 with 2 and 1.
        ("setp.lt.f16x2 p8|p9, r0, r1;", &[0x3c00_4000, 0x4000_3c00], &[0, 1]),
        ("setp.lt.and.bf16x2 p8|p9, r0, r1, p2;", &[0x3f80_3f80, 0x4000_4000, 0], &[0, 0]),
        ("setp.gt.f16 p8, h0, h1;", &[0x3c00, 0xbc00], &[1]),
    ]);
}

/// 9.7.6.1: `set`.
#[test]
fn numbers_from_comparisons() {
    check(&[
        ("set.lt.u32.s32 r8, r0, r1;", &[M, 0], &[M]),
        ("set.lt.s32.u32 r8, r0, r1;", &[M, 0], &[0]),
        ("set.le.f32.u32 r8, r0, r1;", &[3, 3], &[f(1.)]),
        ("set.ne.f32.f32 r8, r0, r1;", &[f(NAN), f(NAN)], &[0]),
        ("set.neu.u32.f32 r8, r0, r1;", &[f(NAN), f(NAN)], &[M]),
        ("set.gt.and.u32.f64 r8, d0, d1, p2;", &[g(2.), g(1.), 0], &[0]),
        ("set.gt.xor.f32.s64 r8, d0, d1, p2;", &[0, 1, 1], &[f(1.)]),
        ("set.eq.ftz.u32.f32 r8, r0, r1;", &[1, 0x8000_0002], &[M]),
        ("set.lt.f16x2.f16x2 r8, r0, r1;", &[0x3c00_4000, 0x4000_3c00], &[0x3c00_0000]),
        ("set.lt.bf16x2.bf16x2 r8, r0, r1;", &[0x3f80_3f80, 0x4000_4000], &[0x3f80_3f80]),
        ("set.eq.u16.f16 h8, h0, h1;", &[0x8000, 0], &[0xffff]),
        // A number has the type of the numbers that are compared.
        ("set.gt.u32.u16 r8, h0, 65537;", &[3], &[M]),
        ("set.lt.f32.s64 r8, d0, 0x100000000;", &[0xffff_ffff], &[f(1.)]),
    ]);
}

/// 9.7.6.3, 9.7.6.4: `selp` and `slct`.
#[test]
fn selections() {
    check(&[
        ("selp.s16 h8, h0, h1, p2;", &[1, 2, 1], &[1]),
        ("selp.b64 d8, d0, d1, p2;", &[1, 2, 0], &[2]),
        ("slct.u32.s32 r8, r0, r1, r2;", &[1, 2, 0], &[1]),
        ("slct.u32.s32 r8, r0, r1, r2;", &[1, 2, M], &[2]),
        ("slct.b64.f32 d8, d0, d1, r2;", &[1, 2, f(-0.)], &[1]),
        ("slct.b64.f32 d8, d0, d1, r2;", &[1, 2, f(NAN)], &[2]),
        ("slct.f32.f32 r8, r0, r1, r2;", &[1, 2, 0x8000_0001], &[2]),
        ("slct.ftz.f32.f32 r8, r0, r1, r2;", &[1, 2, 0x8000_0001], &[1]),
        ("slct.s64.s32 d8, 1, -1, r0;", &[M], &[u64::MAX]),
        ("slct.u16.s32 h8, h0, h1, r2;", &[1, 2, 7], &[1]),
        // A number in the place of C has the type of C, and one in the place of a predicate is true
        // unless it is 0.
        ("slct.b16.s32 h8, h0, h1, -65536;", &[1, 2], &[2]),
        ("slct.b16.s32 h8, h0, h1, 65535;", &[1, 2], &[1]),
        ("slct.u64.f32 d8, d0, d1, 0fBF800000;", &[1, 2], &[2]),
        ("slct.b64.f32 d8, d0, d1, -1.5;", &[1, 2], &[2]),
        ("slct.f64.f32 d8, d0, d1, 0f3F800000;", &[1, 2], &[1]),
        ("slct.s64.s32 d8, d0, d1, 0x80000000;", &[1, 2], &[2]),
        ("selp.b32 r8, r0, r1, 2;", &[1, 2], &[1]),
        ("selp.b32 r8, r0, r1, 0;", &[1, 2], &[2]),
        ("and.pred p8, p0, 256;", &[1], &[1]),
    ]);
}

/// 9.7.3.1: `testp`. Zero is normal.
#[test]
fn classes_of_floats() {
    // Zero, subnormal, normal, infinite, NaN.
    let singles = [0x8000_0000, 1, f(-1.), f(f32::NEG_INFINITY), f(NAN)];
    let doubles = [0, (1 << 52) - 1, g(f64::MAX), g(f64::INFINITY), g(f64::NAN)];
    for (class, expected) in [
        ("finite", [1, 1, 1, 0, 0]),
        ("infinite", [0, 0, 0, 1, 0]),
        ("number", [1, 1, 1, 1, 0]),
        ("notanumber", [0, 0, 0, 0, 1]),
        ("normal", [1, 0, 1, 0, 0]),
        ("subnormal", [0, 1, 0, 0, 0]),
    ] {
        for i in 0..5 {
            check(&[
                (&format!("testp.{class}.f32 p8, r0;"), &[singles[i]], &[expected[i]]),
                (&format!("testp.{class}.f64 p8, d0;"), &[doubles[i]], &[expected[i]]),
            ]);
        }
    }
}

/// 9.7.9.23: an address of a kernel's buffer is of global memory.
#[test]
fn spaces_of_addresses() {
    check(&[
        (
            "{ .reg .b64 x; cvta.global.u64 x, $0; isspacep.global p8, x; isspacep.shared p9, x; }",
            &[],
            &[1, 0],
        ),
        ("{ .reg .b64 x; cvta.global.u64 x, $0; isspacep.local p8, x; isspacep.const p9, x; }", &[], &[0, 0]),
        ("isspacep.shared::cluster p8, d0; isspacep.shared::cta p9, d0;", &[3 << 54 | 1024], &[1, 1]),
    ]);
}
