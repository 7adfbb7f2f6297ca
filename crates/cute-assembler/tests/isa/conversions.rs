//! Conversions (PTX ISA 9.7.9.21, `cvt`; 9.7.9.22, `cvt.pack`).

use super::{check, f, g, run_with_tile};

const M: u64 = 0xffff_ffff;
const W: u64 = u64::MAX;
const NAN: u64 = 0x7fff_ffff;

/// Registers may be wider than the types; a signed result fills its register.
#[test]
fn between_integers() {
    check(&[
        ("cvt.u32.u8 r8, r0;", &[0x1ff], &[0xff]),
        ("cvt.s32.s8 r8, r0;", &[0x80], &[0xffff_ff80]),
        ("cvt.s8.s32 r8, r0;", &[0x1080], &[0xffff_ff80]),
        ("cvt.u8.s32 r8, r0;", &[0x1080], &[0x80]),
        ("cvt.s64.s32 d8, r0;", &[0x8000_0000], &[0xffff_ffff_8000_0000]),
        ("cvt.u64.s32 d8, r0;", &[M], &[W]),
        ("cvt.u64.u32 d8, r0;", &[M], &[M]),
        ("cvt.s16.s64 d8, d0;", &[0x18000], &[0xffff_ffff_ffff_8000]),
        ("cvt.u16.u64 h8, d0;", &[0x1_2345], &[0x2345]),
        ("cvt.s32.s64 r8, -2;", &[], &[0xffff_fffe]),
        ("cvt.rn.f64.s64 d8, -5000000000;", &[], &[g(-5e9)]),
        ("cvt.sat.u8.s32 r8, r0;", &[M], &[0]),
        ("cvt.sat.u8.s32 r8, r0;", &[300], &[255]),
        ("cvt.sat.s8.s32 r8, r0;", &[0xffff_ff00], &[0xffff_ff80]),
        ("cvt.sat.s8.u32 r8, r0;", &[M], &[127]),
        ("cvt.sat.s32.u32 r8, r0;", &[M], &[0x7fff_ffff]),
        ("cvt.sat.u32.s32 r8, r0;", &[M], &[0]),
        ("cvt.sat.u64.s32 d8, r0;", &[M], &[0]),
        ("cvt.sat.u64.s32 d8, r0;", &[M], &[0]),
        ("cvt.sat.s16.s64 h8, d0;", &[1 << 63], &[0x8000]),
        ("cvt.pack.sat.s16.s32 r8, r0, r1;", &[40000, 0xffff_0000], &[0x7fff_8000]),
        ("cvt.pack.sat.u16.s32 r8, r0, r1;", &[40000, M], &[0x9c40_0000]),
        ("cvt.pack.sat.u8.s32.b32 r8, r0, r1, r2;", &[300, M, 0x1234_5678], &[0x5678_ff00]),
        ("cvt.pack.sat.s8.s32.b32 r8, r0, r1, r2;", &[M, 0xffff_ff00, 7], &[0x0007_ff80]),
        ("cvt.pack.sat.s4.s32.b32 r8, r0, r1, r2;", &[100, M, 1], &[0x17f]),
        ("cvt.pack.sat.u4.s32.b32 r8, r0, r1, r2;", &[100, M, 0x0fff_ffff], &[0xffff_fff0]),
        ("cvt.pack.sat.u2.s32.b32 r8, r0, r1, r2;", &[2, 7, 1], &[0x1b]),
        ("cvt.pack.sat.s2.s32.b32 r8, r0, r1, r2;", &[M, 7, 0], &[0xd]),
    ]);
}

