"""Kernels with a mistake, each with a finding at its line; and one that seems to have one."""

import triton
import triton.language as tl

from cases import random, zeros
from triton_cases import case


@triton.jit
def overlapping_rows(x, y, pitch, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    values = tl.load(x + row * BLOCK + at)
    # A row has `pitch` elements, but each program writes BLOCK of them.
    tl.store(y + row * pitch + at, values)  # broken: overlapping_rows


case(
    overlapping_rows,
    grid=2,
    finds="race",
    x=random("f32", 256, seed=86),
    y=zeros("f32", 256),
    pitch=100,
    BLOCK=128,
)


@triton.jit
def no_mask(x, y, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at) * 2)  # broken: no_mask


case(no_mask, grid=2, finds="out_of_bounds", x=random("f32", 250, seed=87), y=zeros("f32", 256), BLOCK=128)


@triton.jit
def plain_total(x, total, BLOCK: tl.constexpr):
    part = tl.sum(tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)), 0)
    tl.store(total, tl.load(total) + part)  # broken: plain_total


case(plain_total, grid=2, finds="race", x=random("i32", 256, seed=88), total=zeros("i32", 1), BLOCK=128)


@triton.jit
def locked_total(lock, total, x, BLOCK: tl.constexpr):
    part = tl.sum(tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)), 0)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    # All threads load, and one of them stores, without a barrier in between. The others drop what they load.
    tl.store(total, tl.load(total) + part)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


case(
    locked_total,
    grid=4,
    expected=lambda a: {"total": a.x.sum(dtype="int32", keepdims=True)},
    lock=zeros("i32", 1),
    total=zeros("i32", 1),
    x=random("i32", 512, seed=89),
    BLOCK=128,
)
