//! Floating-point instructions (PTX ISA 9.7.3 to 9.7.5).

use super::{check, f, g, run};

const NAN: u64 = 0x7fff_ffff;
const INF: f32 = f32::INFINITY;

/// 9.7.3: roundings of f32 and f64. A third has the bits 0101.., two thirds 1010...
#[test]
fn roundings() {
    let (third, two) = (f(1. / 3.), f(2. / 3.));
    check(&[
        ("div.rn.f32 r8, r0, r1;", &[f(1.), f(3.)], &[third]),
        ("div.rz.f32 r8, r0, r1;", &[f(1.), f(3.)], &[third - 1]),
        ("div.rm.f32 r8, r0, r1;", &[f(-1.), f(3.)], &[f(-1. / 3.)]),
        ("div.rp.f32 r8, r0, r1;", &[f(-1.), f(3.)], &[f(-1. / 3.) - 1]),
        ("div.rp.f32 r8, r0, r1;", &[f(2.), f(3.)], &[two]),
        ("div.rn.f64 d8, d0, d1;", &[g(1.), g(3.)], &[0x3fd5_5555_5555_5555]),
        ("div.rp.f64 d8, d0, d1;", &[g(1.), g(3.)], &[0x3fd5_5555_5555_5556]),
        ("div.rz.f64 d8, d0, d1;", &[g(2.), g(3.)], &[0x3fe5_5555_5555_5555]),
        ("rcp.rm.f64 d8, d0;", &[g(-3.)], &[0xbfd5_5555_5555_5556]),
        ("add.rp.f64 d8, d0, d1;", &[g(1.), 1], &[g(1.) + 1]),
        ("add.rm.f64 d8, d0, d1;", &[g(1.), g(-1.)], &[1 << 63]),
        ("sub.rz.f64 d8, d0, d1;", &[g(1.), 1], &[g(1.) - 1]),
        ("mul.rp.f64 d8, d0, d1;", &[1, 1], &[1]),
        ("mul.rm.f64 d8, d0, d1;", &[1, 1], &[0]),
        ("mul.rz.f64 d8, d0, d1;", &[g(f64::MAX), g(2.)], &[g(f64::MAX)]),
        ("mul.rp.f64 d8, d0, d1;", &[g(f64::MAX), g(2.)], &[g(f64::INFINITY)]),
        // (1 + e)^2 - 1 - 2e = e^2, and with 3 in the third place a tie towards either side.
        (
            "fma.rz.f64 d8, d0, d1, d2;",
            &[g(1.) + 1, g(1.) + 1, g(-1.0 - 2.0 * f64::EPSILON)],
            &[0x3970_0000_0000_0000],
        ),
        ("fma.rp.f64 d8, d0, d1, d2;", &[g(1.), g(1.), 1], &[g(1.) + 1]),
        ("mad.rn.f64 d8, d0, d1, d2;", &[g(2.), g(3.), g(1.)], &[g(7.)]),
        ("mad.rn.f32 r8, r0, r1, r2;", &[f(2.), f(3.), f(1.)], &[f(7.)]),
        // sqrt(2) = 0x3ff6a09e667f3bcc.908..
        ("sqrt.rz.f64 d8, d0;", &[g(2.)], &[0x3ff6_a09e_667f_3bcc]),
        ("sqrt.rp.f64 d8, d0;", &[g(2.)], &[0x3ff6_a09e_667f_3bcd]),
        ("sqrt.rn.f64 d8, d0;", &[1 << 63], &[1 << 63]),
        ("sqrt.rm.f32 r8, r0;", &[f(2.)], &[0x3fb5_04f3]),
        ("sqrt.rp.f32 r8, r0;", &[f(2.)], &[0x3fb5_04f4]),
    ]);
}

