"""References for the public kernels of CuTe DSL: the shapes to run each with, and the same computation by plain loops.

`run(cutec, path)` runs the host function of a module in the simulator for each case that is known for a file of that name, and prints
how far the results are from the loops. `python3 dsl_reference.py CUTEC FILE..` does that too.
"""

import ast
import itertools
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

# The codes of `struct` and of NumPy for an element type. bf16 and floats of 8 bits are kept by their bits.
CODES = {"f32": ("f", "<f4"), "f16": ("e", "<f2"), "bf16": ("H", "<V2"), "f8E4M3FN": ("B", "<V1"),
         "i32": ("i", "<i4"), "i8": ("b", "|i1"), "u8": ("B", "|u1")}


def bf16_of(value):
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def from_bf16(bits):
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


def small_floats(exponent_bits, mantissa_bits, bias, last):
    """The positive values of a small float up to code `last`, by their codes."""
    values = []
    for code in range(last + 1):
        exponent, mantissa = code >> mantissa_bits, code & (1 << mantissa_bits) - 1
        scale = 2.0 ** (max(exponent, 1) - bias - mantissa_bits)
        values.append((mantissa + (1 << mantissa_bits if exponent else 0)) * scale)
    return values


E4M3 = small_floats(4, 3, 7, 0x7E)
E2M1 = small_floats(2, 1, 1, 7)


def nearest(values, x):
    """The code of the value that is nearest to |x|, ties to the even code."""
    x = min(abs(x), values[-1])
    low = max(i for i, v in enumerate(values) if v <= x)
    if low + 1 == len(values):
        return low
    below, above = x - values[low], values[low + 1] - x
    return low if below < above or (below == above and low % 2 == 0) else low + 1


def rounded(element, x):
    """A number as an element type holds it."""
    if element == "f32":
        return struct.unpack("<f", struct.pack("<f", x))[0]
    if element == "f16":
        return struct.unpack("<e", struct.pack("<e", x))[0]
    if element == "bf16":
        return from_bf16(bf16_of(x))
    if element == "f8E4M3FN":
        return math.copysign(E4M3[nearest(E4M3, x)], x)
    return x


class Array:
    """An array. `values` is a list of numbers in row-major order, or what `--arg` takes after `=`. `order` has the modes from the slowest
    in memory to the fastest, if this is not their order in the shape."""

    def __init__(self, element, shape, values="0", order=None):
        self.element, self.shape, self.values, self.order = element, tuple(shape), values, order

    def size(self):
        return math.prod(self.shape)

    def argument(self, name, folder):
        extents = "x".join(map(str, self.shape))
        if self.order:
            strides = {mode: math.prod(self.shape[i] for i in self.order[at + 1:]) for at, mode in enumerate(self.order)}
            extents += ",strides=" + "x".join(str(strides[mode]) for mode in range(len(self.shape)))
        text = f"{name}:{self.element}[{extents}]"
        if isinstance(self.values, str):
            return f"{text}={self.values}"
        file = os.path.join(folder, f"{name}.in.npy")
        save(file, self)
        return f"{text}={file}"


