//! The GEMMs of the builders by `cutec prove`: along K, and along the tiles of a persistent grid.
//!
//! A few of them; with `CUTE_FULL` set, all or a shard of them.

use std::process::Command;

use super::full;

/// A kernel with its launch, and the answer.
struct Variant {
    builder: &'static str,
    options: &'static str,
    launch: &'static str,
    /// The reason, if it is not decided.
    reason: Option<&'static str>,
}

const fn proved(builder: &'static str, options: &'static str, launch: &'static str) -> Variant {
    Variant { builder, options, launch, reason: None }
}

const fn open(
    builder: &'static str,
    options: &'static str,
    launch: &'static str,
    reason: &'static str,
) -> Variant {
    Variant { builder, options, launch, reason: Some(reason) }
}

#[rustfmt::skip]
const VARIANTS: &[Variant] = &[
    proved("gemm_sm80", "--copy tma", "--through ptx --host --arg A:f16[128x{32*n}] --arg B:f16[128x{32*n}] --arg C:f32[128x128] --arg D:f32[128x128] --arg 1.0 --arg 0.0"),
    open("gemm_sm80", "--stages 3 --m-tile 64 --n-tile 64", "--through ptx --grid 1 --arg A:f16[64x{32*n}] --arg B:f16[64x{32*n}] --arg C:f32[64x64] --arg D:f32[64x64] --arg 1.0 --arg 0.0", "a branch on data"),
    proved("gemm_sm80", "--types tf32 --m-tile 64 --n-tile 64", "--through ptx --grid 1 --arg A:f32[64x{16*n}] --arg B:f32[64x{16*n}] --arg C:f32[64x64] --arg D:f32[64x64] --arg 1.0 --arg 0.0"),
    proved("gemm_sm80", "--types s8 --m-tile 64 --n-tile 64", "--through ptx --grid 1 --arg A:i8[64x{64*n}] --arg B:i8[64x{64*n}] --arg C:i32[64x64] --arg D:i32[64x64] --arg 1 --arg 0"),
    proved("gemm_sm80", "--aligned --m-tile 64 --n-tile 64", "--through ptx --grid 1 --arg A:f16[64x{32*n}] --arg B:f16[64x{32*n}] --arg C:f32[64x64] --arg D:f32[64x64] --arg 1.0 --arg 0.0"),
    proved("gemm_sm90", "", "--through ptx --host --arg A:bf16[256x{64*n}] --arg B:bf16[256x{64*n}] --arg D:bf16[256x256] --arg blocks:2"),
    proved("gemm_sm90", "--m-cluster 1", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[256x{64*n}] --arg D:bf16[128x256] --arg blocks:1"),
    proved("gemm_sm90", "--m-cluster 1 --n-cluster 2", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[512x{64*n}] --arg D:bf16[128x512] --arg blocks:2"),
    proved("gemm_sm90", "--schedule pingpong --m-tile 64", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[256x{64*n}] --arg D:bf16[128x256] --arg blocks:2"),
    proved("gemm_sm90", "--schedule pingpong --m-tile 64 --m-cluster 1", "--through ptx --host --arg A:bf16[64x{64*n}] --arg B:bf16[256x{64*n}] --arg D:bf16[64x256] --arg blocks:1"),
    proved("gemm_sm90", "--consumers 1 --m-tile 64 --m-cluster 1", "--through ptx --host --arg A:bf16[64x{64*n}] --arg B:bf16[256x{64*n}] --arg D:bf16[64x256] --arg blocks:1"),
    proved("gemm_sm90", "--consumers 3 --m-tile 192 --n-tile 128 --m-cluster 1", "--through ptx --host --arg A:bf16[192x{64*n}] --arg B:bf16[128x{64*n}] --arg D:bf16[192x128] --arg blocks:1"),
    proved("gemm_sm90", "--stages 3 --m-cluster 1 --n-tile 128", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[128x{64*n}] --arg D:bf16[128x128] --arg blocks:1"),
    proved("gemm_sm90", "--types f16 --m-cluster 1 --n-tile 64", "--through ptx --host --arg A:f16[128x{64*n}] --arg B:f16[64x{64*n}] --arg D:f16[128x64] --arg blocks:1"),
    proved("gemm_sm90", "--types tf32 --m-cluster 1 --n-tile 64", "--through ptx --host --arg A:f32[128x{32*n}] --arg B:f32[64x{32*n}] --arg D:f32[128x64] --arg blocks:1"),
    proved("gemm_sm90", "--types e4m3 --m-cluster 1 --n-tile 64", "--through ptx --host --arg A:f8E4M3FN[128x{128*n}] --arg B:f8E4M3FN[64x{128*n}] --arg D:f32[128x64] --arg blocks:1"),
    proved("gemm_sm90", "--stages 2 --m-cluster 1 --n-tile 128", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[128x{64*n}] --arg D:bf16[128x128] --arg blocks:1"),
    proved("gemm_sm90", "--types e4m3 --promote 4 --m-cluster 1 --n-tile 64", "--through ptx --host --arg A:f8E4M3FN[128x{128*n}] --arg B:f8E4M3FN[64x{128*n}] --arg D:f32[128x64] --arg blocks:1"),
    proved("gemm_sm90", "--types s8 --m-cluster 1 --n-tile 64", "--through ptx --host --arg A:i8[128x{128*n}] --arg B:i8[64x{128*n}] --arg D:i32[128x64] --arg blocks:1"),
    proved("gemm_sm90", "--m-cluster 1 --n-tile 64 --out f32", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[64x{64*n}] --arg D:f32[128x64] --arg blocks:1"),
    proved("gemm_sm90", "--m-cluster 1 --n-tile 64 --activation relu", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[64x{64*n}] --arg D:bf16[128x64] --arg blocks:1"),
    proved("gemm_sm90", "--m-cluster 1 --n-tile 64 --k-tile 128", "--through ptx --host --arg A:bf16[128x{128*n}] --arg B:bf16[64x{128*n}] --arg D:bf16[128x64] --arg blocks:1"),
    proved("gemm_sm90", "--m-cluster 1 --n-tile 64 --alpha --beta --bias", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[64x{64*n}] --arg C:bf16[128x64] --arg D:bf16[128x64] --arg bias:f32[64] --arg 1.0 --arg 1.0 --arg blocks:1"),
    proved("gemm_sm100", "", "--through ptx --host --arg A:bf16[256x{64*n}] --arg B:bf16[256x{64*n}] --arg D:bf16[256x256] --arg blocks:2"),
    proved("gemm_sm100", "--ctas 1 --m-tile 128", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[256x{64*n}] --arg D:bf16[128x256] --arg blocks:1"),
    proved("gemm_sm100", "--ctas 1 --m-tile 128 --n-tile 64 --stages 3", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[64x{64*n}] --arg D:bf16[128x64] --arg blocks:1"),
    proved("gemm_sm100", "--ctas 1 --m-tile 128 --m-cluster 2 --n-tile 64", "--through ptx --host --arg A:bf16[256x{64*n}] --arg B:bf16[64x{64*n}] --arg D:bf16[256x64] --arg blocks:2"),
    proved("gemm_sm100", "--ctas 1 --m-tile 128 --n-tile 64 --types e4m3", "--through ptx --host --arg A:f8E4M3FN[128x{128*n}] --arg B:f8E4M3FN[64x{128*n}] --arg D:f32[128x64] --arg blocks:1"),
    proved("gemm_sm100", "--ctas 1 --m-tile 128 --n-tile 64 --out f32", "--through ptx --host --arg A:bf16[128x{64*n}] --arg B:bf16[64x{64*n}] --arg D:f32[128x64] --arg blocks:1"),
    proved("gemm_sm100", "--ctas 2 --m-cluster 4 --n-tile 64", "--through ptx --host --arg A:bf16[512x{64*n}] --arg B:bf16[64x{64*n}] --arg D:bf16[512x64] --arg blocks:4"),
    proved("gemm_sm120", "", "--through ptx --host --arg A:bf16[128x{32*n}] --arg B:bf16[128x{32*n}] --arg D:bf16[128x128] --arg blocks:1"),
    open("gemm_sm120", "--m-tile 64 --n-tile 64 --n-groups 1", "--through ptx --host --arg A:bf16[64x{32*n}] --arg B:bf16[64x{32*n}] --arg D:bf16[64x64] --arg blocks:1", "an address of shared memory grows with the size"),
    proved("gemm_sm120", "--stages 2", "--through ptx --host --arg A:bf16[128x{32*n}] --arg B:bf16[128x{32*n}] --arg D:bf16[128x128] --arg blocks:1"),
    open("gemm_sm120", "--types tf32 --m-tile 64 --n-tile 64", "--through ptx --host --arg A:f32[64x{16*n}] --arg B:f32[64x{16*n}] --arg D:f32[64x64] --arg blocks:1", "a loop without a period"),
    // Along the tiles of M of a persistent grid.
    proved("gemm_sm90", "", "--through ptx --host --arg A:bf16[{256*n}x256] --arg B:bf16[256x256] --arg D:bf16[{256*n}x256] --arg blocks:2"),
    // The IR itself, not through PTX.
    proved("gemm_sm90", "", "--host --arg A:bf16[256x{64*n}] --arg B:bf16[256x{64*n}] --arg D:bf16[256x256] --arg blocks:2"),
];

#[test]
fn gemms_are_proved_for_every_size() {
    let mut wrong = Vec::new();
    for (i, variant) in VARIANTS.iter().enumerate().filter(|(i, _)| full::takes(*i, 16)) {
        let Variant { builder, options, launch, reason } = variant;
        let folder = tempfile::tempdir().unwrap();
        let cutec = |words: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_cutec"));
            let output = command.current_dir(folder.path()).args(words).output().unwrap();
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            (output.status.success(), text(&output.stdout), text(&output.stderr))
        };
        let options: Vec<&str> = options.split_whitespace().collect();
        let build = [&["build", builder], &options[..], &["--emit", "cute", "-o", "k.mlir"]].concat();
        let (is_built, _, err) = cutec(&build);
        assert!(is_built, "{builder} {options:?}: {err}");
        // A busy machine needs more time than an idle one.
        let words: Vec<&str> = launch.split_whitespace().collect();
        let (_, out, err) = cutec(&[&["prove", "k.mlir", "--seconds", "900"], &words[..]].concat());
        let is_right = match reason {
            None => out.starts_with("proved: "),
            Some(reason) => out.starts_with("not decided: ") && out.contains(reason),
        };
        if !is_right {
            let first = out.lines().next().unwrap_or_default();
            wrong.push(format!("{i}: {builder} {options:?} {launch}\n  {first}{err}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
