//! GEMM kernels of `cute-kernels`, run in the simulator and compared with the plain loop: any
//! shape, every type, no finding, and no bank conflict between global memory and the tensor cores.

use cute_arch::atoms::Major;
use cute_kernels::gemm::{
    simt::GemmSimt,
    sm80::{GemmSm80, TileCopy, Types},
    sm90::GemmSm90,
    sm100::GemmSm100,
};
use cute_kernels::options::KernelBuilder;
use cute_mlir::Target;
use cute_sim::{Arg, Buffer, Element, Launch, Memory, Program, Traffic};
use half::{bf16, f16};
use melior::{Context, ir::Module};

/// M, N and K.
type Shape = [usize; 3];

/// Numbers of a matrix: multiples of 1/8 in [-1, 1), so that products are exact and sums round
/// late.
fn numbers(count: usize, seed: usize) -> Vec<i32> {
    (0..count).map(|i| ((i * 7919 + seed * 104_729 + i / 13) % 16) as i32 - 8).collect()
}

/// One kernel, lowered, with its launch configuration.
struct Kernel {
    name: &'static str,
    tile: [i64; 2],
    threads: i64,
    shared: i64,
    majors: [Major; 2],
    program: Program,
}

impl Kernel {
    fn sm80(gemm: GemmSm80) -> Self {
        let launch = (GemmSm80::NAME, gemm.tile(), gemm.threads(), gemm.shared_memory());
        Self { majors: [gemm.a_major, gemm.b_major], ..Self::new(launch, |c| gemm.build(c)) }
    }

    fn simt(gemm: GemmSimt) -> Self {
        let launch = (GemmSimt::NAME, gemm.tile(), gemm.threads(), gemm.shared_memory());
        Self::new(launch, |c| gemm.build(c))
    }

    fn new(
        (name, tile, threads, shared): (&'static str, [i64; 2], i64, i64),
        build: impl for<'c> FnOnce(&'c Context) -> Result<Module<'c>, cute_kernels::Error>,
    ) -> Self {
        let context = Context::new();
        cute_mlir::load(&context);
        let mut module = build(&context).unwrap_or_else(|e| panic!("{e}"));
        cute_mlir::lower(&context, &mut module, Target::Sm90a).unwrap_or_else(|e| panic!("{e}"));
        let program = cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{e}"));
        Self { name, tile, threads, shared, majors: [Major::K; 2], program }
    }

    /// Computes D from A, B and C, for matrices without padding and with these factors.
    fn run<F: Element, S: Element>(
        &self,
        [m, n, k]: Shape,
        [a, b]: [&[F]; 2],
        c: &[S],
        [alpha, beta]: [Arg; 2],
    ) -> Vec<S> {
        let mut memory = Memory::new();
        let (a, b, c) = (memory.upload(a), memory.upload(b), memory.upload(c));
        let d = memory.zeroed::<S>(m * n);
        let matrix = |buffer: Buffer, rows: usize, columns: usize, major: Major| {
            let pitch = if major == Major::Mn { rows } else { columns };
            [Arg::Buffer(buffer), Arg::I32(rows as i32), Arg::I32(columns as i32), Arg::I64(pitch as i64)]
        };
        let [of_a, of_b] = self.majors;
        let sums = |buffer| matrix(buffer, m, n, Major::K);
        let args = [matrix(a, m, k, of_a), matrix(b, n, k, of_b), sums(c), sums(d)].concat();
        let args = [args, vec![alpha, beta]].concat();
        let [rows, columns] = self.tile.map(|t| t as usize);
        let grid = [m.div_ceil(rows) as u32, n.div_ceil(columns) as u32, 1];
        let mut launch = Launch::new(self.name, grid, [self.threads as u32, 1, 1]);
        launch.dynamic_shared = self.shared as u32;
        let report =
            self.program.run(&launch, &mut memory, &args).unwrap_or_else(|e| panic!("{m} x {n} x {k}: {e}"));
        assert!(report.findings.is_empty(), "{m} x {n} x {k}: {:?}", report.findings);
        for site in report.sites.iter().filter(|s| s.traffic == Traffic::Shared) {
            let stores_sums = site.op == "llvm.store";
            assert!(stores_sums || site.excess() == 0, "{m} x {n} x {k}: bank conflicts in {site:?}");
        }
        memory.download(d)
    }

