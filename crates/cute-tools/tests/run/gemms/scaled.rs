//! Block-scaled products of Blackwell, by `tcgen05.mma` and by `mma.sync`: small integers, and
//! integers as scale factors.

use std::path::Path;

use cute_arch::atoms::Major;
use cute_kernels::{
    gemm::{
        sm90::{Activation, Out, Types},
        sm100::{GemmSm100, Scheduler},
        sm120::GemmSm120,
    },
    options::KernelBuilder,
};
use melior::Context;

use super::{
    SCHEDULES,
    elements::{numbers, write},
    tensor::{Tensor, all_multiply},
};
use crate::full;

/// Rows and factors of a block of scale factors, and the extents of its bytes in the array.
pub(super) const BLOCK: [usize; 2] = [128, 4];
pub(super) const BOX: [usize; 2] = [256, 2];

/// The place of the factor of a row and a group of elements in an array of blocks
/// `(256,2,rows / 128,groups / 4,batch)`.
pub(super) fn place([rows, groups, batch]: [usize; 3], [i, j, l]: [usize; 3]) -> usize {
    let byte = i % 32 * 16 + i % BLOCK[0] / 32 * 4 + j % BLOCK[1];
    let place = [byte % BOX[0], byte / BOX[0], i / BLOCK[0], j / BLOCK[1], l];
    let extents = [BOX[0], BOX[1], rows, groups, batch];
    place.iter().zip(extents).fold(0, |place, (i, extent)| place * extent + i)
}

/// Scale factors: their type, how many elements share one, and the code of an integer from 1 to 4,
/// or 3 if the type has powers of two only.
#[derive(Clone, Copy)]
pub(in super::super) struct Scaled {
    pub(super) element: &'static str,
    pub(super) vector: usize,
    code: fn(u8) -> u8,
    powers: bool,
}

impl Scaled {
    /// Those of a kernel, if it has some.
    pub fn of(types: Types) -> Option<Self> {
        // 2^n is 127 + n as ue8m0; 1, 2 and 3 are 0x38, 0x40 and 0x44 as ue4m3.
        let powers = |n: u8| 127 + n.ilog2() as u8;
        let floats = |n: u8| [0, 0x38, 0x40, 0x44, 0x48][usize::from(n)];
        match types {
            Types::Mxf8 | Types::Mxf8E5m2 | Types::Mxf6E2m3 | Types::Mxf6E3m2 | Types::Mxf4 => {
                Some(Self { element: "f8E8M0FNU", vector: 32, code: powers, powers: true })
            }
            Types::Nvf4 => Some(Self { element: "f8E4M3FN", vector: 16, code: floats, powers: false }),
            _ => None,
        }
    }

    /// The factors of some rows of a batch of matrices.
    pub fn factors(self, [rows, k, batch]: [usize; 3], seed: usize) -> Factors {
        let count = k.div_ceil(self.vector);
        let value = |n: i8| match (n & 3) as u8 {
            n if self.powers => 1 << (n % 3),
            n => n + 1,
        };
        let values = numbers(rows * count * batch, seed).into_iter().map(value).collect();
        Factors { of: self, rows, count, batch, values }
    }
}

/// Scale factors of the rows of a batch of matrices.
pub(in super::super) struct Factors {
    of: Scaled,
    rows: usize,
    count: usize,
    batch: usize,
    values: Vec<u8>,
}

impl Factors {
    /// The factor of an element.
    pub fn at(&self, row: usize, k: usize, l: usize) -> i32 {
        self.values[(row * self.count + k / self.of.vector) * self.batch + l].into()
    }

