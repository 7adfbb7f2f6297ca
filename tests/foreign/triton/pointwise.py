"""Kernels that compute each element on its own."""

import numpy as np
import triton
import triton.language as tl

from cases import random, stored, zeros
from triton_cases import case


@triton.jit
def masked_add(x, y, z, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(z + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


case(
    masked_add,
    grid=4,
    x=random("f32", 1000, seed=1),
    y=random("f32", 1000, seed=2),
    z=zeros("f32", 1000),
    n=1000,
    BLOCK=256,
    expected=lambda a: {"z": a.x + a.y},
)


@triton.jit
def rotary(x, cosines, sines, y, HALF: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, HALF)
    c, s = tl.load(cosines + row * HALF + at), tl.load(sines + row * HALF + at)
    first = tl.load(x + row * 2 * HALF + at)
    second = tl.load(x + row * 2 * HALF + HALF + at)
    tl.store(y + row * 2 * HALF + at, first * c - second * s)
    tl.store(y + row * 2 * HALF + HALF + at, second * c + first * s)


def rotated(a):
    first, second = a.x[:, :32].astype(np.float64), a.x[:, 32:].astype(np.float64)
    return {"y": np.concatenate([first * a.cosines - second * a.sines, second * a.cosines + first * a.sines], axis=1)}


case(
    rotary,
    grid=8,
    warps=1,
    x=random("f32", 8, 64, seed=3),
    cosines=random("f32", 8, 32, seed=4),
    sines=random("f32", 8, 32, seed=5),
    y=zeros("f32", 8, 64),
    HALF=32,
    expected=rotated,
    tolerance=1e-6,
)


@triton.jit
def angles(x, s, c, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    angle = tl.load(x + at) * 100.0
    tl.store(s + at, tl.sin(angle))
    tl.store(c + at, tl.cos(angle))


def sines(a):
    angle = (a.x * np.float32(100)).astype(np.float64)
    return {"s": np.sin(angle), "c": np.cos(angle)}


case(
    angles,
    grid=2,
    x=random("f32", 512, seed=9),
    s=zeros("f32", 512),
    c=zeros("f32", 512),
    BLOCK=256,
    expected=sines,
    tolerance=1e-6,
    kept=(),
)


@triton.jit
def quantise(x, scales, q, COLUMNS: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, COLUMNS)
    values = tl.load(x + row * COLUMNS + at)
    scale = tl.max(tl.abs(values), 0) / 127.0
    scaled = values / scale
    rounded = tl.where(scaled >= 0, scaled + 0.5, scaled - 0.5)
    tl.store(q + row * COLUMNS + at, rounded.to(tl.int8))
    tl.store(scales + row, scale)


def quantised(a):
    scale = np.abs(a.x).max(axis=1) / np.float32(127)
    scaled = a.x / scale[:, None]
    return {"q": np.trunc(np.where(scaled >= 0, scaled + 0.5, scaled - 0.5)), "scales": scale}


case(
    quantise,
    grid=8,
    x=stored("f32", np.concatenate([np.full((8, 1), 127), np.arange(8 * 255).reshape(8, 255) * 37 % 251 - 125.25], 1)),
    scales=zeros("f32", 8),
    q=zeros("i8", 8, 256),
    COLUMNS=256,
    expected=quantised,
)


@triton.jit
def to_fp8(x, narrow, wide, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    small = tl.load(x + at).to(tl.float8e5)
    tl.store(narrow + at, small)
    tl.store(wide + at, small.to(tl.float32))


def narrowed(name):
    def narrow(a):
        import ml_dtypes

        small = a.x.astype(getattr(ml_dtypes, name))
        return {"narrow": small, "wide": small.astype(np.float32)}

    return narrow


case(
    to_fp8,
    grid=2,
    x=random("f32", 512, seed=5),
    narrow=zeros("f8E5M2", 512),
    wide=zeros("f32", 512),
    BLOCK=256,
    expected=narrowed("float8_e5m2"),
)


@triton.jit
def to_e4m3(x, narrow, wide, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    small = tl.load(x + at).to(tl.float8e4nv)
    tl.store(narrow + at, small)
    tl.store(wide + at, small.to(tl.float32))


case(
    to_e4m3,
    grid=2,
    x=random("f32", 512, seed=6),
    narrow=zeros("f8E4M3FN", 512),
    wide=zeros("f32", 512),
    BLOCK=256,
    expected=narrowed("float8_e4m3fn"),
    targets=(90, 100, 120),
)


@triton.jit
def wide_index(x, y, pitch, rows, BLOCK: tl.constexpr):
    # The products need 64 bits, although the differences do not.
    far = (tl.program_id(0).to(tl.int64) + 3000000000) * pitch
    near = far - pitch.to(tl.int64) * 3000000000
    at = tl.arange(0, BLOCK).to(tl.int64)
    inside = (near + at < rows * pitch) & (at < pitch)
    value = tl.load(x + near + at, mask=inside, other=-1)
    tl.store(y + near + at, value + (far // 1000000007) % 100 + (far & 7), mask=inside)


def far_away(a):
    program = np.repeat(np.arange(6, dtype=np.int64), 100)
    far = (program + 3000000000) * 100
    return {"y": a.x + far // 1000000007 % 100 + (far & 7)}


case(
    wide_index,
    grid=6,
    x=random("i64", 600, seed=7),
    y=zeros("i64", 600),
    pitch=100,
    rows=6,
    BLOCK=128,
    expected=far_away,
)


@triton.jit
def philox_bits(y, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c0 = at.to(tl.uint32)
    c1, c2, c3 = c0 * 0, c0 * 0, c0 * 0
    k0, k1 = seed.to(tl.uint32), seed.to(tl.uint32) * 0
    for _ in tl.static_range(10):
        old0, old2 = c0, c2
        c0 = tl.umulhi(old2, 0xCD9E8D57) ^ c1 ^ k0
        c2 = tl.umulhi(old0, 0xD2511F53) ^ c3 ^ k1
        c1, c3 = old2 * 0xCD9E8D57, old0 * 0xD2511F53
        k0, k1 = k0 + 0x9E3779B9, k1 + 0xBB67AE85
    tl.store(y + at, c0.to(tl.int32, bitcast=True))


def philox(_, rounds=10):
    c0 = np.arange(512, dtype=np.uint64)
    c1, c2, c3 = (np.zeros(512, np.uint64) for _ in range(3))
    k0, k1 = np.uint64(1234), np.uint64(0)
    low, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    for _ in range(rounds):
        a0, b0 = c0 * np.uint64(0xD2511F53), c2 * np.uint64(0xCD9E8D57)
        c0, c2 = (b0 >> shift) ^ c1 ^ k0, (a0 >> shift) ^ c3 ^ k1
        c1, c3 = b0 & low, a0 & low
        k0, k1 = (k0 + np.uint64(0x9E3779B9)) & low, (k1 + np.uint64(0xBB67AE85)) & low
    return {"y": c0.astype(np.uint32).view(np.int32)}


case(philox_bits, grid=2, y=zeros("i32", 512), seed=1234, BLOCK=256, expected=philox)


@triton.jit
def uniform(y, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.rand(seed, at))


def uniforms(a):
    bits = philox(a)["y"].astype(np.int64)
    bits = np.where(bits < 0, -bits - 1, bits)
    return {"y": bits.astype(np.float32) * np.float32(4.6566127342e-10)}


case(uniform, grid=2, y=zeros("f32", 512), seed=1234, BLOCK=256, expected=uniforms, tolerance=1e-7, kept=())


@triton.jit
def clamped_gelu(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(x + at, mask=inside).to(tl.float32) * 3.0
    result = value * 0.5 * (1.0 + tl.erf(value * 0.7071067811865476))
    tl.store(y + at, tl.clamp(result, -1.0, 2.0).to(tl.bfloat16), mask=inside)


def gelu(a):
    from math import erf

    value = a.x.astype(np.float64) * 3
    result = value * 0.5 * (1 + np.vectorize(erf)(value / np.sqrt(2)))
    return {"y": np.clip(result, -1, 2)}


case(
    clamped_gelu,
    grid=3,
    x=random("bf16", 700, seed=8),
    y=zeros("bf16", 700),
    n=700,
    BLOCK=256,
    expected=gelu,
    tolerance=8e-3,
    kept=(),
)


@triton.jit
def checked_quotient(x, y, q, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a, b = tl.load(x + at), tl.load(y + at)
    tl.device_assert(b != 0, "the divisor is zero")
    tl.store(q + at, a // b + a % b)
    if tl.program_id(0) == 1:
        tl.device_print("sum", tl.sum(a, 0))


def quotients(a):
    x, y = a.x.astype(np.int64), a.y.astype(np.int64)
    quotient = np.trunc(x / y).astype(np.int64)
    return {"q": quotient + x - quotient * y}


case(
    checked_quotient,
    grid=2,
    x=stored("i32", np.arange(256) * 7919 % 4001 - 2000),
    y=stored("i32", np.arange(256) % 13 + 1),
    q=zeros("i32", 256),
    BLOCK=128,
    expected=quotients,
    debug=True,
)


@triton.jit
def bit_tricks(x, y, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at).to(tl.uint32, bitcast=True)
    mixed = (value ^ (value >> 16)) * 0x45D9F3B
    mixed = (mixed << 7) | (mixed >> 25)
    high = tl.umulhi(mixed, value)
    tl.store(y + at, (high + (~mixed & 0xFF)).to(tl.int32, bitcast=True))


def tricks(a):
    value = a.x.view(np.uint32)
    mixed = (value ^ (value >> np.uint32(16))) * np.uint32(0x45D9F3B)
    mixed = (mixed << np.uint32(7)) | (mixed >> np.uint32(25))
    high = ((mixed.astype(np.uint64) * value.astype(np.uint64)) >> np.uint64(32)).astype(np.uint32)
    return {"y": (high + (~mixed & np.uint32(0xFF))).view(np.int32)}


case(
    bit_tricks,
    grid=2,
    x=stored("i32", np.arange(512) * 48271 - 9000000),
    y=zeros("i32", 512),
    BLOCK=256,
    expected=tricks,
)
