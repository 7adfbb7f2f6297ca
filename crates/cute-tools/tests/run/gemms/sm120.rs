//! `mma.sync` by warpgroups on tiles that the TMA loads, one tile after the other.

use cute_arch::atoms::Major;
use cute_kernels::gemm::{
    sm90::{self, Activation, Out},
    sm120::GemmSm120,
};
use melior::Context;

use crate::full;

use super::{
    SCHEDULES,
    tensor::{Tensor, all_multiply},
};

/// Kernels in which each type, major, kind of D and arrangement of groups occurs, on shapes with
/// parts of tiles; two blocks, so that each takes several tiles.
fn kernels() -> Vec<(GemmSm120, [usize; 3])> {
    use sm90::Types::*;
    let base = GemmSm120 { m_tile: 64, n_tile: 64, n_groups: 1, ..GemmSm120::default() };
    let mn = Major::Mn;
    let f32 = Some(Out::F32);
    vec![
        (GemmSm120 { ..base.clone() }, [136, 136, 136]),
        (GemmSm120 { n_tile: 128, n_groups: 2, stages: Some(2), ..base.clone() }, [72, 264, 200]),
        (GemmSm120 { types: F16, m_tile: 128, m_groups: 2, out: f32, ..base.clone() }, [264, 72, 72]),
        (
            GemmSm120 { m_tile: 128, n_tile: 128, m_groups: 2, n_groups: 2, out: f32, ..base.clone() },
            [136, 264, 104],
        ),
        (GemmSm120 { types: F16, a_major: mn, b_major: mn, ..base.clone() }, [136, 72, 70]),
        (GemmSm120 { a_major: mn, m_tile: 128, k_tile: Some(16), ..base.clone() }, [136, 136, 72]),
        (GemmSm120 { b_major: mn, n_tile: 128, k_tile: Some(64), ..base.clone() }, [72, 136, 328]),
        (GemmSm120 { types: Tf32, n_groups: 2, stages: Some(3), ..base.clone() }, [136, 136, 100]),
        (GemmSm120 { types: E4m3, out: Some(Out::Bf16), ..base.clone() }, [136, 72, 400]),
        (GemmSm120 { types: E5m2, m_tile: 128, k_tile: Some(32), ..base.clone() }, [136, 72, 80]),
        (GemmSm120 { types: S8, n_tile: 128, n_groups: 4, ..base.clone() }, [136, 132, 208]),
        (GemmSm120 { types: E4m3, out: Some(Out::E4m3), n_tile: 128, ..base.clone() }, [72, 144, 80]),
        (GemmSm120 { types: E5m2, out: Some(Out::F16), ..base.clone() }, [72, 144, 32]),
        (GemmSm120 { batch: true, a_major: mn, ..base }, [72, 72, 72]),
    ]
}

/// Several tiles for a block, one K tile, and K tiles that are not a multiple of the stages.
const SHAPES: [[usize; 3]; 3] = [[264, 528, 208], [144, 272, 32], [272, 144, 448]];

/// All types with all majors that they have, and all arrangements of up to four groups.
fn all_kernels() -> Vec<GemmSm120> {
    use sm90::Types::*;
    let mut all = Vec::new();
    for types in [F16, Bf16, Tf32, E4m3, E5m2, S8] {
        let (any, k): (&[Major], i64) = match types {
            F16 | Bf16 => (&[Major::K, Major::Mn], 16),
            Tf32 => (&[Major::K], 8),
            _ => (&[Major::K], 32),
        };
        for (a_major, b_major) in any.iter().flat_map(|a| any.iter().map(move |b| (*a, *b))) {
            for (m_groups, n_groups) in [(1, 1), (2, 1), (1, 2), (2, 2), (4, 1), (1, 4)] {
                // Long tiles leave room for one k-block per stage.
                let k_tile = (m_groups + n_groups > 4).then_some(k);
                let gemm =
                    GemmSm120 { types, a_major, b_major, m_groups, n_groups, k_tile, ..GemmSm120::default() };
                all.push(GemmSm120 { m_tile: 64 * m_groups, n_tile: 64 * n_groups, ..gemm });
            }
        }
    }
    all
}

/// A sample; with `CUTE_FULL` set, all combinations.
#[test]
fn warpgroups_multiply_by_mma_sync_what_the_tma_loads() {
    for (i, (gemm, shape)) in kernels().into_iter().enumerate() {
        let some = SCHEDULES.into_iter().enumerate().filter(|(j, _)| i < 2 || *j == i % 5);
        Tensor::of_sm120(&gemm).multiplies(shape, some.map(|(_, schedule)| schedule));
    }
    if full::shard().is_some() {
        all_multiply(&all_kernels(), SHAPES, Tensor::of_sm120);
    }
}

