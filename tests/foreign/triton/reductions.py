"""Kernels with reductions, scans and sorts, within a warp and across warps."""

import numpy as np
import triton
import triton.language as tl

from cases import random, stored, zeros
from triton_cases import case


@triton.jit
def row_softmax(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(x + row * columns + at, mask=inside, other=float("-inf"))
    weights = tl.exp(values - tl.max(values, 0))
    tl.store(y + row * columns + at, weights / tl.sum(weights, 0), mask=inside)


def softmax(a):
    weights = np.exp(a.x.astype(np.float64) - a.x.max(axis=1, keepdims=True))
    return {"y": weights / weights.sum(axis=1, keepdims=True)}


case(
    row_softmax,
    grid=5,
    x=random("f32", 5, 300, seed=10),
    y=zeros("f32", 5, 300),
    columns=300,
    BLOCK=512,
    expected=softmax,
    tolerance=1e-6,
)


@triton.jit
def layer_norm(x, w, b, y, means, COLUMNS: tl.constexpr, EPSILON: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, COLUMNS)
    values = tl.load(x + row * COLUMNS + at).to(tl.float32)
    mean = tl.sum(values, 0) / COLUMNS
    centred = values - mean
    variance = tl.sum(centred * centred, 0) / COLUMNS
    result = centred * tl.rsqrt(variance + EPSILON) * tl.load(w + at) + tl.load(b + at)
    tl.store(y + row * COLUMNS + at, result.to(tl.float16))
    tl.store(means + row, mean)


def normalised(a):
    x = a.x.astype(np.float64)
    mean, variance = x.mean(axis=1), x.var(axis=1)
    return {"y": (x - mean[:, None]) / np.sqrt(variance + 1e-5)[:, None] * a.w + a.b, "means": mean}


case(
    layer_norm,
    grid=4,
    x=random("f16", 4, 512, seed=11),
    w=random("f32", 512, seed=12),
    b=random("f32", 512, seed=13),
    y=zeros("f16", 4, 512),
    means=zeros("f32", 4),
    COLUMNS=512,
    EPSILON=1e-5,
    expected=normalised,
    tolerance=1e-3,
)


@triton.jit
def rms_norm(x, y, COLUMNS: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, COLUMNS)
    values = tl.load(x + row * COLUMNS + at).to(tl.float32)
    mean = tl.sum(values * values, 0) / COLUMNS
    tl.store(y + row * COLUMNS + at, (values / tl.sqrt(mean + 1e-6)).to(tl.bfloat16))


def rms(a):
    x = a.x.astype(np.float64)
    return {"y": x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-6)}


case(
    rms_norm,
    grid=4,
    warps=2,
    x=random("bf16", 4, 256, seed=14),
    y=zeros("bf16", 4, 256),
    COLUMNS=256,
    expected=rms,
    tolerance=8e-3,
)


@triton.jit
def extremes(x, low, high, total, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row, column = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :]
    values = tl.load(x + row * COLUMNS + column)
    tl.store(low + tl.arange(0, COLUMNS), tl.min(values, 0))
    tl.store(high + tl.arange(0, ROWS), tl.max(values, 1))
    tl.store(total, tl.sum(tl.sum(values, 1), 0))


case(
    extremes,
    grid=1,
    warps=8,
    x=stored("i32", np.arange(32 * 64).reshape(32, 64) * 7919 % 10007 - 5000),
    low=zeros("i32", 64),
    high=zeros("i32", 32),
    total=zeros("i32", 1),
    ROWS=32,
    COLUMNS=64,
    expected=lambda a: {"low": a.x.min(axis=0), "high": a.x.max(axis=1), "total": [a.x.sum()]},
)


@triton.jit
def parities(x, odd, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row, column = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :]
    tl.store(odd + tl.arange(0, ROWS), tl.xor_sum(tl.load(x + row * COLUMNS + column), 1))


case(
    parities,
    grid=1,
    x=stored("i32", np.arange(16 * 128).reshape(16, 128) * 48271 % 65537),
    odd=zeros("i32", 16),
    ROWS=16,
    COLUMNS=128,
    expected=lambda a: {"odd": np.bitwise_xor.reduce(a.x, axis=1)},
)


@triton.jit
def first_largest(x, at_max, at_min, COLUMNS: tl.constexpr):
    row = tl.program_id(0)
    values = tl.load(x + row * COLUMNS + tl.arange(0, COLUMNS))
    tl.store(at_max + row, tl.argmax(values, 0))
    tl.store(at_min + row, tl.argmin(values, 0))


