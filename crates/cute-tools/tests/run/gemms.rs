//! Products of the builders whose tiles the TMA moves, from their host functions: exact under every schedule.

use super::run_in;
use cute_arch::atoms::Major;
use cute_kernels::{
    Error,
    gemm::{
        sm80::{Bring, GemmSm80, Types},
        sm90::{self, Activation, GemmSm90, Out, Schedule},
        sm100::GemmSm100,
    },
    module,
};
use half::{bf16, f16};
use melior::{Context, ir::Module};
use std::{env, fs, path::Path, thread};
use tempfile::TempDir;

const SCHEDULES: [&str; 5] = ["lazy", "eager", "reverse", "1", "2"];

/// The text of what a builder builds.
fn text(build: impl for<'c> FnOnce(&'c Context) -> Result<Module<'c>, Error>) -> String {
    let context = Context::new();
    cute_mlir::load(&context);
    module::text(&build(&context).unwrap_or_else(|e| panic!("{e}")), "")
}

/// Small integers, the same for a seed.
fn numbers(count: usize, seed: usize) -> Vec<i8> {
    (0..count).map(|i| ((i * 7919 + seed * 104_729 + i / 13) % 16) as i8 - 8).collect()
}

/// Writes a matrix of elements that numpy knows as `descr`.
fn write(folder: &Path, name: &str, descr: &str, shape: &[usize], bytes: impl Iterator<Item = u8>) {
    let shape: String = shape.iter().map(|n| format!("{n}, ")).collect();
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.bytes());
    file.extend(bytes);
    fs::write(folder.join(name), file).unwrap();
}

/// A type of elements: its name here and in numpy, and the bytes of a number.
type Numbers = (&'static str, &'static str, fn(i8) -> Vec<u8>);

/// Elements of A and B, and of C and D.
struct Elements {
    factors: Numbers,
    sums: Numbers,
}

const F32: Numbers = ("f32", "<f4", |n| f32::from(n).to_le_bytes().into());
const I32: Numbers = ("i32", "<i4", |n| i32::from(n).to_le_bytes().into());

const MADE_F32: (&str, fn(i32) -> Vec<u8>) = ("f32", |n| (n as f32).to_le_bytes().into());
const MADE_I32: (&str, fn(i32) -> Vec<u8>) = ("i32", |n| n.to_le_bytes().into());
const MADE_F16: (&str, fn(i32) -> Vec<u8>) = ("f16", |n| f16::from_f32(n as f32).to_le_bytes().into());
const MADE_E4M3: (&str, fn(i32) -> Vec<u8>) = ("f8E4M3FN", |n| rounded_e4m3(n));
const MADE_BF16: (&str, fn(i32) -> Vec<u8>) = ("bf16", |n| bf16::from_f32(n as f32).to_le_bytes().into());

/// The float of 8 bits with 4 bits of exponent that is nearest to an integer, of two the even one; the largest where there is none.
fn rounded_e4m3(n: i32) -> Vec<u8> {
    let size = n.unsigned_abs();
    let unit = 1 << size.checked_ilog2().unwrap_or(0).saturating_sub(3);
    let (below, rest) = (size / unit, size % unit);
    let up = 2 * rest > unit || (2 * rest == unit && below % 2 == 1);
    let size = ((below + u32::from(up)) * unit).min(448);
    let bits = size.checked_ilog2().map_or(0, |e| (e + 7) << 3 | ((size << 3 >> e) - 8));
    vec![bits as u8 | if n < 0 { 0x80 } else { 0 }]
}

/// A small integer as a float of 8 bits with so many bits of mantissa.
fn f8(n: i8, mantissa: u32) -> Vec<u8> {
    let (size, bias) = (u32::from(n.unsigned_abs()), if mantissa == 3 { 7 } else { 15 });
    let bits = match size.checked_ilog2() {
        None => 0,
        Some(e) => (e + bias) << mantissa | ((size << mantissa >> e) - (1 << mantissa)),
    };
    vec![bits as u8 | if n < 0 { 0x80 } else { 0 }]
}

fn factors90(types: sm90::Types) -> Numbers {
    match types {
        sm90::Types::F16 => elements(Types::F16).factors,
        sm90::Types::Bf16 => elements(Types::Bf16).factors,
        sm90::Types::Tf32 => F32,
        sm90::Types::E4m3 => ("f8E4M3FN", "|u1", |n| f8(n, 3)),
        sm90::Types::E5m2 => ("f8E5M2", "|u1", |n| f8(n, 2)),
        sm90::Types::S8 => elements(Types::S8).factors,
    }
}