/// 2^24 + 1 is between two numbers of f32; 2^60 + 2^52 + 1 is just above the middle of two of bf16.
#[test]
fn from_integers_in_any_rounding() {
    let (odd, tie) = ((1 << 24) + 1, (1 << 60) + (1 << 52) + 1);
    check(&[
        ("cvt.rn.f32.u32 r8, r0;", &[odd], &[f(16_777_216.)]),
        ("cvt.rz.f32.u32 r8, r0;", &[odd], &[f(16_777_216.)]),
        ("cvt.rp.f32.u32 r8, r0;", &[odd], &[f(16_777_218.)]),
        ("cvt.rm.f32.s32 r8, r0;", &[M - (1 << 24)], &[f(-16_777_218.)]),
        ("cvt.rp.f32.s32 r8, r0;", &[M - (1 << 24)], &[f(-16_777_216.)]),
        ("cvt.rn.f32.s8 r8, r0;", &[0xff], &[f(-1.)]),
        ("cvt.rn.f32.u16 r8, h0;", &[0xffff], &[f(65535.)]),
        ("cvt.rn.f64.s64 d8, d0;", &[i64::MIN as u64], &[g(-9_223_372_036_854_775_808.)]),
        ("cvt.rz.f64.u64 d8, d0;", &[W], &[0x43ef_ffff_ffff_ffff]),
        ("cvt.rp.f64.u64 d8, d0;", &[W], &[0x43f0_0000_0000_0000]),
        ("cvt.rn.bf16.u64 h8, d0;", &[tie], &[0x5d81]),
        ("cvt.rz.bf16.u64 h8, d0;", &[tie], &[0x5d80]),
        ("cvt.rn.f16.s32 h8, r0;", &[65520], &[0x7c00]),
        ("cvt.rz.f16.s32 h8, r0;", &[65520], &[0x7bff]),
        ("cvt.rn.sat.f32.u32 r8, r0;", &[7], &[f(1.)]),
        ("cvt.rn.f32.u32 r8, r0;", &[0], &[0]),
    ]);
}

/// Out of range gives the nearest integer. NaN gives 0, or the highest bit of 64 bits or of an f64.
#[test]
fn to_integers() {
    check(&[
        ("cvt.rni.s32.f32 r8, r0;", &[f(2.5)], &[2]),
        ("cvt.rzi.s32.f32 r8, r0;", &[f(-2.9)], &[0xffff_fffe]),
        ("cvt.rmi.s32.f32 r8, r0;", &[f(-2.1)], &[0xffff_fffd]),
        ("cvt.rpi.u32.f32 r8, r0;", &[f(0.1)], &[1]),
        ("cvt.rpi.ftz.u32.f32 r8, r0;", &[1], &[0]),
        ("cvt.rpi.u32.f32 r8, r0;", &[1], &[1]),
        ("cvt.rzi.u32.f32 r8, r0;", &[f(-1.)], &[0]),
        ("cvt.rzi.u32.f32 r8, r0;", &[f(1e20)], &[M]),
        ("cvt.rzi.s8.f32 r8, r0;", &[f(-1000.)], &[0xffff_ff80]),
        ("cvt.rzi.sat.u8.f32 r8, r0;", &[f(1000.)], &[0xff]),
        ("cvt.rzi.s64.f64 d8, d0;", &[g(1e300)], &[i64::MAX as u64]),
        ("cvt.rzi.u64.f64 d8, d0;", &[g(f64::INFINITY)], &[W]),
        ("cvt.rzi.s32.f32 r8, r0;", &[NAN], &[0]),
        ("cvt.rzi.s64.f32 d8, r0;", &[NAN], &[1 << 63]),
        ("cvt.rzi.s32.f64 r8, d0;", &[g(f64::NAN)], &[0x8000_0000]),
        ("cvt.rzi.u64.f64 d8, d0;", &[g(f64::NAN)], &[1 << 63]),
        ("cvt.rni.s32.f16 r8, h0;", &[0x3e00], &[2]),
        ("cvt.rzi.u16.bf16 h8, h0;", &[0x4340], &[192]),
        ("cvt.rni.f32.f32 r8, r0;", &[f(-0.5)], &[f(-0.)]),
        ("cvt.rpi.f64.f64 d8, d0;", &[g(1.25)], &[g(2.)]),
        ("cvt.rmi.f16.f16 h8, h0;", &[0xbe00], &[0xc000]),
        ("cvt.rzi.sat.f32.f32 r8, r0;", &[f(7.5)], &[f(1.)]),
    ]);
}