    /// Runs with eighths as factors, and compares.
    fn check<F: Element>(&self, [m, n, k]: Shape, number: impl Fn(f32) -> F) {
        let [a, b, c] = [(m * k, 1), (n * k, 2), (m * n, 3)].map(|(count, seed)| numbers(count, seed));
        let of = |eighths: &[i32]| eighths.iter().map(|i| number(*i as f32 / 8.0)).collect::<Vec<_>>();
        let old: Vec<f32> = c.iter().map(|i| *i as f32 / 8.0).collect();
        // The matrices in memory order.
        let turned = |x: &[i32], rows: usize, major| match major {
            Major::Mn => (0..rows * k).map(|i| x[i % rows * k + i / rows]).collect(),
            _ => x.to_vec(),
        };
        let [of_a, of_b] = self.majors;
        let factors = [of(&turned(&a, m, of_a)), of(&turned(&b, n, of_b))];
        let found = self.run([m, n, k], [&factors[0], &factors[1]], &old, [Arg::F32(2.0), Arg::F32(0.5)]);
        for i in 0..m {
            for j in 0..n {
                let sum: i64 = (0..k).map(|l| i64::from(a[i * k + l]) * i64::from(b[j * k + l])).sum();
                let expected = 2.0 * sum as f32 / 64.0 + 0.5 * old[i * n + j];
                // Sums of sixty-fourths below 2^17 are exact in f32.
                assert_eq!(found[i * n + j], expected, "{m} x {n} x {k}, row {i}, column {j}");
            }
        }
    }
}

/// Whole tiles, parts of one tile, one row or column more or less, and K below, at and beyond a
/// tile and the stages.
const SHAPES: [Shape; 12] = [
    [128, 128, 128],
    [128, 128, 32],
    [1, 4, 8],
    [16, 8, 16],
    [127, 124, 24],
    [129, 132, 40],
    [64, 256, 96],
    [200, 72, 200],
    [33, 36, 8],
    [128, 128, 0],
    [5, 140, 264],
    [256, 128, 512],
];

#[test]
fn f16_of_every_shape() {
    let kernel = Kernel::sm80(GemmSm80::default());
    SHAPES.iter().for_each(|shape| kernel.check(*shape, f16::from_f32));
}

#[test]
fn f32_on_threads_of_every_shape() {
    let kernel = Kernel::simt(GemmSimt::default());
    [[128, 128, 8], [1, 1, 1], [127, 129, 9], [130, 63, 33]]
        .iter()
        .for_each(|shape| kernel.check(*shape, |x| x));
    let small = Kernel::simt(GemmSimt { m_tile: 64, n_tile: 64, ..GemmSimt::default() });
    let shapes = [
        [64, 64, 16],
        [3, 5, 7],
        [65, 64, 8],
        [64, 65, 1],
        [63, 1, 40],
        [100, 30, 17],
        [64, 64, 0],
        [1, 129, 31],
    ];
    shapes.iter().for_each(|shape| small.check(*shape, |x| x));
    let whole = Kernel::simt(GemmSimt { aligned: true, m_tile: 64, n_tile: 64, k_tile: 4, stages: 4 });
    [[64, 64, 16], [128, 64, 40]].iter().for_each(|shape| whole.check(*shape, |x| x));
}

#[test]
fn bf16_tf32_and_f16_of_other_tiles() {
    for (types, tile) in [(Types::Bf16, 64), (Types::Tf32, 64), (Types::F16, 64)] {
        let gemm = GemmSm80 { types, m_tile: tile, n_tile: tile, stages: 3, ..GemmSm80::default() };
        let kernel = Kernel::sm80(gemm);
        for shape in [[64, 64, 64], [70, 68, 88], [1, 4, 8], [130, 64, 160]] {
            match types {
                Types::Bf16 => kernel.check(shape, bf16::from_f32),
                Types::Tf32 => kernel.check(shape, |x| x),
                _ => kernel.check(shape, f16::from_f32),
            }
        }
    }
}