/// All that may be done with accumulators, and parts of it: odd and even numbers of parts of D per
/// group, which are rows or columns of a tile, with several tiles for a block.
#[test]
fn sums_of_mma_sync_are_finished_as_asked() {
    let base = GemmSm120 {
        m_tile: 64,
        n_tile: 64,
        n_groups: 1,
        alpha: true,
        beta: true,
        bias: true,
        ..GemmSm120::default()
    };
    let relu = Some(Activation::Relu);
    let f16 = sm90::Types::F16;
    let kernels = [
        (GemmSm120 { activation: relu, ..base.clone() }, [200, 136, 72]),
        (GemmSm120 { m_tile: 128, n_tile: 128, n_groups: 2, bias: false, ..base.clone() }, [264, 136, 136]),
        (GemmSm120 { types: f16, n_tile: 192, m_tile: 128, m_groups: 2, ..base.clone() }, [264, 264, 72]),
        (
            GemmSm120 { m_tile: 128, m_groups: 2, n_groups: 2, out: Some(Out::F32), ..base.clone() },
            [392, 100, 72],
        ),
        (GemmSm120 { n_tile: 192, alpha: false, beta: false, ..base.clone() }, [136, 200, 72]),
        (GemmSm120 { beta: false, bias: false, activation: relu, ..base.clone() }, [72, 72, 72]),
        (GemmSm120 { out: Some(Out::E4m3), n_tile: 128, activation: relu, ..base.clone() }, [72, 272, 40]),
        (
            GemmSm120 { n_tile: 128, n_groups: 2, activation: Some(Activation::Silu), ..base.clone() },
            [72, 136, 72],
        ),
        (GemmSm120 { batch: true, ..base }, [72, 136, 72]),
    ];
    for (i, (gemm, shape)) in kernels.into_iter().enumerate() {
        let some = SCHEDULES.into_iter().enumerate().filter(|(j, _)| i == 0 || *j == i % 5);
        Tensor::of_sm120(&gemm).multiplies(shape, some.map(|(_, schedule)| schedule));
    }
}

#[test]
fn tiles_that_mma_sync_cannot_multiply_are_refused() {
    let context = Context::new();
    cute_mlir::load(&context);
    let error = |gemm: GemmSm120| gemm.build(&context).map(|_| ()).unwrap_err().to_string();
    let base = GemmSm120::default;
    for (gemm, why) in [
        (
            GemmSm120 { m_tile: 96, ..base() },
            "--m-tile must be between 64 and 256 and a multiple of 64, but is 96",
        ),
        (
            GemmSm120 { m_tile: 64, m_groups: 2, ..base() },
            "a tile of 64 rows is not a multiple of 128, which 2 warpgroups multiply at once",
        ),
        (
            GemmSm120 { n_tile: 64, ..base() },
            "a tile of 64 columns: each of 2 warpgroups stores 64 columns of D at a time; take a multiple of 128",
        ),
        (GemmSm120 { m_groups: 4, n_groups: 4, ..base() }, "2176 threads are more than the 1024 of a block"),
        (
            GemmSm120 { k_tile: Some(24), ..base() },
            "a K tile of 24 is not a multiple of 16, which mma.sync takes at once",
        ),
        (
            GemmSm120 { types: sm90::Types::E4m3, b_major: Major::Mn, ..base() },
            "B of f8E4M3FN must be K-major: ldmatrix transposes 16-bit elements only; transpose B in memory, or take f16 or bf16",
        ),
        (
            GemmSm120 { m_tile: 256, n_tile: 256, ..base() },
            "a tile of 256 x 256 needs about 376 registers for each of 256 threads that multiply, which have 232: take a smaller tile",
        ),
        (
            GemmSm120 { stages: Some(5), ..base() },
            "5 stages of 16384 bytes: 2 to 4 are possible beside the 32768 bytes that D goes through",
        ),
        (
            GemmSm120 { k_tile: Some(128), ..base() },
            "two stages of 65536 bytes and 32768 bytes that D goes through do not fit into 101376 bytes of shared memory of sm_120a: take a smaller tile",
        ),
        (
            GemmSm120 { types: sm90::Types::S8, out: Some(Out::F32), ..base() },
            "D of f32 from accumulators of i32 is not supported; i32 accumulators are stored unchanged",
        ),
    ] {
        assert_eq!(error(gemm), why);
    }
}