    /// Writes them, and returns the argument: blocks `(256,2,rows / 128,count / 4)`, and the
    /// matrices of a batch. Factors of rows beyond the matrices are NaN, those beyond K are not.
    pub fn argument(&self, folder: &Path, name: &str, batched: bool) -> String {
        let blocks = [self.rows.div_ceil(BLOCK[0]), self.count.div_ceil(BLOCK[1])];
        let shape = [BOX[0], BOX[1], blocks[0], blocks[1], self.batch];
        let mut bytes = vec![0xff; shape.iter().product()];
        let (rows, count, batch) = (self.rows, self.count, self.batch);
        let padded = blocks[1] * BLOCK[1];
        for at in 0..rows * padded * batch {
            let (i, j, l) = (at / batch / padded, at / batch % padded, at % batch);
            let value = if j < count { self.values[(i * count + j) * batch + l] } else { 1 };
            bytes[place([blocks[0], blocks[1], batch], [i, j, l])] = (self.of.code)(value);
        }
        let shape = &shape[..if batched { 5 } else { 4 }];
        write(folder, &format!("{name}.npy"), "|u1", shape, bytes.into_iter());
        let extents: Vec<_> = shape.iter().map(usize::to_string).collect();
        format!(" --arg {name}:{}[{}]={name}.npy ", self.of.element, extents.join("x"))
    }
}

/// Kernels of a type: a pair and one block, both schedulers, clusters, a batch, what is done to the
/// accumulators, and edges of the matrices within tiles, blocks of factors and vectors.
fn kernels(types: Types) -> Vec<(GemmSm100, [usize; 3])> {
    let pair = GemmSm100 { types, n_tile: 128, ..GemmSm100::default() };
    let one = GemmSm100 { ctas: 1, m_tile: 128, ..pair.clone() };
    let finished = GemmSm100 { alpha: true, beta: true, bias: true, ..one.clone() };
    vec![
        (GemmSm100 { n_tile: 256, ..pair.clone() }, [264, 264, 288]),
        (GemmSm100 { ..one.clone() }, [136, 136, 416]),
        (GemmSm100 { n_tile: 256, scheduler: Scheduler::Clc, out: Some(Out::Bf16), ..one }, [264, 392, 160]),
        (GemmSm100 { n_cluster: 2, stages: Some(2), out: Some(Out::F16), ..pair.clone() }, [520, 264, 544]),
        (GemmSm100 { m_cluster: Some(4), batch: true, ..pair }, [520, 72, 32]),
        (GemmSm100 { activation: Some(Activation::Relu), ..finished }, [136, 144, 96]),
    ]
}

/// All ways to multiply, with more than one K tile and with a part of one.
fn all_kernels() -> Vec<GemmSm100> {
    let mut all = Vec::new();
    for types in TYPES {
        for (ctas, m_tile, m_cluster, n_cluster) in
            [(1, 128, 1, 1), (1, 128, 2, 2), (2, 256, 2, 1), (2, 256, 4, 2)]
        {
            for n_tile in [64, 128, 192, 256] {
                let m_cluster = Some(m_cluster);
                let base = GemmSm100::default();
                let gemm = GemmSm100 { types, ctas, m_tile, n_tile, m_cluster, n_cluster, ..base };
                all.push(GemmSm100 { scheduler: Scheduler::Clc, ..gemm.clone() });
                all.push(gemm);
            }
        }
    }
    all
}

const TYPES: [Types; 3] = [Types::Mxf8, Types::Mxf4, Types::Nvf4];

/// Runs kernels, numbered from `first` on: of a sample, every third under one schedule, and number
/// 0 under all; with `CUTE_FULL` set, all kernels under all schedules.
fn multiply<K>(kernels: Vec<(K, [usize; 3])>, first: usize, of: impl Fn(&K) -> Tensor) {
    for (n, (gemm, shape)) in (first..).zip(kernels).filter(|(n, _)| full::takes(*n, 3)) {
        let all = full::shard().is_some() || n == 0;
        let some = SCHEDULES.into_iter().enumerate().filter(|(j, _)| all || *j == n % 5);
        of(&gemm).multiplies(shape, some.map(|(_, schedule)| schedule));
    }
}

/// A sample; with `CUTE_FULL` set, all combinations.
#[test]
fn blocks_are_scaled() {
    for (t, types) in TYPES.into_iter().enumerate() {
        multiply(kernels(types), t, Tensor::of_blackwell);
    }
    if full::shard().is_some() {
        all_multiply(
            &all_kernels(),
            [[272, 528, 320], [144, 272, 32], [272, 144, 576]],
            Tensor::of_blackwell,
        );
    }
}

