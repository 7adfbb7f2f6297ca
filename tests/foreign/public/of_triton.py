"""Kernels of Triton: Liger, Unsloth and flash-linear-attention. Autotuned kernels get one of their configurations."""

import numpy as np
from launches import Array, Finding, Repository, TritonSource, launch, random, stored, zeros

LIGER = Repository(
    "Liger-Kernel",
    "https://github.com/linkedin/Liger-Kernel",
    "ead96b618e5c67bddc6a6e9bcb99bfe6b5ab661c",
    "BSD-2-Clause",
)
UNSLOTH = Repository(
    "unsloth",
    "https://github.com/unslothai/unsloth",
    "015bdef0d94a241bcd94eec7a405b1700632180d",
    "Apache-2.0",
)
FLA = Repository(
    "flash-linear-attention",
    "https://github.com/fla-org/flash-linear-attention",
    "bc3b101dcb713ddc5bd8924b66754eb68b5ccf89",
    "MIT",
)

ROUNDED = (
    "true, and harmless: Triton gives a sum to several threads; the contraction of products and sums makes their copies differ in the "
    "last bit, and they store them to one word"
)

NAMES = {"f32": "fp32", "f16": "fp16", "f8E4M3FN": "fp8e4nv"}


def kernel(repository, path, name, arguments, constants, expected, tolerance, *, calls=(), warps=4, **more):
    types = {}
    for parameter, value in arguments.items():
        if isinstance(value, Array):
            types[parameter] = f"*{NAMES[value.element]}"
        elif value is None:
            constants = {**constants, parameter: None}
        else:
            types[parameter] = "fp32" if isinstance(value, float) else "i32"
    source = TritonSource(repository, path, (name, *calls), tuple(types.items()), tuple(constants.items()), warps)
    passed = {parameter: value for parameter, value in arguments.items() if value is not None}
    # Behind its parameters a kernel gets memory that a launch allocates, which these do not need.
    scratch = {"global_scratch": None, "profile_scratch": None}
    launch(source, name, {**passed, **scratch}, expected, tolerance, block=32 * warps, **more)


def f64(x):
    return x.astype(np.float64)


# --- Positions, in place ---

ANGLES = np.arange(3)[:, None] * 10000.0 ** (-2 * np.arange(16) / 32)


def rope(a):
    def turned(x):
        first, second = f64(x)[..., :16], f64(x)[..., 16:]
        c, s = np.cos(ANGLES)[:, None], np.sin(ANGLES)[:, None]
        return np.concatenate([first * c - second * s, second * c + first * s], axis=-1)

    return {"q_ptr": turned(a.q_ptr), "k_ptr": turned(a.k_ptr)}


kernel(
    LIGER,
    "src/liger_kernel/ops/rope.py",
    "_triton_rope",
    {
        "q_ptr": random("f32", 3, 4, 32, seed=1),
        "q_row_stride": 128,
        "k_ptr": random("f32", 3, 2, 32, seed=2),
        "k_row_stride": 64,
        "cos": stored("f32", np.tile(np.cos(ANGLES), 2)),
        "cos_row_stride": 32,
        "sin": stored("f32", np.tile(np.sin(ANGLES), 2)),
        "sin_row_stride": 32,
        "sl": 3,
    },
    {
        **{"bs": 1, "cos_bs": 1, "n_qh": 4, "n_kh": 2, "hd": 32, "pad_n_qh": 4, "pad_n_kh": 2, "pad_hd": 32, "BLOCK_SIZE": 4},
        "BACKWARD_PASS": False,
    },
    rope,
    1e-6,
    what="rotary embeddings of 3 tokens, in place",
    grid=3,
)

# --- Quantisation ---


def quantised(a):
    x = f64(a.x_ptr).reshape(4, 128)
    scales = np.abs(x).max(axis=1) / 448
    return {"y_ptr": (x / scales[:, None]).reshape(-1), "s_ptr": scales}


