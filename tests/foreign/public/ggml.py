"""ggml: kernels of its CUDA backend whose parameters are addresses, numbers, and structures of numbers."""

import struct as packing

import numpy as np
from launches import Repository, Source, launch, random, stored, struct, zeros

GGML = Repository(
    "ggml",
    "https://github.com/ggml-org/ggml",
    "d99724f2b141fed9e1a9f402213506c081433465",
    "MIT",
    include=("include", "src", "src/ggml-cuda"),
)


def source(name):
    return Source(GGML, f"src/ggml-cuda/{name}.cu", "sm_80")


def by(divisor):
    """What a kernel needs to divide by a number without a division: the upper half of a factor, a shift, and the number."""
    shift = (divisor - 1).bit_length()
    return struct([((1 << 32) * ((1 << shift) - divisor) // divisor + 1) & 0xFFFFFFFF, shift, divisor], np.uint32)


def f64(x):
    return x.astype(np.float64)


# --- Normalisation ---


def norm(x):
    return (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5)


def rms(x):
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-5)


for columns, threads, shared in ((96, 32, 0), (1200, 1024, 256)):
    launch(
        source("norm"),
        "norm_f32",
        {
            "x": random("f32", 2, 3, columns, seed=1),
            "dst": zeros("f32", 2, 3, columns),
            "ncols": columns,
            "stride_row": columns,
            "stride_channel": 3 * columns,
            "stride_sample": 6 * columns,
            "eps": 1e-5,
        },
        lambda a: {"dst": norm(f64(a.x))},
        1e-5,
        what=f"layer norm of 2 x 3 rows of {columns}",
        part=f"ILi{threads}E",
        grid=(3, 2),
        block=threads,
        shared=shared,
    )

launch(
    source("norm"),
    "group_norm_f32",
    {"x": random("f32", 3, 1100, seed=2), "dst": zeros("f32", 3, 1100), "group_size": 1100, "elements": 3300, "eps": 1e-5},
    lambda a: {"dst": norm(f64(a.x))},
    1e-5,
    what="norm of 3 groups of 1100",
    part="ILi1024E",
    grid=3,
    block=1024,
    shared=256,
)

launch(
    source("norm"),
    "rms_norm_f32",
    {
        "x": random("f32", 2, 3, 300, seed=3),
        "dst": zeros("f32", 2, 3, 300),
        "ncols": 300,
        "stride_row": 300,
        "stride_channel": 900,
        "stride_sample": 1800,
        "eps": 1e-5,
        "mul": random("f32", 300, seed=4),
        **dict.fromkeys(("mul_row", "mul_channel", "mul_sample"), 0),
        "mul_ncols": by(300),
        "mul_nrows": by(1),
        "mul_nchannels": by(1),
        "mul_nsamples": by(1),
        "add": random("f32", 3, 300, seed=5),
        "add_row": 300,
        "add_channel": 0,
        "add_sample": 0,
        "add_ncols": by(300),
        "add_nrows": by(3),
        "add_nchannels": by(1),
        "add_nsamples": by(1),
    },
    lambda a: {"dst": rms(f64(a.x)) * a.mul + a.add},
    1e-5,
    what="RMS norm of 2 x 3 rows of 300, times a row, plus a broadcast matrix",
    part="ILi256ELb1ELb1E",
    grid=(3, 2),
    block=256,
    shared=128,
)


def rms_back(a):
    x, g = f64(a.xf), f64(a.grad)
    scale = 1 / np.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-5)
    return {"dst": scale * g - scale * (x * g).sum(axis=-1, keepdims=True) / ((x * x).sum(axis=-1, keepdims=True) + 300e-5) * x}


launch(
    source("norm"),
    "rms_norm_back_f32",
    {
        "grad": random("f32", 4, 300, seed=6),
        "xf": random("f32", 4, 300, seed=7),
        "dst": zeros("f32", 4, 300),
        "ncols": 300,
        "eps": 1e-5,
    },
    rms_back,
    1e-5,
    what="gradient of the RMS norm, 4 rows of 300",
    part="ILi32E",
    grid=4,
    block=32,
)

# --- Softmax and losses ---


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def softmax_params(heads, columns, rows, scale):
    """`soft_max_params` of softmax.cu: a mask of rows x columns for all heads."""
    mask = 4 * columns
    sizes = (columns, rows * heads, rows, columns, rows, heads, 1, mask, rows * mask, rows * mask, 1, 1)
    return stored("u8", np.frombuffer(packing.pack("<qI4x12q4f", heads, 1, *sizes, scale, 0.0, 1.0, 1.0), np.uint8))


for part, columns, shared in (("ILb1ELi0ELi0EfE", 200, 4 * 232), ("ILb1ELi256ELi256EfE", 256, 4 * 288)):
    launch(
        source("softmax"),
        "soft_max_f32",
        {
            "x": random("f32", 2, 3, columns, seed=8),
            "mask": random("f32", 3, columns, seed=9),
            "sinks": random("f32", 2, seed=10),
            "dst": zeros("f32", 2, 3, columns),
            "p": softmax_params(2, columns, 3, 0.5),
        },
        lambda a: {"dst": sunk(f64(a.x) * 0.5 + a.mask, f64(a.sinks))},
        1e-6,
        what=f"softmax of 2 x 3 rows of {columns} with a mask and sinks",
        part=part,
        grid=(3, 2),
        block=256,
        shared=shared,
    )


def sunk(x, sinks):
    """Softmax whose sum has one more element, which is not stored."""
    sinks = np.broadcast_to(sinks[:, None, None], (*x.shape[:2], 1))
    return softmax(np.concatenate([x, sinks], axis=-1))[..., :-1]


launch(
    source("softmax"),
    "soft_max_back_f32",
    {
        "grad": random("f32", 3, 100, seed=11),
        "dstf": random("f32", 3, 100, seed=12),
        "dst": zeros("f32", 3, 100),
        "ncols": 100,
        "scale": 0.5,
    },
    lambda a: {"dst": 0.5 * (f64(a.grad) - (f64(a.grad) * a.dstf).sum(axis=-1, keepdims=True)) * a.dstf},
    1e-5,
    what="gradient of softmax, 3 rows of 100",
    grid=3,
    block=32,
)

launch(
    source("cross-entropy-loss"),
    "cross_entropy_loss_f32",
    {
        "logits": random("f32", 5, 100, seed=13),
        "labels": random("f32", 5, 100, seed=14),
        "dst": zeros("f32", 5),
        "nclasses": 100,
        "k": 5,
    },
    lambda a: {"dst": -(np.log(softmax(f64(a.logits))) * a.labels).sum(axis=-1) / 5},
    1e-5,
    what="cross entropy of 5 rows of 100",
    part="ILb1E",
    grid=5,
    block=32,
    shared=400,
)

# --- Positions ---


def rotated(x, pos, pairs):
    """Rotary embeddings of (tokens, heads, 64): `pairs` gives the two halves of each pair."""
    angle = pos[:, None, None] * 10000.0 ** (-2 * np.arange(32) / 64)
    first, second = pairs(x)
    return first * np.cos(angle) - second * np.sin(angle), first * np.sin(angle) + second * np.cos(angle)


def rope_norm(a):
    first, second = rotated(f64(a.x), a.pos, lambda x: (x[..., ::2], x[..., 1::2]))
    return {"dst": np.stack([first, second], axis=-1).reshape(a.x.shape)}


def rope_neox(a):
    return {"dst": np.concatenate(rotated(f64(a.x), a.pos, lambda x: (x[..., :32], x[..., 32:])), axis=-1)}


for kernel, expected in (("rope_norm", rope_norm), ("rope_neox", rope_neox)):
    launch(
        source("rope"),
        kernel,
        {
            "x": random("f32", 5, 2, 64, seed=15),
            "dst": zeros("f32", 5, 2, 64),
            **{"ne00": 64, "ne01": 2, "ne02": 5, "s01": 64, "s02": 128, "s03": 640, "s1": 64, "s2": 128, "s3": 640},
            "n_dims": 64,
            "n_offs": 0,
            "pos": stored("i32", [0, 1, 7, 100, 2000]),
            **{"freq_scale": 1.0, "ext_factor": 0.0, "attn_factor": 1.0},
            "corr_dims": struct([0, 0], np.float32),
            "theta_scale": float(np.float32(10000.0 ** (-2 / 64))),
            "freq_factors": None,
            "row_indices": None,
            "set_rows_stride": 0,
            "inplace": 0,
        },
        expected,
        # The angle is a power in f32, times positions of up to 2000.
        1e-3,
        what="rotary embeddings, 5 tokens of 2 x 64",
        part="ILb1ELb0EffE",
        grid=(10, 1),
        block=(1, 256),
    )

# --- Quantisation ---


def quantised(a):
    x = f64(a.x).reshape(-1, 32)
    scale = (np.abs(x).max(axis=1).astype(np.float32) / np.float32(127)).astype(np.float32)
    quotient = (x.astype(np.float32) / scale[:, None]).astype(np.float64)
    q = np.trunc(quotient + np.copysign(0.5, quotient))
    blocks = np.zeros((len(x), 36), np.uint8)
    blocks[:, 4:] = q.astype(np.int8).view(np.uint8)
    blocks[:, :2] = scale.astype(np.float16).reshape(-1, 1).view(np.uint8)
    blocks[:, 2:4] = x.sum(axis=1).astype(np.float16).reshape(-1, 1).view(np.uint8)
    return {"y": blocks}


launch(
    source("quantize"),
    "quantize_q8_1",
    {
        "x": stored("f32", np.arange(256).reshape(2, 128) % 61 - 30),
        "y": zeros("u8", 8, 36),
        "ne00": 128,
        "s01": 128,
        "s02": 256,
        "s03": 256,
        "ne0": 128,
        "ne1": 2,
        "ne2": by(1),
    },
    quantised,
    0,
    what="q8_1 blocks of 2 x 128 numbers",
    grid=(1, 2),
    block=256,
)

Q4 = (np.arange(16 * 18) * 89 % 251).astype(np.uint8).reshape(16, 18)
Q4[:, :2] = np.linspace(-2, 2, 16).astype(np.float16).reshape(-1, 1).view(np.uint8)


def from_q4_0(a):
    scale = np.ascontiguousarray(a.x[:, :2]).view(np.float16).astype(np.float32)
    return {"y": scale * (np.concatenate([a.x[:, 2:] & 15, a.x[:, 2:] >> 4], axis=1).astype(np.float32) - 8)}


launch(
    source("convert"),
    "dequantize_block_q4_0",
    {"x": stored("u8", Q4), "y": zeros("f32", 16, 32), "nb32": 16},
    from_q4_0,
    0,
    what="16 blocks of q4_0 to f32",
    part="IfE",
    grid=2,
    block=32,
)

# --- Orders ---

launch(
    source("argmax"),
    "argmax_f32",
    {"x": random("f32", 3, 700, seed=16), "dst": zeros("i32", 3), "ncols": 700},
    lambda a: {"dst": a.x.argmax(axis=1)},
    0,
    what="argmax of 3 rows of 700",
    grid=3,
    block=256,
)

launch(
    source("argsort"),
    "k_argsort_f32_i32",
    {"x": random("f32", 2, 100, seed=17), "dst": zeros("i32", 2, 100), "ncols": 100, "ncols_pad": 128},
    lambda a: {"dst": np.argsort(-f64(a.x), axis=1)},
    0,
    what="bitonic argsort of 2 rows of 100, descending",
    part="ggml_sort_order1",
    grid=2,
    block=128,
    shared=512,
)

for kernel, names in (
    ("cumsum_kernel", ("s00", "s01", "s02", "s03", "s0", "s1", "s2", "s3")),
    ("cumsum_cub_kernel", ("s01", "s02", "s03", "s1", "s2", "s3")),
):
    steps = {"0": 1, "1": 2500, "2": 5000, "3": 5000}
    launch(
        source("cumsum"),
        kernel,
        {
            "src": random("f32", 2, 2500, seed=18),
            "dst": zeros("f32", 2, 2500),
            **{"ne00": 2500, "ne01": 2, "ne02": 1, "ne03": 1},
            **{name: steps[name[-1]] for name in names},
        },
        lambda a: {"dst": np.cumsum(f64(a.src), axis=1)},
        1e-5,
        what="running sums of 2 rows of 2500",
        grid=2,
        block=256,
        **({} if "cub" in kernel else {"shared": (256 + 8 + 2) * 4}),
    )

# --- Rows, patches and recurrences ---

ROWS = [4, 0, 2, 2]

launch(
    source("getrows"),
    "k_get_rows_float",
    {
        "src0": random("f16", 6, 80, seed=19),
        "src1": stored("i32", ROWS),
        "dst": zeros("f32", 4, 80),
        "ne00": 80,
        "ne11": 1,
        "ne12": by(1),
        **{"s1": 80, "s2": 320, "s3": 320, "nb01": 160, "nb02": 960, "nb03": 960, "s10": 1, "s11": 4, "s12": 4},
    },
    lambda a: {"dst": a.src0[ROWS]},
    0,
    what="4 rows of f16 by their numbers",
    part="I6__halffE",
    grid=(4, 1),
    block=256,
)


def patches(a):
    image = np.pad(f64(a.x), ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3), axis=(2, 3))
    # N x OH x OW x (IC x 3 x 3)
    return {"dst": windows.transpose(0, 2, 3, 1, 4, 5).reshape(2, 6, 7, 27)}