fn elements(types: Types) -> Elements {
    match types {
        Types::F16 => {
            Elements { factors: ("f16", "<f2", |n| f16::from_f32(n.into()).to_le_bytes().into()), sums: F32 }
        }
        Types::Bf16 => Elements {
            factors: ("bf16", "<u2", |n| bf16::from_f32(n.into()).to_le_bytes().into()),
            sums: F32,
        },
        Types::Tf32 => Elements { factors: F32, sums: F32 },
        Types::S8 => Elements { factors: ("i8", "|i1", |n| n.to_le_bytes().into()), sums: I32 },
    }
}

/// How a product is launched.
struct Product<'a> {
    kernel: &'a str,
    factors: Numbers,
    /// Elements of D: their name, and the bytes of a sum.
    made: (&'static str, fn(i32) -> Vec<u8>),
    shape: [usize; 3],
    /// Products at once, in a third mode.
    batch: Option<usize>,
    schedule: &'a str,
}

impl Product<'_> {
    /// Runs with small integers and more arguments before D and behind it, whose files are in the folder: the sums, and the bytes of D.
    fn run(&self, folder: &TempDir, [before, behind]: [&str; 2]) -> (Vec<i32>, Vec<u8>) {
        let ([m, n, k], (factor, descr, bytes)) = (self.shape, self.factors);
        let batch = self.batch.unwrap_or(1);
        let (a, b) = (numbers(m * k * batch, 1), numbers(n * k * batch, 2));
        let (shape, by) = self.batch.map_or_else(Default::default, |l| (vec![l], format!("x{l}")));
        let shape = |rows| [&[rows, k], &shape[..]].concat();
        write(folder.path(), "a.npy", descr, &shape(m), a.iter().flat_map(|n| bytes(*n)));
        write(folder.path(), "b.npy", descr, &shape(n), b.iter().flat_map(|n| bytes(*n)));
        let (name, bytes) = self.made;
        let arguments = format!(
            "--host --schedule {} --arg A:{factor}[{m}x{k}{by}]=a.npy --arg B:{factor}[{n}x{k}{by}]=b.npy {before} \
             --arg D:{name}[{m}x{n}{by}] {behind} --out D=d.npy",
            self.schedule
        );
        let (code, out, err) = run_in(folder, self.kernel, &arguments);
        let what = self.what();
        assert_eq!(code, Some(0), "{what}: {out}{err}");
        assert!(!err.contains("error:"), "{what}: {out}{err}");
        let file = fs::read(folder.path().join("d.npy")).unwrap();
        let d = file[file.len() - bytes(0).len() * m * n * batch..].to_vec();
        let at = |rows: &[i8], row: usize, column: usize, l: usize| {
            i32::from(rows[(row * k + column) * batch + l])
        };
        let sum = |i, j, l| (0..k).map(|x| at(&a, i, x, l) * at(&b, j, x, l)).sum();
        let sums = (0..m * n * batch).map(|at| sum(at / batch / n, at / batch % n, at % batch));
        (sums.collect(), d)
    }

    fn what(&self) -> String {
        let ([m, n, k], (factor, ..)) = (self.shape, self.factors);
        format!("{factor} {m}x{n}x{k} {}", self.schedule)
    }

    /// Compares D with `expected` of each sum, its row and its column, in the batch.
    fn check(&self, folder: &TempDir, more: [&str; 2], expected: impl Fn(i32, usize, [usize; 2]) -> i32) {
        let (sums, d) = self.run(folder, more);
        let (n, batch, (_, bytes)) = (self.shape[1], self.batch.unwrap_or(1), self.made);
        for (at, (sum, found)) in sums.into_iter().zip(d.chunks_exact(bytes(0).len())).enumerate() {
            let (i, j, l) = (at / batch / n, at / batch % n, at % batch);
            assert_eq!(
                found,
                bytes(expected(sum, i, [j, l])),
                "{}: row {i}, column {j}, matrix {l}",
                self.what()
            );
        }
    }
}

/// D = 2 A B^T - 3 C of small integers, or 2 A B^T where C must not be read.
fn check(kernel: &str, elements: &Elements, shape: [usize; 3], schedule: &str, reads_c: bool) {
    let folder = tempfile::tempdir().unwrap();
    let [m, n, _] = shape;
    let c = numbers(m * n, 3);
    let (sum, descr, bytes) = elements.sums;
    write(folder.path(), "c.npy", descr, &[m, n], c.iter().flat_map(|n| bytes(*n)));
    let beta = if reads_c { -3 } else { 0 };
    let before = format!("--arg C:{sum}[{m}x{n}]=c.npy");
    let behind = format!("--arg alpha:{sum}=2 --arg beta:{sum}={beta}");
    let made = if sum == "i32" { MADE_I32 } else { MADE_F32 };
    let product = Product { kernel, factors: elements.factors, made, shape, batch: None, schedule };
    product.check(&folder, [&before, &behind], |sum, i, [j, _]| 2 * sum + beta * i32::from(c[i * n + j]));
}