kernel(
    UNSLOTH,
    "unsloth/kernels/fp8.py",
    "act_quant_kernel",
    {"x_ptr": random("f32", 512, seed=3), "y_ptr": zeros("f8E4M3FN", 512), "s_ptr": zeros("f32", 4)},
    {"BLOCK_SIZE": 128},
    quantised,
    2**-4,
    what="512 numbers to e4m3 in blocks of 128 with a scale, an element per thread",
    grid=4,
)

# --- Norms and inverses ---


def l2norm(a):
    x = f64(a.x)
    rstd = 1 / np.sqrt((x * x).sum(axis=1) + 1e-6)
    return {"y": x * rstd[:, None], "rstd": rstd}


kernel(
    FLA,
    "fla/modules/l2norm.py",
    "l2norm_fwd_kernel1",
    {"x": random("f32", 3, 64, seed=4), "y": zeros("f32", 3, 64), "rstd": zeros("f32", 3), "eps": 1e-6, "D": 64},
    {"BD": 64},
    l2norm,
    1e-6,
    what="L2 norm of 3 rows of 64, half an element per thread",
    findings=[Finding("race_rounded", "l2norm.py", ROUNDED, "portability")],
    grid=3,
)


def inverse(size):
    def expected(a):
        blocks = f64(a.A).reshape(-1, 64, 64)
        results = np.zeros((len(blocks), 64, size))
        for block, result in zip(blocks, results):
            for start in range(0, 64, size):
                own = block[start : start + size, start : start + size]
                result[start : start + size] = np.linalg.inv(np.eye(size) + np.tril(own, -1))
        return {"Ai": results.reshape(a.Ai.shape)}

    return expected


for name, size in (("solve_tril_16x16_kernel", 16), ("merge_16x16_to_64x64_inverse_kernel", 64)):
    kernel(
        FLA,
        "fla/ops/utils/solve_tril.py",
        name,
        {
            "A": stored("f32", random("f32", 64, 64, seed=5).values / 4),
            "Ai": zeros("f32", 64, size),
            **{"cu_seqlens": None, "chunk_indices": None},
            "T": 64,
        },
        {"H": 1, "BT": 64, "USE_TMA": False, "IS_VARLEN": False, "DOT_PRECISION": "ieee"},
        inverse(size),
        1e-5,
        what=f"inverses of unit lower triangles of {size} x {size}",
        findings=[Finding("race_rounded", "solve_tril.py", ROUNDED, "portability")],
        grid=(64 // size, 1),
    )


def delta_rule(a):
    q, k, v, beta = f64(a.q) * 0.25, f64(a.k), f64(a.v), f64(a.beta)
    state, u, o = np.zeros((16, 16)), np.zeros((6, 16)), np.zeros((6, 16))
    for token in range(6):
        u[token] = v[token] - k[token] @ state
        state += np.outer(k[token], u[token] * beta[token])
        o[token] = q[token] @ state
    return {"u": u, "o": o}


kernel(
    FLA,
    "fla/ops/delta_rule/fused_recurrent.py",
    "fused_recurrent_delta_rule_fwd_kernel",
    {
        **{name: stored("f32", random("f32", 6, 16, seed=6 + index).values / 2) for index, name in enumerate(("q", "k", "v"))},
        "u": zeros("f32", 6, 16),
        "beta": random("f32", 6, seed=9),
        "o": zeros("f32", 6, 16),
        **{"h0": None, "ht": None, "cu_seqlens": None},
        "scale": 0.25,
        "T": 6,
    },
    {
        **{"B": 1, "H": 1, "K": 16, "V": 16, "BK": 16, "BV": 8},
        **{"USE_INITIAL_STATE": False, "STORE_FINAL_STATE": False, "IS_BETA_HEADWISE": False, "IS_VARLEN": False},
    },
    delta_rule,
    1e-5,
    what="delta rule of 6 tokens, keys and values of 16",
    findings=[Finding("race_rounded", "fused_recurrent.py", ROUNDED, "portability")],
    warps=1,
    grid=2,
)