#[test]
fn between_floats() {
    check(&[
        ("cvt.f64.f32 d8, r0;", &[1], &[0x36a0_0000_0000_0000]),
        ("cvt.ftz.f64.f32 d8, r0;", &[0x8000_0001], &[1 << 63]),
        ("cvt.rn.f32.f64 r8, d0;", &[g(1e300)], &[f(f32::INFINITY)]),
        ("cvt.rz.f32.f64 r8, d0;", &[g(1e300)], &[f(f32::MAX)]),
        ("cvt.rp.f32.f64 r8, d0;", &[g(1e-300)], &[1]),
        ("cvt.rp.ftz.f32.f64 r8, d0;", &[g(1e-300)], &[0]),
        ("cvt.rn.sat.f32.f64 r8, d0;", &[g(-3.)], &[0]),
        ("cvt.sat.f32.f32 r8, r0;", &[f(3.)], &[f(1.)]),
        ("cvt.sat.f32.f32 r8, r0;", &[NAN], &[0]),
        ("cvt.ftz.f32.f32 r8, r0;", &[3], &[0]),
        ("cvt.f32.f16 r8, h0;", &[1], &[f(5.960_464_5e-8)]),
        ("cvt.f32.bf16 r8, h0;", &[0x8001], &[0x8001_0000]),
        ("cvt.rn.f16.f32 h8, r0;", &[f(65520.)], &[0x7c00]),
        ("cvt.rz.f16.f32 h8, r0;", &[f(1e9)], &[0x7bff]),
        ("cvt.rn.satfinite.f16.f32 h8, r0;", &[f(1e9)], &[0x7bff]),
        ("cvt.rn.relu.f16.f32 h8, r0;", &[f(-2.)], &[0]),
        ("cvt.rn.relu.satfinite.bf16.f32 h8, r0;", &[f(f32::INFINITY)], &[0x7f7f]),
        ("cvt.rn.f16.f32 h8, r0;", &[NAN], &[0x7fff]),
        ("cvt.rn.f16.f64 h8, d0;", &[g(1.0 + 1.0 / 2048.0)], &[0x3c00]),
        ("cvt.rp.f16.f64 h8, d0;", &[g(1.0 + 1.0 / 2048.0)], &[0x3c01]),
        ("cvt.rn.bf16.f16 h8, h0;", &[0x3c01], &[0x3f80]),
        ("cvt.rn.f16x2.f32 r8, r0, r1;", &[f(1.), f(-2.)], &[0x3c00_c000]),
        ("cvt.rz.relu.bf16x2.f32 r8, r0, r1;", &[f(1.999), f(-2.)], &[0x3fff_0000]),
        // Half a unit above 1, and a little more.
        ("cvt.rna.tf32.f32 r8, r0;", &[0x3f80_1000], &[0x3f80_2000]),
        ("cvt.rn.tf32.f32 r8, r0;", &[0x3f80_1000], &[0x3f80_0000]),
        ("cvt.rn.satfinite.relu.tf32.f32 r8, r0;", &[f(-1.)], &[0]),
        ("cvt.rz.tf32.f32 r8, r0;", &[0x3f80_3fff], &[0x3f80_2000]),
    ]);
}

