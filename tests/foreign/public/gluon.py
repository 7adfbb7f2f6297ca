"""Triton's tutorials of Gluon: copies, sums and products with TMA, wgmma and tcgen05, launched by their own host functions."""

import numpy as np
from launches import Finding, Repository, captured, random, stored, zeros

# The fork with the extensions of Meta: its tutorials are those of triton-lang/triton.
TRITON = Repository(
    "triton",
    "https://github.com/facebookexperimental/triton",
    "db4666f22c1f8b206584c3f06e3b4a0ff035989e",
    "MIT",
)

# Results are rounded to f16.
ROUNDED = 2**-9


UNFINISHED = (
    "bug: the load for the tile after the last one is issued without the predicate that its siblings have, and is in flight when the "
    "block returns"
)
WRONG_BARRIER = (
    "bug: the epilogue counts up before it arrives, and so tells the barrier of the other accumulator that this one is free; if it does "
    "so before the warp of the MMAs asks for the first time, that warp waits for ever"
)
FENCE_BEHIND = "forbidden by the ISA, and what devices accept: Triton's fence for the async proxy is executed by one thread, behind the barrier"


def f64(x):
    return x.astype(np.float64)


def tutorial(file, kernel, run, arrays, expected, tolerance, **more):
    captured(TRITON, f"python/tutorials/gluon/{file}.py", kernel, run, arrays, expected, tolerance, **more)


def copied(file, kernel, run, shape, what, element="f32", **more):
    arrays = {"x": random(element, *shape, seed=1), "y": zeros(element, *shape)}
    tutorial(file, kernel, run, arrays, lambda a: {"y": a.x}, 0, what=what, **more)


def added(file, kernel, run, shape, what, **more):
    arrays = {"a": random("f32", *shape, seed=1), "b": random("f32", *shape, seed=2), "c": zeros("f32", *shape)}
    tutorial(file, kernel, run, arrays, lambda a: {"c": a.a + a.b}, 0, what=what, **more)


def product(file, kernel, run, m, n, k, what, *, transposed=False, out="f16", **more):
    b = random("f16", *((n, k) if transposed else (k, n)), seed=2)
    arrays = {"A": random("f16", m, k, seed=1), "B": b, "C": zeros(out, m, n)}
    what = f"product of {m} x {n} x {k}, {what}"
    tutorial(file, kernel, run, arrays, lambda a: {"C": f64(a.A) @ f64(a.B.T if transposed else a.B)}, ROUNDED, what=what, **more)


def small(file, run, m, n, k, what, **more):
    arrays = {"A": random("f16", m, k, seed=1), "B": random("f16", k, n, seed=2), "C": random("f32", m, n, seed=3), "D": zeros("f32", m, n)}
    what = f"product of {m} x {n} x {k} plus a matrix, {what}"
    tutorial(
        file, "small_mma_kernel", run, arrays, lambda a: {"D": f64(a.A) @ f64(a.B) + a.C}, 1e-5, what=what, **more
    )


# --- Copies and sums ---

copied(
    "02-layouts",
    "memcpy_1d_kernel",
    "memcpy_1d_impl(x, y, 128, gl.BlockedLayout([1], [32], [4], [0]), num_warps=4)",
    (200,),
    "a copy of 200 numbers",
)
copied(
    "02-layouts",
    "memcpy_2d_kernel",
    "memcpy_2d_impl(x, y, 64, 32, gl.BlockedLayout([1, 1], [1, 32], [1, 4], [1, 0]), num_warps=4)",
    (100, 70),
    "a copy of 100 x 70 numbers",
)
tutorial(
    "02-layouts",
    "memcpy_2d_inout_kernel",
    "memcpy_2d_inout(x.T, y)",
    {"x": random("f32", 90, 150, seed=1), "y": zeros("f32", 150, 90)},
    lambda a: {"y": a.x.T},
    0,
    what="a transpose of 90 x 150 numbers through shared memory",
)
copied("03-async-copy", "memcpy_1d_cpasync_kernel", "memcpy_1d_cpasync(x, y, 128)", (200,), "a copy of 200 numbers by cp.async")
added("03-async-copy", "elementwise_add_kernel", "elementwise_add(a, b, c, 32, 32)", (70, 100), "sums of 70 x 100 numbers")
added(
    "03-async-copy",
    "elementwise_add_cpasync_kernel",
    "elementwise_add_cpasync(a, b, c, gl.SwizzledSharedLayout(vec=1, per_phase=1, max_phase=1, order=[1, 0]), 32, 32)",
    (70, 100),
    "sums of 70 x 100 numbers by cp.async",
)
added(
    "03-async-copy",
    "elementwise_add_pipelined_kernel",
    "elementwise_add_pipelined(a, b, c, 32, 64, 2)",
    (70, 300),
    "sums of 70 x 300 numbers in two buffers",
)
for gpu in ("sm_90a", "sm_100a"):
    copied("04-tma", "memcpy_1d_tma_kernel", "memcpy_1d_tma(x, y, 64)", (500,), "a copy of 500 numbers by TMA", gpu=gpu)
    added(
        "04-tma",
        "elementwise_add_tma_kernel",
        "elementwise_add_tma(a, b, c, 32, 64, 2)",
        (70, 300),
        "sums of 70 x 300 numbers by TMA in two buffers",
        gpu=gpu,
    )
    added(
        "08-warp-specialization",
        "elementwise_add_warp_specialized_kernel",
        "elementwise_add_warp_specialized(a, b, c, 32, 64, 2, 2)",
        (64, 300),
        "sums of 64 x 300 numbers, warps that load, add and store",
        gpu=gpu,
    )

