"""llm.c: the kernels of dev/cuda, in f32 and plain CUDA C++."""

import numpy as np
from launches import Finding, Repository, Source, launch, random, stored, zeros

LLM_C = Repository(
    "llm.c",
    "https://github.com/karpathy/llm.c",
    "f1e2ace651495b74ae22d45d1723443fd00ecd3a",
    "MIT",
    include=("dev/cuda",),
)


def source(name):
    return Source(LLM_C, f"dev/cuda/{name}.cu", "sm_80")


# --- Softmax ---


def softmax(x, axis=-1):
    x = x.astype(np.float64)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax_case(kernel, rows, columns, *, tolerance=1e-6, **more):
    launch(
        source("softmax_forward"),
        kernel,
        {"out": zeros("f32", rows, columns), "inp": random("f32", rows, columns, seed=1), "N": rows, "C": columns},
        lambda a: {"out": softmax(a.inp)},
        tolerance,
        what=f"softmax of {rows} rows of {columns}",
        **more,
    )


REUSED = (
    "bug: sums overwrite the storage of the maxima while other warps may still read the maximum, because a barrier is missing; "
    "under the default schedule all values are wrong"
)

softmax_case("softmax_forward_kernel1", 40, 50, grid=2, block=32)
softmax_case("softmax_forward_kernel2", 3, 200, grid=3, block=128, shared=512)
softmax_case("softmax_forward_kernel3", 3, 200, grid=3, block=32, shared=128)
softmax_case(
    "softmax_forward_kernel4",
    4,
    200,
    grid=4,
    block=128,
    shared=16,
    findings=[Finding("race", "softmax_forward.cu:268", REUSED)],
    right=False,
)
softmax_case("softmax_forward_kernel7", 2, 2048, grid=2, block=128, shared=32)
softmax_case(
    "softmax_forward_kernel7",
    2,
    1500,
    grid=2,
    block=128,
    shared=32,
)
softmax_case("softmax_forward_online_kernel1", 40, 50, grid=2, block=32)
softmax_case("softmax_forward_online_kernel2", 6, 100, grid=2, block=128)
softmax_case("softmax_forward_online_kernel8", 6, 200, grid=2, block=128)

# --- Normalisation ---


def layer_norm(a):
    x = a.inp.astype(np.float64)
    mean = x.mean(axis=-1)
    rstd = 1 / np.sqrt(x.var(axis=-1) + 1e-5)
    return {"out": (x - mean[:, None]) * rstd[:, None] * a.weight + a.bias, "mean": mean, "rstd": rstd}


def layer_norm_case(kernel, rows, columns, **more):
    launch(
        source("layernorm_forward"),
        kernel,
        {
            "out": zeros("f32", rows, columns),
            "mean": zeros("f32", rows),
            "rstd": zeros("f32", rows),
            "inp": random("f32", rows, columns, seed=2),
            "weight": random("f32", columns, seed=3),
            "bias": random("f32", columns, seed=4),
            "N": rows,
            "C": columns,
        },
        layer_norm,
        1e-5,
        what=f"layer norm of {rows} rows of {columns}, mean, 1/sigma",
        **more,
    )


layer_norm_case("layernorm_forward_kernel1", 40, 48, grid=2, block=32)
layer_norm_case("layernorm_forward_kernel3", 6, 160, grid=2, block=128)
layer_norm_case("layernorm_forward_kernel4", 6, 160, grid=2, block=128)
layer_norm_case("layernorm_forward_kernel5", 4, 384, grid=4, block=256)
layer_norm_case("layernorm_forward_kernel6", 7, 256, grid=2, block=(32, 4), shared=(2 + 4) * 256 * 4)

# --- Element by element ---

launch(
    source("gelu_forward"),
    "gelu_forward_kernel2",
    {"out": zeros("bf16", 1024), "inp": random("bf16", 1024, seed=5), "N": 1024},
    lambda a: {"out": gelu(a.inp)},
    2**-8,
    what="GELU by tanh of 1024 numbers",
    grid=2,
    block=128,
)


def gelu(x):
    x = x.astype(np.float64)
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


