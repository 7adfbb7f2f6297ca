//! A small problem for each kernel, and its result.

use std::fs;

use cute_arch::atoms::Major;
use cute_kernels::{
    gemm::{
        simt::GemmSimt,
        sm80::{GemmSm80, TileCopy, Types},
        sm90::{self, GemmSm90, Out},
        sm100::GemmSm100,
        sm120::GemmSm120,
    },
    layernorm::Layernorm,
    options::KernelBuilder,
};
use cute_mlir::Target;

use super::super::{
    coverage::writes_each_once,
    gemms::{
        SCHEDULES,
        elements::{elements, write},
        mma_sync,
        tensor::Tensor,
    },
    run_in,
};

/// A kernel whose results are known.
pub(in super::super) trait Simulated: KernelBuilder + Sync + Send {
    /// Options with values that a random walk hardly finds together.
    const KNOWN: &[&str];

    /// Choices that only other builders accept.
    const ELSEWHERE: &[&str] = &[];

    /// Runs the text of the kernel in the simulator, on a problem that the number of the case
    /// selects, and compares.
    fn simulate(&self, text: &str, target: Target, case: usize);
}

/// Choices of GEMMs that `gemm_sm90` does not accept.
const SCALED: &[&str] = &[
    "--types mxf8",
    "--types mxf8-e5m2",
    "--types mxf6-e2m3",
    "--types mxf6-e3m2",
    "--types mxf4",
    "--types nvf4",
    "--out mxf8",
    "--out mxf4",
    "--out nvf4",
];

/// Multiplications that the simulator executes in a moment.
const COST: i64 = 12 << 20;

/// Rows, columns and K of a problem: a tile, less or more of it, and K tiles around the number of
/// stages, as far as the cost allows.
struct Problem {
    /// The tile of all blocks that run together.
    tile: [i64; 3],
    stages: i64,
    /// Extents are multiples of these, or of the tile if they must be.
    units: [i64; 3],
    aligned: bool,
    /// Times that it is computed.
    times: i64,
}

impl Problem {
    fn shape(&self, case: usize) -> [usize; 3] {
        let [m, n, k] = self.tile;
        let each = m * n * k * self.times;
        let counts = [self.stages + 1, 1, 2 * self.stages + 1, self.stages, 2, 3];
        let affordable = |tiles: i64| tiles * each <= COST;
        let pick = counts.into_iter().cycle().skip(case).take(counts.len()).find(|count| affordable(*count));
        let k_tiles = pick.unwrap_or(1);
        // Two tiles along M or N, where that is affordable.
        let more = [0, 1].map(|mode| i64::from(case / 6 % 3 == mode && affordable(2 * k_tiles)));
        let counts = [1 + more[0], 1 + more[1], k_tiles];
        let mut shape = [0; 3];
        for mode in 0..3 {
            let (tile, unit) = (self.tile[mode], self.units[mode]);
            let whole = tile * counts[mode];
            // The last tile lacks some rows, or has only a few.
            let lacking = match (self.aligned, (case + mode) % 4) {
                (true, _) | (_, 0) => 0,
                (_, 1) => unit,
                (_, 2) => (tile / 2) / unit * unit,
                _ => (tile - 1) / unit * unit,
            };
            shape[mode] = ((whole - lacking + unit - 1) / unit * unit).max(unit) as usize;
        }
        shape
    }
}

fn grid(shape: [usize; 3], tile: [i64; 2], target: Target) -> String {
    let [x, y] = [0, 1].map(|mode| shape[mode].div_ceil(tile[mode] as usize));
    format!("--grid {x},{y} --target {target}")
}

impl Simulated for GemmSimt {
    const KNOWN: &[&str] = &["--m-tile 384 --n-tile 64", "--m-tile 64 --n-tile 384"];

