"""FlashInfer: norms, positions, activations and merged states, as its launchers instantiate and launch them."""

import numpy as np
from launches import Repository, Source, launch, random, stored, zeros

FLASHINFER = Repository(
    "flashinfer",
    "https://github.com/flashinfer-ai/flashinfer",
    "fb28d7242b3506a2348265962041acc1fb56cca4",
    "Apache-2.0",
    include=("include",),
)

SOURCE = Source(FLASHINFER, "flashinfer.cu", "sm_90a", ours=True)
# Results are rounded to f16.
ROUNDED = 2**-10


def f64(x):
    return x.astype(np.float64)


def silu(a):
    x, y = f64(a.input)[:, :256], f64(a.input)[:, 256:]
    return {"out": x / (1 + np.exp(-x)) * y}


launch(
    SOURCE,
    "act_and_mul_kernel",
    {"out": zeros("f16", 3, 256), "input": random("f16", 3, 512, seed=1), "d": 256},
    silu,
    ROUNDED,
    what="SiLU times a gate, 3 rows of 256",
    grid=3,
    block=32,
)

# --- Norms ---


def rms(x):
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-5)


STRIDES = {"d": 320, "stride_input": 320, "stride_output": 320}
EPS = {"weight_bias": 0.0, "eps": 1e-5}

launch(
    SOURCE,
    "RMSNormKernel",
    {
        "input": random("f16", 3, 320, seed=2),
        "weight": random("f16", 320, seed=3),
        "output": zeros("f16", 3, 320),
        **STRIDES,
        **EPS,
    },
    lambda a: {"output": rms(f64(a.input)) * a.weight},
    2 * ROUNDED,
    what="RMS norm of 3 rows of 320",
    grid=3,
    block=(32, 2),
    shared=8,
)

launch(
    SOURCE,
    "RMSNormQuantKernel",
    {
        "input": random("f16", 3, 320, seed=2),
        "weight": random("f16", 320, seed=3),
        "output": zeros("f8E4M3FN", 3, 320),
        **STRIDES,
        "weight_bias": 0.0,
        "scale": stored("f32", [0.5]),
        "eps": 1e-5,
    },
    lambda a: {"output": rms(f64(a.input)) * a.weight * 2},
    2**-4,
    what="RMS norm of 3 rows of 320, to e4m3 with a scale",
    grid=3,
    block=(32, 2),
    shared=8,
)

launch(
    SOURCE,
    "QKRMSNormKernel",
    {
        "input": random("f16", 3, 2, 128, seed=4),
        "weight": random("f16", 128, seed=5),
        "output": zeros("f16", 3, 2, 128),
        **{"d": 128, "batch_size": 3, "num_heads": 2},
        **{"stride_input_n": 256, "stride_input_h": 128, "stride_output_n": 256, "stride_output_h": 128},
        **EPS,
    },
    lambda a: {"output": rms(f64(a.input)) * a.weight},
    2 * ROUNDED,
    what="RMS norm of 3 x 2 heads of 128, a warp each",
    grid=2,
    block=(32, 4),
)


def added(a):
    x = a.input.astype(np.float32) + a.residual.astype(np.float32)
    return {"residual": x.astype(np.float16), "input": rms(f64(x)) * a.weight}


launch(
    SOURCE,
    "FusedAddRMSNormKernel",
    {
        "input": random("f16", 3, 320, seed=6),
        "residual": random("f16", 3, 320, seed=7),
        "weight": random("f16", 320, seed=8),
        **{"d": 320, "stride_input": 320, "stride_residual": 320},
        **EPS,
    },
    added,
    2 * ROUNDED,
    what="sum with a residual, and its RMS norm, 3 rows of 320",
    grid=3,
    block=(32, 2),
    shared=4 * (4 + 320),
)

# --- Positions ---

POSITIONS = np.array([0, 3, 9, 14, 30])
ANGLES = np.arange(32)[None] * 10000.0 ** (-2 * np.arange(32)[:, None] / 64)
# For each position, 32 cosines and 32 sines.
TABLE = np.concatenate([np.cos(ANGLES), np.sin(ANGLES)]).T


def halves(x, angle):
    first, second = x[..., :32], x[..., 32:]
    return np.concatenate([first * np.cos(angle) - second * np.sin(angle), second * np.cos(angle) + first * np.sin(angle)], axis=-1)


def pairs(x, angle):
    first, second = x[..., ::2], x[..., 1::2]
    turned = np.stack([first * np.cos(angle) - second * np.sin(angle), second * np.cos(angle) + first * np.sin(angle)], axis=-1)
    return turned.reshape(x.shape)


