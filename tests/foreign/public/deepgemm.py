"""DeepGEMM: products of bf16 and e4m3 for sm_90a, and of bf16 for sm_100a."""

import numpy as np
from launches import Finding, Map, Repository, Source, launch, random, stored, zeros

DEEPGEMM = Repository(
    "DeepGEMM",
    "https://github.com/deepseek-ai/DeepGEMM",
    "54e22612409371d6364144b69086735beb54e98b",
    "MIT",
    include=("deep_gemm/include",),
)

SM90 = Source(DEEPGEMM, "deepgemm.cu", "sm_90a", ours=True, standard=20)
SM100 = Source(DEEPGEMM, "deepgemm_sm100.cu", "sm_100a", ours=True, standard=20)


CHANGED = "bug: a tensor map in shared memory is changed while a copy to global memory, and loads that use it, may still read it"
RELAXED = (
    "bug, by the memory model: the address that `tcgen05.alloc` wrote is read, and the columns are used and freed, after a "
    "barrier of the cluster whose arrival is relaxed and publishes nothing; sglang has repaired such a barrier (#38829)"
)
ELECTED = (
    "forbidden by the ISA, and harmless on devices: the elected lane computes addresses as if it were the lowest lane, which "
    "is the one that devices elect"
)
LANES = "forbidden by the ISA, and what devices do: all warps give lane 0 of tensor memory, and each accesses its own 32 lanes"


def f64(x):
    return x.astype(np.float64)


def product(a):
    return {"D": f64(a.A) @ f64(a.B).T}


def bf16(source, kernel, m, k, rows_of_b, threads, shared, what, **more):
    launch(
        source,
        kernel,
        {
            "grouped_layout": None,
            **{"M": m, "N": 128, "K": k},
            "map_a": Map("A", (128, 64), "128B"),
            "map_b": Map("B", (rows_of_b, 64), "128B"),
            "map_d": Map("D", (128, 64), "128B"),
        },
        product,
        2**-8,
        arrays={"A": random("bf16", m, k, seed=1), "B": random("bf16", 128, k, seed=2), "D": zeros("bf16", m, 128)},
        what=f"product of {m} x 128 x {k}, {what}",
        block=threads,
        shared=shared,
        **more,
    )


STAGES = 4 * 2 * 256 * 64
STORES = 2 * 128 * 128
bf16(
    SM90, "sm90_bf16_gemm_impl", 256, 384, 128, 384, STAGES + STORES + 64, "two tiles in four stages", part="ELj1ELb0ELj1E", grid=1
)
bf16(
    SM90,
    "sm90_bf16_gemm_impl",
    *(256, 384, 128, 384, STAGES + STORES + 64),
    "multicast in a cluster of two",
    part="ELj2ELb0ELj2E",
    grid=2,
    cluster=2,
)

# --- e4m3 with scales for 128 elements along K ---

SCALES_A = 2.0 ** (np.arange(3 * 128).reshape(3, 128) % 5 - 2)
SCALES_B = 2.0 ** (np.arange(3) - 1)
E4M3 = {"A": random("f8E4M3FN", 128, 384, seed=3), "B": random("f8E4M3FN", 128, 384, seed=4)}


def along_k(scales):
    """Scales of (K / 128, rows) as those of (rows, K)."""
    return np.repeat(scales.T, 128, axis=1)


launch(
    SM90,
    "sm90_fp8_gemm_1d2d_impl",
    {
        "sfb": stored("f32", SCALES_B.reshape(1, 3)),
        "grouped_layout": None,
        **{"M": 128, "N": 128, "K": 384},
        "map_a": Map("A", (128, 128), "128B"),
        "map_b": Map("B", (128, 128), "128B"),
        "map_d": Map("D", (128, 64), "128B"),
        "map_sfa": Map("SFA", (1, 128)),
    },
    lambda a: {"D": (f64(a.A) * along_k(SCALES_A)) @ (f64(a.B) * np.repeat(SCALES_B, 128)).T},
    2**-8,
    arrays={**E4M3, "SFA": stored("f32", SCALES_A), "D": zeros("bf16", 128, 128)},
    what="product of 128 x 128 x 384 of e4m3, scales of rows of A and of blocks of B",
    grid=1,
    block=384,
    shared=3 * 2 * 128 * 128 + 2 * 128 * 128 + 3 * 512 + 16 + 48,
)