/// Codes of ml_dtypes; those beyond the largest number are saturated.
#[test]
fn narrow_floats_in_pairs() {
    check(&[
        ("cvt.rn.satfinite.e4m3x2.f32 h8, r0, r1;", &[f(448.), f(-1e9)], &[0x7efe]),
        ("cvt.rn.satfinite.e4m3x2.f32 h8, r0, r1;", &[f(0.001_953_125), f(0.000_976_562_5)], &[0x0100]),
        ("cvt.rn.satfinite.e4m3x2.f32 h8, r0, r1;", &[NAN, f(-0.)], &[0x7f80]),
        ("cvt.rn.satfinite.e5m2x2.f32 h8, r0, r1;", &[f(1e9), f(464.)], &[0x7b5f]),
        ("cvt.rn.satfinite.relu.e4m3x2.f32 h8, r0, r1;", &[f(-1.), f(448.)], &[0x007e]),
        ("cvt.rn.satfinite.e4m3x2.f16x2 h8, r0;", &[0x5f00_c000], &[0x7ec0]),
        ("cvt.rn.satfinite.e5m2x2.bf16x2 h8, r0;", &[0x43e0_c000], &[0x5fc0]),
        ("cvt.rn.f16x2.e4m3x2 r8, h0;", &[0x7e01], &[0x5f00_1800]),
        ("cvt.rn.f16x2.e5m2x2 r8, h0;", &[0x7cfe], &[0x7c00_7fff]),
        ("cvt.rn.relu.f16x2.e4m3x2 r8, h0;", &[0xc038], &[0x0000_3c00]),
        ("cvt.rn.satfinite.e2m3x2.f32 h8, r0, r1;", &[f(-1.75), f(28.)], &[0x2e1f]),
        ("cvt.rn.satfinite.e3m2x2.f32 h8, r0, r1;", &[f(26.), f(0.1875)], &[0x1e03]),
        ("cvt.rn.f16x2.e2m3x2 r8, h0;", &[0x2e1f], &[0xbf00_4780]),
        ("cvt.rn.f16x2.e3m2x2 r8, h0;", &[0x1e01], &[0x4e00_2c00]),
        ("cvt.rn.satfinite.e2m1x2.f32 b0, r0, r1; cvt.u32.u8 r8, b0;", &[f(2.5), f(-9.)], &[0x4f]),
        ("mov.b32 {b0, b1, b2, b3}, r0; cvt.rn.f16x2.e2m1x2 r8, b0;", &[0xf1], &[0xc600_3800]),
        ("cvt.rn.bf16x2.e4m3x2 r8, h0;", &[0x7e01], &[0x43e0_3b00]),
        ("cvt.rn.bf16x2.e4m3x2 r8, h0;", &[0xff80], &[0x7fff_8000]),
        ("cvt.rn.relu.bf16x2.e4m3x2 r8, h0;", &[0xc038], &[0x0000_3f80]),
        ("cvt.rn.bf16x2.e5m2x2 r8, h0;", &[0x7cfe], &[0x7f80_7fff]),
        ("cvt.rn.satfinite.bf16x2.e5m2x2 r8, h0;", &[0x7cfc], &[0x7f7f_ff7f]),
        ("cvt.rn.bf16x2.e2m3x2 r8, h0;", &[0x2e1f], &[0xbfe0_40f0]),
        ("cvt.rn.satfinite.relu.bf16x2.e3m2x2 r8, h0;", &[0x1e21], &[0x41c0_0000]),
        ("mov.b32 {b0, b1, b2, b3}, r0; cvt.rn.bf16x2.e2m1x2 r8, b0;", &[0xf1], &[0xc0c0_3f00]),
        ("cvt.rz.ue8m0x2.f32 h8, r0, r1;", &[f(3.), f(1.)], &[0x807f]),
        ("cvt.rp.satfinite.ue8m0x2.f32 h8, r0, r1;", &[f(3.), f(1.5)], &[0x8180]),
        ("cvt.rp.ue8m0x2.bf16x2 h8, r0;", &[0x4040_3f80], &[0x817f]),
        ("cvt.rn.bf16x2.ue8m0x2 r8, h0;", &[0x807f], &[0x4000_3f80]),
    ]);
}

