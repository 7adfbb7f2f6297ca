//! `mma.sync` on tiles that the TMA loads.

use cute_arch::atoms::Major;
use cute_kernels::gemm::sm80::{GemmSm80, TileCopy, Types};
use melior::Context;

use super::super::run_in;
use super::{
    SCHEDULES,
    case::Gemm,
    elements::{Elements, MADE_F32, MADE_I32, elements, numbers, write},
    text,
};

fn check(kernel: &str, elements: &Elements, shape: [usize; 3], schedule: &str, reads_c: bool) {
    launched((kernel, "--host"), elements, shape, schedule, reads_c);
}

/// D = 2 A B^T - 3 C of small integers, or 2 A B^T where C must not be read, by a kernel and the
/// options of its launch.
pub(in super::super) fn launched(
    (kernel, launch): (&str, &str),
    elements: &Elements,
    shape: [usize; 3],
    schedule: &str,
    reads_c: bool,
) {
    let folder = tempfile::tempdir().unwrap();
    let [m, n, _] = shape;
    let c = numbers(m * n, 3);
    let (sum, descr, bytes) = elements.sums;
    write(folder.path(), "c.npy", descr, &[m, n], c.iter().flat_map(|n| bytes(*n)));
    let beta = if reads_c { -3 } else { 0 };
    let before = format!("--arg C:{sum}[{m}x{n}]=c.npy");
    let behind = format!("--arg alpha:{sum}=2 --arg beta:{sum}={beta}");
    let made = if sum == "i32" { MADE_I32 } else { MADE_F32 };
    let product = Gemm { made, ..Gemm::plain((kernel, elements.factors), shape, schedule, launch) };
    product.check(&folder, [&before, &behind], |sum, i, [j, _]| 2 * sum + beta * i32::from(c[i * n + j]));
}

#[test]
fn mma_sync_multiplies_what_the_tma_brings() {
    let small = GemmSm80 { copy: TileCopy::Tma, m_tile: 64, n_tile: 64, stages: 3, ..GemmSm80::default() };
    let mn = Major::Mn;
    // Parts of tiles, one K tile, and numbers of them that stages do not divide.
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
    let whole = GemmSm80 { copy: TileCopy::Tma, ..GemmSm80::default() };
    let kernel = text(|c| whole.build(c));
    check(&kernel, &elements(Types::F16), [130, 120, 200], "lazy", true);
    check(&kernel, &elements(Types::F16), [8, 8, 8], "eager", false);
}

#[test]
fn boxes_that_the_tma_cannot_move_are_refused() {
    let context = Context::new();
    cute_mlir::load(&context);
    let tma = || GemmSm80 { copy: TileCopy::Tma, ..GemmSm80::default() };
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
        "the TMA stays inside the matrices without predicates: leave out --aligned"
    );
    assert!(
        error(GemmSm80 { types: Types::S8, a_major: Major::Mn, ..tma() })
            .starts_with("A of i8 must be K-major")
    );

    // The rows of A begin at multiples of 200 bytes.
    let folder = tempfile::tempdir().unwrap();
    let arguments = "--host --arg A:f16[64x100] --arg B:f16[64x100] --arg C:f32[64x64] --arg D:f32[64x64] --arg f32=1 --arg f32=0";
    let (code, _, err) = run_in(&folder, &text(|c| tma().build(c)), arguments);
    assert_eq!(code, Some(1));
    let why = "the stride of mode 1 is 200 bytes: strides are multiples of 16 bytes; padding to 208 would do";
    assert!(err.contains(why), "{err}");
}
