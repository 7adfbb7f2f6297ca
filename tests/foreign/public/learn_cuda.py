"""learn-cuda: a tutorial of products, sums and attention, from plain CUDA C++ to sm_80, sm_100 and sm_120."""

import ml_dtypes
import numpy as np
from launches import Finding, Map, Repository, Source, launch, random, stored, zeros

LEARN_CUDA = Repository(
    "learn-cuda",
    "https://github.com/gau-nernst/learn-cuda",
    "1454f8b71499a68eacdbf44c08e36a7003d8ab99",
    "none given",
)


def source(path, gpu, flags=()):
    return Source(LEARN_CUDA, f"{path}.cu", gpu, flags=flags)


def f64(x):
    return x.astype(np.float64)


def product(a):
    """A by rows, B by columns."""
    return {"C": f64(a.A) @ f64(a.B).T}


def rows(tiles):
    """The matrix of an array of (columns / 64, rows, 64)."""
    return tiles.transpose(1, 0, 2).reshape(tiles.shape[1], -1)


# --- Products without tensor cores ---

for kernel, m, n, k, grid, block in (
    ("matmul_v1_kernel", 40, 70, 50, (3, 5), (32, 8)),
    ("matmul_v2_kernel", 64, 96, 64, (3, 2), (32, 32)),
    ("matmul_v3_kernel", 128, 128, 32, 1, 256),
    ("matmul_v4_kernel", 128, 128, 32, 1, 256),
    ("matmul_v5_kernel", 128, 64, 64, 1, 256),
    ("matmul_v6_kernel", 128, 128, 32, 1, 128),
):
    launch(
        source("02a_matmul_simt/matmul", "sm_80"),
        kernel,
        {
            "A": random("f32", m, k, seed=1),
            "B": random("f32", k, n, seed=2),
            "C": zeros("f32", m, n),
            **{"M": m, "N": n, "K": k},
        },
        lambda a: {"C": f64(a.A) @ f64(a.B)},
        1e-5,
        what=f"product of {m} x {n} x {k} in f32",
        part="ILi128ELi128E" if "v6" in kernel else "",
        grid=grid,
        block=block,
    )

# --- Sums ---

UNSYNCED = (
    "bug: a lane loads its neighbour's sum in the step in which the neighbour stores a new one; `__syncwarp` is missing between"
)

for kernel, part, findings in (
    ("sum_v3_kernel", "", ()),
    ("sum_v4_kernel", "ILi1E", ()),
    ("sum_v4_kernel", "ILi2E", [Finding("race", "sum.cu:161", UNSYNCED)]),
    ("sum_v4_kernel", "ILi3E", ()),
    ("sum_v5_kernel", "", ()),
    ("sum_v6_kernel", "", ()),
):
    launch(
        source("03_sum/sum", "sm_80"),
        kernel,
        {"input": random("f32", 2, 2000, seed=3), "output": zeros("f32", 2), "M": 2, "N": 2000, "TILE": 1024},
        lambda a: {"output": f64(a.input).sum(axis=1)},
        1e-5,
        what="sums of 2 rows of 2000 in two tiles, by atomics",
        part=part,
        findings=findings,
        grid=(2, 2),
        block=128,
        shared=512,
    )

# --- sm_80: cp.async, ldmatrix, mma.sync ---


def matmul_sm80(path, kernel, shared, what, gpu="sm_80", m=128, n=128, k=256, threads=128, kind="bf16", out="bf16", **more):
    launch(
        source(path, gpu),
        kernel,
        {
            "A": random(kind, m, k, seed=4),
            "B": random(kind, n, k, seed=5),
            "C": zeros(out, m, n),
            **{"M": m, "N": n, "K": k},
        },
        product,
        2**-8 if out == "bf16" else 0,
        what=f"product of {m} x {n} x {k}, {what}",
        grid=1,
        block=threads,
        shared=shared,
        **more,
    )