/// 9.7.3: `.ftz` and `.sat`, and NaN.
#[test]
fn modifiers() {
    let (small, half) = (1, f(f32::MIN_POSITIVE) / 2);
    check(&[
        ("add.f32 r8, r0, r1;", &[small, small], &[2]),
        ("add.ftz.f32 r8, r0, r1;", &[small, small], &[0]),
        ("mul.ftz.f32 r8, r0, r1;", &[f(-f32::MIN_POSITIVE), f(0.5)], &[0x8000_0000]),
        ("mul.f32 r8, r0, r1;", &[f(f32::MIN_POSITIVE), f(0.5)], &[half]),
        ("add.sat.f32 r8, r0, r1;", &[f(0.75), f(0.75)], &[f(1.)]),
        ("add.sat.f32 r8, r0, r1;", &[f(-0.75), f(0.25)], &[0]),
        ("mul.sat.f32 r8, r0, r1;", &[f(INF), f(0.)], &[0]),
        ("fma.rn.sat.f32 r8, r0, r1, r2;", &[f(2.), f(2.), f(-3.5)], &[f(0.5)]),
        ("add.f32 r8, r0, r1;", &[f(INF), f(-INF)], &[NAN]),
        ("neg.ftz.f32 r8, r0;", &[small], &[0x8000_0000]),
        ("neg.f32 r8, r0;", &[small], &[0x8000_0001]),
        ("abs.f64 d8, d0;", &[g(-0.)], &[0]),
        ("copysign.f32 r8, r0, r1;", &[f(-0.), f(3.)], &[f(-3.)]),
        ("copysign.f64 d8, d0, d1;", &[g(1.), g(-3.)], &[g(3.)]),
    ]);
}

/// 9.7.3.12, 9.7.3.13: of two or three operands, with NaN, magnitudes and signs.
#[test]
fn extrema() {
    check(&[
        ("min.f32 r8, r0, r1;", &[NAN, f(2.)], &[f(2.)]),
        ("min.NaN.f32 r8, r0, r1;", &[NAN, f(2.)], &[NAN]),
        ("min.f32 r8, r0, r1;", &[f(0.), f(-0.)], &[f(-0.)]),
        ("max.f64 d8, d0, d1;", &[g(-0.), g(0.)], &[0]),
        ("min.xorsign.abs.f32 r8, r0, r1;", &[f(-3.), f(2.)], &[f(-2.)]),
        ("max.xorsign.abs.f32 r8, r0, r1;", &[f(-3.), f(-2.)], &[f(3.)]),
        ("max.ftz.NaN.xorsign.abs.f32 r8, r0, r1;", &[f(-3.), NAN], &[NAN]),
        ("max.xorsign.abs.f32 r8, r0, r1;", &[f(-3.), NAN], &[f(-3.)]),
        ("min.xorsign.abs.f16x2 r8, r0, r1;", &[0xc000_3c00, 0x3c00_c000], &[0xbc00_bc00]),
        ("max.NaN.bf16x2 r8, r0, r1;", &[0x7fff_3f80, 0x3f80_4000], &[0x7fff_4000]),
        ("min.f32 r8, r0, r1, r2;", &[f(3.), f(1.), f(2.)], &[f(1.)]),
        ("max.f32 r8, r0, r1, r2;", &[f(3.), NAN, f(-7.)], &[f(3.)]),
        ("max.NaN.f32 r8, r0, r1, r2;", &[f(3.), NAN, f(-7.)], &[NAN]),
        ("max.abs.f32 r8, r0, r1, r2;", &[f(3.), f(2.), f(-7.)], &[f(7.)]),
    ]);
}