/// Runs with products and sums of i8, which are exact.
fn check_i8(kernel: &Kernel, [m, n, k]: Shape) {
    let bytes = |count, seed| numbers(count, seed).iter().map(|i| (*i * 16) as i8).collect::<Vec<_>>();
    let (a, b, c) = (bytes(m * k, 1), bytes(n * k, 2), numbers(m * n, 3));
    let found = kernel.run([m, n, k], [&a, &b], &c, [Arg::I32(3), Arg::I32(-2)]);
    for i in 0..m {
        for j in 0..n {
            let sum: i32 = (0..k).map(|l| i32::from(a[i * k + l]) * i32::from(b[j * k + l])).sum();
            assert_eq!(found[i * n + j], 3 * sum - 2 * c[i * n + j], "{m} x {n} x {k}, row {i}, column {j}");
        }
    }
}

#[test]
fn i8_is_exact() {
    let kernel = Kernel::sm80(GemmSm80 { types: Types::S8, ..GemmSm80::default() });
    [[128, 128, 128], [77, 100, 48], [1, 4, 16], [130, 64, 320]]
        .into_iter()
        .for_each(|s| check_i8(&kernel, s));
}

/// The tile that was loaded last is multiplied next: nothing is loaded to registers before it has
/// arrived, and no register is overwritten before it has been multiplied.
#[test]
fn k_tiles_of_one_mma() {
    let k = Major::K;
    let (mixed, both) = ([[Major::Mn, k], [k, Major::Mn]], [Major::Mn; 2]);
    for (types, k_tile) in [(Types::F16, 16), (Types::Bf16, 16), (Types::Tf32, 8), (Types::S8, 32)] {
        let mut kernels: Vec<_> = [2, 3, 4, 7, 16].map(|stages| (stages, false, [k; 2])).into();
        kernels.extend([(2, true, [k; 2]), (5, true, [k; 2])]);
        if matches!(types, Types::F16 | Types::Bf16) {
            kernels.extend(mixed.map(|majors| (3, false, majors)));
            kernels.extend([(2, false, both), (4, true, both)]);
        }
        for (stages, aligned, [a_major, b_major]) in kernels {
            let (m_tile, n_tile, k_tile_option) = (64, 64, Some(k_tile as i64));
            let kernel = Kernel::sm80(GemmSm80 {
                types,
                stages,
                aligned,
                a_major,
                b_major,
                m_tile,
                n_tile,
                k_tile: k_tile_option,
                ..GemmSm80::default()
            });
            let shapes = if aligned {
                [[64, 64, k_tile], [128, 64, 7 * k_tile]]
            } else {
                [[40, 72, k_tile / 2], [72, 64, 9 * k_tile + k_tile / 2]]
            };
            for shape in shapes {
                match types {
                    Types::F16 => kernel.check(shape, f16::from_f32),
                    Types::Bf16 => kernel.check(shape, bf16::from_f32),
                    Types::Tf32 => kernel.check(shape, |x| x),
                    Types::S8 => check_i8(&kernel, shape),
                }
            }
        }
    }
}

#[test]
fn whole_tiles_without_predicates() {
    let kernel = Kernel::sm80(GemmSm80 { aligned: true, ..GemmSm80::default() });
    for shape in [[128, 128, 32], [256, 128, 96], [128, 256, 256]] {
        kernel.check(shape, f16::from_f32);
    }
}

#[test]
fn c_is_not_read_where_beta_is_zero() {
    let kernel = Kernel::sm80(GemmSm80::default());
    let shape @ [m, n, k] = [64, 64, 64];
    let ones = vec![f16::ONE; m * k];
    let found = kernel.run(shape, [&ones, &ones], &vec![f32::NAN; m * n], [Arg::F32(1.0), Arg::F32(0.0)]);
    assert!(found.iter().all(|x| *x == k as f32));
}