matmul_sm80("02b_matmul_sm80/matmul_v1", "matmul_v1_kernel", 2 * 256 * 64, "cp.async, swizzled", part="ELi64ELb1ELb1E")
matmul_sm80("02b_matmul_sm80/matmul_v5", "matmul_v5_kernel", 2 * 256 * 64, "cp.async, swizzled, addresses computed once")
matmul_sm80("02b_matmul_sm80/matmul_v6", "matmul_v6_kernel", 2 * 2 * 256 * 64, "two stages", part="ELi0EEv")
matmul_sm80("02e_matmul_sm100/matmul_v0", "matmul_v0_kernel", 3 * 2 * 256 * 64, "three stages", gpu="sm_100a")
matmul_sm80(
    "02c_matmul_sm120/matmul_v0",
    "matmul_v0_kernel",
    2 * 2 * 384 * 64,
    "two stages",
    part="__nv_bfloat16",
    gpu="sm_120a",
    m=256,
    threads=256,
)
matmul_sm80(
    "02c_matmul_sm120/matmul_v0",
    "matmul_v0_kernel",
    2 * 384 * 64,
    "s8",
    part="Eai",
    gpu="sm_120a",
    m=256,
    threads=256,
    kind="i8",
    out="i32",
)

# --- sm_120: TMA and mma.sync ---

ELECTED = (
    "forbidden by the ISA, and harmless on devices: one elected lane shuffles alone, with a mask of all lanes, and reads lane 0, "
    "which devices elect"
)
PROXY = (
    "forbidden by the ISA: `ldmatrix` reads a stage through the generic proxy, and the TMA refills it without a proxy fence; "
    "CUTLASS's main loops for sm_120 omit it too, but a kernel of DeepEP has failed for it"
)


def refill(file, *lines):
    return [Finding("proxy_order", f"{file}:{line}", PROXY, "portability") for line in lines]


for version, threads, findings in (
    ("v1", 256, refill("matmul_v1.cu", 86, 87)),
    ("v2", 288, refill("matmul_v2.cu", 84, 85)),
    ("v3", 384, [Finding("elected_lane", "common.h:165", ELECTED, "portability"), *refill("matmul_v3.cu", 88, 89)]),
):
    launch(
        source(f"02c_matmul_sm120/matmul_{version}", "sm_120a", flags=("-include", "tuple")),
        f"matmul_{version}_kernel",
        {
            "map_a": Map("A", (256, 64), "128B"),
            "map_b": Map("B", (128, 64), "128B"),
            "C": zeros("bf16", 256, 128),
            **{"M": 256, "N": 128, "K": 256},
        },
        product,
        2**-8,
        arrays={"A": random("bf16", 256, 256, seed=6), "B": random("bf16", 128, 256, seed=7)},
        what="product of 256 x 128 x 256 in two stages of TMA",
        part="__nv_bfloat16",
        findings=findings,
        grid=1,
        block=threads,
        shared=2 * 2 * 384 * 64 + 32,
    )

# --- sm_100: TMA, tcgen05 ---


def matmul_sm100(version, arguments, expected, arrays, k, shared, threads=128, n=256, grid=1, m=128, **more):
    name = f"matmul_{version}"
    launch(
        source(f"02e_matmul_sm100/{name}", "sm_100a"),
        f"{name}_kernel_cutlass" if version == "v7" else f"{name}_kernel",
        {
            **arguments,
            "C": zeros("bf16", m, n),
            **{"M": m, "N": n, "K": k},
            **({"profiler": None, "entries": 0} if version in ("v5", "v6", "v7") else {}),
        },
        expected,
        2**-8,
        arrays=arrays,
        grid=grid,
        block=threads,
        shared=shared,
        **more,
    )