/// 9.7.3.18 to 9.7.3.22: approximations where the ISA gives the exact result.
#[test]
fn approximations_at_the_edges() {
    let (low, none, infinity) = (0x8000_0000, f(0.), f(INF));
    check(&[
        ("sin.approx.f32 r8, r0;", &[none], &[none]),
        ("sin.approx.f32 r8, r0;", &[low], &[low]),
        ("sin.approx.f32 r8, r0;", &[infinity], &[NAN]),
        ("sin.approx.f32 r8, r0;", &[f(-INF)], &[NAN]),
        ("sin.approx.ftz.f32 r8, r0;", &[low | 1], &[low]),
        ("cos.approx.f32 r8, r0;", &[none], &[f(1.)]),
        ("cos.approx.f32 r8, r0;", &[low], &[f(1.)]),
        ("cos.approx.ftz.f32 r8, r0;", &[1], &[f(1.)]),
        ("cos.approx.f32 r8, r0;", &[infinity], &[NAN]),
        ("cos.approx.f32 r8, r0;", &[NAN], &[NAN]),
        ("lg2.approx.f32 r8, r0;", &[none], &[f(-INF)]),
        ("lg2.approx.f32 r8, r0;", &[low], &[f(-INF)]),
        ("lg2.approx.f32 r8, r0;", &[f(-1.)], &[NAN]),
        ("lg2.approx.f32 r8, r0;", &[infinity], &[infinity]),
        ("lg2.approx.f32 r8, r0;", &[f(8.)], &[f(3.)]),
        ("lg2.approx.f32 r8, r0;", &[1], &[f(-149.)]),
        ("lg2.approx.ftz.f32 r8, r0;", &[1], &[f(-INF)]),
        ("ex2.approx.f32 r8, r0;", &[f(-INF)], &[none]),
        ("ex2.approx.f32 r8, r0;", &[infinity], &[infinity]),
        ("ex2.approx.f32 r8, r0;", &[low], &[f(1.)]),
        ("ex2.approx.f32 r8, r0;", &[f(-149.)], &[1]),
        ("ex2.approx.ftz.f32 r8, r0;", &[f(-149.)], &[none]),
        ("ex2.approx.f32 r8, r0;", &[f(128.)], &[infinity]),
        ("tanh.approx.f32 r8, r0;", &[f(-INF)], &[f(-1.)]),
        ("tanh.approx.f32 r8, r0;", &[low], &[low]),
        ("tanh.approx.f32 r8, r0;", &[NAN], &[NAN]),
        ("rcp.approx.f32 r8, r0;", &[low], &[f(-INF)]),
        ("rcp.approx.f32 r8, r0;", &[f(-INF)], &[low]),
        ("rcp.approx.ftz.f32 r8, r0;", &[1], &[infinity]),
        ("rsqrt.approx.f32 r8, r0;", &[low], &[f(-INF)]),
        ("rsqrt.approx.f32 r8, r0;", &[f(-1.)], &[NAN]),
        ("rsqrt.approx.f32 r8, r0;", &[infinity], &[none]),
        ("sqrt.approx.f32 r8, r0;", &[low], &[low]),
        ("sqrt.approx.f32 r8, r0;", &[f(-1.)], &[NAN]),
        ("div.approx.f32 r8, r0, r1;", &[f(1.), low], &[f(-INF)]),
        ("div.full.f32 r8, r0, r1;", &[none, none], &[NAN]),
        // Beyond 2^126, the reciprocal is zero; `div.full` has the quotient.
        ("div.approx.f32 r8, r0, r1;", &[f(2f32.powi(100)), f(2f32.powi(126))], &[f(2f32.powi(-26))]),
        ("div.approx.f32 r8, r0, r1;", &[f(2f32.powi(100)), f(2f32.powi(126)) + 1], &[none]),
        ("div.approx.ftz.f32 r8, r0, r1;", &[f(2f32.powi(100)), f(-2f32.powi(127))], &[low]),
        ("div.approx.f32 r8, r0, r1;", &[infinity, f(2f32.powi(127))], &[NAN]),
        ("div.approx.f32 r8, r0, r1;", &[f(1.), infinity], &[none]),
        ("div.full.f32 r8, r0, r1;", &[f(2f32.powi(100)), f(2f32.powi(127))], &[f(2f32.powi(-27))]),
        ("div.full.ftz.f32 r8, r0, r1;", &[infinity, f(2f32.powi(127))], &[infinity]),
        // The bits of a signalling NaN stay.
        ("copysign.f32 r8, r0, r1;", &[f(-1.), 0x7f80_0001], &[0xff80_0001]),
        ("copysign.f64 d8, d0, d1;", &[g(-1.), 0x7ff0_0000_0000_0001], &[0xfff0_0000_0000_0001]),
    ]);
}