case(
    first_largest,
    grid=6,
    x=random("i32", 6, 256, seed=15),
    at_max=zeros("i32", 6),
    at_min=zeros("i32", 6),
    COLUMNS=256,
    expected=lambda a: {"at_max": a.x.argmax(axis=1), "at_min": a.x.argmin(axis=1)},
)


@triton.jit
def running_sum(x, y, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row, column = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :]
    at = row * COLUMNS + column
    tl.store(y + at, tl.cumsum(tl.load(x + at), 1))


case(
    running_sum,
    grid=1,
    x=random("i32", 8, 128, seed=16),
    y=zeros("i32", 8, 128),
    ROWS=8,
    COLUMNS=128,
    expected=lambda a: {"y": a.x.cumsum(axis=1)},
)


@triton.jit
def follow(a0, b0, a1, b1):
    return a0 * a1, b0 * a1 + b1


@triton.jit
def linear_scan(a, b, y, LENGTH: tl.constexpr):
    # y[i] = a[i] y[i-1] + b[i]
    at = tl.program_id(0) * LENGTH + tl.arange(0, LENGTH)
    _, values = tl.associative_scan((tl.load(a + at), tl.load(b + at)), 0, follow)
    tl.store(y + at, values)


def recurrence(a):
    y = np.zeros((2, 256))
    for row in range(2):
        last = 0.0
        for i in range(256):
            last = float(a.a[row, i]) * last + float(a.b[row, i])
            y[row, i] = last
    return {"y": y}


case(
    linear_scan,
    grid=2,
    a=random("f32", 2, 256, seed=17),
    b=random("f32", 2, 256, seed=18),
    y=zeros("f32", 2, 256),
    LENGTH=256,
    expected=recurrence,
    tolerance=1e-5,
)


@triton.jit
def sorted_rows(x, y, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row, column = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :]
    at = row * COLUMNS + column
    tl.store(y + at, tl.sort(tl.load(x + at)))


case(
    sorted_rows,
    grid=1,
    x=stored("i32", np.arange(4 * 32).reshape(4, 32) * 7919 % 1009),
    y=zeros("i32", 4, 32),
    ROWS=4,
    COLUMNS=32,
    expected=lambda a: {"y": np.sort(a.x, axis=1)},
    kept=(),
)


@triton.jit
def counted(x, counts, BINS: tl.constexpr, BLOCK: tl.constexpr):
    values = tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    tl.atomic_add(counts + tl.arange(0, BINS), tl.histogram(values, BINS))


case(
    counted,
    grid=3,
    x=stored("i32", np.arange(768) ** 2 % 61 % 16),
    counts=zeros("i32", 16),
    BINS=16,
    BLOCK=256,
    expected=lambda a: {"counts": np.bincount(a.x, minlength=16)},
)


@triton.jit
def cross_entropy(logits, labels, losses, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    label = tl.load(labels + row)
    largest, total = float("-inf"), 0.0
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        values = tl.load(logits + row * columns + at, mask=at < columns, other=float("-inf"))
        next_largest = tl.maximum(largest, tl.max(values, 0))
        total = total * tl.exp(largest - next_largest) + tl.sum(tl.exp(values - next_largest), 0)
        largest = next_largest
    tl.store(losses + row, tl.log(total) + largest - tl.load(logits + row * columns + label))


def losses(a):
    x = a.logits.astype(np.float64)
    return {"losses": np.log(np.exp(x).sum(axis=1)) - x[np.arange(6), a.labels]}


case(
    cross_entropy,
    grid=6,
    logits=random("f32", 6, 200, seed=19),
    labels=stored("i32", [0, 199, 7, 64, 63, 128]),
    losses=zeros("f32", 6),
    columns=200,
    BLOCK=64,
    expected=losses,
    tolerance=2e-6,
)


@triton.jit
def dot_of_doubles(x, y, result, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(result + tl.program_id(0), tl.sum(tl.load(x + at) * tl.load(y + at), 0))


case(
    dot_of_doubles,
    grid=2,
    x=random("f64", 2, 256, seed=20),
    y=random("f64", 2, 256, seed=21),
    result=zeros("f64", 2),
    BLOCK=256,
    expected=lambda a: {"result": (a.x * a.y).sum(axis=1)},
    tolerance=1e-13,
)
