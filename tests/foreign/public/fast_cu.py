"""fast.cu: sums of integers, and products for sm_90a with tensor maps, wgmma and clusters."""

import numpy as np
from launches import Finding, Map, Repository, Source, launch, random, stored, zeros

FAST_CU = Repository(
    "fast.cu",
    "https://github.com/pranjalssh/fast.cu",
    "38eb642e0c081231d6f695978be63604bd7c689b",
    "MIT",
    include=(".",),
)

SUMS = Source(FAST_CU, "sum.cu", "sm_80")
# An assertion of the host names a variable that does not exist.
PRODUCTS = Source(FAST_CU, "fast_cu.cu", "sm_90a", ours=True, flags=("-DNDEBUG",))

# --- Sums ---

RESET = "bug: thread 0 of the first block resets the sum, and no order keeps it from coming after the additions of other blocks"
MASK = "bug: all lanes execute `redux.sync` with a mask of the first eight"


def sum_case(kernel, batch, blocks, findings=(), **more):
    threads = 512 if kernel == "sumKernel1" else 1024
    vector = 1 if kernel == "sumKernel1" else 4
    count = threads * batch * vector * (blocks - 1) + 3000
    launch(
        SUMS,
        kernel,
        {"d_in": stored("i32", np.arange(count) % 100), "d_out": zeros("i32", 1), "n": count // vector},
        lambda a: {"d_out": [a.d_in.sum()]},
        0,
        what=f"sum of {count} integers in {blocks} block{'s' * (blocks > 1)}",
        grid=blocks,
        block=threads,
        findings=findings,
        **more,
    )


sum_case("sumKernel1", 20, 1)
sum_case("sumKernel1", 20, 2, [Finding("race", "sum.cu", RESET)], right=False)
sum_case("sumKernel2", 16, 1)
sum_case("sumKernel3", 16, 1)
sum_case("sumKernel3", 16, 2, [Finding("race", "sum.cu", RESET)], right=False)
sum_case("sumKernel4", 16, 1, [Finding("lane_mask", "sum.cu:162", MASK)])

# --- Products: C is written by columns, A by rows and B by columns ---

M, N, K = 128, 512, 64


def product(a, b):
    return a.astype(np.float64) @ b.astype(np.float64).T


def rows(tiles):
    """The matrix of a 3-D array of tiles of 64 columns."""
    return tiles.reshape(-1, *tiles.shape[-2:]).transpose(1, 0, 2).reshape(tiles.shape[-2], -1)


def tiles_of(matrix):
    """The matrix's columns, in tiles of 64 rows: (rows / 64, columns, 64)."""
    return matrix.T.reshape(matrix.shape[1], -1, 64).transpose(1, 0, 2)


def shared(block_m, block_n, stages, c=0):
    return 2 * 64 * (block_m + block_n) * stages + 2 * c


LEFT = (
    "bug: the last arrivals at the other block's `empty` barriers may come after that block has returned; "
    "a cluster barrier at the end is missing"
)
PROXY = "bug: the tile of C is written by threads and read by TMA without `fence.proxy.async` between"
TILES = "in tiles of 64 x 64"

launch(
    PRODUCTS,
    "sgemmWarptiling",
    {
        **{"M": 128, "N": 128, "K": 32},
        "A": random("bf16", 128, 32, seed=1),
        "B": random("bf16", 32, 128, seed=2),
        "C": zeros("bf16", 128, 128),
    },
    lambda a: {"C": product(a.A, a.B.T)},
    2**-8,
    what="product of 128 x 128 x 32 without tensor cores",
    grid=1,
    block=128,
)

launch(
    PRODUCTS,
    "matmulKernel6",
    {
        **{"M": M, "N": N, "K": K, "C": zeros("bf16", N, M)},
        "map_a": Map("A", (64, 64), "128B"),
        "map_b": Map("B", (64, 64), "128B"),
    },
    lambda a: {"C": product(a.A, a.B).T},
    2**-8,
    arrays={"A": random("bf16", M, K, seed=1), "B": random("bf16", N, K, seed=2)},
    what=f"product of {M} x {N} x {K} {TILES}, persistent",
    part="ILi64E",
    grid=16,
    block=256,
    shared=shared(64, 64, 3),
)

for kernel, rank, more, findings in (
    ("matmulKernel7", 5, "tensor maps of five dimensions", ()),
    ("matmulKernel8", 3, "clusters of two with multicast", [Finding("exited", "matmul_8.cuh", LEFT)]),
    ("matmulKernel9", 3, "clusters of two with multicast", [Finding("exited", "matmul_9.cuh", LEFT)]),
):
    before = (1,) * (rank - 3)
    launch(
        PRODUCTS,
        kernel,
        {
            **{"M": M, "N": N, "K": 4 * K, "C": zeros("bf16", N, M)},
            "map_a": Map("A", (*before, 1, 64, 64), "128B"),
            "map_b": Map("B", (*before, 1, 64, 64), "128B"),
        },
        lambda a: {"C": product(rows(a.A), rows(a.B)).T},
        2**-8,
        arrays={"A": random("bf16", *before, 4, M, 64, seed=1), "B": random("bf16", *before, 4, N, 64, seed=2)},
        what=f"product of {M} x {N} x {4 * K} {TILES}, {more}",
        part="ILi64E",
        findings=findings,
        grid=16,
        block=256,
        shared=shared(64, 64, 3),
    )

SPACE = np.full((1, 128), -1)
SPACE[0, 0] = 0

for kernel, box_c, c_rows, findings in (
    (
        "matmulKernel11",
        (2, 256, 64),
        128,
        [Finding("unfenced", "matmul_11.cuh:528", PROXY), Finding("exited", "matmul_11.cuh", LEFT)],
    ),
    (
        "matmulKernel12",
        (1, 256, 72),
        2 * 72,
        [Finding("unfenced", "matmul_12.cuh:519", PROXY), Finding("exited", "matmul_12.cuh", LEFT)],
    ),
):
    launch(
        PRODUCTS,
        kernel,
        {
            **{"M": 256, "N": 256, "K": 256},
            "map_c": Map("C", box_c),
            "map_a": Map("A", (1, 128, 64), "128B"),
            "map_b": Map("B", (1, 256, 64), "128B"),
            "dspace": stored("i32", SPACE),
        },
        lambda a: {"C": tiles_of(product(rows(a.A), rows(a.B)))},
        2**-8,
        arrays={
            "A": random("bf16", 4, 256, 64, seed=1),
            "B": random("bf16", 4, 256, 64, seed=2),
            "C": zeros("bf16", 4, 256, 64),
        },
        what="product of 256 x 256 x 256 in a cluster of two, stored by TMA",
        findings=findings,
        grid=2,
        block=384,
        shared=shared(128, 256, 3, 256 * c_rows) + 48 + 512,
    )