def tiles(rows, k, seed):
    return random("bf16", k // 64, rows, 64, seed=seed)


def tiled(a):
    return {"C": f64(rows(a.A)) @ f64(rows(a.B)).T}


OVERTAKEN = (
    "bug: the warps that only wait at the end can miss the phase of the barrier for TMA: another warp can complete the next "
    "one before they look"
)
PLAIN = {"A": random("bf16", 128, 256, seed=8), "B": random("bf16", 256, 256, seed=9)}
matmul_sm100(
    "v1",
    {"map_a": Map("A", (128, 8)), "map_b": Map("B", (256, 8))},
    product,
    PLAIN,
    256,
    2 * 384 * 256,
    what="product of 128 x 256 x 256 without swizzle",
    part="ELb0E",
    findings=[Finding("deadlock", "matmul_v1.cu:94", OVERTAKEN), Finding("missed_phase", "matmul_v1.cu:94", OVERTAKEN)],
)
matmul_sm100(
    "v2",
    {"map_a": Map("A", (128, 64), "128B"), "map_b": Map("B", (256, 64), "128B")},
    product,
    PLAIN,
    256,
    2 * 384 * 256,
    what="product of 128 x 256 x 256, swizzled",
    part="ELb0E",
    findings=[Finding("deadlock", "matmul_v2.cu:94", OVERTAKEN), Finding("missed_phase", "matmul_v2.cu:94", OVERTAKEN)],
)
matmul_sm100(
    "v2",
    {"map_a": Map("A", (4, 128, 64), "128B"), "map_b": Map("B", (4, 256, 64), "128B")},
    tiled,
    {"A": tiles(128, 256, 8), "B": tiles(256, 256, 9)},
    256,
    2 * 384 * 256,
    what="product of 128 x 256 x 256, swizzled, tensor maps of three dimensions",
    part="ELb1E",
    findings=[Finding("deadlock", "matmul_v2.cu:94", OVERTAKEN), Finding("missed_phase", "matmul_v2.cu:94", OVERTAKEN)],
)
matmul_sm100(
    "v3",
    {"map_a": Map("A", (2, 128, 64), "128B"), "map_b": Map("B", (2, 256, 64), "128B")},
    tiled,
    {"A": tiles(128, 512, 8), "B": tiles(256, 512, 9)},
    512,
    2 * 2 * 384 * 128,
    what="product of 128 x 256 x 512 in two stages",
    findings=[
        Finding("deadlock", "matmul_v3.cu:144", OVERTAKEN),
        Finding("missed_phase", "matmul_v3.cu:144", OVERTAKEN),
        Finding("missed_phase", "matmul_v3.cu:147", OVERTAKEN),
    ],
)
matmul_sm100(
    "v4",
    {"map_a": Map("A", (1, 128, 64), "128B"), "map_b": Map("B", (1, 128, 64), "128B")},
    tiled,
    {"A": tiles(128, 640, 8), "B": tiles(128, 640, 9)},
    640,
    7 * 2 * 256 * 64,
    n=128,
    what="product of 128 x 128 x 640 in seven stages, specialised warps",
)
PEER = (
    "forbidden by the ISA, and what devices do: columns of a pair are allocated before the other block is known to run, and the "
    "instruction waits for it"
)
LANES = (
    "forbidden by the ISA, and what devices do: addresses in tensor memory name lanes from 128 on in the second block, and each "
    "warp accesses its own 32 lanes"
)
FREED = (
    "bug: a block frees the columns of the pair while the other block may still read its own; a cluster barrier is missing before"
)
RELAXED = (
    "bug, by the memory model: columns are freed after a cluster barrier whose arrival is relaxed, without a `tcgen05.fence` after "
    "the loads"
)
for version, part, threads, shared, findings in (
    (
        *("v5", "ELi7ELb0EEv", 128, 7 * 2 * 256 * 64),
        [
            Finding("tensor", "common.h:94", PEER, "portability"),
            Finding("tensor", "matmul_v5.cu:218", LANES, "portability"),
            Finding("race", "matmul_v5.cu:231", FREED),
        ],
    ),
    (
        *("v6", "ELi7ELb0EEv", 192, 7 * 2 * 256 * 64),
        [
            Finding("tensor", "common.h:94", PEER, "portability"),
            Finding("tensor", "matmul_v6.cu:199", LANES, "portability"),
        ],
    ),
    (
        *("v7", "ELi7ELb0ELb0E", 192, 7 * (2 * 256 * 64 + 16) + 36),
        [
            Finding("tensor", "matmul_v7.cu:293", LANES, "portability"),
            Finding("race", "matmul_v7.cu:317", RELAXED),
        ],
    ),
):
    matmul_sm100(
        version,
        {"map_a": Map("A", (1, 128, 64), "128B"), "map_b": Map("B", (1, 128, 64), "128B")},
        tiled,
        {"A": tiles(256, 640, 8), "B": tiles(256, 640, 9)},
        640,
        shared,
        threads=threads,
        m=256,
        grid=2,
        what="product of 256 x 256 x 640 by a pair of blocks",
        part=part,
        findings=findings,
    )

# --- Attention ---


def attention(a):
    s = f64(a.Q) @ f64(a.K).transpose(0, 2, 1) / np.sqrt(128)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return {"O": e @ f64(a.V) / e.sum(axis=-1, keepdims=True)}


for version, shared in (("v2", 2 * 64 * 128 * 2), ("v4", 2 * 32 * 128 * 4), ("v5", 2 * 64 * 128 * 3)):
    launch(
        source(f"07_attention/attention_{version}", "sm_80"),
        f"attention_{version}_kernel",
        {
            "Q": random("bf16", 1, 64, 128, seed=10),
            "K": random("bf16", 1, 128, 128, seed=11),
            "V": random("bf16", 1, 128, 128, seed=12),
            "O": zeros("bf16", 1, 64, 128),
            **{"bs": 1, "len_q": 64, "len_kv": 128},
        },
        attention,
        # The weights are rounded to bf16.
        2**-7,
        what="attention of 64 queries and 128 keys of 128",
        grid=1,
        block=128,
        shared=shared,
    )

# --- Products with scales ---

launch(
    source("08_row_scaled_mm/row_scaled_mm_v1", "sm_89"),
    "row_scaled_mm_v1_kernel",
    {
        "A": random("i8", 128, 128, seed=13),
        "B": random("i8", 128, 128, seed=14),
        "scale_A": random("f32", 128, seed=15),
        "scale_B": random("f32", 128, seed=16),
        "C": zeros("bf16", 128, 128),
        **{"M": 128, "N": 128, "K": 128},
    },
    lambda a: {"C": (f64(a.A) @ f64(a.B).T) * a.scale_A[:, None] * a.scale_B},
    2**-8,
    what="product of 128 x 128 x 128 of s8 with a scale for each row",
    part="Li1EaE",
    grid=1,
    block=128,
    shared=256 * 128,
)

SCALES = (np.arange(128 * 16).reshape(128, 16) * 7 % 5 + 125).astype(np.uint8)


def scaled(x, scales):
    return f64(x.view(ml_dtypes.float8_e4m3fn)) * np.repeat(2.0 ** (scales.astype(np.float64) - 127), 32, axis=1)


def permuted(scales):
    """The scales in the order that version 2 reads: (rows / 32, 8, columns / 4, 4, 4)."""
    m, k = scales.shape
    return scales.reshape(m // 32, 4, 8, k // 4, 4).transpose(0, 2, 3, 1, 4).reshape(m // 4, 4 * k)


def bytes_of(seed):
    return stored("u8", random("f8E4M3FN", 128, 512, seed=seed).values.view(np.uint8))


for version, order in (("v1", lambda s: s), ("v2", permuted)):
    launch(
        source(f"09a_block_scaled_mm_sm120/mxfp8_mm_{version}", "sm_120a"),
        f"mxfp8_mm_{version}_kernel",
        {
            "A": bytes_of(17),
            "B": bytes_of(18),
            "SFA": stored("u8", order(SCALES)),
            "SFB": stored("u8", order(SCALES[::-1])),
            "C": zeros("bf16", 128, 128),
            **{"M": 128, "N": 128, "K": 512},
        },
        lambda a: {"C": scaled(a.A, SCALES) @ scaled(a.B, SCALES[::-1]).T},
        2**-8,
        what="product of 128 x 128 x 512 of mxf8 in three stages",
        grid=1,
        block=128,
        shared=3 * 256 * (128 + 4),
    )