launch(
    source("residual_forward"),
    "residual_forward_kernel2",
    {"out": zeros("bf16", 1024), "inp1": random("bf16", 1024, seed=6), "inp2": random("bf16", 1024, seed=7), "N": 1024},
    lambda a: {"out": (a.inp1.astype(np.float32) + a.inp2.astype(np.float32)).astype(a.inp1.dtype)},
    0,
    what="sum of 1024 numbers each",
    grid=2,
    block=128,
)

# learning_rate, beta1, beta2, corrections of both, eps, weight_decay
ADAM = [0.001, 0.9, 0.999, 0.1, 0.001, 1e-8, 0.01]


def adamw(a):
    rate, beta1, beta2, correction1, correction2, eps, decay = ADAM
    g, p = a.grads.astype(np.float64), a.params.astype(np.float64)
    m = beta1 * a.m.astype(np.float64) + (1 - beta1) * g
    v = beta2 * a.v.astype(np.float64) + (1 - beta2) * g * g
    return {"params": p - rate * (m / correction1 / (np.sqrt(v / correction2) + eps) + decay * p), "m": m, "v": v}


for kernel in ("adamw_kernel1", "adamw_kernel2"):
    launch(
        source("adamw"),
        kernel,
        {
            "params": random("f32", 1000, seed=8),
            "grads": random("f32", 1000, seed=9),
            "m": random("f32", 1000, seed=10),
            "v": stored("f32", np.linspace(0.1, 0.9, 1000)),
            "count": 1000,
            **{f"x{index}": value for index, value in enumerate(ADAM)},
        },
        adamw,
        1e-6,
        what="one step of AdamW for 1000 parameters",
        grid=2,
        block=512,
    )

launch(
    source("encoder_forward"),
    "encoder_forward_kernel3",
    {
        "out": zeros("bf16", 2, 8, 64),
        "inp": stored("i32", np.arange(16).reshape(2, 8) * 7 % 20),
        "wte": random("bf16", 20, 64, seed=11),
        "wpe": random("bf16", 8, 64, seed=12),
        "B": 2,
        "T": 8,
        "C": 64,
    },
    lambda a: {"out": (a.wte[a.inp].astype(np.float32) + a.wpe.astype(np.float32)).astype(a.wte.dtype)},
    0,
    what="embeddings of 2 x 8 tokens",
    grid=2,
    block=128,
)

# --- Losses ---

TARGETS = np.arange(16) * 37 % 100

launch(
    source("crossentropy_forward"),
    "crossentropy_forward_kernel1",
    {
        "losses": zeros("f32", 16),
        "probs": stored("f32", np.linspace(0.01, 0.99, 1600).reshape(16, 100)),
        "targets": stored("i32", TARGETS),
        "B": 2,
        "T": 8,
        "V": 100,
    },
    lambda a: {"losses": -np.log(a.probs[np.arange(16), TARGETS].astype(np.float64))},
    1e-6,
    what="cross entropy of 16 rows",
    grid=1,
    block=32,
)


def classifier(a):
    p = softmax(a.logits[:, :100])
    gradient = p.copy()
    gradient[np.arange(4), TARGETS[:4]] -= 1
    logits = a.logits.astype(np.float64)
    logits[:, :100] = gradient / 4
    return {"losses": -np.log(p[np.arange(4), TARGETS[:4]]), "logits": logits}


launch(
    source("classifier_fused"),
    "fused_classifier_kernel5",
    {
        "dlogits": random("f32", 4, 104, seed=13),
        "losses": zeros("f32", 4),
        "probs": None,
        "logits": random("f32", 4, 104, seed=13),
        "dlosses": None,
        "targets": stored("i32", TARGETS[:4]),
        "B": 1,
        "T": 4,
        "V": 100,
        "P": 104,
    },
    lambda a: {"losses": classifier(a)["losses"], "dlogits": classifier(a)["logits"]},
    1e-6,
    what="softmax, cross entropy and its gradient, 4 rows of 100 in rows of 104",
    part="ILb1ELb0E",
    grid=4,
    block=128,
)

# --- Attention ---

B, T, C, HEADS = 2, 24, 32, 2
SIZE = C // HEADS


