"""DeepGEMM: batched products, hyper-connections, logits of an indexer, and layouts of scales."""

import numpy as np
from deepgemm import DEEPGEMM, LANES, RELAXED, f64
from launches import Finding, Map, Source, launch, random, stored, zeros

SM90 = Source(DEEPGEMM, "deepgemm_more.cu", "sm_90a", ours=True, standard=20)
CLEAN = Source(DEEPGEMM, "deepgemm_clean.cu", "sm_90a", ours=True, standard=20)
LAYOUT = Source(DEEPGEMM, "deepgemm_layout.cu", "sm_90a", ours=True, standard=20)
PACK = Source(DEEPGEMM, "deepgemm_pack.cu", "sm_90a", ours=True, standard=20)
SM100 = Source(DEEPGEMM, "deepgemm_more_sm100.cu", "sm_100a", ours=True, standard=20)
# What the launchers ask for.
CAPACITY = 232448

NARROW = (
    "bug, by the memory model: scale factors that the second block transposes are handed over by an arrival at the first block's barrier "
    "with the scope of a block; a comment there leaves open whether the fence is valid for pairs"
)
APART = "forbidden by the ISA, and harmless on devices: one elected lane changes the number of registers, and the others of its warp do not"

for source, arrays, threads, findings in (
    (SM90, {"D": zeros("f32", 128, 128)}, 384, []),
    (SM100, {"map_d": Map("D", (128, 32), "128B")}, 128, [Finding("tensor", "sm100_bmk_bnk_mn.cuh", LANES, "portability")]),
):
    launch(
        source,
        "sm90_bmn_bnk_mn_gemm_impl" if source is SM90 else "sm100_bmn_bnk_mn_gemm_impl",
        {"shape_s": 3, "map_a": Map("A", (128, 64), "128B"), "map_b": Map("B", (128, 64), "128B"), **arrays},
        lambda a: {"D": sum(f64(a.A[at : at + 128]) @ f64(a.B[at : at + 128]).T for at in (0, 128, 256))},
        1e-5,
        arrays={"A": random("bf16", 384, 64, seed=1), "B": random("bf16", 384, 64, seed=2), "D": zeros("f32", 128, 128)},
        what="sum of three products of 128 x 128 x 64 by two blocks",
        findings=findings,
        grid=2,
        block=threads,
        shared=CAPACITY if source is SM100 else 4 * 32768 + 64,
    )
    launch(
        source,
        "sm90_tf32_hc_prenorm_gemm_impl" if source is SM90 else "sm100_tf32_hc_prenorm_gemm_impl",
        {
            "shape_m": 100,
            "map_a": Map("A", (64, 64), "128B"),
            "map_b": Map("B", (16, 32), "128B", "element=tf32"),
            "map_d": Map("D", (64, 16), "64B"),
            "sqr_sum": zeros("f32", 100),
        },
        lambda a: {"D": f64(a.A) @ f64(a.B).T, "sqr_sum": (f64(a.A) ** 2).sum(axis=1)},
        2**-8,
        arrays={"A": random("bf16", 100, 256, seed=3), "B": random("f32", 16, 256, seed=4), "D": zeros("f32", 100, 16)},
        what="product of 100 x 16 x 256 in tf32, and sums of squares",
        findings=[Finding("tensor", f"sm100_tf32_hc_prenorm_gemm.cuh:{line}", LANES, "portability") for line in (243, 321)]
        if source is SM100
        else [Finding("registers_apart", "sm90_tf32_hc_prenorm_gemm.cuh:124", APART, "portability")],
        grid=2,
        block=256,
        shared=CAPACITY,
    )

# --- Logits of an indexer ---


def logits(a):
    q = f64(a.Q).reshape(8, 32, 64)
    scores = np.maximum(np.einsum("qhd,kd->qhk", q, f64(a.KV)), 0)
    return {"logits": np.einsum("qhk,qh->qk", scores, f64(a.W)) * a.SCALES}


launch(
    SM90,
    "sm90_fp8_mqa_logits",
    {
        **{"seq_len": 8, "seq_len_kv": 512, "max_seqlen_k": 0, "stride_logits": 512},
        "start": stored("i32", np.zeros(8)),
        "end": stored("i32", np.full(8, 512)),
        "logits": zeros("f32", 8, 512),
        "map_q": Map("Q", (128, 64), "64B"),
        "map_kv": Map("KV", (256, 64), "64B"),
        "map_scales": Map("SCALES", (1, 256)),
        "map_weights": Map("W", (4, 32)),
    },
    logits,
    1e-4,
    arrays={
        "Q": random("f8E4M3FN", 256, 64, seed=5),
        "KV": random("f8E4M3FN", 512, 64, seed=6),
        "SCALES": random("f32", 1, 512, seed=7),
        "W": random("f32", 8, 32, seed=8),
    },
    what="logits of 8 queries of 32 heads with 512 keys of e4m3",
    grid=2,
    block=640,
    shared=78500,
)