launch(
    source("im2col"),
    "im2col_kernel",
    {
        "x": random("f32", 2, 3, 6, 7, seed=20),
        "dst": zeros("f32", 2, 6, 7, 27),
        **{"IC": 3, "IW": 7, "IH": 6, "OH": 6, "OW": 7, "KW": 3, "KH": 3},
        # Here a channel is the next after each image's, and an image the next after its channels.
        **{"IC_IH_IW": 42, "IH_IW": 126, "N_OH": 12, "KH_KW": 9, "IC_KH_KW": 27},
        **{"s0": 1, "s1": 1, "p0": 1, "p1": 1, "d0": 1, "d1": 1},
    },
    patches,
    0,
    what="3 x 3 patches of 2 images of 3 x 6 x 7",
    part="IfE",
    grid=(1, 7, 12),
    block=27,
)


def gated_attention(a):
    k, v, r, decay = (f64(x).reshape(2, 5, 2, 64) for x in (a.k, a.v, a.r, a.td))
    state = f64(a.s).reshape(2, 2, 64, 64)
    outputs = np.zeros((2, 5, 2, 64))
    for token in range(5):
        state = state * decay[:, token, :, :, None] + k[:, token, :, :, None] * v[:, token, :, None, :]
        outputs[:, token] = 0.5 * (r[:, token, :, :, None] * state).sum(axis=2)
    return {"dst": np.concatenate([outputs.reshape(-1), state.reshape(-1)])}


launch(
    source("gla"),
    "gated_linear_attn_f32",
    {
        **{"B": 2, "T": 10, "C": 128, "H": 2, "scale": 0.5},
        **{name: random("f32", 2, 5, 128, seed=21 + index) for index, name in enumerate(("k", "v", "r", "td"))},
        "s": random("f32", 2, 2, 64, 64, seed=25),
        "dst": zeros("f32", 10 * 128 + 2 * 2 * 64 * 64),
    },
    gated_attention,
    1e-5,
    what="gated linear attention, 2 sequences of 5 tokens, 2 heads of 64",
    part="ILi64E",
    grid=4,
    block=64,
)
