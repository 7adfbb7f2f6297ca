"""Kernels that are about memory: atomics, gathers, transposes."""

import numpy as np
import triton
import triton.language as tl

from cases import random, stored, zeros
from triton_cases import case


@triton.jit
def atomic_updates(x, sums, largest, smallest, bits, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at)
    bin = values & 7
    tl.atomic_add(sums + bin, values)
    tl.atomic_max(largest + bin, values)
    tl.atomic_min(smallest + bin, values)
    tl.atomic_or(bits + bin, values)


def updates(a):
    sums, largest, smallest, bits = (array.copy() for array in (a.sums, a.largest, a.smallest, a.bits))
    for value in a.x:
        bin = value & 7
        sums[bin] += value
        largest[bin] = max(largest[bin], value)
        smallest[bin] = min(smallest[bin], value)
        bits[bin] |= value
    return {"sums": sums, "largest": largest, "smallest": smallest, "bits": bits}


case(
    atomic_updates,
    grid=3,
    x=stored("i32", np.arange(384) * 48271 % 1009),
    sums=zeros("i32", 8),
    largest=zeros("i32", 8),
    smallest=stored("i32", [2000] * 8),
    bits=zeros("i32", 8),
    BLOCK=128,
    expected=updates,
)


@triton.jit
def under_lock(lock, total, x, BLOCK: tl.constexpr):
    part = tl.sum(tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)), 0)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    held = tl.load(total)
    # All threads load, and one of them stores.
    tl.debug_barrier()
    tl.store(total, held + part)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


case(
    under_lock,
    grid=4,
    lock=zeros("i32", 1),
    total=zeros("i32", 1),
    x=random("i32", 512, seed=30),
    BLOCK=128,
    expected=lambda a: {"total": [a.x.sum()], "lock": [0]},
)


@triton.jit
def float_totals(x, totals, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(totals + at % 16, tl.load(x + at), sem="relaxed")


case(
    float_totals,
    grid=2,
    x=stored("f32", np.arange(256) % 29 - 14),
    totals=zeros("f32", 16),
    BLOCK=128,
    expected=lambda a: {"totals": a.x.reshape(16, 16).sum(axis=0)},
)


@triton.jit
def gathered(x, index, y, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row, column = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :]
    at = row * COLUMNS + column
    tl.store(y + at, tl.gather(tl.load(x + at), tl.load(index + at), axis=1))


case(
    gathered,
    grid=1,
    x=random("f32", 16, 32, seed=31),
    index=stored("i32", np.arange(16 * 32).reshape(16, 32) * 11 % 32),
    y=zeros("f32", 16, 32),
    ROWS=16,
    COLUMNS=32,
    expected=lambda a: {"y": np.take_along_axis(a.x, a.index, axis=1)},
)


@triton.jit
def chosen_rows(table, rows, y, COLUMNS: tl.constexpr):
    at = tl.arange(0, COLUMNS)
    row = tl.load(rows + tl.program_id(0))
    value = tl.load(table + row.to(tl.int64) * COLUMNS + at, mask=row >= 0, other=0.0)
    tl.store(y + tl.program_id(0) * COLUMNS + at, value)


case(
    chosen_rows,
    grid=7,
    warps=2,
    table=random("f16", 20, 128, seed=32),
    rows=stored("i32", [3, 19, -1, 0, 3, 7, -1]),
    y=zeros("f16", 7, 128),
    COLUMNS=128,
    expected=lambda a: {"y": np.where(a.rows[:, None] >= 0, a.table[a.rows], 0)},
)


@triton.jit
def transposed(x, y, m, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tile = tl.load(x + i[:, None] * n + j[None, :], mask=(i[:, None] < m) & (j[None, :] < n))
    tl.store(y + j[:, None] * m + i[None, :], tl.trans(tile), mask=(j[:, None] < n) & (i[None, :] < m))


case(
    transposed,
    grid=(2, 3),
    x=random("f16", 48, 80, seed=33),
    y=zeros("f16", 80, 48),
    m=48,
    n=80,
    BLOCK=32,
    expected=lambda a: {"y": a.x.T},
)


@triton.jit
def scaled_batches(x, scales, y, rows, columns, BLOCK: tl.constexpr):
    batch, row = tl.program_id(2), tl.program_id(1)
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    scale = tl.load(scales + batch)
    place = (batch * rows + row) * columns + at
    tl.store(y + place, tl.load(x + place, mask=at < columns) * scale, mask=at < columns)


case(
    scaled_batches,
    grid=(2, 3, 4),
    warps=1,
    x=random("f32", 4, 3, 50, seed=34),
    scales=random("f32", 4, seed=35),
    y=zeros("f32", 4, 3, 50),
    rows=3,
    columns=50,
    BLOCK=32,
    expected=lambda a: {"y": a.x * a.scales[:, None, None]},
)


@triton.jit
def interleaved(x, y, joined, halves, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    both = tl.interleave(tl.load(x + at), tl.load(y + at))
    tl.store(joined + tl.arange(0, 2 * BLOCK), both)
    even, odd = tl.split(tl.reshape(both * 2, (BLOCK, 2)))
    tl.store(halves + at, even - odd)


case(
    interleaved,
    grid=1,
    x=random("i32", 128, seed=36),
    y=random("i32", 128, seed=37),
    joined=zeros("i32", 256),
    halves=zeros("i32", 128),
    BLOCK=128,
    expected=lambda a: {"joined": np.stack([a.x, a.y], 1).ravel(), "halves": 2 * a.x - 2 * a.y},
)
