"""Helion: a product of scaled matrices, as CuTe DSL 4.5 traced it. The module has its host function, which is what runs."""

import numpy as np
from launches import TYPES, ModuleSource, Repository, host_launch, stored, zeros

HELION = Repository(
    "helion",
    "https://github.com/pytorch/helion",
    "e538f0d6ec178afb084fd0735f56f84e943afe5e",
    "BSD-3-Clause",
)

# The kernel is made for square matrices of this extent, and takes tiles of 256 x 256.
N, TILE = 4096, 256
TENSORS = {"A": f"{N}_{N}_{N}_1", "B": f"{N}_{N}_1_{N}", "C": f"{N}_{N}_{N}_1", "rows": f"{N}_{N}_1_0", "columns": f"{N}_1"}
KERNEL = "helion_scale_mm_cute"
NAME = f"cute_dsl_cutlass__helion_cute_launch__{KERNEL}_7f0f1d31f6a0"
# Extents, strides and the grid that the module was traced with; the function takes any grid.
TRACED = "_".join(f"Ptrgmem_{numbers}" for numbers in TENSORS.values())
SOURCE = ModuleSource(HELION, f"pretuned_kernels/{NAME}_{TRACED}_2_1_7.mlir", KERNEL, "sm_100a")

# Each of these clusters takes two of the 256 tiles: the first and the 129th, the 128th and the last. Others do not run.
GRID = (2, 1, 128)
PLACES = ((0, 0), (8, 0), (7, 15), (15, 15))

_random = np.random.default_rng(1)
# Sums of these are exact in f32, and so are their products with powers of two.
ARRAYS = {
    "A": stored("f8E4M3FN", _random.integers(-4, 5, (N, N), np.int8)),
    "B": stored("f8E4M3FN", _random.integers(-4, 5, (N, N), np.int8)),
    "C": zeros("bf16", N, N),
    "rows": stored("f32", 2.0 ** _random.integers(-2, 3, N)),
    "columns": stored("f32", 2.0 ** _random.integers(-2, 3, N)),
}


def arguments():
    """Each tensor is a pointer, its extents and its strides; then comes the grid."""
    words = {}
    for name, numbers in TENSORS.items():
        words[name] = ARRAYS[name]
        words |= {f"{name}_{at}": int(number) for at, number in enumerate(numbers.split("_"))}
    return words | dict(zip("xyz", GRID))


def scaled(a):
    """Tiles that do not run stay 0. B is column-major, so that its array has a row for each column."""
    result = np.zeros((N, N))
    for m, n in PLACES:
        rows, columns = slice(m * TILE, (m + 1) * TILE), slice(n * TILE, (n + 1) * TILE)
        product = a.A[rows].astype(np.float64) @ a.B[columns].astype(np.float64).T
        result[rows, columns] = product * a.rows[rows, None] * a.columns[columns]
    return {"C": result.astype(TYPES["bf16"])}


for schedule in ("lazy", "eager", "reverse"):
    host_launch(
        SOURCE,
        KERNEL,
        arguments(),
        scaled,
        0,
        what=f"product of scaled e4m3 matrices, four of {(N // TILE) ** 2} tiles of {TILE} x {TILE} x {N}, CTAs in pairs, {schedule}",
        grid=GRID,
        block=(32, 6),
        schedule=schedule,
        **{"only-blocks": "first,last"},
    )