#[test]
fn mma_sync_multiplies_what_the_tma_brings() {
    let small = GemmSm80 { copy: Bring::Tma, m_tile: 64, n_tile: 64, stages: 3, ..GemmSm80::default() };
    let mn = Major::Mn;
    // Parts of tiles, one tile of K, and numbers of them that stages do not divide.
    let kernels = [
        (GemmSm80 { ..small.clone() }, [72, 68, 136]),
        (GemmSm80 { types: Types::Bf16, a_major: mn, b_major: mn, ..small.clone() }, [72, 136, 70]),
        (GemmSm80 { types: Types::Bf16, b_major: mn, k_tile: Some(64), ..small.clone() }, [33, 72, 264]),
        (GemmSm80 { types: Types::Tf32, m_tile: 32, n_warps: 1, stages: 2, ..small.clone() }, [40, 132, 36]),
        (GemmSm80 { types: Types::S8, k_tile: Some(128), n_tile: 96, ..small.clone() }, [65, 100, 592]),
    ];
    for (i, (gemm, shape)) in kernels.into_iter().enumerate() {
        let kernel = text(|c| gemm.build(c));
        let elements = elements(gemm.types);
        // The loops of all are one: the first runs under each schedule, the others under two.
        let schedules = SCHEDULES.iter().enumerate().filter(|(j, _)| i == 0 || *j == i || *j == (i + 2) % 5);
        for (_, schedule) in schedules {
            check(&kernel, &elements, shape, schedule, true);
        }
    }
    let whole = GemmSm80 { copy: Bring::Tma, ..GemmSm80::default() };
    let kernel = text(|c| whole.build(c));
    check(&kernel, &elements(Types::F16), [130, 120, 200], "lazy", true);
    check(&kernel, &elements(Types::F16), [8, 8, 8], "eager", false);
}

#[test]
fn boxes_that_the_tma_cannot_move_are_refused() {
    let context = Context::new();
    cute_mlir::load(&context);
    let tma = || GemmSm80 { copy: Bring::Tma, ..GemmSm80::default() };
    let error = |gemm: GemmSm80| gemm.build(&context).map(|_| ()).unwrap_err().to_string();
    assert_eq!(
        error(GemmSm80 { m_tile: 512, ..tma() }),
        "a tile of A is 512 long across its contiguous mode, and a box of the TMA has at most 256 elements: 256 or less would do"
    );
    assert_eq!(
        error(GemmSm80 { stages: 14, k_tile: Some(64), ..tma() }),
        "14 stages of 32768 bytes and a tile of D of 65536 bytes do not fit into 232448 bytes of shared memory: at most 7 stages of this tile, or a smaller tile"
    );
    assert_eq!(
        error(GemmSm80 { aligned: true, ..tma() }),
        "the TMA stays inside of the matrices by itself, without predicates: leave out --aligned"
    );
    assert!(
        error(GemmSm80 { types: Types::S8, a_major: Major::Mn, ..tma() })
            .starts_with("A of i8 is loaded with K contiguous only")
    );

    // The rows of A begin at multiples of 200 bytes.
    let folder = tempfile::tempdir().unwrap();
    let arguments = "--host --arg A:f16[64x100] --arg B:f16[64x100] --arg C:f32[64x64] --arg D:f32[64x64] --arg f32=1 --arg f32=0";
    let (code, _, err) = run_in(&folder, &text(|c| tma().build(c)), arguments);
    assert_eq!(code, Some(1));
    let why = "the stride of mode 1 is 200 bytes: strides are multiples of 16 bytes; padding to 208 would do";
    assert!(err.contains(why), "{err}");
}

