"""Inputs that fill large arrays without being known element by element, and samples of results.

Zeros are multiplied faster than other numbers, because fewer wires change. So matrices have numbers whose
distribution is near the normal one: a block of them, repeated. The period is a prime number, so that rows
differ. An element is known from its place, so that no matrix is read back.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import numpy as np

from . import cuda, numbers

#: Elements after which inputs repeat.
PERIOD = 1_048_573

#: Elements of a result that are checked.
SAMPLES = 64

#: How inputs are told in results.
ABOUT = f"near normal, deviation 1, repeated after {PERIOD} elements"

#: Copies elements of 16 bits: to[i] = from[at[i]] for i < count.
GATHER = """.version 8.0
.target sm_90a
.address_size 64
.visible .entry gather(.param .u64 from, .param .u64 at, .param .u64 to, .param .u32 count) {
  .reg .pred %p<2>; .reg .b16 %h<2>; .reg .b32 %r<5>; .reg .b64 %rd<8>;
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r3;
  ld.param.u32 %r2, [count]; setp.ge.u32 %p1, %r1, %r2; @%p1 bra DONE;
  ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [at]; ld.param.u64 %rd3, [to];
  mul.wide.u32 %rd4, %r1, 8; add.u64 %rd2, %rd2, %rd4; ld.global.u64 %rd5, [%rd2];
  shl.b64 %rd5, %rd5, 1; add.u64 %rd1, %rd1, %rd5; ld.global.u16 %h1, [%rd1];
  mul.wide.u32 %rd6, %r1, 2; add.u64 %rd3, %rd3, %rd6; st.global.u16 [%rd3], %h1;
DONE: ret; }
"""


@functools.lru_cache(maxsize=8)
def pattern(element: str, seed: int) -> np.ndarray:
    """The block that inputs repeat, in its storage: sums of four uniform numbers, with deviation 1."""
    words = numbers.mixed(PERIOD, seed)
    pieces = [(words >> np.uint64(16 * i) & np.uint64(0xFFFF)).astype(np.int64) for i in range(4)]
    total = np.sum(pieces, axis=0) - 131070
    return numbers.encode((total / 37837.0).astype(np.float32), element)


@functools.lru_cache(maxsize=8)
def decoded(element: str, seed: int) -> np.ndarray:
    """Its values."""
    return numbers.decode(pattern(element, seed), element)


def values(element: str, seed: int, at: np.ndarray) -> np.ndarray:
    """The values of elements, by their places in the order of memory."""
    return decoded(element, seed)[at % PERIOD]


def stored(element: str, seed: int, at: np.ndarray) -> np.ndarray:
    """Their bits."""
    return pattern(element, seed)[at % PERIOD]


def filled(device: cuda.Device, shape: tuple[int, ...], element: str, seed: int) -> cuda.Array:
    """An array with the pattern."""
    array = device.empty(shape, element)
    block = pattern(element, seed)
    total, size = int(np.prod(shape)), block.dtype.itemsize
    done = min(total, PERIOD)
    source = ctypes.c_void_p(block.ctypes.data)
    device.call("cuMemcpyHtoD_v2", ctypes.c_uint64(array.address), source, ctypes.c_size_t(done * size))
    while done < total:
        count = min(done, total - done)
        target, first = ctypes.c_uint64(array.address + done * size), ctypes.c_uint64(array.address)
        device.call("cuMemcpyDtoD_v2", target, first, ctypes.c_size_t(count * size))
        done += count
    return array


def places(count: int, extents: tuple[int, ...], seed: int) -> list[np.ndarray]:
    """Coordinates of elements of an array, by chance."""
    return [
        (numbers.mixed(count, seed + 101 * i) % np.uint64(extent)).astype(np.int64) for i, extent in enumerate(extents)
    ]


class Wanted:
    """Samples of a result: places in units of 16 bits, values and how far an element may be off; bits if it may not."""

    def __init__(self, at: np.ndarray, element: str, right: np.ndarray, tolerance: np.ndarray | None) -> None:
        self.at, self.element, self.right, self.tolerance = at.astype(np.uint64), element, right, tolerance

    def answer(self) -> np.ndarray:
        """What a right kernel leaves there, in units of 16 bits."""
        if self.tolerance is None:
            return self.right.view(np.uint16).reshape(-1)
        return numbers.encode(self.right.astype(np.float32), self.element).view(np.uint16)

    def compare(self, found: np.ndarray) -> dict[str, Any]:
        """Facts of a row: samples, those that are wrong, and the largest error."""
        if self.tolerance is None:
            wrong = int((found != self.answer()).sum())
            return {"samples": len(found), "wrong": wrong}
        error = np.abs(numbers.decode(found.view(numbers.STORAGE[self.element]), self.element) - self.right)
        # The negation counts NaN, too.
        wrong = int((~(error <= self.tolerance)).sum())
        largest = float(np.max(error / self.tolerance)) if np.isfinite(error).all() else None
        return {"samples": len(found), "wrong": wrong, "largest_error_of_tolerance": largest and round(largest, 3)}


@functools.lru_cache(maxsize=2)
def of_gemm(types: str, shape: tuple[int, int, int], seed: int, promote: bool) -> Wanted:
    """Samples of D = A B^T in bf16; A has the pattern of `seed`, B that of `seed + 1`."""
    m, n, k = shape
    element = {"bf16": "bfloat16", "e4m3": "float8_e4m3fn"}[types]
    rows, columns = places(SAMPLES, (m, n), seed)
    # The first and the last element, whose tiles are the first and the ragged one.
    rows[:2], columns[:2] = (0, m - 1), (0, n - 1)
    along = np.arange(k)
    a = values(element, seed, rows[:, None] * k + along)
    b = values(element, seed + 1, columns[:, None] * k + along)
    products = a * b
    right = products.sum(axis=1)
    if types == "bf16" or promote:
        # D is rounded once; sums in f32 lose at most a few units for each MMA of 16 or 32 elements.
        slack = 2.0**-18 * np.abs(products).sum(axis=1)
        slack *= 64 if types == "e4m3" else 1
    else:
        # The sums of 8-bit floats have 13 bits after the leading one, and are cut off up to twice for each 32 elements.
        slack = k / 16 * 2.0**-13 * np.sqrt((products**2).sum(axis=1))
    return Wanted(rows * n + columns, "bfloat16", right, 2.0**-8 * np.abs(right) + slack)


def of_attention(shape: tuple[int, int, int], seed: int) -> Wanted:
    """Samples of O in f16. Q, K and V have the patterns of `seed` and the next two, as (heads, rows, 64) in memory."""
    queries, keys, heads = shape
    rows, columns, head = places(SAMPLES // 4, (queries, 64, heads), seed)
    rows[:2], columns[:2], head[:2] = (0, queries - 1), (0, 63), (0, heads - 1)
    along = np.arange(64)
    right, at, largest = [], [], []
    for row, h in zip(rows, head, strict=True):
        q = values("float16", seed, (h * queries + row) * 64 + along)
        where = (h * keys + np.arange(keys))[:, None] * 64 + along
        k, v = (values("float16", seed + i, where) for i in (1, 2))
        scores = k @ q / 8
        weights = np.exp(scores - scores.max())
        full = weights @ v / weights.sum()
        for column in (columns[0] + np.arange(4) * 16) % 64:
            right.append(full[column])
            at.append((h * queries + row) * 64 + column)
            largest.append(np.abs(v).max())
    wanted = np.array(right)
    # A unit of f16, and weights that are rounded to f16.
    return Wanted(np.array(at), "float16", wanted, 2.0**-10 * np.abs(wanted) + 2.0**-11 * np.array(largest))


def of_copy(shape: tuple[int, int], seed: int) -> Wanted:
    """Samples of a copy of f32."""
    rows, columns = places(SAMPLES // 2, shape, seed)
    at = rows * shape[1] + columns
    return Wanted((2 * at[:, None] + np.arange(2)).reshape(-1), "float32", stored("float32", seed, at), None)


def of_transpose(shape: tuple[int, int], seed: int) -> Wanted:
    """Samples of the transpose of a matrix of f16."""
    rows, columns = places(SAMPLES, shape, seed)
    return Wanted(columns * shape[0] + rows, "float16", stored("float16", seed, rows * shape[1] + columns), None)