/// The bits are added below the last one that stays: a quarter of the distance becomes the next
/// number from three quarters of the random numbers on.
#[test]
fn random_roundings() {
    let quarter = 1.0 + 0.25 / 1024.0;
    check(&[
        ("cvt.rs.f16x2.f32 r8, r0, r1, r2;", &[f(quarter), f(quarter), 0x1800_17ff], &[0x3c01_3c00]),
        ("cvt.rs.f16x2.f32 r8, r0, r1, r2;", &[f(1.), f(-quarter), 0xffff_1800], &[0x3c00_bc01]),
        ("cvt.rs.relu.f16x2.f32 r8, r0, r1, r2;", &[f(1.), f(-quarter), 0xffff_1800], &[0x3c00_0000]),
        ("cvt.rs.bf16x2.f32 r8, r0, r1, r2;", &[0x3f80_4000, 0x3f80_4000, 0xc000_bfff], &[0x3f81_3f80]),
        // 1.03125 is a quarter of the distance to 1.125.
        (
            "cvt.rs.satfinite.e4m3x4.f32 r8, {r0, r1, r2, r3}, r4;",
            &[f(1.031_25), f(-1.031_25), f(1.031_25), f(500.), 0xc000_bfff],
            &[0x39b9_387e],
        ),
        (
            "cvt.rs.satfinite.e2m1x4.f32 h8, {r0, r1, r2, r3}, r4;",
            &[f(1.125), f(1.125), f(1.125), f(-9.), 0xc000_bf00],
            &[0x322f],
        ),
    ]);
}

/// 9.7.9.22, 5.2.4 of PTX ISA 9.1: numbers with 6 bits behind the point, from -2 to 127/64.
#[test]
fn fixed_point_in_pairs() {
    let (least, third) = (f(1. / 64.), f(1. / 3.));
    check(&[
        ("cvt.rn.satfinite.s2f6x2.f32 h8, r0, r1;", &[f(1.), f(-1.)], &[0x40c0]),
        // Halves of a unit go to the even one.
        ("cvt.rn.satfinite.s2f6x2.f32 h8, r0, r1;", &[f(0.5 / 64.), f(1.5 / 64.)], &[0x0002]),
        ("cvt.rn.satfinite.s2f6x2.f32 h8, r0, r1;", &[f(-0.), 1], &[0]),
        ("cvt.rn.satfinite.s2f6x2.f32 h8, r0, r1;", &[f(2.), f(-3.)], &[0x7f80]),
        ("cvt.rn.satfinite.s2f6x2.f32 h8, r0, r1;", &[f(f32::INFINITY), f(f32::NEG_INFINITY)], &[0x7f80]),
        ("cvt.rn.satfinite.s2f6x2.f32 h8, r0, r1;", &[f(f32::NAN), third], &[0x7f15]),
        ("cvt.rn.satfinite.relu.s2f6x2.f32 h8, r0, r1;", &[f(-1.), least], &[0x0001]),
        // Divided by 4, and by 1/2.
        (
            "cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32 h8, r0, r1, h2;",
            &[f(4.), f(0.5), 0x817e],
            &[0x4040],
        ),
        (
            "cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32 h8, r0, r1, h2;",
            &[f(f32::MAX), 1, 0xfe00],
            &[0x7f00],
        ),
        ("cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32 h8, r0, r1, h2;", &[f(1.), f(1.), 0xff7f], &[0x7f40]),
        ("cvt.rn.satfinite.s2f6x2.bf16x2 h8, r0;", &[0x3f80_bf00], &[0x40e0]),
        ("cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.bf16x2 h8, r0, h1;", &[0x3f80_bf00, 0x807f], &[0x20e0]),
        ("cvt.rn.bf16x2.s2f6x2 r8, h0;", &[0x40c0], &[0x3f80_bf80]),
        ("cvt.rn.bf16x2.s2f6x2 r8, h0;", &[0x8001], &[0xc000_3c80]),
        ("cvt.rn.bf16x2.s2f6x2 r8, h0;", &[0x007f], &[0x0000_3ffe]),
        ("cvt.rn.relu.bf16x2.s2f6x2 r8, h0;", &[0x80ff], &[0]),
        ("cvt.rn.scaled::n2::ue8m0.bf16x2.s2f6x2 r8, h0, h1;", &[0x4040, 0x8180], &[0x4080_4000]),
        ("cvt.rn.scaled::n2::ue8m0.bf16x2.s2f6x2 r8, h0, h1;", &[0x8040, 0xfe00], &[0xff80_0040]),
        ("cvt.rn.satfinite.scaled::n2::ue8m0.bf16x2.s2f6x2 r8, h0, h1;", &[0x8040, 0xfeff], &[0xff7f_7fff]),
    ]);
}