/// Kernels of elements that have a byte of shared memory each, whatever their bits are: each type
/// as A and as B, by one block and by a pair, in clusters, and a batch.
fn of_bytes() -> Vec<(GemmSm100, [usize; 3])> {
    use Types::{E4m3, E5m2, Mxf4, Mxf6E2m3, Mxf6E3m2, Mxf8, Mxf8E5m2};
    let pair = |types, b_types| {
        let b_types = Some(b_types);
        GemmSm100 { types, b_types, n_tile: 128, ..GemmSm100::default() }
    };
    let one = |a, b| GemmSm100 { ctas: 1, m_tile: 128, ..pair(a, b) };
    vec![
        (one(Mxf8, Mxf4), [136, 160, 256]),
        (GemmSm100 { n_tile: 256, ..pair(Mxf4, Mxf8) }, [264, 264, 384]),
        (one(Mxf8, Mxf8E5m2), [136, 136, 272]),
        (GemmSm100 { n_cluster: 2, ..pair(Mxf6E2m3, Mxf6E3m2) }, [264, 264, 256]),
        (GemmSm100 { m_cluster: Some(4), batch: true, ..pair(Mxf8E5m2, Mxf6E2m3) }, [520, 72, 128]),
        (
            GemmSm100 { scheduler: Scheduler::Clc, out: Some(Out::Bf16), ..one(Mxf6E3m2, Mxf6E3m2) },
            [136, 264, 256],
        ),
        (GemmSm100 { out: Some(Out::Mxf8), bias: true, ..one(Mxf4, Mxf6E3m2) }, [136, 144, 128]),
        (GemmSm100 { b_major: Major::Mn, ..pair(E4m3, E5m2) }, [264, 144, 208]),
    ]
}

/// Kernels whose tiles begin in the middle of a block of B's factors.
fn of_halves() -> Vec<(GemmSm100, [usize; 3])> {
    let pair = GemmSm100 { types: Types::Nvf4, n_tile: 192, ..GemmSm100::default() };
    let one = GemmSm100 { ctas: 1, m_tile: 128, ..pair.clone() };
    vec![
        (GemmSm100 { n_tile: 64, ..one.clone() }, [136, 232, 288]),
        (GemmSm100 { ..pair.clone() }, [264, 584, 96]),
        (GemmSm100 { types: Types::Mxf8, scheduler: Scheduler::Clc, ..one.clone() }, [136, 584, 160]),
        (GemmSm100 { types: Types::Mxf4, n_tile: 64, n_cluster: 2, batch: true, ..pair }, [264, 200, 160]),
        (GemmSm100 { b_types: Some(Types::Mxf4), types: Types::Mxf8, n_cluster: 2, ..one }, [136, 776, 128]),
    ]
}

#[test]
fn tiles_begin_within_blocks_of_factors() {
    multiply(of_halves(), 1, Tensor::of_blackwell);
}

#[test]
fn elements_of_different_bits_are_multiplied() {
    multiply(of_bytes(), 1, Tensor::of_blackwell);
}

/// Kernels that quantize D: each kind of it, by one block and by a pair, after each kind of
/// operation on the accumulators, and with the last row, column and vector within tiles.
fn quantizing() -> Vec<(GemmSm100, [usize; 3])> {
    let pair = GemmSm100 { types: Types::Nvf4, out: Some(Out::Nvf4), n_tile: 128, ..GemmSm100::default() };
    let one = GemmSm100 { ctas: 1, m_tile: 128, ..pair.clone() };
    let relu = Some(Activation::Relu);
    vec![
        (GemmSm100 { ..one.clone() }, [136, 160, 96]),
        (GemmSm100 { n_tile: 256, batch: true, ..pair.clone() }, [264, 288, 64]),
        (GemmSm100 { out: Some(Out::Mxf4), alpha: true, bias: true, ..one.clone() }, [200, 96, 64]),
        (
            GemmSm100 { types: Types::Mxf8, out: Some(Out::Mxf8), scheduler: Scheduler::Clc, ..pair.clone() },
            [264, 400, 160],
        ),
        (GemmSm100 { out: Some(Out::Mxf8), activation: relu, batch: true, ..one.clone() }, [136, 48, 64]),
        (GemmSm100 { types: Types::Bf16, m_cluster: Some(4), ..pair.clone() }, [520, 160, 72]),
        (GemmSm100 { activation: Some(Activation::Silu), n_tile: 256, ..one }, [136, 288, 64]),
        (
            GemmSm100 { types: Types::Mxf4, out: Some(Out::Mxf4), n_cluster: 2, bias: true, ..pair },
            [264, 288, 96],
        ),
    ]
}

