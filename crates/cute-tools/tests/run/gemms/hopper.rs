//! `wgmma` on tiles that the TMA loads.

use cute_arch::atoms::Major;
use cute_kernels::gemm::sm90::{self, Activation, GemmSm90, Out, WarpgroupSchedule};
use melior::Context;

use crate::full;

use super::{
    SCHEDULES,
    tensor::{Tensor, all_multiply},
};

/// Kernels in which each type, major, kind of D, number of warpgroups and cluster occurs, on shapes
/// with parts of tiles; few blocks, so that each takes several tiles.
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
        (GemmSm90 { schedule: WarpgroupSchedule::Pingpong, ..base.clone() }, [264, 136, 328]),
        (
            GemmSm90 { schedule: WarpgroupSchedule::Pingpong, m_cluster: 2, stages: Some(3), ..base.clone() },
            [400, 200, 264],
        ),
        (
            GemmSm90 {
                schedule: WarpgroupSchedule::Pingpong,
                types: S8,
                m_tile: 128,
                n_cluster: 2,
                ..base.clone()
            },
            [264, 260, 144],
        ),
        (
            GemmSm90 { types: F16, m_tile: 192, consumers: Some(3), k_tile: Some(32), ..base.clone() },
            [200, 72, 104],
        ),
        (GemmSm90 { batch: true, m_cluster: 2, a_major: mn, ..base.clone() }, [136, 72, 72]),
        (
            GemmSm90 { batch: true, types: Tf32, schedule: WarpgroupSchedule::Pingpong, ..base.clone() },
            [72, 68, 68],
        ),
        (GemmSm90 { types: E4m3, out: Some(Out::E4m3), n_tile: 128, ..base }, [72, 144, 80]),
    ]
}

/// Several tiles for a block, one K tile, and K tiles that are not a multiple of the stages.
const SHAPES: [[usize; 3]; 3] = [[264, 520, 208], [136, 264, 32], [264, 136, 448]];

/// All types with all majors that they have, both ways to share the work, and four kinds of
/// clusters.
fn all_wgmmas() -> Vec<GemmSm90> {
    use sm90::Types::*;
    let majors = |types| {
        let of_16_bits = matches!(types, F16 | Bf16);
        let any: &[Major] = if of_16_bits { &[Major::K, Major::Mn] } else { &[Major::K] };
        any.iter().flat_map(move |a| any.iter().map(move |b| (*a, *b)))
    };
    let mut all = Vec::new();
    for types in [F16, Bf16, Tf32, E4m3, E5m2, S8] {
        for (a_major, b_major) in majors(types) {
            for schedule in [WarpgroupSchedule::Cooperative, WarpgroupSchedule::Pingpong] {
                for (m_cluster, n_cluster) in [(1, 1), (2, 1), (1, 2), (2, 2)] {
                    let (m_tile, n_tile) = (128, 128);
                    all.push(GemmSm90 {
                        types,
                        a_major,
                        b_major,
                        schedule,
                        m_cluster,
                        n_cluster,
                        m_tile,
                        n_tile,
                        ..GemmSm90::default()
                    });
                }
            }
        }
    }
    all
}

/// A sample; with `CUTE_FULL` set, as `./dev test --full` does, all combinations.
#[test]
fn wgmma_multiplies_what_the_tma_brings() {
    for (i, (gemm, shape)) in wgmmas().into_iter().enumerate() {
        let some = SCHEDULES.into_iter().enumerate().filter(|(j, _)| i < 1 || *j == i % 5);
        Tensor::of_hopper(&gemm).multiplies(shape, some.map(|(_, schedule)| schedule));
    }
    if full::shard().is_some() {
        all_multiply(&all_wgmmas(), SHAPES, Tensor::of_hopper);
    }
}

/// All that may be done with accumulators, and parts of it: odd and even numbers of parts of D in a
/// tile, with several tiles for a block.
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
                schedule: WarpgroupSchedule::Pingpong,
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

#[test]
fn tiles_that_warpgroups_cannot_multiply_are_refused() {
    let context = Context::new();
    cute_mlir::load(&context);
    let error = |gemm: GemmSm90| gemm.build(&context).map(|_| ()).unwrap_err().to_string();
    let base = GemmSm90::default;
    for (gemm, why) in [
        (
            GemmSm90 { out: Some(Out::Mxf8), ..base() },
            "gemm_sm90 stores D without scale factors: take another --out, or gemm_sm100",
        ),
        (
            GemmSm90 { types: sm90::Types::Mxf6E2m3, ..base() },
            "wgmma multiplies without scale factors: take other types, or gemm_sm100 or gemm_sm120",
        ),
        (
            GemmSm90 { m_tile: 256, ..base() },
            "a tile of 256 x 256 has 256 accumulators for each of 256 threads, which leaves too few \
             registers: at most 192 are possible; take a smaller tile",
        ),
        (
            GemmSm90 { stages: Some(5), ..base() },
            "5 stages of 49152 bytes: 2 to 4 are possible beside the 32768 bytes that D goes through",
        ),
        (
            GemmSm90 { types: sm90::Types::E4m3, a_major: Major::Mn, ..base() },
            "A of f8E4M3FN must be K-major: wgmma transposes 16-bit elements only; transpose A in memory, or take f16 or bf16",
        ),
        (
            GemmSm90 { m_tile: 96, ..base() },
            "--m-tile must be between 64 and 512 and a multiple of 64, but is 96",
        ),
        (
            GemmSm90 { n_tile: 264, ..base() },
            "--n-tile must be between 32 and 256 and a multiple of 32, but is 264",
        ),
        (
            GemmSm90 { n_tile: 96, ..base() },
            "a tile of 96 columns: D is stored 64 columns at a time; take a multiple of 64",
        ),
        (
            GemmSm90 { m_cluster: 3, ..base() },
            "--m-cluster must be between 1 and 4 and a power of two, but is 3",
        ),
        (
            GemmSm90 { m_cluster: 4, n_cluster: 4, ..base() },
            "clusters of 4 x 4 blocks: 8 in all are possible",
        ),
        (
            GemmSm90 { types: sm90::Types::S8, out: Some(Out::F32), ..base() },
            "D of f32 from accumulators of i32 is not supported; i32 accumulators are stored unchanged",
        ),
        (
            GemmSm90 { promote: Some(4), ..base() },
            "MMAs of bf16 already accumulate in f32; leave out --promote",
        ),
        (
            GemmSm90 { promote: Some(1 << 32), types: sm90::Types::E4m3, n_tile: 128, ..base() },
            "--promote must be between 1 and 65536, but is 4294967296",
        ),
        (
            GemmSm90 { types: sm90::Types::S8, beta: true, ..base() },
            "alpha, beta, a bias and activations are not supported for i32 accumulators; compute D = A B^T, \
             or use floats",
        ),
        (
            GemmSm90 { schedule: WarpgroupSchedule::Pingpong, consumers: Some(3), m_tile: 64, ..base() },
            "3 warpgroups with the schedule pingpong are not supported; take two",
        ),
    ] {
        assert_eq!(error(gemm), why);
    }
}