/// Kernels in which each type, major, kind of D, number of warpgroups and cluster occurs, on shapes with parts of tiles; few blocks,
/// so that each takes several tiles.
fn wgmmas() -> Vec<(GemmSm90, [usize; 3])> {
    use sm90::Types::*;
    let base = GemmSm90 { m_tile: 64, n_tile: 64, m_cluster: 1, ..GemmSm90::default() };
    let mn = Major::Mn;
    vec![
        (GemmSm90 { ..base.clone() }, [72, 136, 136]),
        (GemmSm90 { m_cluster: 2, ..base.clone() }, [200, 136, 328]),
        (GemmSm90 { types: F16, n_cluster: 2, out: Some(Out::F32), ..base.clone() }, [136, 200, 72]),
        (GemmSm90 { m_tile: 128, n_tile: 128, m_cluster: 2, n_cluster: 2, ..base.clone() }, [264, 392, 200]),
        (GemmSm90 { types: F16, a_major: mn, b_major: mn, stages: Some(2), ..base.clone() }, [136, 72, 330]),
        (
            GemmSm90 { a_major: mn, m_tile: 128, n_tile: 96, out: Some(Out::F32), ..base.clone() },
            [136, 104, 200],
        ),
        (GemmSm90 { types: F16, b_major: mn, m_cluster: 2, n_tile: 128, ..base.clone() }, [72, 136, 8]),
        (
            GemmSm90 { types: Tf32, m_tile: 128, n_cluster: 2, stages: Some(3), ..base.clone() },
            [136, 136, 100],
        ),
        (GemmSm90 { types: E4m3, m_cluster: 2, out: Some(Out::Bf16), ..base.clone() }, [72, 72, 400]),
        (GemmSm90 { types: E4m3, promote: Some(2), out: Some(Out::F16), ..base.clone() }, [136, 72, 592]),
        (GemmSm90 { types: E5m2, m_tile: 128, consumers: Some(1), ..base.clone() }, [136, 72, 272]),
        (GemmSm90 { types: S8, m_cluster: 2, n_cluster: 2, m_tile: 128, ..base.clone() }, [264, 132, 400]),
        (GemmSm90 { schedule: Schedule::Pingpong, ..base.clone() }, [264, 136, 328]),
        (
            GemmSm90 { schedule: Schedule::Pingpong, m_cluster: 2, stages: Some(3), ..base.clone() },
            [400, 200, 264],
        ),
        (
            GemmSm90 { schedule: Schedule::Pingpong, types: S8, m_tile: 128, n_cluster: 2, ..base.clone() },
            [264, 260, 144],
        ),
        (
            GemmSm90 { types: F16, m_tile: 192, consumers: Some(3), k_tile: Some(32), ..base.clone() },
            [200, 72, 104],
        ),
        (GemmSm90 { batch: true, m_cluster: 2, a_major: mn, ..base.clone() }, [136, 72, 72]),
        (GemmSm90 { batch: true, types: Tf32, schedule: Schedule::Pingpong, ..base.clone() }, [72, 68, 68]),
        (GemmSm90 { types: E4m3, out: Some(Out::E4m3), n_tile: 128, ..base }, [72, 144, 80]),
    ]
}

/// All types with all majors that they have, both ways to share the work, and four kinds of clusters: several tiles for a block, one
/// tile of K, and tiles of K that are not a multiple of the stages.
fn all_wgmmas() -> Vec<(GemmSm90, [usize; 3])> {
    use sm90::Types::*;
    let majors = |types| {
        let of_16_bits = matches!(types, F16 | Bf16);
        let any: &[Major] = if of_16_bits { &[Major::K, Major::Mn] } else { &[Major::K] };
        any.iter().flat_map(move |a| any.iter().map(move |b| (*a, *b)))
    };
    let mut all = Vec::new();
    for types in [F16, Bf16, Tf32, E4m3, E5m2, S8] {
        for (a_major, b_major) in majors(types) {
            for schedule in [Schedule::Cooperative, Schedule::Pingpong] {
                for (m_cluster, n_cluster) in [(1, 1), (2, 1), (1, 2), (2, 2)] {
                    let (m_tile, n_tile) = (128, 128);
                    let of = GemmSm90 {
                        types,
                        a_major,
                        b_major,
                        schedule,
                        m_cluster,
                        n_cluster,
                        m_tile,
                        n_tile,
                        ..GemmSm90::default()
                    };
                    let shapes = [[264, 520, 208], [136, 264, 32], [264, 136, 448]];
                    all.extend(shapes.map(|shape| (of.clone(), shape)));
                }
            }
        }
    }
    all
}

/// A kernel on tensor cores, and its types.
struct Tensor {
    kernel: String,
    types: sm90::Types,
    out: Option<Out>,
    batch: bool,
    /// Blocks of a cluster, and what else the command line has.
    cluster: i64,
    more: &'static str,
    /// Whether D is scaled by alpha, beta C and a bias are added, and it is rectified.
    alpha: bool,
    beta: bool,
    bias: bool,
    relu: bool,
}

