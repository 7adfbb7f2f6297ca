"""Conversions of tensors, and small kernels."""

import itertools
import math

from .arrays import E2M1, Array, Case, nearest, rounded, sample


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


def votes():
    """Which of 32 threads are among the first ten: the mask, any, all, and whether they agree."""
    arguments = {"mask": Array("i32", (32,)), **{name: Array("i8", (32,), "7") for name in ("any", "all", "uniform")}}
    return Case("32", arguments, {"mask": [1023] * 32, "any": [1] * 32, "all": [0] * 32, "uniform": [0] * 32})


def allocator():
    arrays = {"a": Array("f32", (8, 4)), "b": Array("f32", (8, 2)), "c": Array("f32", (16, 2))}
    return Case("fixed", arrays, {"a": [0.5] * 32, "b": [1.0] * 16, "c": [2.0] * 32})


def greeting():
    return Case("nothing", {}, {"stdout": "Hello world\n"})
