"""Kernels that multiply matrices."""

import numpy as np
import triton
import triton.language as tl

from cases import Map, random, stored, zeros
from triton_cases import case


@triton.jit
def product(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i = tl.program_id(0) * M + tl.arange(0, M)
    j = tl.program_id(1) * N + tl.arange(0, N)
    sums = tl.zeros((M, N), tl.float32)
    for start in range(0, k, K):
        at = start + tl.arange(0, K)
        left = tl.load(a + i[:, None] * k + at[None, :], mask=i[:, None] < m, other=0.0)
        right = tl.load(b + at[:, None] * n + j[None, :], mask=j[None, :] < n, other=0.0)
        sums = tl.dot(left, right, sums)
    tl.store(c + i[:, None] * n + j[None, :], sums.to(c.dtype.element_ty), mask=(i[:, None] < m) & (j[None, :] < n))


def matmul(a):
    return {"c": a.a.astype(np.float64) @ a.b.astype(np.float64)}


# One body, compiled for several types.
def renamed(kernel, name):
    made = triton.JITFunction(kernel.fn)
    made.__name__ = name
    return made


for element, out, tolerance in [("f16", "f16", 4e-3), ("bf16", "f32", 1e-5), ("f32", "f32", 8e-3)]:
    case(
        renamed(product, f"product_{element}"),
        grid=(2, 2),
        a=random(element, 96, 64, seed=40),
        b=random(element, 64, 80, seed=41),
        c=zeros(out, 96, 80),
        m=96,
        n=80,
        k=64,
        M=64,
        N=64,
        K=32,
        expected=matmul,
        tolerance=tolerance,
    )


@triton.jit
def product_i8(a, b, c, K: tl.constexpr, SIZE: tl.constexpr):
    i, at = tl.arange(0, SIZE), tl.arange(0, K)
    left = tl.load(a + i[:, None] * K + at[None, :])
    right = tl.load(b + i[None, :] * K + at[:, None])
    tl.store(c + i[:, None] * SIZE + i[None, :], tl.dot(left, right, out_dtype=tl.int32))


case(
    product_i8,
    grid=1,
    a=stored("i8", np.arange(64 * 64).reshape(64, 64) * 37 % 255 - 127),
    b=stored("i8", np.arange(64 * 64).reshape(64, 64) * 91 % 255 - 127),
    c=zeros("i32", 64, 64),
    K=64,
    SIZE=64,
    expected=lambda a: {"c": a.a.astype(np.int32) @ a.b.astype(np.int32).T},
)


@triton.jit
def product_ieee(a, b, c, SIZE: tl.constexpr):
    i = tl.arange(0, SIZE)
    at = i[:, None] * SIZE + i[None, :]
    tl.store(c + at, tl.dot(tl.load(a + at), tl.load(b + at), input_precision="ieee"))


case(
    product_ieee,
    grid=1,
    a=random("f32", 16, 16, seed=42),
    b=random("f32", 16, 16, seed=43),
    c=zeros("f32", 16, 16),
    SIZE=16,
    expected=matmul,
    tolerance=1e-6,
)


@triton.jit
def product_of_boxes(a, b, c, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i, j = tl.program_id(0) * M, tl.program_id(1) * N
    sums = tl.zeros((M, N), tl.float32)
    for start in range(0, k, K):
        sums = tl.dot(a.load([i, start]), b.load([start, j]), sums)
    c.store([i, j], sums.to(tl.float16))


case(
    product_of_boxes,
    grid=(2, 1),
    a=Map(random("f16", 128, 96, seed=44), (64, 32)),
    b=Map(random("f16", 96, 64, seed=45), (32, 64)),
    c=Map(zeros("f16", 128, 64), (64, 64)),
    k=96,
    M=64,
    N=64,
    K=32,
    expected=matmul,
    tolerance=5e-3,
    targets=(90, 100, 120),
)


@triton.jit
def product_of_own_maps(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    left = tl.make_tensor_descriptor(a, [m, k], [k, 1], [M, K])
    right = tl.make_tensor_descriptor(b, [k, n], [n, 1], [K, N])
    result = tl.make_tensor_descriptor(c, [m, n], [n, 1], [M, N])
    i, j = tl.program_id(0) * M, tl.program_id(1) * N
    sums = tl.zeros((M, N), tl.float32)
    for start in range(0, k, K):
        sums = tl.dot(left.load([i, start]), right.load([start, j]), sums)
    result.store([i, j], sums.to(tl.float16))


case(
    product_of_own_maps,
    grid=(2, 1),
    a=random("f16", 100, 64, seed=46),
    b=random("f16", 64, 64, seed=47),
    c=zeros("f16", 100, 64),
    m=100,
    n=64,
    k=64,
    M=64,
    N=64,
    K=32,
    expected=matmul,
    tolerance=4e-3,
)


@triton.jit
def specialised(a, b, c, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i, j = tl.program_id(0) * M, tl.program_id(1) * N
    sums = tl.zeros((M, N), tl.float32)
    for start in tl.range(0, k, K, warp_specialize=True, num_stages=2):
        sums = tl.dot(a.load([i, start]), b.load([start, j]), sums)
    c.store([i, j], sums.to(tl.float16))


case(
    specialised,
    grid=(1, 1),
    stages=2,
    a=Map(random("f16", 128, 128, seed=48), (128, 64)),
    b=Map(random("f16", 128, 64, seed=49), (64, 64)),
    c=Map(zeros("f16", 128, 64), (128, 64)),
    k=128,
    M=128,
    N=64,
    K=64,
    expected=matmul,
    tolerance=8e-3,
    targets=(100,),
)


@triton.jit
def split_k(a, b, c, m, n, k, part, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i, j = tl.program_id(0) * M + tl.arange(0, M), tl.program_id(1) * N + tl.arange(0, N)
    sums = tl.zeros((M, N), tl.float32)
    first = tl.program_id(2) * part
    for start in range(first, first + part, K):
        at = start + tl.arange(0, K)
        sums = tl.dot(tl.load(a + i[:, None] * k + at[None, :]), tl.load(b + at[:, None] * n + j[None, :]), sums)
    tl.atomic_add(c + i[:, None] * n + j[None, :], sums, sem="relaxed")


def small(shape, step):
    return np.arange(np.prod(shape)).reshape(shape) * step % 17 - 8


case(
    split_k,
    grid=(1, 1, 4),
    # Small integers: sums are exact in every order.
    a=stored("f16", small((32, 128), 7)),
    b=stored("f16", small((128, 32), 5)),
    c=zeros("f32", 32, 32),
    m=32,
    n=32,
    k=128,
    part=32,
    M=32,
    N=32,
    K=32,
    expected=matmul,
)


@triton.jit
def grouped(a, b, c, firsts, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    # The rows of a from firsts[g] to firsts[g+1] are multiplied by matrix g of b.
    group = tl.program_id(1)
    first, end = tl.load(firsts + group), tl.load(firsts + group + 1)
    i = first + tl.program_id(0) * M + tl.arange(0, M)
    if first + tl.program_id(0) * M < end:
        j, at = tl.arange(0, N), tl.arange(0, K)
        left = tl.load(a + i[:, None] * k + at[None, :], mask=i[:, None] < end, other=0.0)
        right = tl.load(b + group * k * n + at[:, None] * n + j[None, :])
        tl.store(c + i[:, None] * n + j[None, :], tl.dot(left, right), mask=i[:, None] < end)


def grouped_matmul(a):
    c = np.zeros((50, 32))
    for group in range(3):
        rows = slice(a.firsts[group], a.firsts[group + 1])
        c[rows] = a.a[rows].astype(np.float64) @ a.b[group].astype(np.float64)
    return {"c": c}


case(
    grouped,
    grid=(2, 3),
    a=random("bf16", 50, 32, seed=50),
    b=random("bf16", 3, 32, 32, seed=51),
    c=zeros("f32", 50, 32),
    firsts=stored("i32", [0, 30, 30, 50]),
    n=32,
    k=32,
    M=16,
    N=32,
    K=32,
    expected=grouped_matmul,
    tolerance=1e-5,
)


@triton.jit
def attention(q, k, v, o, keys, scale, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    i, d = tl.program_id(0) * M + tl.arange(0, M), tl.arange(0, D)
    queries = tl.load(q + i[:, None] * D + d[None, :])
    largest = tl.full((M,), float("-inf"), tl.float32)
    total = tl.zeros((M,), tl.float32)
    sums = tl.zeros((M, D), tl.float32)
    for start in range(0, keys, N):
        j = start + tl.arange(0, N)
        scores = tl.dot(queries, tl.load(k + j[None, :] * D + d[:, None])) * scale
        scores = tl.where(i[:, None] >= j[None, :], scores, float("-inf"))
        next_largest = tl.maximum(largest, tl.max(scores, 1))
        weights = tl.exp2(scores - next_largest[:, None])
        shrink = tl.exp2(largest - next_largest)
        total = total * shrink + tl.sum(weights, 1)
        values = tl.load(v + j[:, None] * D + d[None, :])
        sums = tl.dot(weights.to(tl.float16), values, sums * shrink[:, None])
        largest = next_largest
    tl.store(o + i[:, None] * D + d[None, :], (sums / total[:, None]).to(tl.float16))


def causal(a):
    q, k, v = (x.astype(np.float64) for x in (a.q, a.k, a.v))
    scores = q @ k.T * 0.25
    scores[np.triu_indices(64, 1)] = -np.inf
    weights = np.exp2(scores - scores.max(axis=1, keepdims=True))
    return {"o": weights @ v / weights.sum(axis=1, keepdims=True)}


case(
    attention,
    grid=1,
    stages=2,
    q=random("f16", 64, 32, seed=52),
    k=random("f16", 64, 32, seed=53),
    v=random("f16", 64, 32, seed=54),
    o=zeros("f16", 64, 32),
    keys=64,
    scale=0.25,
    M=64,
    N=32,
    D=32,
    expected=causal,
    tolerance=2e-3,
)