impl Tensor {
    fn of_hopper(gemm: &GemmSm90) -> Self {
        let GemmSm90 { types, out, batch, alpha, beta, bias, .. } = *gemm;
        let (cluster, relu) = (gemm.m_cluster * gemm.n_cluster, gemm.activation.is_some());
        Self {
            kernel: text(|c| gemm.build(c)),
            types,
            out,
            batch,
            cluster,
            more: "",
            alpha,
            beta,
            bias,
            relu,
        }
    }

    fn of_blackwell(gemm: &GemmSm100) -> Self {
        let GemmSm100 { types, out, batch, alpha, beta, bias, .. } = *gemm;
        let (kernel, more) = (text(|c| gemm.build(c)), "--target sm_100a");
        let cluster = gemm.m_cluster.unwrap_or(gemm.ctas) * gemm.n_cluster;
        let relu = gemm.activation.is_some();
        Self { kernel, types, out, batch, cluster, more, alpha, beta, bias, relu }
    }

    /// Elements of D.
    fn made(&self) -> (&'static str, fn(i32) -> Vec<u8>) {
        match (self.out, self.types) {
            (Some(Out::F32), _) | (None, sm90::Types::Tf32 | sm90::Types::E4m3 | sm90::Types::E5m2) => {
                MADE_F32
            }
            (Some(Out::F16), _) | (None, sm90::Types::F16) => MADE_F16,
            (Some(Out::E4m3), _) => MADE_E4M3,
            (Some(Out::S32), _) | (None, sm90::Types::S8) => MADE_I32,
            _ => MADE_BF16,
        }
    }

    /// `D = act(2 A B^T - 3 C + bias)`, or the parts of it that the kernel has, on a shape, under some schedules; two clusters, so that
    /// each takes several tiles.
    fn multiplies(&self, shape: [usize; 3], schedules: impl Iterator<Item = &'static str>) {
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
        let before = wanted(self.beta, format!("--arg C:{name}[{m}x{n}{by}]=c.npy"));
        let behind = [
            wanted(self.bias, format!("--arg bias:f32[{n}{by}]=bias.npy ")),
            wanted(self.alpha, "--arg alpha:f32=2 ".into()),
            wanted(self.beta, "--arg beta:f32=-3 ".into()),
            format!("--arg blocks:i32={} {}", 2 * self.cluster, self.more),
        ]
        .concat();
        for schedule in schedules {
            let factors = factors90(self.types);
            let product = Product { kernel: &self.kernel, factors, made, shape, batch, schedule };
            product.check(&folder, [&before, &behind], |sum, i, [j, l]| {
                let scaled = if self.alpha { 2 * sum } else { sum };
                let added = if self.beta { -3 * i32::from(c[(i * n + j) * size + l]) } else { 0 };
                let all = scaled + added + if self.bias { i32::from(bias[j * size + l]) } else { 0 };
                if self.relu { all.max(0) } else { all }
            });
        }
    }
}

/// Each of some kernels, made when its turn comes, under all schedules.
fn all_multiply<G: Sync>(all: &[(G, [usize; 3])], kernel: impl Fn(&G) -> Tensor + Sync) {
    let part = all.len().div_ceil(thread::available_parallelism().map_or(1, usize::from));
    thread::scope(|scope| {
        for part in all.chunks(part) {
            scope.spawn(|| {
                part.iter().for_each(|(gemm, shape)| kernel(gemm).multiplies(*shape, SCHEDULES.into_iter()))
            });
        }
    });
}

/// A sample; with `CUTE_FULL` set, as `./dev test --full` does, all combinations under all schedules.
#[test]
fn wgmma_multiplies_what_the_tma_brings() {
    for (i, (gemm, shape)) in wgmmas().into_iter().enumerate() {
        let some = SCHEDULES.into_iter().enumerate().filter(|(j, _)| i < 2 || *j == i % 5);
        Tensor::of_hopper(&gemm).multiplies(shape, some.map(|(_, schedule)| schedule));
    }
    if env::var_os("CUTE_FULL").is_some() {
        all_multiply(&all_wgmmas(), Tensor::of_hopper);
    }
}