    fn simulate(&self, text: &str, target: Target, case: usize) {
        let Self { m_tile, n_tile, k_tile, stages, aligned } = *self;
        let problem = Problem { tile: [m_tile, n_tile, k_tile], stages, units: [1; 3], aligned, times: 8 };
        let shape = problem.shape(case);
        let launch = grid(shape, self.tile(), target);
        let schedule = SCHEDULES[case % SCHEDULES.len()];
        mma_sync::launched((text, &launch), &elements(Types::Tf32), shape, schedule, !case.is_multiple_of(3));
    }
}

impl Simulated for GemmSm80 {
    const KNOWN: &[&str] = &[
        "--m-tile 512 --n-tile 32 --m-warps 4 --n-warps 1",
        "--m-tile 16 --n-tile 512 --m-warps 1 --n-warps 4 --k-tile 64 --stages 2",
        "--m-tile 256 --n-tile 64 --m-warps 16 --n-warps 1 --k-tile 64 --stages 2",
        "--m-tile 64 --n-tile 256 --m-warps 1 --n-warps 16 --k-tile 64 --stages 2",
        "--m-tile 16 --n-tile 16 --m-warps 1 --n-warps 1 --k-tile 1024 --stages 2 --copy tma",
        "--m-tile 16 --n-tile 16 --m-warps 1 --n-warps 1 --k-tile 8 --types tf32 --stages 16",
    ];

    fn simulate(&self, text: &str, target: Target, case: usize) {
        let bits = match self.types {
            Types::F16 | Types::Bf16 => 16,
            Types::Tf32 => 32,
            Types::S8 => 8,
        };
        let k_tile = self.k_tile.unwrap_or(512 / bits);
        let is_async = self.copy == TileCopy::Async;
        let vector = |major, wanted| if major == wanted { 128 / bits } else { 1 };
        let units = if is_async {
            let k = vector(self.a_major, Major::K).max(vector(self.b_major, Major::K));
            [vector(self.a_major, Major::Mn), vector(self.b_major, Major::Mn).max(4), k]
        } else {
            [16; 3]
        };
        let tile = [self.m_tile, self.n_tile, k_tile];
        let problem = Problem { tile, stages: self.stages, units, aligned: self.aligned, times: 1 };
        let shape = problem.shape(case);
        let grid = grid(shape, self.tile(), target);
        let launch = if is_async { grid } else { format!("--host --target {target}") };
        let schedule = SCHEDULES[case % SCHEDULES.len()];
        mma_sync::launched((text, &launch), &elements(self.types), shape, schedule, !case.is_multiple_of(3));
    }
}

/// Columns of 128 bytes.
pub(in super::super) fn k_tile(types: sm90::Types) -> i64 {
    match types {
        sm90::Types::F16 | sm90::Types::Bf16 => 64,
        sm90::Types::Tf32 => 32,
        sm90::Types::E4m3 | sm90::Types::E5m2 | sm90::Types::S8 => 128,
        sm90::Types::Mxf8 | sm90::Types::Mxf8E5m2 | sm90::Types::Mxf6E2m3 | sm90::Types::Mxf6E3m2 => 128,
        sm90::Types::Mxf4 | sm90::Types::Nvf4 => 256,
    }
}

/// Whether elements are padded to a byte, where they are not multiplied by others of 4 bits.
fn is_padded(types: sm90::Types) -> bool {
    matches!(types, sm90::Types::Mxf6E2m3 | sm90::Types::Mxf6E3m2 | sm90::Types::Mxf4)
}

/// Numbers of K that are 16 bytes, or that are multiplied together.
fn k_unit(types: sm90::Types) -> i64 {
    if k_tile(types) == 256 { 32 } else { 16 }
}

/// The matrices of a batch, and rows, begin at multiples of 16 bytes.
fn on_tensor_cores(tile: [i64; 3], stages: Option<i64>, batch: bool) -> Problem {
    let times = if batch { 3 } else { 1 };
    Problem { tile, stages: stages.unwrap_or(4), units: [16; 3], aligned: false, times }
}