#[test]
fn parameters_that_do_not_fit_are_refused() {
    let context = Context::new();
    cute_mlir::load(&context);
    let error = |gemm: GemmSm80| gemm.build(&context).map(|_| ()).unwrap_err().to_string();
    let base = GemmSm80::default;
    assert_eq!(
        error(GemmSm80 { m_tile: 48, ..base() }),
        "a tile of 48 x 128 x 32 is not a multiple of 32 x 32 x 16, which 2 x 2 warps multiply at once"
    );
    assert_eq!(error(GemmSm80 { stages: 1, ..base() }), "--stages must be between 2 and 16, but is 1");
    assert!(error(GemmSm80 { k_tile: Some(48), ..base() }).starts_with("rows of 96 bytes are not swizzled"));
    assert!(error(GemmSm80 { m_warps: 8, n_warps: 8, ..base() }).contains("threads are more than"));
    let (a_major, b_major) = (Major::Mn, Major::Mn);
    assert_eq!(
        error(GemmSm80 { types: Types::Tf32, a_major, ..base() }),
        "A of tf32 must be K-major: ldmatrix transposes 16-bit elements only; transpose A in memory, or take f16 or bf16"
    );
    assert!(error(GemmSm80 { types: Types::S8, b_major, ..base() }).starts_with("B of i8 must be K-major"));
    assert_eq!(
        error(GemmSm80 { n_tile: 96, b_major, ..base() }),
        "a tile of 96 of N, which is contiguous, is not a multiple of 64: 128 bytes are swizzled"
    );
    assert_eq!(
        error(GemmSm80 { m_tile: 64, m_warps: 4, n_warps: 4, a_major, ..base() }),
        "512 threads load 64 columns of A at once, which does not divide a K tile of 32"
    );
    let error = |gemm: GemmSimt| gemm.build(&context).map(|_| ()).unwrap_err().to_string();
    let base = GemmSimt::default;
    for (gemm, why) in [
        (
            GemmSimt { m_tile: 100, ..base() },
            "--m-tile must be between 64 and 384 and a multiple of 64, but is 100",
        ),
        (GemmSimt { k_tile: 6, ..base() }, "--k-tile must be between 2 and 8 and a power of two, but is 6"),
        (
            GemmSimt { n_tile: 192, k_tile: 2, ..base() },
            "a tile of 128 x 192: 256 threads load 128 rows of a K tile of 2 at once; take a multiple of 128",
        ),
        (
            GemmSimt { n_tile: 320, ..base() },
            "a tile of 128 x 320 needs about 292 registers for each of 256 threads, which have 255: take a smaller tile",
        ),
    ] {
        assert_eq!(error(gemm), why);
    }
}

/// A kernel that fits the largest target may not fit another one.
#[test]
fn shared_memory_is_that_of_the_target() {
    let error = |gemm: &GemmSm80, target| gemm.check(target).map_err(|e| e.to_string());
    let large = GemmSm80 { k_tile: Some(64), ..GemmSm80::default() };
    assert_eq!(error(&large, None), Ok(()));
    assert_eq!(error(&large, Some(Target::Sm80)), Ok(()));
    assert_eq!(
        error(&large, Some(Target::Sm86)).unwrap_err(),
        "4 stages of 32768 bytes and a tile of D of 16384 bytes do not fit into 101376 bytes of shared memory of sm_86: at most 3 stages of this tile, or a smaller tile"
    );
    let tma = GemmSm80 { copy: TileCopy::Tma, stages: 9, ..large };
    assert_eq!(
        error(&tma, Some(Target::Sm120a)).unwrap_err(),
        "9 stages of 32768 bytes and a tile of D of 65536 bytes do not fit into 101376 bytes of shared memory of sm_120a: at most 3 stages of this tile, or a smaller tile"
    );
    let fits = GemmSm80 { stages: 2, ..tma };
    assert_eq!(error(&fits, Some(Target::Sm120a)), Ok(()));
    let full = GemmSm80 { m_warps: 8, n_warps: 4, m_tile: 128, n_tile: 64, ..fits };
    assert_eq!(error(&full, None).unwrap_err(), "1056 threads are more than the 1024 of a block");
}

