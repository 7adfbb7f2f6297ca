"""Elementwise kernels and products of matrices."""

import itertools
import math
import random

from .arrays import Array, Case, Repeated, rounded, sample


def add(rows, columns):
    a, b = sample("f32", (rows, columns), 1), sample("f32", (rows, columns), 2)
    c = [x + y for x, y in zip(a.values, b.values)]
    return Case(f"{rows}x{columns}", {"a": a, "b": b, "c": Array("f32", (rows, columns))}, {"c": c})


def apply_add():
    """The extents of its inputs are part of the type."""
    shape = (4096, 4096)
    arrays = {"a": Array("f32", shape, "range"), "b": Array("f32", shape, "0.5"), "c": Array("f32", shape)}
    exact = [rounded("f32", rounded("f32", i) + 0.5) for i in range(math.prod(shape))]
    return Case("4096x4096", arrays, {"c": exact})


def product(a, b, c, transposed=""):
    """C(m, n, l) = sum over k of A(m, k, l) B(n, k, l), with shapes that may lack l."""
    (m, k), n = a.shape[:2], b.shape[0]
    batches = math.prod(a.shape[2:])
    out = [0.0] * (m * n * batches)
    rows = lambda x, count, l: [[x.values[(i * k + j) * batches + l] for j in range(k)] for i in range(count)]
    for l in range(batches):
        left, right = rows(a, m, l), rows(b, n, l)
        for i in range(m):
            for j in range(n):
                out[(i * n + j) * batches + l] = rounded(c, sum(map(float.__mul__, left[i], right[j])))
    return out


def transposed(rows):
    return list(zip(*rows))


def times_transposed(left, right):
    """The products of each row of one matrix with each row of another."""
    return [[sum(map(float.__mul__, x, y)) for y in right] for x in left]


def gemm(m, n, k, batches, element="f16"):
    a, b = sample(element, (m, k, batches), 1), sample(element, (n, k, batches), 2)
    arguments = {"a": a, "b": b, "c": Array(element, (m, n, batches))}
    return Case(f"{m}x{n}x{k}x{batches}", arguments, {"c": product(a, b, element)}, 1e-3 if element == "f16" else 1e-6)


def scaled_gemm(m, n, k, batches, alpha, beta):
    """D = alpha A B + beta C."""
    a, b = sample("f32", (m, k, batches), 1), sample("f32", (n, k, batches), 2)
    c = sample("f32", (m, n, batches), 3)
    d = [alpha * x + beta * y for x, y in zip(product(a, b, "f32"), c.values)]
    arguments = {"a": a, "b": b, "c": c, "d": Array("f32", c.shape), "alpha": alpha, "beta": beta}
    return Case(f"{m}x{n}x{k}x{batches}", arguments, {"d": d}, 1e-6)


def batched_gemm(m, n, k, batches):
    """A(l, m, k), B(l, k, n), C(l, m, n)."""
    a, b = sample("f32", (m, k, batches), 1), sample("f32", (n, k, batches), 2)
    c = Array("f32", (m, n, batches), product(a, b, "f32"))
    with_order = lambda x, order: Array("f32", [x.shape[i] for i in order], permuted(x, order))
    out = Array("f32", (batches, m, n))
    arguments = {"a": with_order(a, (2, 0, 1)), "b": with_order(b, (2, 1, 0)), "c": out}
    return Case(f"{m}x{n}x{k}x{batches}", arguments, {"c": permuted(c, (2, 0, 1))}, 1e-6)


def grouped_gemm(*groups):
    """Two products of one tile each. Extents, strides and addresses are in memory, and each block changes its descriptors."""
    memory, expected, sizes, strides, addresses = {}, {}, [], [], []
    for g, (m, n, k) in enumerate(groups):
        a, b = sample("f16", (m, k), 2 * g + 1), sample("f16", (n, k), 2 * g + 2)
        memory |= {f"a{g}": a, f"b{g}": b, f"c{g}": Array("f16", (m, n))}
        expected[f"c{g}"] = product(a, b, "f16")
        sizes += [m, n, k, 1]
        strides += [k, 1, k, 1, n, 1]
        addresses += [f"&a{g}", f"&b{g}", f"&c{g}"]
    # Of these only the descriptors are made, which the kernel then changes.
    first = {name: Array("f16", (128, 128, 1)) for name in "abc"}
    count = len(groups)
    lists = {"sizes": Array("i32", (count, 4), sizes), "strides": Array("i32", (count, 3, 2), strides),
             "addresses": Array("i64", (count, 3), ",".join(addresses)), "descriptors": Array("i64", (1, 3, 16))}
    text = ", ".join("x".join(map(str, group)) for group in groups)
    return Case(text, {**first, **lists}, expected, 1e-3, memory)


def long_gemm(m):
    """N and K are multiples of 8192 by the types. Rows of A have few values, so that the sums are short."""
    n = k = 8192
    source = random.Random(1)
    steps = [i / 8 for i in range(-8, 9) if i]
    terms = [[(source.randrange(k), source.choice(steps)) for _ in range(8)] for _ in range(m)]
    a = [0.0] * (m * k)
    for i, row in enumerate(terms):
        for j, x in row:
            a[i * k + j] = x
    # The length of the block is a prime, so that no two rows of B are alike.
    block = sample("f16", (8191,), 2).values
    terms = [[(j, a[i * k + j]) for j in sorted({j for j, _ in row})] for i, row in enumerate(terms)]
    c = [sum(x * block[(j * k + p) % 8191] for p, x in row) for row in terms for j in range(n)]
    arrays = {"a": Array("f16", (m, k), a), "b": Array("f16", (n, k), Repeated(block, n * k)), "c": Array("f16", (m, n))}
    return Case(f"{m}x{n}x{k}", arrays, {"c": c}, 1e-3)


def permuted(array, order):
    """The values of an array with its modes from the slowest to the fastest in this order."""
    strides = [math.prod(array.shape[i + 1:]) for i in range(len(array.shape))]
    walk = itertools.product(*(range(array.shape[i]) for i in order))
    return [array.values[sum(x * strides[i] for x, i in zip(at, order))] for at in walk]


def gemm_of_pointers(m, n, k, batches, orders, sizes):
    a, b = sample("f16", (m, k, batches), 1), sample("f16", (n, k, batches), 2)
    c = Array("f16", (m, n, batches), product(a, b, "f16"))
    flat = lambda x, order: Array("f16", (x.size(),), permuted(x, order))
    out = Array("f16", (c.size(),))
    arguments = {"a": flat(a, orders[0]), "b": flat(b, orders[1]), "c": out, **sizes}
    return Case(f"{m}x{n}x{k}x{batches}", arguments, {"c": permuted(c, orders[2])}, 1e-3)


def sgemm(n):
    a, b = sample("f32", (256, 64), 1), sample("f32", (n, 64), 2)
    return Case(f"256x{n}x64", {"a": a, "b": b, "c": Array("f32", (256, n))}, {"c": product(a, b, "f32")}, 1e-6)