/// Kernels of Blackwell in which each type, major, kind of D, way of multiplying and cluster occurs.
fn umma_kernels() -> Vec<(GemmSm100, [usize; 3])> {
    use sm90::Types::*;
    let mn = Major::Mn;
    let pair = GemmSm100 { n_tile: 64, ..GemmSm100::default() };
    let one = GemmSm100 { ctas: 1, m_tile: 128, ..pair.clone() };
    vec![
        (GemmSm100 { ..pair.clone() }, [264, 136, 200]),
        (GemmSm100 { m_tile: 64, ..one.clone() }, [136, 136, 136]),
        (GemmSm100 { types: F16, a_major: mn, b_major: mn, n_tile: 128, ..pair.clone() }, [264, 136, 70]),
        (GemmSm100 { types: Tf32, stages: Some(2), ..pair.clone() }, [264, 68, 132]),
        (GemmSm100 { types: E4m3, out: Some(Out::E4m3), n_tile: 128, ..one.clone() }, [136, 144, 272]),
        (
            GemmSm100 { types: E5m2, b_major: mn, out: Some(Out::F16), n_cluster: 2, ..one.clone() },
            [136, 208, 80],
        ),
        (GemmSm100 { types: S8, m_cluster: Some(4), n_tile: 96, ..pair.clone() }, [520, 100, 144]),
        (GemmSm100 { batch: true, a_major: mn, ..pair.clone() }, [264, 72, 72]),
        (GemmSm100 { m_tile: 128, n_tile: 128, b_major: mn, ..pair.clone() }, [136, 264, 136]),
        (GemmSm100 { types: F16, out: Some(Out::F32), m_cluster: Some(2), ..one.clone() }, [264, 136, 328]),
        (GemmSm100 { types: Tf32, m_tile: 64, n_tile: 32, ..one }, [72, 36, 36]),
        (GemmSm100 { types: E4m3, n_cluster: 2, b_major: mn, out: Some(Out::Bf16), ..pair }, [272, 144, 400]),
    ]
}

/// All types with all majors that they have, by one block and by two, and clusters: several tiles for a block, one tile of K, and tiles
/// of K that are not a multiple of the stages.
fn all_umma_kernels() -> Vec<(GemmSm100, [usize; 3])> {
    use sm90::Types::*;
    let mut all = Vec::new();
    for types in [F16, Bf16, Tf32, E4m3, E5m2, S8] {
        let any: &[Major] = if types == Tf32 { &[Major::K] } else { &[Major::K, Major::Mn] };
        for (a_major, b_major) in any.iter().flat_map(|a| any.iter().map(move |b| (*a, *b))) {
            for (ctas, m_tile, m_cluster, n_cluster) in [
                (1, 64, 1, 1),
                (1, 128, 1, 1),
                (1, 128, 2, 2),
                (2, 128, 2, 1),
                (2, 256, 2, 1),
                (2, 256, 4, 2),
            ] {
                let m_cluster = Some(m_cluster);
                let of = GemmSm100 {
                    types,
                    a_major,
                    b_major,
                    ctas,
                    m_tile,
                    m_cluster,
                    n_cluster,
                    n_tile: 256,
                    ..GemmSm100::default()
                };
                // Blocks do not share less than 128 contiguous bytes.
                let of_8_bits = matches!(types, E4m3 | E5m2 | S8);
                let split =
                    [a_major == Major::Mn && n_cluster == 2, b_major == Major::Mn && of.m_cluster == Some(4)];
                if of_8_bits && split.contains(&true) {
                    continue;
                }
                let shapes = [[272, 528, 208], [144, 272, 32], [272, 144, 448]];
                all.extend(shapes.map(|shape| (of.clone(), shape)));
            }
        }
    }
    all
}

/// A sample; with `CUTE_FULL` set, all combinations under all schedules.
#[test]
fn tensor_memory_holds_what_the_tma_brings_multiplied() {
    for (i, (gemm, shape)) in umma_kernels().into_iter().enumerate() {
        let some = SCHEDULES.into_iter().enumerate().filter(|(j, _)| i < 1 || *j == i % 5);
        Tensor::of_blackwell(&gemm).multiplies(shape, some.map(|(_, schedule)| schedule));
    }
    if env::var_os("CUTE_FULL").is_some() {
        all_multiply(&all_umma_kernels(), Tensor::of_blackwell);
    }
}

