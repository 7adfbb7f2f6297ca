//! `tcgen05.mma` on tiles that the TMA loads.

use cute_arch::atoms::Major;
use cute_kernels::gemm::{
    sm90::{self, Activation, Out},
    sm100::{GemmSm100, Scheduler},
};
use melior::Context;

use super::super::run_in;
use crate::full;

use super::{
    SCHEDULES,
    tensor::{Tensor, all_multiply},
};

/// Kernels of Blackwell in which each type, major, kind of D, way of multiplying and cluster
/// occurs.
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

/// Several tiles for a block, one K tile, and K tiles that are not a multiple of the stages.
const SHAPES: [[usize; 3]; 3] = [[272, 528, 208], [144, 272, 32], [272, 144, 448]];

/// All types with all majors that they have, by one block and by two, and clusters.
fn all_umma_kernels() -> Vec<GemmSm100> {
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
                // Blocks do not share less than 128 contiguous bytes.
                let of_8_bits = matches!(types, E4m3 | E5m2 | S8);
                let split = [a_major == Major::Mn && n_cluster == 2, b_major == Major::Mn && m_cluster == 4];
                if of_8_bits && split.contains(&true) {
                    continue;
                }
                let gemm = GemmSm100 {
                    types,
                    a_major,
                    b_major,
                    ctas,
                    m_tile,
                    m_cluster: Some(m_cluster),
                    n_cluster,
                    ..GemmSm100::default()
                };
                if [a_major, b_major] == [Major::K; 2] {
                    all.push(GemmSm100 { scheduler: Scheduler::Clc, ..gemm.clone() });
                }
                all.push(gemm);
            }
        }
    }
    all
}

/// A sample; with `CUTE_FULL` set, all combinations.
#[test]
fn tensor_memory_holds_what_the_tma_brings_multiplied() {
    for (i, (gemm, shape)) in umma_kernels().into_iter().enumerate() {
        let some = SCHEDULES.into_iter().enumerate().filter(|(j, _)| i < 1 || *j == i % 5);
        Tensor::of_blackwell(&gemm).multiplies(shape, some.map(|(_, schedule)| schedule));
    }
    if full::shard().is_some() {
        all_multiply(&all_umma_kernels(), SHAPES, Tensor::of_blackwell);
    }
}

/// Clusters that run compute the tiles of those that they cancel. With a seed some requests are
/// refused, so that clusters begin late.
#[test]
fn tiles_of_cancelled_clusters_are_multiplied() {
    let pair = GemmSm100 { n_tile: 64, scheduler: Scheduler::Clc, ..GemmSm100::default() };
    let one = GemmSm100 { ctas: 1, m_tile: 128, ..pair.clone() };
    let finished = GemmSm100 { alpha: true, beta: true, bias: true, batch: true, ..pair.clone() };
    let kernels = [
        // More tiles than there are places for answers.
        (GemmSm100 { ..pair.clone() }, [520, 200, 72]),
        (GemmSm100 { m_tile: 64, ..one.clone() }, [136, 136, 72]),
        (GemmSm100 { m_cluster: Some(4), n_cluster: 2, ..pair.clone() }, [520, 200, 72]),
        (GemmSm100 { activation: Some(Activation::Relu), ..finished }, [264, 72, 72]),
        (GemmSm100 { types: sm90::Types::F16, m_cluster: Some(2), n_cluster: 2, ..one }, [264, 264, 136]),
        // The first request is refused.
        (GemmSm100 { ..pair }, [136, 40, 72]),
    ];
    for (i, (gemm, shape)) in kernels.iter().enumerate() {
        let some = SCHEDULES.into_iter().enumerate().filter(|(j, _)| i == 0 || *j == i % 5 || j % 3 == i % 3);
        Tensor::of_blackwell(gemm).multiplies(*shape, some.map(|(_, schedule)| schedule));
    }

    let kernel = Tensor::of_blackwell(&kernels[0].0).kernel;
    let folder = tempfile::tempdir().unwrap();
    let arguments = "--host --target sm_100a --arg A:bf16[520x72] --arg B:bf16[200x72] --arg D:bf16[520x200]";
    let (code, out, err) = run_in(&folder, &kernel, arguments);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("with grid [24, 1, 1]") && out.contains("gemm_sm100: 4 blocks, "), "{out}");
}

/// Like the accumulators of wgmma, for accumulators in tensor memory, of 128 rows and of 64.
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
fn tiles_that_tensor_memory_cannot_hold_are_refused() {
    let context = Context::new();
    cute_mlir::load(&context);
    let error = |gemm: GemmSm100| gemm.build(&context).map(|_| ()).unwrap_err().to_string();
    let base = GemmSm100::default;
    for (gemm, why) in [
        (
            GemmSm100 { n_tile: 512, ..base() },
            "--n-tile must be between 32 and 256 and a multiple of 32, but is 512",
        ),
        (
            GemmSm100 { n_tile: 96, ..base() },
            "a tile of 96 columns: D is stored 64 columns at a time; take a multiple of 64",
        ),
        (
            GemmSm100 { ctas: 1, ..base() },
            "a tile of 256 rows: one block multiplies 64 or 128 rows at once; 256 rows need a pair of blocks, --ctas 2",
        ),
        (
            GemmSm100 { m_tile: 64, ..base() },
            "a tile of 64 rows: a pair of blocks multiplies 128 or 256 rows at once; 64 rows need a single block, --ctas 1",
        ),
        (GemmSm100 { ctas: 4, ..base() }, "--ctas must be between 1 and 2, but is 4"),
        (
            GemmSm100 { m_tile: 192, ..base() },
            "--m-tile must be between 64 and 256 and a power of two, but is 192",
        ),
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
            "B of tf32 must be K-major: tcgen05.mma does not transpose 32-bit elements; transpose B in memory, or take f16 or bf16",
        ),
        (
            GemmSm100 { m_cluster: Some(1), ..base() },
            "clusters of 1 x 1 blocks: whole pairs along M, and 8 in all are possible",
        ),
        (
            GemmSm100 { types: sm90::Types::S8, out: Some(Out::Bf16), ..base() },
            "D of bf16 from accumulators of i32 is not supported; i32 accumulators are stored unchanged",
        ),
    ] {
        assert_eq!(error(gemm), why);
    }
}
