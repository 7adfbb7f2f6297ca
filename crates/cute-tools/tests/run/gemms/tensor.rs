//! Products on tensor cores that take their tiles from shared memory.

use std::{
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
};

use cute_kernels::gemm::{
    sm90::{self, Activation, GemmSm90, Out},
    sm100::{GemmSm100, Scheduler},
    sm120::GemmSm120,
};

use super::{
    SCHEDULES,
    case::Gemm,
    elements::{
        MADE_BF16, MADE_E2M1, MADE_E4M3, MADE_F16, MADE_F32, MADE_I32, exact, factors90, numbers, read, write,
    },
    results::Results,
    scaled::Scaled,
    smooth::apply,
    text,
};
use crate::full;

/// A kernel on tensor cores, and its types.
pub(in super::super) struct Tensor {
    pub kernel: String,
    pub(super) types: sm90::Types,
    /// Those of B, if they are others.
    pub(super) b_types: Option<sm90::Types>,
    pub(super) out: Option<Out>,
    pub(super) batch: bool,
    /// The other options of the command line.
    more: String,
    /// Whether D is scaled by alpha, and beta C and a bias are added; what is applied to it.
    pub(super) alpha: bool,
    pub(super) beta: bool,
    pub(super) bias: bool,
    activation: Option<Activation>,
}

/// The argument for two clusters with this number of blocks, so that each takes several tiles.
fn blocks(cluster: i64) -> String {
    format!("--arg blocks:i32={}", 2 * cluster)
}

impl Tensor {
    pub fn of_hopper(gemm: &GemmSm90) -> Self {
        Self::hopper(gemm, text(|c| gemm.build(c)))
    }

    /// The kernel of a text that the builder wrote.
    pub fn hopper(gemm: &GemmSm90, kernel: String) -> Self {
        let GemmSm90 { types, out, batch, alpha, beta, bias, activation, .. } = *gemm;
        let more = blocks(gemm.m_cluster * gemm.n_cluster);
        Self { kernel, types, b_types: None, out, batch, more, alpha, beta, bias, activation }
    }

    pub fn of_blackwell(gemm: &GemmSm100) -> Self {
        Self::blackwell(gemm, text(|c| gemm.build(c)))
    }

    /// The kernel of a text that the builder wrote.
    pub fn blackwell(gemm: &GemmSm100, kernel: String) -> Self {
        let GemmSm100 { types, b_types, out, batch, alpha, beta, bias, activation, .. } = *gemm;
        let blocks = match gemm.scheduler {
            Scheduler::Static => blocks(gemm.m_cluster.unwrap_or(gemm.ctas) * gemm.n_cluster),
            Scheduler::Clc => String::new(),
        };
        let more = format!("--target sm_100a {blocks}");
        Self { kernel, types, b_types, out, batch, more, alpha, beta, bias, activation }
    }

    pub fn of_sm120(gemm: &GemmSm120) -> Self {
        Self::sm120(gemm, text(|c| gemm.build(c)))
    }

    /// The kernel of a text that the builder wrote.
    pub fn sm120(gemm: &GemmSm120, kernel: String) -> Self {
        let GemmSm120 { types, out, batch, alpha, beta, bias, activation, .. } = *gemm;
        let more = format!("--target sm_120a {}", blocks(1));
        Self { kernel, types, b_types: None, out, batch, more, alpha, beta, bias, activation }
    }

    /// Elements of D.
    pub(super) fn made(&self) -> (&'static str, fn(i32) -> Vec<u8>) {
        match (self.out, self.types) {
            (Some(Out::F16), _) | (None, sm90::Types::F16) => MADE_F16,
            (Some(Out::E4m3 | Out::Mxf8), _) => MADE_E4M3,
            (Some(Out::Mxf4 | Out::Nvf4), _) => MADE_E2M1,
            (Some(Out::S32), _) | (None, sm90::Types::S8) => MADE_I32,
            (Some(Out::Bf16), _) | (None, sm90::Types::Bf16) => MADE_BF16,
            _ => MADE_F32,
        }
    }

    /// The numbers that the operations on the accumulators take.
    pub(super) fn scalars(&self) -> String {
        let all = [(self.alpha, "--arg alpha:f32=2 "), (self.beta, "--arg beta:f32=-3 ")];
        all.into_iter().filter_map(|(wanted, text)| wanted.then_some(text)).collect()
    }