/// 9.7.4, 9.7.5: half precision, and operands of it beside f32.
#[test]
fn half_precision() {
    check(&[
        // 65504 + 16 is half a unit above the largest number, 2^-24 the least.
        ("add.rn.f16 h8, h0, h1;", &[0x7bff, 0x4c00], &[0x7c00]),
        ("add.sat.f16 h8, h0, h1;", &[0x3c00, 0x3c00], &[0x3c00]),
        ("add.f16 h8, h0, h1;", &[1, 1], &[2]),
        ("add.ftz.f16 h8, h0, h1;", &[1, 0x8001], &[0]),
        ("mul.bf16 h8, h0, h1;", &[0x3f81, 0x3f81], &[0x3f82]),
        ("fma.rn.relu.f16x2 r8, r0, r1, r2;", &[0x3c00_3c00, 0xbc00_3c00, 0x0000_3c00], &[0x0000_4000]),
        ("fma.rn.relu.bf16 h8, h0, h1, h2;", &[0xbf80, 0x3f80, 0], &[0]),
        ("fma.rn.ftz.sat.f16x2 r8, r0, r1, r2;", &[0x3c00_3c00, 0x4000_0001, 0], &[0x3c00_0000]),
        ("sub.f32x2 d8, d0, d1;", &[f(1.) << 32 | f(2.), f(3.) << 32 | f(5.)], &[f(-2.) << 32 | f(-3.)]),
        ("fma.rm.ftz.f32x2 d8, d0, d1, d2;", &[f(1.) << 32 | 1, f(3.) << 32 | f(5.), 1], &[f(3.) << 32]),
        // 1 + 2^-8 in bf16 is 1; in f32 it is not.
        ("add.f32.bf16 r8, h0, r1;", &[0x3b80, f(1.)], &[f(1.0 + 0.003_906_25)]),
        ("sub.rn.sat.f32.f16 r8, h0, r1;", &[0x4000, f(0.5)], &[f(1.)]),
        ("fma.rn.f32.f16 r8, h0, h1, r2;", &[0x3c01, 0x3c01, f(-1.)], &[f(0.001_954_078_7)]),
        ("neg.bf16x2 r8, r0;", &[0x3f80_8000], &[0xbf80_0000]),
        ("abs.f16x2 r8, r0;", &[0xbc00_8000], &[0x3c00_0000]),
        ("ex2.approx.f16x2 r8, r0;", &[0x3c00_c000], &[0x4000_3400]),
        ("ex2.approx.ftz.bf16 h8, h0;", &[0x4040], &[0x4100]),
        ("tanh.approx.bf16x2 r8, r0;", &[0x0000_4200], &[0x0000_3f80]),
        ("tanh.approx.f16 h8, h0;", &[0xfc00], &[0xbc00]),
    ]);
}

/// 9.7.3.14, 9.7.3.17: the fast forms of f64 have the upper half of a result alone.
#[test]
fn fast_reciprocals_of_f64() {
    check(&[
        ("rcp.approx.ftz.f64 d8, d0;", &[g(4.) | 0xffff], &[g(0.25)]),
        ("rcp.approx.ftz.f64 d8, d0;", &[1], &[g(f64::INFINITY)]),
        ("rcp.approx.ftz.f64 d8, d0;", &[g(-f64::INFINITY)], &[1 << 63]),
        ("rsqrt.approx.ftz.f64 d8, d0;", &[g(16.)], &[g(0.25)]),
        ("rsqrt.approx.f64 d8, d0;", &[g(0.25)], &[g(2.)]),
        ("rcp.approx.ftz.f64 d8, d0;", &[g(3.)], &[0x3fd5_5555_0000_0000]),
    ]);
    let near = run(&[("rsqrt.approx.f64 d8, d0;", &[g(2.)], &[])])[0][0];
    assert!((f64::from_bits(near) - std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-15);
}