#[test]
fn results_are_quantized() {
    multiply(quantizing(), 1, Tensor::of_blackwell);
}

/// Kernels of a type for `mma.sync`: arrangements of warpgroups that load one, two and four
/// adjacent words of factors, parts of tiles and of blocks of factors, several tiles for a block, a
/// batch, and all that may be done with accumulators.
fn kernels_of_warps(types: Types) -> Vec<(GemmSm120, [usize; 3])> {
    let base = GemmSm120 { types, ..GemmSm120::default() };
    let finished = GemmSm120 { alpha: true, beta: true, bias: true, n_groups: 1, ..base.clone() };
    let mut all = vec![
        (base.clone(), [136, 264, 416]),
        (GemmSm120 { n_groups: 1, m_groups: 2, out: Some(Out::Bf16), ..base.clone() }, [264, 136, 160]),
        (GemmSm120 { batch: true, out: Some(Out::F16), ..base.clone() }, [136, 72, 32]),
        (GemmSm120 { activation: Some(Activation::Relu), ..finished }, [136, 144, 96]),
    ];
    if types != Types::Mxf8 {
        let more = [
            (GemmSm120 { m_tile: 256, out: Some(Out::Bf16), ..base.clone() }, [264, 136, 288]),
            (GemmSm120 { n_groups: 1, k_tile: Some(256), ..base.clone() }, [136, 136, 544]),
        ];
        all.extend(more);
    }
    if types == Types::Nvf4 {
        // A stage with three k-blocks, and with one.
        let more = [(192, 2, [136, 264, 416]), (64, 4, [264, 132, 288])];
        let gemm = |(k, n_groups, shape)| (GemmSm120 { k_tile: Some(k), n_groups, ..base.clone() }, shape);
        all.extend(more.map(gemm));
    }
    all
}

/// All arrangements of up to four groups, with tiles of one and two blocks of factors.
fn all_kernels_of_warps() -> Vec<GemmSm120> {
    let mut all = Vec::new();
    for types in TYPES {
        for (m_groups, n_groups) in [(1, 1), (2, 1), (1, 2), (2, 2), (4, 1), (1, 4)] {
            for (m_tile, k_tile) in [(128, None), (256, None), (128, Some(256)), (128, Some(64))] {
                let gemm = GemmSm120 { types, m_groups, n_groups, m_tile, k_tile, ..GemmSm120::default() };
                all.extend(gemm.check(None).is_ok().then_some(gemm));
            }
        }
    }
    all
}

/// A sample; with `CUTE_FULL` set, all combinations.
#[test]
fn warps_load_scale_factors_for_their_rows() {
    for (t, types) in TYPES.into_iter().enumerate() {
        multiply(kernels_of_warps(types), t, Tensor::of_sm120);
    }
    if full::shard().is_some() {
        let all = all_kernels_of_warps();
        assert!(all.len() >= 15, "{}", all.len());
        all_multiply(&all, [[272, 528, 320], [144, 272, 32], [272, 144, 576]], Tensor::of_sm120);
    }
}