launch(
    SM90,
    "sm90_fp8_gemm_1d1d_impl",
    {
        **{"gmem_a": None, "gmem_b": None, "grouped_layout": None, "map_buffer": None},
        **{"M": 128, "N": 128, "K": 384},
        "map_a": Map("A", (128, 128), "128B"),
        "map_b": Map("B", (128, 128), "128B"),
        "map_sfa": Map("SFA", (1, 128)),
        "map_sfb": Map("SFB", (1, 128)),
        "map_d": Map("D", (64, 128)),
    },
    lambda a: {"D": a.D + (f64(a.A) * along_k(SCALES_A)) @ (f64(a.B) * along_k(SCALES_A[::-1])).T},
    1e-5,
    arrays={
        **E4M3,
        "SFA": stored("f32", SCALES_A),
        "SFB": stored("f32", SCALES_A[::-1]),
        "D": random("f32", 128, 128, seed=5),
    },
    what="product of 128 x 128 x 384 of e4m3, scales of rows, added to D",
    part="GemmTypeE0E",
    findings=[Finding("elected_lane", "sm90_fp8_gemm_1d1d.cuh:333", ELECTED, "portability")],
    grid=1,
    block=384,
    shared=3 * 2 * 128 * 128 + 4 * 128 * 128 + 3 * 1024 + 48,
)


launch(
    SM90,
    "sm90_fp8_gemm_1d1d_impl",
    {
        "gmem_a": random("f8E4M3FN", 2, 64, 128, seed=6),
        "gmem_b": random("f8E4M3FN", 2, 64, 128, seed=7),
        "grouped_layout": stored("i32", [128, 128]),
        "map_buffer": zeros("i32", 64),
        **{"M": 64, "N": 64, "K": 256},
        "map_a": Map("A", (64, 128), "128B"),
        "map_b": Map("B", (64, 128), "128B"),
        "map_sfa": Map("SFA", (1, 64)),
        "map_sfb": Map("SFB", (1, 64)),
        "map_d": Map("D", (64, 64)),
    },
    lambda a: {"D": (f64(a.gmem_a) @ f64(a.gmem_b).transpose(0, 2, 1)).reshape(128, 64)},
    1e-5,
    arrays={
        # The kernel replaces the addresses and extents of these maps.
        "A": random("f8E4M3FN", 128, 128, seed=6),
        "B": random("f8E4M3FN", 128, 128, seed=7),
        "SFA": stored("f32", np.ones((2, 64))),
        "SFB": stored("f32", np.ones((2, 64))),
        "D": zeros("f32", 128, 64),
    },
    what="two products of 64 x 64 x 128 of e4m3 in groups along K, tensor maps changed by the kernel",
    part="GemmTypeE3E",
    findings=[
        Finding("race", "sm90_fp8_gemm_1d1d.cuh:200", CHANGED),
        Finding("race", "sm90_fp8_gemm_1d1d.cuh:201", CHANGED),
        Finding("elected_lane", "sm90_fp8_gemm_1d1d.cuh:333", ELECTED, "portability"),
    ],
    grid=1,
    block=256,
    shared=3 * 2 * 64 * 128 + 4 * 64 * 64 + 3 * 512 + 256 + 48,
)

# --- sm_100: a tile of one block, and one of a pair ---

bf16(
    SM100,
    "sm100_bf16_gemm_impl",
    256,
    384,
    128,
    256,
    STAGES + STORES + 256,
    "two tiles in four stages",
    part="ELj1ELb0ELj1E",
    findings=[Finding("tensor", "sm100_bf16_gemm.cuh:438", LANES, "portability")],
    grid=1,
)
bf16(
    SM100,
    "sm100_bf16_gemm_impl",
    *(256, 384, 64, 256, STAGES + STORES + 256),
    "a pair of blocks",
    part="ELj2ELb0ELj2E",
    findings=[
        Finding("race", "sm100_bf16_gemm.cuh:405", RELAXED),
        Finding("race", "sm100_bf16_gemm.cuh:336", RELAXED),
        Finding("race", "sm100_bf16_gemm.cuh:456", RELAXED),
        Finding("tensor", "sm100_bf16_gemm.cuh:438", LANES, "portability"),
    ],
    grid=2,
    cluster=2,
)