impl Simulated for GemmSm90 {
    const ELSEWHERE: &[&str] = SCALED;
    const KNOWN: &[&str] = &[
        "--m-tile 512 --n-tile 32 --out f32 --consumers 2 --a-major m --stages 2 --m-cluster 1",
        "--m-tile 64 --n-tile 32 --out f32 --k-tile 1024 --types e4m3 --stages 2 --m-cluster 1",
        "--m-tile 192 --n-tile 128 --consumers 3",
        "--m-tile 64 --n-tile 64 --k-tile 32 --stages 16 --m-cluster 4 --types e5m2 --promote 65536 --out f16",
    ];

    fn simulate(&self, text: &str, _target: Target, case: usize) {
        let k = self.k_tile.unwrap_or(k_tile(self.types));
        let tile = [self.m_tile * self.m_cluster, self.n_tile * self.n_cluster, k];
        let shape = on_tensor_cores(tile, self.stages, self.batch).shape(case);
        let schedule = SCHEDULES[case % SCHEDULES.len()];
        Tensor::hopper(self, text.into()).multiplies(shape, [schedule].into_iter());
    }
}

impl Simulated for GemmSm100 {
    const KNOWN: &[&str] = &[
        "--ctas 1 --m-tile 64 --n-tile 32 --out f32 --k-tile 1024 --types e4m3 --stages 2",
        "--ctas 2 --m-tile 128 --n-tile 64 --out f32 --k-tile 16 --stages 16 --m-cluster 4",
        "--ctas 1 --m-tile 128 --n-tile 256 --types mxf8",
        "--ctas 2 --m-tile 256 --n-tile 128 --types mxf4 --scheduler clc",
        "--ctas 2 --m-tile 256 --n-tile 256 --types nvf4 --k-tile 64",
        "--ctas 1 --m-tile 128 --n-tile 128 --types mxf8-e5m2 --b-types mxf6-e2m3",
        "--ctas 2 --m-tile 256 --n-tile 128 --types mxf6-e3m2 --b-types mxf4",
        "--ctas 1 --m-tile 128 --n-tile 256 --types mxf6-e2m3",
        "--ctas 2 --m-tile 256 --n-tile 192 --types mxf8",
        "--ctas 1 --m-tile 128 --n-tile 64 --types nvf4",
        "--ctas 1 --m-tile 128 --n-tile 128 --types e5m2 --b-types e4m3",
        "--ctas 1 --m-tile 128 --n-tile 128 --out nvf4",
        "--ctas 2 --m-tile 256 --n-tile 128 --types mxf4 --out mxf4",
        "--ctas 2 --m-tile 256 --n-tile 256 --types mxf8 --out mxf8",
    ];

    fn simulate(&self, text: &str, _target: Target, case: usize) {
        let b_types = self.b_types.unwrap_or(self.types);
        // Elements of different bits have a byte each.
        let bytes = if b_types == self.types { k_tile(self.types) } else { 128 };
        let k = self.k_tile.unwrap_or(bytes);
        let m = self.m_tile / self.ctas * self.m_cluster.unwrap_or(self.ctas);
        let mut problem = on_tensor_cores([m, self.n_tile * self.n_cluster, k], self.stages, self.batch);
        problem.units[2] = match bytes {
            // 16 bytes are 32 numbers.
            256 => 32,
            _ if is_padded(self.types) || is_padded(b_types) => 128,
            _ => 16,
        };
        if let Some(Out::Mxf4 | Out::Nvf4) = self.out {
            problem.units[1] = 32;
        }
        let shape = problem.shape(case);
        let schedule = SCHEDULES[case % SCHEDULES.len()];
        Tensor::blackwell(self, text.into()).multiplies(shape, [schedule].into_iter());
    }
}