/// All that may be done with sums, and parts of it: odd and even numbers of parts of D in a tile, with several tiles for a block.
#[test]
fn sums_of_wgmma_are_finished_as_asked() {
    let base = GemmSm90 {
        m_tile: 64,
        n_tile: 64,
        m_cluster: 1,
        alpha: true,
        beta: true,
        bias: true,
        ..GemmSm90::default()
    };
    let relu = Some(Activation::Relu);
    let kernels = [
        (GemmSm90 { activation: relu, ..base.clone() }, [200, 136, 72]),
        (GemmSm90 { n_tile: 128, m_cluster: 2, bias: false, ..base.clone() }, [264, 136, 136]),
        (
            GemmSm90 {
                types: sm90::Types::F16,
                schedule: Schedule::Pingpong,
                n_tile: 192,
                activation: relu,
                ..base.clone()
            },
            [264, 264, 72],
        ),
        (
            GemmSm90 { m_tile: 128, n_tile: 96, out: Some(Out::F32), activation: relu, ..base.clone() },
            [392, 100, 72],
        ),
        (GemmSm90 { n_tile: 192, alpha: false, beta: false, ..base.clone() }, [136, 200, 72]),
        (GemmSm90 { beta: false, bias: false, activation: relu, ..base.clone() }, [72, 72, 72]),
        (GemmSm90 { out: Some(Out::E4m3), n_tile: 128, activation: relu, ..base.clone() }, [72, 272, 40]),
        (GemmSm90 { batch: true, m_cluster: 2, ..base }, [72, 136, 72]),
    ];
    for (i, (gemm, shape)) in kernels.into_iter().enumerate() {
        let some = SCHEDULES.into_iter().enumerate().filter(|(j, _)| i == 0 || *j == i % 5);
        Tensor::of_hopper(&gemm).multiplies(shape, some.map(|(_, schedule)| schedule));
    }
}

/// The same of sums in tensor memory, of 128 rows and of 64.
#[test]
fn sums_in_tensor_memory_are_finished_as_asked() {
    let relu = Some(Activation::Relu);
    let pair = GemmSm100 {
        n_tile: 64,
        alpha: true,
        beta: true,
        bias: true,
        activation: relu,
        ..GemmSm100::default()
    };
    let one = GemmSm100 { ctas: 1, m_tile: 128, ..pair.clone() };
    let kernels = [
        (GemmSm100 { batch: true, ..pair.clone() }, [264, 136, 72]),
        (GemmSm100 { n_tile: 192, bias: false, types: sm90::Types::F16, ..one.clone() }, [392, 200, 136]),
        (GemmSm100 { m_tile: 64, n_tile: 96, out: Some(Out::F32), ..one.clone() }, [200, 100, 72]),
        (GemmSm100 { out: Some(Out::E4m3), n_tile: 128, ..one }, [136, 272, 40]),
        (GemmSm100 { m_tile: 128, n_tile: 128, ..pair }, [136, 264, 72]),
    ];
    for (i, (gemm, shape)) in kernels.into_iter().enumerate() {
        Tensor::of_blackwell(&gemm).multiplies(shape, [SCHEDULES[i]].into_iter());
    }
}

#[test]
fn sums_of_wgmma_go_through_smooth_activations() {
    // erf, as a series.
    let erf = |x: f64| {
        let mut term = x;
        let series = (1..200).fold(x, |sum, n| {
            term *= -x * x / f64::from(n);
            sum + term / f64::from(2 * n + 1)
        });
        if x.abs() > 5.0 { x.signum() } else { series * 2.0 / std::f64::consts::PI.sqrt() }
    };
    let gelu = |x: f64| 0.5 * x * (1.0 + erf(x / 2f64.sqrt()));
    let silu = |x: f64| x / (1.0 + (-x).exp());
    let both: [(Activation, &dyn Fn(f64) -> f64); 2] = [(Activation::Gelu, &gelu), (Activation::Silu, &silu)];
    for (activation, expected) in both {
        let (out, activation) = (Some(Out::F32), Some(activation));
        let gemm = GemmSm90 {
            m_tile: 64,
            n_tile: 64,
            m_cluster: 1,
            alpha: true,
            out,
            activation,
            ..GemmSm90::default()
        };
        let kernel = text(|c| gemm.build(c));
        let factors = factors90(gemm.types);
        let product = Product {
            kernel: &kernel,
            factors,
            made: MADE_F32,
            shape: [64, 72, 40],
            batch: None,
            schedule: "lazy",
        };
        let folder = tempfile::tempdir().unwrap();
        let (sums, d) = product.run(&folder, ["", "--arg alpha:f32=0.015625 --arg blocks:i32=1"]);
        for (sum, found) in sums.into_iter().zip(d.chunks_exact(4)) {
            let (x, found) = (f64::from(sum) / 64.0, f32::from_le_bytes(found.try_into().unwrap()));
            let expected = expected(x);
            assert!(
                (f64::from(found) - expected).abs() < 1e-5,
                "{activation:?} of {x}: {found}, not {expected}"
            );
        }
    }
}