# --- wgmma ---

small("05-wgmma", "small_mma(A, B, C, D, 16, False, 4)", 64, 32, 32, "A in shared memory", label="shared")
small("05-wgmma", "small_mma(A, B, C, D, 64, True, 4)", 64, 128, 64, "A in registers", label="registers")
product(
    "05-wgmma", "blocked_matmul_kernel", "blocked_matmul(A, B, C, 64, 64, 64, False, 4)", 104, 136, 152, "tiles of 64 x 64 x 64"
)
product(
    "05-wgmma",
    "blocked_matmul_kernel",
    "blocked_matmul(A, B, C, 64, 64, 64, True, 4)",
    104,
    136,
    152,
    "B transposed",
    transposed=True,
    label="transposed",
)
product(
    "05-wgmma", "blocked_matmul_pipelined_kernel", "blocked_matmul_pipelined(A, B, C, 64, 64, 64, 4)", 104, 136, 216, "in two buffers"
)

# --- tcgen05 ---

copied(
    "06-tcgen05",
    "tmem_example_kernel",
    "tmem_example_kernel[(1, )](x, y, 128, 64, num_warps=4)",
    (128, 64),
    "128 x 64 numbers through tensor memory",
    gpu="sm_100a",
)
for in_tmem, commit in ((False, True), (True, False)):
    small(
        "06-tcgen05",
        f"small_mma(A, B, C, D, (128, 128), {in_tmem}, {commit}, 4)",
        128,
        128,
        64,
        f"A in {'tensor' if in_tmem else 'shared'} memory",
        gpu="sm_100a",
        label="tensor" if in_tmem else "shared",
    )
product(
    "06-tcgen05",
    "blocked_matmul_kernel",
    "blocked_matmul(A, B, C, 128, 64, 64, True, 4)",
    200,
    104,
    152,
    "B transposed",
    transposed=True,
    gpu="sm_100a",
)
product(
    "06-tcgen05",
    "blocked_matmul_pipelined_kernel",
    "blocked_matmul_pipelined(A, B, C, 128, 64, 64, 4)",
    264,
    104,
    216,
    "two tiles at once",
    gpu="sm_100a",
)
for columns, swizzle in ((64, 32), (128, 128)):
    copied(
        "10-tcgen05-copy",
        "tcgen05_copy_kernel",
        f"tcgen05_copy_kernel[(1, )](x, *x.stride(), y, *y.stride(), 128, {columns}, gl.NVMMASharedLayout(swizzle_byte_width={swizzle}, "
        f"element_bitwidth=32, rank=2), TensorMemoryLayout(block=(128, {columns}), col_stride=1))",
        (128, columns),
        f"128 x {columns} numbers by tcgen05.cp, swizzled in {swizzle} bytes",
        gpu="sm_100a",
        label=f"{swizzle}B",
    )
tutorial(
    "10-tcgen05-copy",
    "matmul_accumulate_kernel",
    "D = matmul_accumulate(A, B, C, 128, 64, 64, num_buffers=3)",
    {"A": random("f16", 256, 152, seed=1), "B": random("f16", 152, 128, seed=2), "C": random("f32", 256, 128, seed=3), "D": zeros("f32", 256, 128)},
    lambda a: {"D": f64(a.A) @ f64(a.B) + a.C},
    1e-5,
    what="product of 256 x 128 x 152 plus a matrix by tcgen05.cp, specialised warps",
    gpu="sm_100a",
)

# --- Persistent and specialised products, for both ---

for gpu, rows in (("sm_90a", 64), ("sm_100a", 128)):
    size = (rows + 40, 136, 152)
    product(
        "07-persistence", "matmul_pipelined_kernel", f"matmul_pipelined(A, B, C, {rows}, 64, 64, 2, 4)", *size, "in two buffers", gpu=gpu
    )
    for scheduler in ("PersistentTileScheduler", "GroupedPersistentTileScheduler(1)"):
        product(
            "07-persistence",
            "persistent_matmul_kernel",
            f"persistent_matmul(A, B, C, {rows}, 64, 64, 3, 4, {scheduler})",
            *size,
            "persistent" if "Grouped" not in scheduler else "persistent, tiles in groups",
            gpu=gpu,
            label=scheduler[:7],
        )
    for buffers in (3, 4) if gpu == "sm_90a" else (3,):
        product(
            "07-persistence",
            "persistent_matmul_pipelined_kernel",
            f"persistent_matmul_pipelined(A, B, C, {rows}, 64, 64, {buffers}, 4, PersistentTileScheduler)",
            *size,
            f"persistent, overlapped with stores, {'a buffer of B holds C' if buffers == 4 else 'three buffers'}",
            findings=[Finding("unfinished", f"07-persistence.py:{line}", UNFINISHED) for line in (609, 610)],
            gpu=gpu,
            label=str(buffers),
        )