impl Simulated for GemmSm120 {
    const ELSEWHERE: &[&str] = &[
        "--types mxf8-e5m2",
        "--types mxf6-e2m3",
        "--types mxf6-e3m2",
        "--out mxf8",
        "--out mxf4",
        "--out nvf4",
    ];
    const KNOWN: &[&str] = &[
        "--m-tile 256 --m-groups 4 --n-tile 32 --n-groups 1 --out f32 --stages 2 --k-tile 16",
        "--m-tile 64 --n-tile 32 --n-groups 1 --out f32 --k-tile 256 --types e4m3 --stages 2",
        "--m-tile 64 --n-tile 256 --n-groups 4 --k-tile 8 --types tf32 --stages 2",
        "--m-tile 64 --n-tile 32 --n-groups 1 --out f32 --stages 16 --k-tile 16",
        "--types mxf8 --stages 2",
        "--types mxf4 --m-tile 256 --m-groups 1 --n-groups 2 --n-tile 128",
        "--types nvf4 --n-tile 128 --n-groups 4 --k-tile 64",
    ];

    fn simulate(&self, text: &str, _target: Target, case: usize) {
        let half = if self.types == sm90::Types::Mxf8 { 128 } else { k_tile(self.types) / 2 };
        let k = self.k_tile.unwrap_or(half);
        let mut problem = on_tensor_cores([self.m_tile, self.n_tile, k], self.stages, self.batch);
        problem.units[2] = k_unit(self.types);
        let shape = problem.shape(case);
        let schedule = SCHEDULES[case % SCHEDULES.len()];
        Tensor::sm120(self, text.into()).multiplies(shape, [schedule].into_iter());
    }
}

impl Simulated for Layernorm {
    const KNOWN: &[&str] = &["--columns 8192", "--warps 32"];

    fn simulate(&self, text: &str, target: Target, case: usize) {
        let (columns, warps) = (self.columns as usize, self.warps as usize);
        let rows = [warps, warps + 1, 1, 2 * warps - 1][case % 4];
        let number = |i: usize, seed: usize| ((i * 7919 + seed) % 1009) as f32 / 100.0 - 3.0;
        let numbers = |count, seed| (0..count).map(|i| number(i, seed)).collect::<Vec<_>>();
        let [x, gamma, beta] =
            [(rows * columns, 5), (columns, 17), (columns, 91)].map(|(n, s)| numbers(n, s));
        let folder = tempfile::tempdir().unwrap();
        for (name, shape, values) in
            [("x", &[rows, columns][..], &x), ("gamma", &[columns], &gamma), ("beta", &[columns], &beta)]
        {
            let bytes = values.iter().flat_map(|value| value.to_le_bytes());
            write(folder.path(), &format!("{name}.npy"), "<f4", shape, bytes);
        }
        let arguments = format!(
            "--grid {} --target {target} --schedule {} --arg X:f32[{rows}x{columns}]=x.npy --arg gamma:f32[{columns}]=gamma.npy \
             --arg beta:f32[{columns}]=beta.npy --arg Y:f32[{rows}x{columns}] --arg eps:f32=0.00001 --out Y=y.npy",
            rows.div_ceil(warps),
            SCHEDULES[case % SCHEDULES.len()]
        );
        let (code, out, err) = run_in(&folder, text, &format!("{arguments} --pedantic"));
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
        writes_each_once(&out);
        let file = fs::read(folder.path().join("y.npy")).unwrap();
        let found = file[file.len() - 4 * rows * columns..].chunks_exact(4);
        let found: Vec<_> = found.map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect();
        for (row, found) in x.chunks(columns).zip(found.chunks(columns)) {
            let n = columns as f64;
            let mean = row.iter().map(|x| f64::from(*x)).sum::<f64>() / n;
            let variance = row.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>() / n;
            let scale = 1.0 / (variance + 1e-5).sqrt();
            for (i, (x, found)) in row.iter().zip(found).enumerate() {
                let expected = ((f64::from(*x) - mean) * scale) as f32 * gamma[i] + beta[i];
                assert!((found - expected).abs() <= 1e-4, "{found}, not {expected}");
            }
        }
    }
}