/// PTX ISA 9.2: narrow floats times 2^(factor - 127), rounded to bf16.
#[test]
fn narrow_floats_with_scale_factors() {
    let [plain, finite] = ["", ".satfinite"].map(|words| {
        move |relu: &str, from: &str, a: &str| {
            format!("cvt.rn{words}{relu}.scaled::n2::ue8m0.bf16x2.{from} r8, {a}, h1;")
        }
    });
    let byte = |text: String| format!("mov.b32 {{b0, b1, b2, b3}}, r0; {text}");
    for (text, operands, expected) in [
        (plain("", "e5m2x2", "h0"), [0x3c3c, 0x8180], 0x4080_4000),
        (plain("", "e4m3x2", "h0"), [0xb87e, 0x7f7e], 0xbf80_4360),
        (plain("", "e2m3x2", "h0"), [0x2e1f, 0x7d80], 0xbee0_4170),
        (plain("", "e3m2x2", "h0"), [0x1e01, 0x7f7f], 0x41c0_3d80),
        (byte(plain("", "e2m1x2", "b0")), [0xf1, 0x7e81], 0xc040_4000),
        // 57344 * 2^127 and infinity.
        (plain("", "e5m2x2", "h0"), [0x7bfc, 0xfe7f], 0x7f80_ff80),
        (finite("", "e5m2x2", "h0"), [0x7bfc, 0xfe7f], 0x7f7f_ff7f),
        // 2^-127, and 1.75 * 2^-134, which is less than the least number and more than its half.
        (plain("", "e5m2x2", "h0"), [0x3c23, 0x0000], 0x0040_0001),
        (plain("", "e5m2x2", "h0"), [0x3c3c, 0xff7f], 0x7fff_3f80),
        (plain(".relu", "e5m2x2", "h0"), [0xbc7f, 0x7f7f], 0x0000_7fff),
        (finite(".relu", "e4m3x2", "h0"), [0xb838, 0x807e], 0x0000_3f00),
    ] {
        check(&[(&text, &operands, &[expected])]);
    }
}