product(
    "08-warp-specialization",
    "matmul_warp_specialized_kernel",
    "matmul_warp_specialized(A, B, C, 128, 128, 64, 3, 2, 4, t7.GroupedPersistentTileScheduler(1))",
    264,
    200,
    152,
    "warps that load, multiply and store",
    findings=[
        Finding("missed_phase", "08-warp-specialization.py:472", WRONG_BARRIER),
        Finding("proxy_order", "08-warp-specialization.py:535", FENCE_BEHIND, "portability"),
    ],
    gpu="sm_100a",
)

# --- Rows by their numbers, and more tiles than blocks ---

ROWS = np.array([3, 60, -1, 7, 12, 12, 70, 0] * 4)


def gathered(a):
    found = np.zeros((32, 64))
    for row, at in zip(found, ROWS):
        if 0 <= at < 64:
            row[:] = f64(a.x)[at, 16:80]
    return {"y": found}


tutorial(
    "09-tma-gather-scatter",
    "async_gather_kernel",
    "y = async_gather(x, rows, 16, 32, 64)",
    {"x": random("f16", 64, 96, seed=1), "rows": stored("i32", ROWS), "y": zeros("f16", 32, 64)},
    gathered,
    0,
    what="32 rows by their numbers, some beyond the array",
    gpu="sm_100a",
)


def scattered(a):
    found = f64(a.x)
    for row, at in zip(f64(a.src), np.arange(32) * 3):
        if at < 64:
            found[at, 16:80] = row
    return {"x": found}


tutorial(
    "09-tma-gather-scatter",
    "async_scatter_kernel",
    "async_scatter(x, rows, 16, src, 32, 64)",
    {"x": random("f16", 64, 96, seed=1), "rows": stored("i32", np.arange(32) * 3), "src": random("f16", 32, 64, seed=2)},
    scattered,
    0,
    what="32 rows to places by their numbers, some beyond the array",
    gpu="sm_100a",
)

TAKEN = np.arange(256) * 5 % 256
tutorial(
    "09-tma-gather-scatter",
    "matmul_fused_gather_scatter_kernel",
    "out = matmul_fused_gather_scatter(X, taken, W, given, BLOCK_M=128, BLOCK_N=64, BLOCK_K=64, num_buffers=3)",
    {
        "X": random("f16", 256, 136, seed=1),
        "taken": stored("i32", TAKEN),
        "W": random("f16", 136, 104, seed=2),
        "given": stored("i32", TAKEN[::-1]),
        "out": zeros("f16", 256, 104),
    },
    lambda a: {"out": (f64(a.X)[TAKEN] @ f64(a.W))[np.argsort(TAKEN[::-1])]},
    ROUNDED,
    what="product of 256 x 104 x 136 of gathered rows, scattered",
    findings=[Finding("unfinished", f"09-tma-gather-scatter.py:{line}", UNFINISHED) for line in (473, 474)],
    gpu="sm_100a",
)
for use, what in ((True, "clusters ask for more work"), (False, "persistent")):
    product(
        "12-cluster-launch-control",
        "persistent_matmul_kernel",
        f"run_matmul_kernel(A, B, C, 128, 64, 64, use_clc={use})",
        256,
        256,
        152,
        what,
        gpu="sm_100a",
        label="clc" if use else "static",
    )

# --- Clusters ---


def softmax(a):
    powers = np.exp(f64(a.x) - f64(a.x).max(axis=1, keepdims=True))
    return {"y": powers / powers.sum(axis=1, keepdims=True)}


for gpu in ("sm_90a", "sm_100a"):
    tutorial(
        "14-multicta",
        "multicta_softmax_kernel",
        "multicta_softmax_kernel[(2, )](x, y, x.stride(0), y.stride(0), BLOCK_N=4096, num_warps=4, num_ctas=4)",
        {"x": random("f32", 2, 4096, seed=1), "y": zeros("f32", 2, 4096)},
        softmax,
        1e-6,
        what="softmax of 2 rows of 4096, four blocks per row",
        gpu=gpu,
    )
    copied(
        "14-multicta",
        "tma_multicast_copy_kernel",
        "run_tma_multicast_copy(x, y)",
        (128, 128),
        "a copy of 128 x 128 numbers, multicast to two blocks",
        element="f16",
        gpu=gpu,
    )
product(
    "14-multicta", "two_cta_tcgen05_kernel", "run_two_cta_tcgen05(A, B, C)", 256, 128, 64, "a pair of blocks", gpu="sm_100a"
)
product(
    "14-multicta", "tma_tcgen05_kernel", "C = tma_tcgen05_example(A, B)", 512, 128, 128, "two pairs of blocks, multicast", gpu="sm_100a"
)
product(
    "14-multicta",
    "matmul_multicta_kernel",
    "matmul_multicta(A, B, C, block_size_n=128, stages=4)",
    512,
    128,
    192,
    "pairs of blocks that ask for more work",
    gpu="sm_100a",
)