#[test]
fn tiles_that_warpgroups_cannot_multiply_are_refused() {
    let context = Context::new();
    cute_mlir::load(&context);
    let error = |gemm: GemmSm90| gemm.build(&context).map(|_| ()).unwrap_err().to_string();
    let base = GemmSm90::default;
    for (gemm, why) in [
        (
            GemmSm90 { m_tile: 256, ..base() },
            "a tile of 256 x 256 has 256 sums for each of 256 threads, which leaves too few registers: at most 192; take a smaller tile",
        ),
        (
            GemmSm90 { stages: Some(5), ..base() },
            "5 stages of 49152 bytes: 2 to 4 are possible beside the 32768 bytes that D goes through",
        ),
        (
            GemmSm90 { types: sm90::Types::E4m3, a_major: Major::Mn, ..base() },
            "A of f8E4M3FN is multiplied with K contiguous only: wgmma transposes elements of 16 bits; transpose A in memory, or take f16 or bf16",
        ),
        (
            GemmSm90 { m_tile: 96, ..base() },
            "a tile of 96 rows is not a multiple of 64, which a warpgroup multiplies at once",
        ),
        (
            GemmSm90 { n_tile: 264, ..base() },
            "a tile of 264 columns: D is stored by 64 columns, and wgmma has at most 256",
        ),
        (
            GemmSm90 { m_cluster: 3, ..base() },
            "clusters of 3 x 1 blocks: 1, 2 or 4 along each mode are possible, and 8 in all",
        ),
        (
            GemmSm90 { types: sm90::Types::S8, out: Some(Out::F32), ..base() },
            "D of f32 from sums of i32: not supported; sums of i32 are stored as they are",
        ),
        (
            GemmSm90 { promote: Some(4), ..base() },
            "products of bf16 are added in f32 already: leave out --promote",
        ),
        (
            GemmSm90 { types: sm90::Types::S8, beta: true, ..base() },
            "alpha, beta, a bias and activations of sums of i32: not supported; take D = A B^T, or floats",
        ),
        (
            GemmSm90 { schedule: Schedule::Pingpong, consumers: Some(3), m_tile: 64, ..base() },
            "3 warpgroups that take turns: not supported; two do",
        ),
    ] {
        assert_eq!(error(gemm), why);
    }
}

#[test]
fn tiles_that_tensor_memory_cannot_hold_are_refused() {
    let context = Context::new();
    cute_mlir::load(&context);
    let error = |gemm: GemmSm100| gemm.build(&context).map(|_| ()).unwrap_err().to_string();
    let base = GemmSm100::default;
    for (gemm, why) in [
        (
            GemmSm100 { n_tile: 512, ..base() },
            "a tile of 512 columns: D is stored by 64 columns, and tcgen05.mma has at most 256, of which tensor memory holds two tiles",
        ),
        (
            GemmSm100 { ctas: 1, ..base() },
            "a tile of 256 rows: a block multiplies 64 or 128 at once, and 256 are those of a pair, --ctas 2",
        ),
        (
            GemmSm100 { m_tile: 192, ..base() },
            "a tile of 192 rows: a pair of blocks multiplies 128 or 256 at once, and 64 are those of a block, --ctas 1",
        ),
        (GemmSm100 { ctas: 4, ..base() }, "4 blocks that multiply one tile: 1 or 2 are possible"),
        (
            GemmSm100 { stages: Some(7), ..base() },
            "7 stages of 32768 bytes: 2 to 6 are possible beside the 32768 bytes that D goes through",
        ),
        (
            GemmSm100 { m_tile: 128, n_tile: 192, ..base() },
            "a tile of 128 x 192 by a pair of blocks: the halves of its columns are stored by 64 columns; take a multiple of 128",
        ),
        (
            GemmSm100 { k_tile: Some(256), ..base() },
            "two stages of 131072 bytes and 32768 bytes that D goes through do not fit into 232448 bytes of shared memory: take a smaller tile",
        ),
        (
            GemmSm100 { k_tile: Some(24), ..base() },
            "a K tile of 24 is not a multiple of 16, which tcgen05.mma takes at once",
        ),
        (
            GemmSm100 { types: sm90::Types::Tf32, b_major: Major::Mn, ..base() },
            "B of tf32 is multiplied with K contiguous only: elements of 32 bits are not transposed; transpose B in memory, or take f16 or bf16",
        ),
        (
            GemmSm100 { m_cluster: Some(1), ..base() },
            "clusters of 1 x 1 blocks: 2 or 4, whole pairs, along M and 1, 2 or 4 along N are possible, and 8 in all",
        ),
        (
            GemmSm100 { types: sm90::Types::S8, out: Some(Out::Bf16), ..base() },
            "D of bf16 from sums of i32: not supported; sums of i32 are stored as they are",
        ),
    ] {
        assert_eq!(error(gemm), why);
    }
}
