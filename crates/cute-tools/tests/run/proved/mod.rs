//! The GEMMs of the builders by `cutec prove`: along K, and along the tiles of a persistent grid.
//!
//! A few of them; with `CUTE_FULL` set, all or a shard of them.

mod answers;
mod launches;
mod variants;

use self::answers::{Answer, asked};
use super::full;

/// A builder, its options, and a launch.
type Variant = (&'static str, &'static str, &'static str);

#[rustfmt::skip]
const PROVED: &[Variant] = &[
    ("gemm_sm80", "--copy tma", "--through ptx --host --arg A:f16[128x{32*n}] --arg B:f16[128x{32*n}] --arg C:f32[128x128] --arg D:f32[128x128] --arg 1.0 --arg 0.0"),
    ("gemm_sm80", "--stages 3 --m-tile 64 --n-tile 64", "--through ptx --grid 1 --arg A:f16[64x{32*n}] --arg B:f16[64x{32*n}] --arg C:f32[64x64] --arg D:f32[64x64] --arg 1.0 --arg 0.0"),
    // A loop over as many tiles as there are stages.
    ("gemm_sm80", "--stages 5 --m-tile 64 --n-tile 64", "--through ptx --grid 1 --arg A:f16[64x{32*n}] --arg B:f16[64x{32*n}] --arg C:f32[64x64] --arg D:f32[64x64] --arg 1.0 --arg 0.0"),
    ("gemm_sm80", "--types tf32 --m-tile 64 --n-tile 64", "--through ptx --grid 1 --arg A:f32[64x{16*n}] --arg B:f32[64x{16*n}] --arg C:f32[64x64] --arg D:f32[64x64] --arg 1.0 --arg 0.0"),
    ("gemm_sm80", "--types s8 --m-tile 64 --n-tile 64", "--through ptx --grid 1 --arg A:i8[64x{64*n}] --arg B:i8[64x{64*n}] --arg C:i32[64x64] --arg D:i32[64x64] --arg 1 --arg 0"),
    ("gemm_sm80", "--aligned --m-tile 64 --n-tile 64", "--through ptx --grid 1 --arg A:f16[64x{32*n}] --arg B:f16[64x{32*n}] --arg C:f32[64x64] --arg D:f32[64x64] --arg 1.0 --arg 0.0"),
    ("gemm_sm90", "", "--through ptx --host --arg A:bf16[256x{64*n}] --arg B:bf16[256x{64*n}] --arg D:bf16[256x256] --arg blocks:2"),
    ("gemm_sm90", "--m-cluster 4", "--through ptx --host --arg A:bf16[512x{64*n}] --arg B:bf16[256x{64*n}] --arg D:bf16[512x256] --arg blocks:4"),
    ("gemm_sm90", "--n-cluster 2", "--through ptx --host --arg A:bf16[256x{64*n}] --arg B:bf16[512x{64*n}] --arg D:bf16[256x512] --arg blocks:4"),
    ("gemm_sm90", "--m-cluster 1", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[256x{64*n}] --arg D:bf16[128x256] --arg blocks:1"),
    ("gemm_sm90", "--m-cluster 1 --n-cluster 2", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[512x{64*n}] --arg D:bf16[128x512] --arg blocks:2"),
    ("gemm_sm90", "--schedule pingpong --m-tile 64", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[256x{64*n}] --arg D:bf16[128x256] --arg blocks:2"),
    ("gemm_sm90", "--schedule pingpong --m-tile 64 --m-cluster 1", "--through ptx --host --arg A:bf16[64x{64*n}] --arg B:bf16[256x{64*n}] --arg D:bf16[64x256] --arg blocks:1"),
    ("gemm_sm90", "--consumers 1 --m-tile 64 --m-cluster 1", "--through ptx --host --arg A:bf16[64x{64*n}] --arg B:bf16[256x{64*n}] --arg D:bf16[64x256] --arg blocks:1"),
    ("gemm_sm90", "--consumers 3 --m-tile 192 --n-tile 128 --m-cluster 1", "--through ptx --host --arg A:bf16[192x{64*n}] --arg B:bf16[128x{64*n}] --arg D:bf16[192x128] --arg blocks:1"),
    ("gemm_sm90", "--stages 3 --m-cluster 1 --n-tile 128", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[128x{64*n}] --arg D:bf16[128x128] --arg blocks:1"),
    ("gemm_sm90", "--types f16 --m-cluster 1 --n-tile 64", "--through ptx --host --arg A:f16[128x{64*n}] --arg B:f16[64x{64*n}] --arg D:f16[128x64] --arg blocks:1"),
    ("gemm_sm90", "--types tf32 --m-cluster 1 --n-tile 64", "--through ptx --host --arg A:f32[128x{32*n}] --arg B:f32[64x{32*n}] --arg D:f32[128x64] --arg blocks:1"),
    ("gemm_sm90", "--types e4m3 --m-cluster 1 --n-tile 64", "--through ptx --host --arg A:f8E4M3FN[128x{128*n}] --arg B:f8E4M3FN[64x{128*n}] --arg D:f32[128x64] --arg blocks:1"),
    ("gemm_sm90", "--stages 2 --m-cluster 1 --n-tile 128", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[128x{64*n}] --arg D:bf16[128x128] --arg blocks:1"),
    ("gemm_sm90", "--types e4m3 --promote 4 --m-cluster 1 --n-tile 64", "--through ptx --host --arg A:f8E4M3FN[128x{128*n}] --arg B:f8E4M3FN[64x{128*n}] --arg D:f32[128x64] --arg blocks:1"),
    ("gemm_sm90", "--types s8 --m-cluster 1 --n-tile 64", "--through ptx --host --arg A:i8[128x{128*n}] --arg B:i8[64x{128*n}] --arg D:i32[128x64] --arg blocks:1"),
    ("gemm_sm90", "--m-cluster 1 --n-tile 64 --out f32", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[64x{64*n}] --arg D:f32[128x64] --arg blocks:1"),
    ("gemm_sm90", "--m-cluster 1 --n-tile 64 --activation relu", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[64x{64*n}] --arg D:bf16[128x64] --arg blocks:1"),
    ("gemm_sm90", "--m-cluster 1 --n-tile 64 --k-tile 128", "--through ptx --host --arg A:bf16[128x{128*n}] --arg B:bf16[64x{128*n}] --arg D:bf16[128x64] --arg blocks:1"),
    ("gemm_sm90", "--m-cluster 1 --n-tile 64 --alpha --beta --bias", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[64x{64*n}] --arg C:bf16[128x64] --arg D:bf16[128x64] --arg bias:f32[64] --arg 1.0 --arg 1.0 --arg blocks:1"),
    ("gemm_sm100", "", "--through ptx --host --arg A:bf16[256x{64*n}] --arg B:bf16[256x{64*n}] --arg D:bf16[256x256] --arg blocks:2"),
    ("gemm_sm100", "--ctas 1 --m-tile 128", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[256x{64*n}] --arg D:bf16[128x256] --arg blocks:1"),
    ("gemm_sm100", "--ctas 1 --m-tile 128 --n-tile 64 --stages 3", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[64x{64*n}] --arg D:bf16[128x64] --arg blocks:1"),
    ("gemm_sm100", "--ctas 1 --m-tile 128 --m-cluster 2 --n-tile 64", "--through ptx --host --arg A:bf16[256x{64*n}] --arg B:bf16[64x{64*n}] --arg D:bf16[256x64] --arg blocks:2"),
    ("gemm_sm100", "--ctas 1 --m-tile 128 --n-tile 64 --types e4m3", "--through ptx --host --arg A:f8E4M3FN[128x{128*n}] --arg B:f8E4M3FN[64x{128*n}] --arg D:f32[128x64] --arg blocks:1"),
    ("gemm_sm100", "--ctas 1 --m-tile 128 --n-tile 64 --out f32", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[64x{64*n}] --arg D:f32[128x64] --arg blocks:1"),
    ("gemm_sm100", "--ctas 2 --m-cluster 4 --n-tile 64", "--through ptx --host --arg A:bf16[512x{64*n}] --arg B:bf16[64x{64*n}] --arg D:bf16[512x64] --arg blocks:4"),
    ("gemm_sm120", "", "--through ptx --host --arg A:bf16[128x{32*n}] --arg B:bf16[128x{32*n}] --arg D:bf16[128x128] --arg blocks:1"),
    ("gemm_sm120", "--m-tile 64 --n-tile 64 --n-groups 1", "--through ptx --host --arg A:bf16[64x{32*n}] --arg B:bf16[64x{32*n}] --arg D:bf16[64x64] --arg blocks:1"),
    ("gemm_sm120", "--stages 2", "--through ptx --host --arg A:bf16[128x{32*n}] --arg B:bf16[128x{32*n}] --arg D:bf16[128x128] --arg blocks:1"),
    ("gemm_sm120", "--types tf32 --m-tile 64 --n-tile 64", "--through ptx --host --arg A:f32[64x{16*n}] --arg B:f32[64x{16*n}] --arg D:f32[64x64] --arg blocks:1"),
    // Along the tiles of M of a persistent grid.
    ("gemm_sm90", "", "--through ptx --host --arg A:bf16[{256*n}x256] --arg B:bf16[256x256] --arg D:bf16[{256*n}x256] --arg blocks:2"),
    // The IR itself, not through PTX.
    ("gemm_sm90", "", "--host --arg A:bf16[256x{64*n}] --arg B:bf16[256x{64*n}] --arg D:bf16[256x256] --arg blocks:2"),
];

#[test]
fn gemms_are_proved_for_every_size() {
    let mut wrong = Vec::new();
    for (i, (builder, options, launch)) in PROVED.iter().enumerate().filter(|(i, _)| full::takes(*i, 16)) {
        let [options, launch] = [options, launch].map(|text| text.split_whitespace().collect::<Vec<_>>());
        // A busy machine needs more time than an idle one.
        let answer = asked(builder, &options, &launch, "900");
        if !matches!(answer, Answer::Proved) {
            wrong.push(format!("{i}: {builder} {options:?} {launch:?}: {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