    /// `D = act(2 A B^T - 3 C + bias)`, or the parts of it that the kernel has, on a shape, under
    /// some schedules.
    pub fn multiplies(&self, shape: [usize; 3], schedules: impl Iterator<Item = &'static str>) {
        let folder = tempfile::tempdir().unwrap();
        let [m, n, _] = shape;
        let batch = self.batch.then_some(3);
        let (size, by) = batch.map_or_else(|| (1, String::new()), |l| (l, format!("x{l}")));
        let (c, bias) = (numbers(m * n * size, 3), numbers(n * size, 4));
        let floats = |n: &i8| f32::from(*n).to_le_bytes();
        let shape_of = |modes: &[usize]| modes.iter().copied().chain(batch).collect::<Vec<_>>();
        let made = self.made();
        let (name, bytes) = made;
        if self.bias {
            write(folder.path(), "bias.npy", "<f4", &shape_of(&[n]), bias.iter().flat_map(floats));
        }
        if self.beta {
            let descr = match name {
                "f32" => "<f4",
                "f16" => "<f2",
                "bf16" => "<u2",
                _ => "|u1",
            };
            let c = c.iter().flat_map(|n| bytes((*n).into()));
            write(folder.path(), "c.npy", descr, &shape_of(&[m, n]), c);
        }
        let wanted = |wanted: bool, text: String| if wanted { text } else { String::new() };
        let quantized = self.out.and_then(Out::quantized);
        let results = quantized.map(|format| Results { format, shape: [m, n], batch });
        let [factors, norm] = results.as_ref().map(Results::arguments).unwrap_or_default();
        let before = wanted(self.beta, format!("--arg C:{name}[{m}x{n}{by}]=c.npy"));
        let behind = [
            factors,
            wanted(self.bias, format!("--arg bias:f32[{n}{by}]=bias.npy ")),
            self.scalars(),
            norm,
            self.more.clone(),
        ]
        .concat();
        for schedule in schedules {
            let factors = factors90(self.types);
            let (kernel, launch) = (self.kernel.as_str(), "--host");
            let (number, scaled) = (exact(self.types), Scaled::of(self.types));
            let other = self.b_types.map(|types| (factors90(types), exact(types)));
            let product =
                Gemm { kernel, factors, number, other, scaled, made, shape, batch, schedule, launch };
            let before_activation = |sum: i32, i: usize, [j, l]: [usize; 2]| {
                let scaled = if self.alpha { 2 * sum } else { sum };
                let added = if self.beta { -3 * i32::from(c[(i * n + j) * size + l]) } else { 0 };
                scaled + added + if self.bias { i32::from(bias[j * size + l]) } else { 0 }
            };
            if let Some(results) = &results {
                let (sums, d) = product.run(&folder, [&before, &behind]);
                let sum = |[i, j, l]: [usize; 3]| before_activation(sums[(i * n + j) * size + l], i, [j, l]);
                let is_exact = matches!(self.activation, None | Some(Activation::Relu));
                let number = |at| match self.activation {
                    None => sum(at).into(),
                    Some(Activation::Relu) => sum(at).max(0).into(),
                    Some(smooth) => apply(smooth, sum(at).into()),
                };
                results.check(&folder, &d, number, is_exact);
                continue;
            }
            match self.activation {
                None => product.check(&folder, [&before, &behind], before_activation),
                Some(Activation::Relu) => product
                    .check(&folder, [&before, &behind], |sum, i, at| before_activation(sum, i, at).max(0)),
                Some(smooth) => {
                    let (sums, d) = product.run(&folder, [&before, &behind]);
                    for (at, (sum, found)) in sums.into_iter().zip(d.chunks_exact(bytes(0).len())).enumerate()
                    {
                        let x = before_activation(sum, at / size / n, [at / size % n, at % size]);
                        is_near(name, apply(smooth, x.into()), read(name, found));
                    }
                }
            }
        }
    }
}

/// Compares an element of D with a number that it approximates.
fn is_near(name: &str, expected: f64, found: f64) {
    let (most, bits) = match name {
        "f8E4M3FN" => (448.0, 4),
        "f16" => (65520.0, 10),
        "bf16" => (f64::MAX, 8),
        _ => (f64::MAX, 16),
    };
    if name == "f16" && expected.abs() >= most {
        assert!(found.is_infinite() || found.abs() > 65000.0, "{found}, not {expected}");
        return;
    }
    let expected = expected.clamp(-most, most);
    let error = expected.abs() * 0.5f64.powi(bits) + 2e-3;
    assert!((found - expected).abs() <= error, "{name}: {found}, not {expected}");
}

/// Each kernel of this shard, made when its turn comes, on each of some shapes. The schedules take
/// turns, so that each occurs with each shape and each choice of a parameter.
pub(super) fn all_multiply<G: Sync, const N: usize>(
    all: &[G],
    shapes: [[usize; 3]; N],
    kernel: impl Fn(&G) -> Tensor + Sync,
) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((i, gemm)) = Some(next.fetch_add(1, Relaxed)).and_then(|i| Some((i, all.get(i)?))) {
            if !full::takes(i, 1) {
                continue;
            }
            let kernel = kernel(gemm);
            for (j, shape) in shapes.into_iter().enumerate() {
                kernel.multiplies(shape, [SCHEDULES[(i + j) % SCHEDULES.len()]].into_iter());
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
}