def rope_arguments(more):
    return {
        "q": random("f16", 5, 4, 64, seed=9),
        "k": random("f16", 5, 2, 64, seed=10),
        "q_rope": zeros("f16", 5, 4, 64),
        "k_rope": zeros("f16", 5, 2, 64),
        **more,
        "pos_ids": stored("i32", POSITIONS),
        **{"nnz": 5, "num_qo_heads": 4, "num_kv_heads": 2, "rotary_dim": 64},
        **{"q_stride_n": 256, "q_stride_h": 64, "k_stride_n": 128, "k_stride_h": 64},
        **{"q_rope_stride_n": 256, "q_rope_stride_h": 64, "k_rope_stride_n": 128, "k_rope_stride_h": 64},
    }


def roped(turn):
    angle = (POSITIONS[:, None] * 10000.0 ** (-2 * np.arange(32) / 64))[:, None]
    return lambda a: {"q_rope": turn(f64(a.q), angle), "k_rope": turn(f64(a.k), angle)}


launch(
    SOURCE,
    "BatchQKApplyRotaryPosIdsCosSinCacheKernel",
    rope_arguments({"cache": stored("f32", TABLE)}),
    roped(halves),
    2 * ROUNDED,
    what="rotary embeddings of 5 tokens from a table, in halves",
    grid=1,
    block=(8, 16),
)

launch(
    SOURCE,
    "BatchQKApplyRotaryPosIdsKernel",
    {**rope_arguments({}), **{"smooth_a": 0.0, "smooth_b": 0.0, "rcp_scale": 1.0, "rcp_theta": 1e-4}},
    roped(pairs),
    # Fast powers, sines and cosines.
    2**-7,
    what="rotary embeddings of 5 tokens, in pairs",
    grid=1,
    block=(8, 16),
)

# --- States of attention ---


def merged(v, s):
    """States along axis 1: values of (n, sets, heads, d), logarithms of sums in base 2."""
    weights = 2.0 ** (f64(s) - s.max(axis=1, keepdims=True))
    total = weights.sum(axis=1)
    return (weights[..., None] * f64(v)).sum(axis=1) / total[..., None], np.log2(total) + s.max(axis=1)


def merged_two(a):
    v, s = merged(np.stack([a.v_a, a.v_b], axis=1), np.stack([a.s_a, a.s_b], axis=1))
    return {"v_merged": v, "s_merged": s}


launch(
    SOURCE,
    "MergeStateKernel",
    {
        "v_a": random("f16", 3, 4, 64, seed=11),
        "s_a": random("f32", 3, 4, seed=12),
        "v_b": random("f16", 3, 4, 64, seed=13),
        "s_b": random("f32", 3, 4, seed=14),
        "v_merged": zeros("f16", 3, 4, 64),
        "s_merged": zeros("f32", 3, 4),
        **{"num_heads": 4, "head_dim": 64},
    },
    merged_two,
    ROUNDED,
    what="two states of attention merged, 3 x 4 heads of 64",
    grid=3,
    block=(8, 4),
)

launch(
    SOURCE,
    "MergeStatesKernel",
    {
        "v": random("f16", 3, 5, 4, 64, seed=15),
        "s": random("f32", 3, 5, 4, seed=16),
        "v_merged": zeros("f16", 3, 4, 64),
        "s_merged": zeros("f32", 3, 4),
        **{"sets": 5, "num_heads": 4, "head_dim": 64},
    },
    lambda a: dict(zip(("v_merged", "s_merged"), merged(a.v, a.s))),
    ROUNDED,
    what="five states of attention merged, 3 x 4 heads of 64",
    grid=3,
    block=(8, 4),
)

# --- Bits and heads ---

BITS = (np.arange(2100) * 7 % 11 < 4).astype(np.uint8)

for order, name in ((0, "big"), (1, "little")):
    launch(
        SOURCE,
        "PackBitsKernel",
        {"input": stored("u8", BITS), "output": zeros("u8", 263), "count": 2100},
        lambda a, name=name: {"output": np.packbits(a.input, bitorder=name)},
        0,
        what=f"2100 flags in bytes, {name} end first",
        part=f"BitOrderE{order}E",
        grid=2,
        block=256,
    )

launch(
    SOURCE,
    "ConcatMLAKKernel",
    {
        "k": zeros("f16", 2, 128, 192),
        "k_nope": random("f16", 2, 128, 128, seed=17),
        "k_rope": random("f16", 2, 64, seed=18),
        "tokens": 2,
        **{"k_stride_0": 128 * 192, "k_stride_1": 192, "nope_stride_0": 128 * 128, "nope_stride_1": 128, "rope_stride_0": 64},
    },
    lambda a: {"k": np.concatenate([a.k_nope, np.broadcast_to(a.k_rope[:, None], (2, 128, 64))], axis=-1)},
    0,
    what="keys of 2 x 128 heads joined with shared positions",
    grid=1,
    block=1024,
)