/// The number of stages that a message advises: the last number of "2 to 6 are possible" or of "at
/// most 3 stages".
fn advised(message: &str) -> Option<i64> {
    let before = |end: &str| message.split_once(end).map(|(text, _)| text);
    let text = before(" are possible").or_else(|| before(" stages of this tile, or a smaller"))?;
    text.rsplit(' ').next()?.parse().ok()
}

/// Asks a builder for the most stages on each target; where they do not fit, the advised number
/// does, and one more does not. Returns how often there was advice.
fn checks_advice<K: KernelBuilder>(most: i64, with: impl Fn(i64) -> K) -> usize {
    let check = |stages, target| with(stages).check(Some(target)).map_err(|e| e.to_string());
    let mut count = 0;
    for target in Target::all().iter().copied() {
        let Err(why) = check(most, target) else { continue };
        let Some(stages) = advised(&why) else {
            assert!(why.ends_with("take a smaller tile"), "{target}: {why}");
            continue;
        };
        assert_eq!(check(stages, target), Ok(()), "{target}: {why}");
        assert!(check(stages + 1, target).is_err(), "{target}: {why}");
        count += 1;
    }
    count
}

#[test]
fn advised_stages_fit_into_every_target() {
    let k = Some(64);
    let async_copies = |stages| GemmSm80 { stages, k_tile: k, ..GemmSm80::default() };
    assert_eq!(checks_advice(16, async_copies), Target::all().len());
    let tma = |stages| GemmSm80 { copy: TileCopy::Tma, ..async_copies(stages) };
    assert_eq!(checks_advice(16, tma), Target::all().len());
    let tall = |stages| GemmSm80 { m_tile: 256, n_tile: 64, ..tma(stages) };
    assert_eq!(checks_advice(16, tall), Target::all().len());
    let simt = |stages| GemmSimt { stages, k_tile: 8, m_tile: 128, n_tile: 256, ..GemmSimt::default() };
    assert!(checks_advice(16, simt) > 0);
    let wgmma = |stages| GemmSm90 { stages: Some(stages), ..GemmSm90::default() };
    assert!(checks_advice(16, wgmma) > 0);
    let narrow = |stages| GemmSm90 { n_tile: 64, ..wgmma(stages) };
    assert!(checks_advice(16, narrow) > 0);
    let tcgen05 = |stages| GemmSm100 { stages: Some(stages), ..GemmSm100::default() };
    assert!(checks_advice(16, tcgen05) > 0);
}

#[test]
fn every_major_of_a_and_b() {
    for (a_major, b_major) in [(Major::Mn, Major::K), (Major::K, Major::Mn), (Major::Mn, Major::Mn)] {
        let gemm = GemmSm80 { a_major, b_major, ..GemmSm80::default() };
        let kernel = Kernel::sm80(gemm.clone());
        // The contiguous mode must consist of whole vectors; this is K if one of the operands is
        // contiguous along K.
        for shape in
            [[128, 128, 128], [8, 8, 8], [136, 72, 40], [64, 264, 96], [200, 136, 200], [128, 128, 0]]
        {
            kernel.check(shape, f16::from_f32);
        }
        if (a_major, b_major) == (Major::Mn, Major::Mn) {
            [[8, 8, 1], [136, 120, 37], [256, 128, 131]].iter().for_each(|s| kernel.check(*s, f16::from_f32));
        }
        let small =
            GemmSm80 { types: Types::Bf16, m_tile: 64, n_tile: 64, k_tile: Some(64), stages: 3, ..gemm };
        let kernel = Kernel::sm80(small.clone());
        [[64, 64, 64], [72, 136, 200]].iter().for_each(|shape| kernel.check(*shape, bf16::from_f32));
        let wide = GemmSm80 { m_tile: 192, m_warps: 4, n_warps: 1, k_tile: Some(32), ..small };
        Kernel::sm80(wide.clone()).check([200, 72, 96], bf16::from_f32);
        Kernel::sm80(GemmSm80 { aligned: true, ..wide }).check([192, 64, 96], bf16::from_f32);
    }
}