def heads(inp):
    """Queries, keys and values, each of B x HEADS x T x SIZE."""
    return inp.astype(np.float64).reshape(B, T, 3, HEADS, SIZE).transpose(2, 0, 3, 1, 4)


def scores(inp):
    q, k, _ = heads(inp)
    s = q @ k.transpose(0, 1, 3, 2) / np.sqrt(SIZE)
    return np.where(np.tri(T, dtype=bool), s, -np.inf)


launch(
    source("attention_forward"),
    "attention_query_key_kernel1",
    {"preatt": zeros("f32", B, HEADS, T, T), "inp": random("f32", B, T, 3 * C, seed=14), "B": B, "T": T, "C": C, "NH": HEADS},
    lambda a: {"preatt": scores(a.inp)},
    1e-6,
    what="causal scores of 2 x 2 heads of 24 tokens",
    grid=9,
    block=256,
)

launch(
    source("attention_forward"),
    "attention_softmax_kernel1",
    {"att": zeros("f32", B, HEADS, T, T), "preatt": random("f32", B, HEADS, T, T, seed=15), "B": B, "T": T, "NH": HEADS},
    lambda a: {"att": softmax(np.where(np.tri(T, dtype=bool), a.preatt, -np.inf))},
    1e-6,
    what="softmax of causal scores",
    grid=1,
    block=96,
)

launch(
    source("attention_forward"),
    "softmax_forward_kernel5",
    {"out": zeros("f32", 4, T, T), "inv_temperature": 0.25, "inp": random("f32", 4, T, T, seed=16), "N": 4, "T": T},
    lambda a: {"out": softmax(np.where(np.tri(T, dtype=bool), a.inp * 0.25, -np.inf))},
    1e-6,
    what="online softmax of causal scores, a warp per row",
    grid=24,
    block=128,
)


PAST = "bug: keys and values of the last tile are loaded beyond the array if the tokens do not fill the tile"


def flash(a):
    q, k, v = (x.astype(np.float64) for x in (a.q, a.k, a.v))
    s = np.where(np.tri(q.shape[2], dtype=bool), q @ k.transpose(0, 1, 3, 2) * 0.25, -np.inf)
    return {"o": softmax(s) @ v}


for tokens, findings in ((64, ()), (40, [Finding("out_of_bounds", "attention_forward.cu:462", PAST)])):
    launch(
        source("attention_forward"),
        "attention_forward_kernel2",
        {
            "q": random("f32", 1, 2, tokens, 16, seed=17),
            "k": random("f32", 1, 2, tokens, 16, seed=18),
            "v": random("f32", 1, 2, tokens, 16, seed=19),
            "N": tokens,
            "d": 16,
            "Tc": 2,
            "Tr": 2,
            "Bc": 32,
            "Br": 32,
            "scale": 0.25,
            "l": zeros("f32", 2, tokens),
            "m": stored("f32", np.full((2, tokens), -np.inf)),
            "o": zeros("f32", 1, 2, tokens, 16),
        },
        flash,
        1e-5,
        what=f"flash attention, 2 heads of {tokens} tokens in tiles of 32",
        findings=findings,
        grid=(1, 2),
        block=32,
        shared=(3 * 32 * 16 + 32 * 32) * 4,
    )

# --- Products and sums ---

launch(
    source("matmul_forward"),
    "matmul_forward_kernel4",
    {
        "out": zeros("f32", 128, 128),
        "inp": random("f32", 128, 64, seed=20),
        "weight": random("f32", 128, 64, seed=21),
        "bias": random("f32", 128, seed=22),
        "C": 64,
        "OC": 128,
    },
    lambda a: {"out": a.inp.astype(np.float64) @ a.weight.T.astype(np.float64) + a.bias},
    1e-5,
    what="product of 128 x 128 x 64 with a bias",
    grid=1,
    block=(16, 16),
)

for kernel in ("norm_kernel1", "norm_kernel2", "norm_kernel3"):
    launch(
        source("global_norm"),
        kernel,
        {"out": zeros("f32", 1), "data": random("bf16", 3000, seed=23), "count": 3000},
        lambda a: {"out": [(a.data.astype(np.float64) ** 2).sum()]},
        1e-6,
        what="sum of 3000 squares by atomics",
        grid=2,
        block=256,
    )