class Repeated:
    """The values of a block of numbers again and again: an array too large for a list."""

    def __init__(self, block, size):
        self.block, self.size = block, size

    def __getitem__(self, i):
        return self.block[i % len(self.block)]

    def pack(self, code):
        one = struct.pack(f"<{len(self.block)}{code}", *self.block)
        return (one * (self.size // len(self.block) + 1))[:self.size * struct.calcsize(code)]


def save(file, array):
    code, name = CODES[array.element]
    values = [bf16_of(v) for v in array.values] if array.element == "bf16" else array.values
    header = repr({"descr": name, "fortran_order": False, "shape": array.shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(file, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        is_list = isinstance(values, list)
        out.write(struct.pack(f"<{len(values)}{code}", *values) if is_list else values.pack(code))


def load(file, element):
    with open(file, "rb") as given:
        data = given.read()
    begin = 10 + struct.unpack("<H", data[8:10])[0]
    ast.literal_eval(data[10:begin].decode())
    code = CODES[element][0]
    values = struct.unpack(f"<{(len(data) - begin) // struct.calcsize(code)}{code}", data[begin:])
    if element == "bf16":
        return [from_bf16(v) for v in values]
    if element == "f8E4M3FN":
        return [math.copysign(E4M3[v & 127], 1 - (v >> 7) * 2) if v & 127 < 127 else math.nan for v in values]
    return values


def sample(element, shape, seed, scale=1.0):
    """Numbers that the type holds, with few enough bits that sums of products are exact or nearly so."""
    source = random.Random(seed)
    steps = [i / 8 * scale for i in range(-8, 9)]
    return Array(element, shape, [rounded(element, source.choice(steps)) for _ in range(math.prod(shape))])


class Case:
    """A run: arguments in order (arrays, numbers), what the arrays must hold, how far off they may be (relative to the
    larger of 1 and the number), and arrays that only addresses lead to."""

    def __init__(self, text, arguments, expected, tolerance=0.0, memory=()):
        self.text, self.arguments, self.expected, self.tolerance = text, arguments, expected, tolerance
        self.memory = dict(memory)


# Elementwise


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


# Matrices


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


# Attention and normalisation


def attention(q, k, v, weights):
    """O(b, s, h, d) of Q, K and V in the same order of modes; `weights` turns the scores of a row into factors of the values."""
    (batches, queries, heads, size), keys = q.shape, k.shape[1]
    at = lambda x, b, s, h: x.values[((b * x.shape[1] + s) * heads + h) * size:][:size]
    out = [0.0] * q.size()
    for b, h in itertools.product(range(batches), range(heads)):
        ks, vs = [at(k, b, s, h) for s in range(keys)], [at(v, b, s, h) for s in range(keys)]
        columns = list(zip(*vs))
        for i in range(queries):
            row = at(q, b, i, h)
            factors = weights([sum(map(float.__mul__, row, key)) for key in ks], b, h, i)
            begin = ((b * queries + i) * heads + h) * size
            out[begin:begin + size] = [sum(map(float.__mul__, factors, column)) for column in columns]
    return out


def softmax_attention(batches, queries, keys, heads, causal):
    scale = 0.09
    q = sample("bf16", (batches, queries, heads, 128), 1)
    k, v = (sample("bf16", (batches, keys, heads, 128), seed) for seed in (2, 3))

    def weights(scores, b, h, i):
        seen = [s * scale if not causal or j <= i else -math.inf for j, s in enumerate(scores)]
        top = max(seen)
        powers = [math.exp(s - top) for s in seen]
        return [p / sum(powers) for p in powers]

    arguments = {"q": q, "k": k, "v": v, "o": Array("bf16", q.shape), "scale": scale}
    return Case(f"{batches}x{queries}x{keys}x{heads}", arguments, {"o": attention(q, k, v, weights)}, 0.02)


def tiled_attention(queries, keys, heads, batches):
    """With (sequence, size of a head, heads of Q for a head of K, heads of K, batch). Scores are multiplied by `scale` before the softmax,
    whose powers are of 2; the sums of the powers of e go to `lse`."""
    scale = 0.09
    q = sample("f16", (batches, queries, heads, 128), 1)
    k, v = (sample("f16", (batches, keys, heads, 128), seed) for seed in (2, 3))
    sums = [0.0] * (queries * heads * batches)

    def weights(scores, b, h, i):
        seen = [s * scale for s in scores]
        top = max(seen)
        powers = [math.exp(s - top) for s in seen]
        sums[(i * heads + h) * batches + b] = top + math.log(sum(powers))
        return [p / sum(powers) for p in powers]

    out = Array("f16", q.shape, attention(q, k, v, weights))
    by_sequence = lambda x, length: Array("f16", (length, 128, 1, heads, batches), permuted(x, (1, 3, 2, 0)))
    arrays = {"q": by_sequence(q, queries), "k": by_sequence(k, keys), "v": by_sequence(v, keys)}
    empty = {"o": Array("f16", arrays["q"].shape), "lse": Array("f32", (queries, 1, 1, heads, batches))}
    numbers = {"log2": scale * math.log2(math.e), "scale": scale, "out": 1.0}
    expected = {"o": permuted(out, (1, 3, 2, 0)), "lse": sums}
    return Case(f"{queries}x{keys}x{heads}x{batches}", {**arrays, **empty, **numbers}, expected, 0.01)


def pointer_attention(batches, queries, keys, heads, of_key):
    """The arrays as pointers, (batch, sequence, head, 128 values) row by row; `of_key` heads of Q share a head of K and V."""
    scale = 0.09
    q = sample("f16", (batches, queries, heads * of_key, 128), 1)
    k, v = (sample("f16", (batches, keys, heads, 128), seed) for seed in (2, 3))

    def weights(scores, b, h, i):
        powers = [math.exp((s - max(scores)) * scale) for s in scores]
        return [p / sum(powers) for p in powers]

    def shared(x):
        rows = [x.values[i:i + 128] for i in range(0, x.size(), 128)]
        return Array("f16", (batches, keys, heads * of_key, 128), [v for row in rows for _ in range(of_key) for v in row])

    flat = lambda x: Array("f16", (x.size(),), x.values)
    arrays = {"q": flat(q), "k": flat(k), "v": flat(v), "o": Array("f16", (q.size(),))}
    sizes = {"b": batches, "s_q": queries, "s_lse": queries, "s_k": keys, "h_q": heads * of_key, "h_k": heads, "d": 128}
    numbers = {"log2": scale * math.log2(math.e), "scale": scale, "out": 1.0}
    expected = attention(q, shared(k), shared(v), weights)
    text = f"{batches}x{queries}x{keys}x{heads * of_key}x{heads}"
    return Case(text, {**arrays, **sizes, **numbers}, {"o": expected}, 0.01)


def attention_gradient(queries, keys, heads, batches):
    """dQ, dK and dV for the dO of a softmax attention, from its O and the logarithms of its sums. All arrays have (sequence, size of a
    head, heads of Q for a head of K, heads of K, batch), and lie as (batch, sequence, head, value). Sequences are whole tiles of 128,
    because the kernel has no mask."""
    scale, size = 0.25, 128
    order = (4, 0, 3, 2, 1)
    shapes = {name: (length, size, 1, heads, batches) for name, length in [("q", queries), ("k", keys), ("v", keys), ("do", queries)]}
    given = {name: sample("f16", shape, seed) for seed, (name, shape) in enumerate(shapes.items(), 1)}
    for array in given.values():
        array.order = order

    def rows(name, h, b):
        x, length = given[name].values, given[name].shape[0]
        return [[x[((i * size + d) * heads + h) * batches + b] for d in range(size)] for i in range(length)]

    out = {name: [0.0] * (length * size * heads * batches) for name, length in
           [("o", queries), ("dq", queries), ("dk", keys), ("dv", keys)]}
    sums = [0.0] * (queries * heads * batches)

    def put(name, h, b, matrix):
        for i, row in enumerate(matrix):
            for d, x in enumerate(row):
                out[name][((i * size + d) * heads + h) * batches + b] = x

    for h, b in itertools.product(range(heads), range(batches)):
        q, k, v, do = (rows(name, h, b) for name in shapes)
        scores = [[x * scale for x in row] for row in times_transposed(q, k)]
        logs = [max(row) + math.log(sum(math.exp(x - max(row)) for x in row)) for row in scores]
        p = [[math.exp(x - log) for x in row] for row, log in zip(scores, logs)]
        o = [[rounded("f16", x) for x in row] for row in times_transposed(p, transposed(v))]
        dots = [sum(map(float.__mul__, x, y)) for x, y in zip(o, do)]
        ds = [[x * (dx - dot) * scale for x, dx in zip(*both)] for *both, dot in zip(p, times_transposed(do, v), dots)]
        put("o", h, b, o)
        put("dq", h, b, times_transposed(ds, transposed(k)))
        put("dk", h, b, times_transposed(transposed(ds), transposed(q)))
        put("dv", h, b, times_transposed(transposed(p), transposed(do)))
        for i, log in enumerate(logs):
            sums[(i * heads + h) * batches + b] = log

    lengths = {"queries": queries, "keys": keys, "size": size, "of_key": 1, "heads": heads, "batches": batches}
    empty = {name: Array("f16", shapes[name[1:]], order=order) for name in ["dq", "dk", "dv"]}
    arrays = {**{name: given[name] for name in "qkv"}, "o": Array("f16", shapes["q"], out["o"], order), **empty, "do": given["do"],
              "lse": Array("f32", (queries, 1, heads, batches), sums, (3, 2, 1, 0))}
    # For each query the products of O and dO, the logarithm, and a row of dQ, all in f32.
    workspace = {"workspace": Array("i8", (4 * queries * heads * batches * (size + 2),))}
    expected = {name: out[name] for name in empty}
    return Case(f"{queries}x{keys}x{heads}x{batches}", {**lengths, **arrays, "scale": scale, **workspace}, expected, 5e-4)


def quantised_attention(queries, keys, heads, of_key):
    """K and V are integers, each row of which has a factor. The arrays are pointers, (head, sequence, 512 values) row by row."""
    scale, size = 0.02, 512
    q = sample("bf16", (heads * of_key, queries, size), 1)
    source = random.Random(2)
    k, v = (Array("i8", (heads, keys, size), [source.randrange(-8, 9) for _ in range(heads * keys * size)]) for _ in range(2))
    k_factors, v_factors = (Array("bf16", (heads, keys), [source.choice([0.125, 0.25, 0.5]) for _ in range(heads * keys)])
                            for _ in range(2))
    out = []

    def real(x, factors, h):
        begins = range(h * keys, (h + 1) * keys)
        return [[value * factors.values[i] for value in x.values[i * size:][:size]] for i in begins]

    for h in range(heads * of_key):
        rows = [q.values[(h * queries + i) * size:][:size] for i in range(queries)]
        scores = times_transposed(rows, real(k, k_factors, h // of_key))
        powers = [[math.exp((s - max(row)) * scale) for s in row] for row in scores]
        weights = [[p / sum(row) for p in row] for row in powers]
        out += itertools.chain.from_iterable(times_transposed(weights, transposed(real(v, v_factors, h // of_key))))
    flat = lambda x: Array(x.element, (x.size(),), x.values)
    arrays = {"q": flat(q), "k": flat(k), "v": flat(v), "o": Array("bf16", (q.size(),)), "k_factors": flat(k_factors),
              "v_factors": flat(v_factors)}
    numbers = {"b": 1, "s_q": queries, "s_k": keys, "h_q": heads * of_key, "h_k": heads, "d": size,
               "log2": scale * math.log2(math.e), "out": 1.0}
    return Case(f"{queries}x{keys}x{heads * of_key}x{heads}", {**arrays, **numbers}, {"o": out}, 5e-3)


def state_space(chunks, heads, groups):
    """Mamba 2: h(t) = exp(a delta(t)) h(t - 1) + delta(t) x(t) B(t), y(t) = h(t) C(t) + D x(t), step by step. The kernel does this in
    chunks of 128 steps, and is given the sums of a * delta from the first step of the chunk on."""
    steps, values, states = 128, 64, 128
    x = sample("bf16", (values, steps, chunks, heads, 1), 1)
    b, c = (sample("bf16", (steps, states, chunks, groups, 1), seed, scale) for seed, scale in [(2, 1.0), (3, 0.25)])
    d = sample("bf16", (values, heads), 4, 0.25)
    source = random.Random(5)
    delta = Array("bf16", (steps, chunks, heads, 1), [source.randrange(1, 9) / 64 for _ in range(steps * chunks * heads)])
    decay = [-(h + 1) / 4 for h in range(heads)]
    sums = [0.0] * delta.size()
    y, last = [0.0] * (steps * values * chunks * heads), [0.0] * (values * states * heads)
    for h in range(heads):
        g, state = h * groups // heads, [[0.0] * states for _ in range(values)]
        for chunk in range(chunks):
            total = 0.0
            for t in range(steps):
                at = (t * chunks + chunk) * heads + h
                step = delta.values[at]
                total += decay[h] * step
                sums[at] = rounded("f32", total)
                pick = lambda a: [a.values[((t * states + n) * chunks + chunk) * groups + g] for n in range(states)]
                factors, reads, kept = [n * step for n in pick(b)], pick(c), math.exp(decay[h] * step)
                for p in range(values):
                    now = x.values[((p * steps + t) * chunks + chunk) * heads + h]
                    state[p] = [kept * s + now * f for s, f in zip(state[p], factors)]
                    read = sum(map(float.__mul__, state[p], reads)) + now * d.values[p * heads + h]
                    y[((t * values + p) * chunks + chunk) * heads + h] = read
        for p, n in itertools.product(range(values), range(states)):
            last[(p * states + n) * heads + h] = state[p][n]
    x.order, d.order, delta.order = (4, 3, 0, 2, 1), (1, 0), (3, 2, 1, 0)
    b.order = c.order = (4, 3, 1, 2, 0)
    arguments = {"x": x, "sums": Array("f32", delta.shape, sums, delta.order), "delta": delta, "b": b, "c": c,
                 "y": Array("bf16", (steps, values, chunks, heads, 1), order=(4, 3, 1, 2, 0)),
                 "last": Array("bf16", (values, states, heads, 1), order=(3, 2, 0, 1)), "d": d}
    return Case(f"{chunks}x{heads}x{groups}", arguments, {"y": y, "last": last}, 5e-3)


def silu_attention(length):
    """HSTU: the scores plus a bias go through x * sigmoid(x), and are not normalised. There are as many queries as keys, whole tiles of
    64: the kernel bounds the rows of the bias by its last extent and its columns not at all, so that it would read past it."""
    queries = keys = length
    q = sample("bf16", (4, queries, 4, 128), 1, 0.25)
    k, v = (sample("bf16", (4, keys, 4, 128), seed, 0.25) for seed in (2, 3))
    width = -(-keys // 8) * 8
    bias = sample("bf16", (4, 4, queries, width), 4)

    def weights(scores, b, h, i):
        row = bias.values[((b * 4 + h) * queries + i) * width:][:keys]
        biased = [s + x for s, x in zip(scores, row)]
        return [x / (1 + math.exp(-x)) for x in biased]

    arguments = {"q": q, "k": k, "v": v, "o": Array("bf16", q.shape), "bias": bias}
    return Case(f"4x{queries}x{keys}x4", arguments, {"o": attention(q, k, v, weights)}, 0.03)


def rmsnorm(rows):
    x, w, eps = sample("bf16", (rows, 4096), 1), sample("bf16", (4096,), 2), 1e-5
    out = []
    for i in range(rows):
        row = x.values[i * 4096:][:4096]
        factor = 1 / math.sqrt(sum(v * v for v in row) / 4096 + eps)
        out += [rounded("bf16", v * factor * g) for v, g in zip(row, w.values)]
    flat = lambda a: Array("bf16", (a.size(),), a.values)
    arguments = {"x": flat(x), "w": w, "y": Array("bf16", (rows * 4096,)), "rows": rows, "eps": eps}
    return Case(f"{rows}x4096", arguments, {"y": out}, 0.01)


# Conversions


def convert(source, target, shape):
    x = sample(source, shape, 1, 4.0)
    out = [rounded(target, v) for v in x.values]
    return Case("x".join(map(str, shape)), {"x": x, "y": Array(target, shape)}, {"y": out})


def pack(shape, along, code):
    """Floats to codes of 4 bits, two to a byte along one mode, the first in the lower half."""
    x = sample("f32", shape, 1, 7.0)
    bytes_shape = tuple(n // 2 if i == along else n for i, n in enumerate(shape))
    strides = [math.prod(shape[i + 1:]) for i in range(len(shape))]
    out = []
    for at in itertools.product(*map(range, bytes_shape)):
        first = sum(strides[i] * (2 * n if i == along else n) for i, n in enumerate(at))
        low, high = code(x.values[first]), code(x.values[first + strides[along]])
        out.append(low | high << 4)
    return Case("x".join(map(str, shape)), {"x": x, "y": Array("u8", bytes_shape)}, {"y": out})


def e2m1(x):
    return nearest(E2M1, x) | (8 if math.copysign(1, x) < 0 else 0)


def int4(x):
    return int(x) & 15


# Small ones


def votes():
    """Which of 32 threads are among the first ten: the mask, any, all, and whether they agree."""
    arguments = {"mask": Array("i32", (32,)), **{name: Array("i8", (32,), "7") for name in ("any", "all", "uniform")}}
    return Case("32", arguments, {"mask": [1023] * 32, "any": [1] * 32, "all": [0] * 32, "uniform": [0] * 32})


def allocator():
    arrays = {"a": Array("f32", (8, 4)), "b": Array("f32", (8, 2)), "c": Array("f32", (16, 2))}
    return Case("fixed", arrays, {"a": [0.5] * 32, "b": [1.0] * 16, "c": [2.0] * 32})


def greeting():
    return Case("nothing", {}, {"stdout": "Hello world\n"})


MN = [(2, 1, 0), (2, 1, 0), (2, 0, 1)]
KK = [(2, 0, 1), (2, 0, 1), (2, 0, 1)]


def sizes(m, n, k, l):
    return {"m": m, "n": n, "k": k, "l": l}


# M and N are multiples of 128 for all that have no store by the TMA: they write whole tiles of C.
TF32 = [(128, 128, 32, 1), (256, 128, 104, 2)]

# The cases of each module, by the name of its file without `.mlir`.
CASES = {
    "ampere.elementwise_add": lambda: [add(16, 128), add(37, 130), add(1, 1)],
    "ampere.elementwise_apply": lambda: [apply_add()],
    "ampere.sgemm": lambda: [sgemm(256), sgemm(512)],
    "ampere.tensorop_gemm": lambda: [gemm(128, 128, 32, 1), gemm(200, 136, 40, 2), gemm(8, 8, 8, 1)],
    "ampere.call_bypass_dlpack": lambda: [
        gemm_of_pointers(*shape, MN, sizes(*shape)) for shape in [(128, 128, 32, 1), (200, 136, 40, 2)]],
    "ampere.call_from_jit": lambda: [gemm_of_pointers(512, 256, 128, 16, KK, {})],
    "ampere.flash_attention_v2": lambda: [
        softmax_attention(1, 128, 64, 1, False), softmax_attention(2, 130, 70, 1, False)],
    "ampere.hstu_attention": lambda: [silu_attention(64), silu_attention(128)],
    "ampere.inline_ptx": lambda: [votes()],
    "ampere.smem_allocator": lambda: [allocator()],
    "ampere.dynamic_smem_size": lambda: [greeting()],
    # Each block makes several tiles. Where K has few tiles, the next tile's first values overwrite those that the TMA still stores: only
    # the ring of K tiles makes the other warps wait for the one that stores.
    "blackwell_geforce.dense_gemm": lambda: [
        gemm(64, 64, 64, 1), gemm(40, 24, 33, 1), gemm(128, 72, 384, 1), gemm(136, 64, 321, 2)],
    "blackwell.fp16_gemm_0": lambda: [long_gemm(128)],
    "blackwell.fp16_gemm_1": lambda: [long_gemm(256)],
    "blackwell.dense_gemm": lambda: [gemm(*shape, "f32") for shape in TF32],
    "blackwell.dense_gemm_software_pipeline": lambda: [gemm(*shape, "f32") for shape in TF32],
    "blackwell.dense_gemm_persistent": lambda: [batched_gemm(*shape) for shape in TF32],
    "blackwell.dense_gemm_persistent_prefetch": lambda: [batched_gemm(*shape) for shape in TF32],
    "blackwell.dense_gemm_persistent_dynamic": lambda: [batched_gemm(*shape) for shape in TF32],
    "blackwell.dense_gemm_alpha_beta_persistent": lambda: [scaled_gemm(*shape, 0.5, -2.0) for shape in TF32],
    "blackwell.grouped_gemm": lambda: [grouped_gemm((128, 128, 128), (128, 128, 128)), grouped_gemm((120, 88, 200), (8, 128, 512))],
    "blackwell.fmha": lambda: [pointer_attention(1, 256, 128, 1, 1), pointer_attention(2, 256, 256, 1, 2)],
    "blackwell.fmha_bwd": lambda: [attention_gradient(128, 128, 1, 1), attention_gradient(128, 256, 2, 1)],
    "blackwell.mamba2_ssd": lambda: [state_space(1, 1, 1), state_space(2, 2, 1)],
    "blackwell.mixed_input_fmha_prefill": lambda: [quantised_attention(256, 256, 1, 1), quantised_attention(128, 512, 1, 2)],
    "blackwell.programmatic_dependent_launch": lambda: [add(16, 128), add(37, 130)],
    # A block normalises two rows. Where the last has one, the kernel reads shared memory for the other, which nobody wrote.
    "blackwell.rmsnorm": lambda: [rmsnorm(2), rmsnorm(6)],
    "blackwell.blockwise_gemm": lambda: [convert("f32", "f8E4M3FN", s) for s in [(4, 512, 1), (3, 700, 2)]],
    "blackwell.mla": lambda: [convert("f32", "f8E4M3FN", s) for s in [(4, 512, 1), (3, 704, 2)]],
    "blackwell.dense_blockscaled_gemm_persistent": lambda: [pack(s, 1, e2m1) for s in [(4, 1024, 1), (3, 1400, 2)]],
    "blackwell.grouped_mixed_input_gemm": lambda: [pack(s, 0, int4) for s in [(1024, 4, 1), (1400, 3, 2)]],
    "hopper.dense_gemm": lambda: [gemm(128, 128, 64, 1), gemm(200, 136, 328, 2), gemm(8, 8, 8, 1)],
    "hopper.dense_gemm_persistent": lambda: [gemm(128, 128, 64, 1), gemm(200, 136, 328, 2), gemm(8, 8, 8, 1)],
    # This one has no mask: keys beyond the end would count as zeros, so that there are whole tiles of 128.
    "hopper.fmha.0.dsl44": lambda: [tiled_attention(64, 128, 1, 1), tiled_attention(200, 256, 2, 2)],
    "hopper.fmha": lambda: [convert("f16", "f32", s) for s in [(4, 256, 1, 1, 1), (3, 300, 2, 2, 1)]],
}

# The feature that a target must have beyond the default one.
TARGETS = {"blackwell.dense_blockscaled_gemm_persistent": "sm_100a", "blackwell_geforce.dense_gemm": "sm_120a"}
TENSOR_MEMORY = [f"blackwell.{name}" for name in
                 ["fp16_gemm_0", "fp16_gemm_1", "dense_gemm", "dense_gemm_software_pipeline", "dense_gemm_persistent",
                  "dense_gemm_persistent_prefetch", "dense_gemm_persistent_dynamic", "dense_gemm_alpha_beta_persistent", "grouped_gemm",
                  "fmha", "fmha_bwd", "mamba2_ssd", "mixed_input_fmha_prefill"]]
TARGETS |= dict.fromkeys(TENSOR_MEMORY, "sm_100a")

# One thread of each warp signals that its warp has read a tile of C, and nothing orders the reads of the other lanes before the signal:
# races are not looked for.
WITH_A_RACE = ["blackwell.dense_gemm_alpha_beta_persistent", "blackwell.fmha_bwd", "blackwell.mixed_input_fmha_prefill"]

# Mistakes of kernels, each by its op and what is said of it: under the first schedule, exactly these must be found in the first case.
# The numbers are compared without looking for races, under schedules that hide the mistakes.
MISTAKES = {
    # Warps that sum dQ still read tensor memory when another one frees it.
    "blackwell.fmha_bwd": ("lazy", {
        ("nvvm.tcgen05.dealloc", "nothing orders it with the asynchronous write by thread (404, 0, 0)"),
        ("nvvm.tcgen05.ld", "columns 256 to 287 of tensor memory are no longer allocated")}),
    # Blocks of a cluster signal what they have written for the MMA by arrivals without `.cluster`, and one warp frees the tensor memory
    # from which others still read their rows of O.
    "blackwell.mixed_input_fmha_prefill": ("lazy", {
        ("nvvm.tcgen05.mma", "an mbarrier orders what blocks of a cluster write only where its arrivals and waits say `.release.cluster`"),
        ("nvvm.tcgen05.dealloc", "nothing orders it with the asynchronous read by thread")}),
}

# Places where a kernel initialises an mbarrier again; exactly so many must be found. As such an op ends the run of its block, it is
# removed from a copy of the module, which is then run again, until none is found.
REPEATED_INITS = {"blackwell.mixed_input_fmha_prefill": 4}

# Kernels whose copies take their own time run in several orders.
ORDERS = ["lazy", "eager", "reverse", "1", "2"]
SCHEDULES = {name: ORDERS for name in
             ["blackwell_geforce.dense_gemm", "hopper.dense_gemm", "hopper.dense_gemm_persistent", "hopper.fmha.0.dsl44",
              *TENSOR_MEMORY]}
SCHEDULES |= {"blackwell.fmha_bwd": ["eager", "1", "2"], "blackwell.mixed_input_fmha_prefill": ["lazy", "reverse"]}


def difference(found, expected):
    """The largest difference, relative to the larger of 1 and the expected number."""
    if len(found) != len(expected):
        return math.inf
    worst = 0.0
    for x, y in zip(found, expected):
        if x != y:
            off = abs(x - y) / max(1.0, abs(y))
            worst = max(worst, math.inf if math.isnan(off) else off)
    return worst


def command_of(cutec, path, case, target, schedule, folder):
    command = [cutec, "run", path, "--host", "--domain", "extend", "--target", target, "--schedule", schedule]
    for name, value in case.arguments.items():
        text = value.argument(name, folder) if isinstance(value, Array) else f"{name}:{value}"
        command += ["--arg", text]
    for name, value in case.memory.items():
        command += ["--array", value.argument(name, folder)]
    return command


def findings(cutec, path, case, target, schedule):
    """What a run finds: line, op and text of each finding."""
    with tempfile.TemporaryDirectory() as folder:
        command = command_of(cutec, path, case, target, schedule, folder)
        done = subprocess.run(command, capture_output=True, text=True)
    form = re.compile(r"error: .*?:(\d+):\d+: `([\w.]+)` in block [^:]*: (.*)")
    return [(int(line), op, text) for line, op, text in form.findall(done.stdout + done.stderr)]


def without_repeated_inits(cutec, path, case, target, copy):
    """Writes a copy of a module without the ops that initialise an mbarrier again: how many there were."""
    with open(path) as given:
        lines = given.read().split("\n")
    removed = 0
    while True:
        with open(copy, "w") as out:
            out.write("\n".join(lines))
        again = {line for line, op, text in findings(cutec, copy, case, target, "lazy")
                 if op == "nvvm.mbarrier.init" and "is initialised already" in text}
        if not again:
            return removed
        for line in again:
            if "nvvm.mbarrier.init" not in lines[line - 1]:
                raise ValueError(f"{path}:{line} has no nvvm.mbarrier.init")
            lines[line - 1] = ""
        removed += len(again)


def unlike(found, mistakes):
    """What is found beyond the known mistakes, and which of these are not found; empty if neither."""
    known = lambda op, text: {m for m in mistakes if m[0] == op and m[1] in text}
    more = [f"more is found: `{op}`: {text}" for _, op, text in found if not known(op, text)]
    seen = set().union(*(known(op, text) for _, op, text in found))
    return more + [f"not found: `{op}`: {words}" for op, words in sorted(set(mistakes) - seen)]


def check(cutec, path, case, target, schedule, races=True):
    """Runs a case: whether it is right, and why not."""
    with tempfile.TemporaryDirectory() as folder:
        command = command_of(cutec, path, case, target, schedule, folder) + ([] if races else ["--no-races"])
        files = {name: os.path.join(folder, f"{name}.npy") for name in case.expected if name != "stdout"}
        for name, file in files.items():
            command += ["--out", f"{name}={file}"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            lines = [line for line in done.stderr.splitlines() if not line.startswith("note:")]
            return False, (lines or ["no message"])[-1]
        if "stdout" in case.expected and case.expected["stdout"] not in done.stdout:
            return False, "another output"
        worst, arrays = 0.0, case.arguments | case.memory
        for name, file in files.items():
            worst = max(worst, difference(load(file, arrays[name].element), case.expected[name]))
        text = "exact" if worst == 0 else f"off by {worst:.2g}"
        return worst <= case.tolerance, text


def run(cutec, path):
    """Runs the cases of a module and prints a row for each; whether all are right. A module without a reference has a row that says so."""
    name = os.path.basename(path).removesuffix(".mlir")
    target = TARGETS.get(name, "sm_90a")
    cases = CASES.get(name)
    if cases is None:
        print(f"{name}: no reference", flush=True)
        return True
    with tempfile.TemporaryDirectory() as folder:
        return run_cases(cutec, path, name, target, cases(), folder)


def run_cases(cutec, path, name, target, cases, folder):
    all_right = True
    if name in REPEATED_INITS:
        copy = os.path.join(folder, os.path.basename(path))
        removed = without_repeated_inits(cutec, path, cases[0], target, copy)
        right, path = removed == REPEATED_INITS[name], copy
        all_right &= right
        text = f"{'right' if right else 'WRONG'}, mbarriers are initialised again in {removed} places"
        print(f"{name} {cases[0].text} lazy: {text}", flush=True)
    if name in MISTAKES:
        schedule, mistakes = MISTAKES[name]
        wrong = unlike(findings(cutec, path, cases[0], target, schedule), mistakes)
        all_right &= not wrong
        print(f"{name} {cases[0].text} {schedule}: {'WRONG, ' + wrong[0] if wrong else 'right, the known mistakes are found'}", flush=True)
    for case, schedule in itertools.product(cases, SCHEDULES.get(name, ["lazy"])):
        right, text = check(cutec, path, case, target, schedule, name not in WITH_A_RACE)
        all_right &= right
        order = f" {schedule}" if name in SCHEDULES else ""
        print(f"{name} {case.text}{order}: {'right' if right else 'WRONG'}, {text}", flush=True)
    return all_right


if __name__ == "__main__":
    sys.exit(not all([run(sys.argv[1], path) for path in sys.argv[2:]]))