/// A register that nothing wrote is undefined bit by bit, also behind instructions that pack
/// numbers or take them apart: what is stored counts alone.
#[test]
fn parts_of_a_register_are_defined_each() {
    // %r2 is 2 in f32, and nothing wrote %r3, %h2 and %h3.
    let run = |text: &str| {
        let body = format!("mov.b32 %r2, 0f40000000; mov.b16 %h1, 7; mov.b32 %r4, 0x11223344; {text}");
        run_with_tile(&body, [0; 16], [0; 16]).map(|out| out[0])
    };
    for (text, expected) in [
        ("cvt.rn.satfinite.e4m3x2.f32 %h4, %r3, %r2; st.global.b8 [%rd1], %h4;", 0x40),
        ("cvt.rn.satfinite.e5m2x2.f32 %h4, %r3, %r2; st.global.b8 [%rd1], %h4;", 0x40),
        ("cvt.rn.f16x2.f32 %r5, %r3, %r2; st.global.b16 [%rd1], %r5;", 0x4000),
        ("cvt.rn.bf16x2.f32 %r5, %r3, %r2; st.global.b16 [%rd1], %r5;", 0x4000),
        ("cvt.rn.satfinite.e2m3x2.f32 %h4, %r2, %r3; shr.u16 %h4, %h4, 8; st.global.b8 [%rd1], %h4;", 0x10),
        ("cvt.rn.bf16x2.f32 %r5, %r2, %r3; mov.b32 {%h4, %h5}, %r5; st.global.b16 [%rd1], %h5;", 0x4000),
        ("mov.b32 %r5, {%h1, %h2}; st.global.b16 [%rd1], %r5;", 7),
        ("mov.b32 %r5, {%h2, %h1}; mov.b32 {%h4, %h5}, %r5; st.global.b16 [%rd1], %h5;", 7),
        ("mov.b64 %rd2, {%r2, %r3}; mov.b64 {%r5, %r6}, %rd2; st.global.b32 [%rd1], %r5;", 0x4000_0000),
        ("prmt.b32 %r5, %r4, %r3, 0x7610; st.global.b16 [%rd1], %r5;", 0x3344),
        ("prmt.b32 %r5, %r3, %r4, 0x0075; st.global.b16 [%rd1], %r5;", 0x1133),
        // Bits that pick nothing may be undefined.
        (
            "mov.b16 %h4, 0x3210; mov.b32 %r5, {%h4, %h2}; prmt.b32 %r6, %r4, %r4, %r5; st.global.b32 [%rd1], %r6;",
            0x1122_3344,
        ),
        ("mov.b32 %r5, {%h1, %h2}; cvt.u32.u16 %r6, %r5; st.global.b32 [%rd1], %r6;", 7),
        ("mov.b32 %r5, {%h1, %h2}; cvt.s32.s16 %r5, %r5; st.global.b32 [%rd1], %r5;", 7),
        ("mov.b32 %r5, {%h1, %h2}; bfe.s32 %r6, %r5, 0, 8; st.global.b32 [%rd1], %r6;", 7),
        ("mov.b32 %r5, {%h1, %h2}; bfi.b32 %r6, %r5, %r4, 8, 8; st.global.b32 [%rd1], %r6;", 0x1122_0744),
        ("mov.b32 %r5, {%h1, %h2}; lop3.b32 %r6, %r5, 0xffff, 0, 0xc0; st.global.b32 [%rd1], %r6;", 7),
        ("shf.l.wrap.b32 %r6, %r3, %r4, 16; shr.s32 %r6, %r6, 16; st.global.b32 [%rd1], %r6;", 0x3344),
        ("mov.b32 %r5, {%h2, %h1}; shr.s32 %r5, %r5, 16; st.global.b32 [%rd1], %r5;", 7),
        ("cvt.pack.sat.u8.s32.b32 %r5, %r3, 9, 0; st.global.b8 [%rd1], %r5;", 9),
        (
            "mov.b32 %r5, {%h1, %h2}; mov.b32 %r6, {%h2, %h1}; mov.b16 %h4, 0;
             add.u16x2 %r5, %r5, %r5; st.global.b16 [%rd1], %r5;",
            14,
        ),
    ] {
        assert_eq!(run(text).unwrap_or_else(|e| panic!("{text}: {e}")), expected, "{text}");
    }
    for text in [
        "cvt.rn.satfinite.e4m3x2.f32 %h4, %r2, %r3; st.global.b8 [%rd1], %h4;",
        "cvt.rn.satfinite.e4m3x2.f32 %h4, %r3, %r2; st.global.b16 [%rd1], %h4;",
        "cvt.rn.f16x2.f32 %r5, %r3, %r2; st.global.b32 [%rd1], %r5;",
        "cvt.rn.f16x2.f32 %r5, %r3, %r2; mov.b32 {%h4, %h5}, %r5; st.global.b16 [%rd1], %h5;",
        "mov.b32 %r5, {%h2, %h1}; st.global.b16 [%rd1], %r5;",
        "prmt.b32 %r5, %r4, %r3, 0x4610; st.global.b32 [%rd1], %r5;",
        "mov.b32 %r5, {%h1, %h2}; bfe.s32 %r6, %r5, 8, 9; st.global.b32 [%rd1], %r6;",
        "mov.b32 %r5, {%h1, %h2}; lop3.b32 %r6, %r5, 0x1ffff, 0, 0xc0; st.global.b32 [%rd1], %r6;",
        "shf.l.wrap.b32 %r6, %r3, %r4, 16; st.global.b16 [%rd1], %r6;",
        "mov.b32 %r5, {%h1, %h2}; cvt.s32.s16 %r5, %r5; add.u32 %r5, %r5, %r3; st.global.b32 [%rd1], %r5;",
    ] {
        let message = run(text).unwrap_err().to_string();
        assert!(message.contains("the stored value is undefined"), "{text}: {message}");
    }
}