ENDS = np.array([700, 1, 1200, 64])


def cleaned(a):
    at = np.arange(1280)[None]
    return {"logits": np.where((at < a.start[:, None]) | (at >= a.end[:, None]), -np.inf, a.logits)}


launch(
    CLEAN,
    "smxx_clean_logits",
    {
        **{"seq_len": 4, "seq_len_kv": 1280, "stride_logits": 1280},
        "start": stored("i32", ENDS // 3),
        "end": stored("i32", ENDS),
        "logits": random("f32", 4, 1280, seed=9),
    },
    cleaned,
    0,
    what="logits outside of their ranges set to -inf, 4 rows of 1280",
    grid=2,
    block=128,
    shared=4096,
)

# --- Scales ---

launch(
    LAYOUT,
    "transpose_fp32",
    {"sf": random("f32", 100, 4, seed=10), "out": zeros("f32", 4, 100), "mn": 100},
    lambda a: {"out": a.sf.T},
    0,
    what="transpose of 100 x 4 scales",
    grid=2,
    block=512,
    shared=64 * 5 * 4,
)

EXPONENTS = np.arange(800).reshape(100, 8) * 7 % 250 + 1


def packed(exponents):
    """Exponents of (rows, K) as words of (K / 4, rows)."""
    words = exponents.astype(np.int64).reshape(len(exponents), -1, 4) << np.array([0, 8, 16, 24])
    return words.sum(axis=2).T.astype(np.uint32)


launch(
    PACK,
    "transpose_and_pack_fp32_into_ue8m0",
    {
        "sf": stored("f32", (EXPONENTS << 23).astype(np.uint32).view(np.float32)),
        "out": zeros("u32", 2, 100),
        **{"mn": 100, "grouped_layout": None, "m_alignment": 0},
    },
    lambda a: {"out": packed(EXPONENTS)},
    0,
    what="100 x 8 scales as packed exponents",
    grid=3,
    block=512,
    shared=48 * 8 * 4,
)

# --- e4m3 with exponents for 128 elements along K ---

for blocks, rows in ((1, 128), (2, 256)):
    FIRST = np.arange(rows * 4).reshape(rows, 4) % 5 + 125
    SECOND = np.arange(512).reshape(128, 4) % 3 + 126

    def scaled(a, first=FIRST, second=SECOND):
        left = f64(a.A) * 2.0 ** (np.repeat(first, 128, axis=1) - 127)
        return {"D": left @ (f64(a.B) * 2.0 ** (np.repeat(second, 128, axis=1) - 127)).T}

    launch(
        SM100,
        "sm100_fp8_fp4_gemm_1d1d_impl",
        {
            "grouped_layout": None,
            **{"M": rows, "N": 128, "K": 512},
            "map_a": Map("A", (128, 128), "128B"),
            "map_b": Map("B", (128 // blocks, 128), "128B"),
            "map_sfa": Map("SFA", (1, 128)),
            "map_sfb": Map("SFB", (1, 128)),
            "map_d": Map("D", (128, 64), "128B"),
        },
        scaled,
        2**-8,
        arrays={
            "A": random("f8E4M3FN", rows, 512, seed=11),
            "B": random("f8E4M3FN", 128, 512, seed=12),
            "SFA": stored("u32", packed(FIRST)),
            "SFB": stored("u32", packed(SECOND)),
            "D": zeros("bf16", rows, 128),
        },
        what=f"product of {rows} x 128 x 512 of e4m3 with exponents, {'a pair of blocks' if blocks == 2 else 'a block'}",
        part=f"ELj{blocks}ELb0ELj{blocks}ELb0",
        findings=[
            Finding("tensor", "sm100_fp8_fp4_gemm_1d1d.cuh:509", LANES, "portability"),
            *(Finding("race", "sm100_fp8_fp4_gemm_1d1d.cuh:477", RELAXED) for _ in range(blocks - 1)),
            *(Finding("race", f"sm100_fp8_fp4_gemm_1d1d.cuh:{line}", NARROW) for line in (358, 367) if blocks == 2),
        ],
        grid=blocks,
        block=256,
        shared=CAPACITY,
        **({"cluster": 2} if blocks == 2 else {}),
    )