#[test]
fn warps_refuse_what_scale_factors_do_not_cover() {
    let context = Context::new();
    cute_mlir::load(&context);
    let error = |gemm: GemmSm120| gemm.build(&context).map(|_| ()).unwrap_err().to_string();
    let base = || GemmSm120 { types: Types::Nvf4, ..GemmSm120::default() };
    for (gemm, why) in [
        (
            GemmSm120 { n_tile: 192, n_groups: 1, ..base() },
            "a tile of 128 x 192 for each block: scale factors are stored for 128 rows of A and of B at a time; take multiples of 128",
        ),
        (
            GemmSm120 { m_tile: 64, ..base() },
            "a tile of 64 x 128 for each block: scale factors are stored for 128 rows of A and of B at a time; take multiples of 128",
        ),
        (
            GemmSm120 { types: Types::Mxf8, k_tile: Some(64), ..base() },
            "a K tile of 64: scale factors are stored for 4 times 32 elements at a time; take a multiple of 128",
        ),
        (
            GemmSm120 { n_tile: 256, ..base() },
            "a tile of 128 x 256 needs about 250 registers for each of 256 threads that multiply, which have 232: take a smaller tile",
        ),
        (
            GemmSm120 { a_major: Major::Mn, ..base() },
            "A of f4E2M1FN must be K-major: ldmatrix transposes 16-bit elements only; transpose A in memory, or take f16 or bf16",
        ),
        (
            GemmSm120 { types: Types::Mxf8, n_groups: 4, ..base() },
            "two stages of 33792 bytes and 65536 bytes that D goes through do not fit into 101376 bytes of shared memory of sm_120a: take a smaller tile",
        ),
    ] {
        assert_eq!(error(gemm), why);
    }
}

#[test]
fn tiles_that_scale_factors_do_not_cover_are_refused() {
    let context = Context::new();
    cute_mlir::load(&context);
    let error = |gemm: GemmSm100| gemm.build(&context).map(|_| ()).unwrap_err().to_string();
    let base = || GemmSm100 { types: Types::Nvf4, ..GemmSm100::default() };
    for (gemm, why) in [
        (
            GemmSm100 { n_tile: 96, ..base() },
            "a tile of 128 x 96 for each block: scale factors are stored for 128 rows of A and of B at a time; take a multiple of 128 rows and of 64 columns",
        ),
        (
            GemmSm100 { ctas: 1, m_tile: 64, ..base() },
            "a tile of 64 x 256 for each block: scale factors are stored for 128 rows of A and of B at a time; take a multiple of 128 rows and of 64 columns",
        ),
        (
            GemmSm100 { types: Types::Mxf4, k_tile: Some(320), ..base() },
            "a K tile of 320: scale factors are stored for 4 times 32 elements at a time; take a multiple of 128",
        ),
        (
            GemmSm100 { b_types: Some(Types::Mxf8), ..base() },
            "A of nvf4 is not multiplied by B of mxf8: mxf8, mxf8-e5m2, mxf6-e2m3, mxf6-e3m2 and mxf4 are by each other, and e4m3 and e5m2",
        ),
        (
            GemmSm100 { types: Types::Mxf8, b_types: Some(Types::Mxf4), k_tile: Some(64), ..base() },
            "a tile of B has 64 columns: the TMA gives 128 elements of a row a byte each at a time; take a multiple of 128, with K contiguous",
        ),
        (
            GemmSm100 { types: Types::Bf16, out: Some(Out::Nvf4), m_tile: 128, ..base() },
            "a tile of 128 rows for 2 blocks: D is quantized by threads that have whole rows of it; take 256 rows, --m-tile 256",
        ),
        (
            GemmSm100 { out: Some(Out::Mxf8), beta: true, ..base() },
            "C of D's type would need scale factors of its own, so beta C is not supported beside a quantized D; leave out --beta, or take another --out",
        ),
        (
            GemmSm100 { types: Types::S8, out: Some(Out::Mxf8), ..base() },
            "D of f8E4M3FN from accumulators of i32 is not supported; i32 accumulators are stored unchanged",
        ),
        (
            GemmSm100 { types: Types::Mxf8, b_major: Major::Mn, ..base() },
            "A and B with scale factors must be K-major",
        ),
    ] {
        assert_eq!(error(gemm), why);
    }
}
