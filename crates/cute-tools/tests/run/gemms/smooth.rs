//! Activations that are approximations: near the result of a series in f64.

use std::f64::consts::PI;

use cute_kernels::gemm::{
    sm90::{self, Activation, GemmSm90, Out},
    sm100::GemmSm100,
};

use super::{
    case::Gemm,
    elements::{F32, MADE_F32, factors90, numbers, write},
    text,
};

fn erf(x: f64) -> f64 {
    let mut term = x;
    let series = (1..200).fold(x, |sum, n| {
        term *= -x * x / f64::from(n);
        sum + term / f64::from(2 * n + 1)
    });
    if x.abs() > 5.0 { x.signum() } else { series * 2.0 / PI.sqrt() }
}

pub(super) fn apply(activation: Activation, x: f64) -> f64 {
    match activation {
        Activation::Relu => x.max(0.0),
        Activation::Gelu => 0.5 * x * (1.0 + erf(x / 2f64.sqrt())),
        Activation::Silu => x / (1.0 + (-x).exp()),
    }
}

/// `D = act((A B^T - 3 C + 64 bias) / 64)` of bf16 in f32, without C and the bias unless the kernel
/// `brings` them.
fn check(
    (kernel, activation, brings): (&str, Activation, bool),
    shape: [usize; 3],
    schedule: &str,
    more: &str,
) {
    let factors = factors90(sm90::Types::Bf16);
    let product = Gemm { made: MADE_F32, ..Gemm::plain((kernel, factors), shape, schedule, "--host") };
    let folder = tempfile::tempdir().unwrap();
    let [m, n, _] = shape;
    let (c, bias) = (numbers(m * n, 3), numbers(n, 4));
    let alpha = "--arg alpha:f32=0.015625";
    let (mut before, mut behind) = (String::new(), format!("{alpha} {more}"));
    if brings {
        let (_, descr, bytes) = F32;
        write(folder.path(), "c.npy", descr, &[m, n], c.iter().flat_map(|n| bytes(*n)));
        write(folder.path(), "bias.npy", descr, &[n], bias.iter().flat_map(|n| bytes(*n)));
        before = format!("--arg C:f32[{m}x{n}]=c.npy");
        behind = format!("--arg bias:f32[{n}]=bias.npy {alpha} --arg beta:f32=-0.046875 {more}");
    }
    let (sums, d) = product.run(&folder, [&before, &behind]);
    for (i, (sum, found)) in sums.into_iter().zip(d.chunks_exact(4)).enumerate() {
        let mut x = f64::from(sum) / 64.0;
        if brings {
            x += f64::from(c[i]) * -3.0 / 64.0 + f64::from(bias[i % n]);
        }
        let (found, expected) = (f32::from_le_bytes(found.try_into().unwrap()), apply(activation, x));
        assert!(
            (f64::from(found) - expected).abs() < 1e-5,
            "{activation:?} of {x} in row {}, column {}: {found}, not {expected}",
            i / n,
            i % n
        );
    }
}

#[test]
fn sums_of_wgmma_go_through_smooth_activations() {
    for activation in [Activation::Gelu, Activation::Silu] {
        let gemm = GemmSm90 {
            m_tile: 64,
            n_tile: 64,
            m_cluster: 1,
            alpha: true,
            out: Some(Out::F32),
            activation: Some(activation),
            ..GemmSm90::default()
        };
        let kernel = text(|c| gemm.build(c));
        check((&kernel, activation, false), [64, 72, 40], "lazy", "--arg blocks:i32=1");
    }
}

/// The parts of a tile are in a loop: two of them and three, with C and the bias and without, and
/// several tiles for a block.
#[test]
fn sums_in_tensor_memory_go_through_smooth_activations() {
    use Activation::{Gelu, Silu};
    let out = Some(Out::F32);
    let pair = GemmSm100 { n_tile: 64, alpha: true, out, ..GemmSm100::default() };
    let one = GemmSm100 { ctas: 1, m_tile: 128, n_tile: 96, ..pair.clone() };
    let all = GemmSm100 { beta: true, bias: true, ..one.clone() };
    let kernels = [
        (GemmSm100 { ..pair.clone() }, Silu, [264, 72, 40], "lazy"),
        (GemmSm100 { ..all }, Gelu, [136, 264, 72], "1"),
        (GemmSm100 { m_tile: 64, ..one }, Silu, [72, 200, 40], "eager"),
        (GemmSm100 { m_tile: 128, n_tile: 128, beta: true, bias: true, ..pair }, Silu, [136, 264, 40], "2"),
    ];
    for (gemm, activation, shape, schedule) in kernels {
        let gemm = GemmSm100 { activation: Some(activation), ..gemm };
        let kernel = text(|c| gemm.build(c));
        let more = format!("--arg blocks:i32={} --target sm_100a", gemm.ctas);
        check((&kernel, activation, gemm.beta), shape, schedule, &more);
    }
}
