"""Attention, its gradient, recurrences and normalisation."""

import itertools
import math
import random

from .arrays import Array, Case, rounded, sample
from .matrices import permuted, times_transposed, transposed


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
