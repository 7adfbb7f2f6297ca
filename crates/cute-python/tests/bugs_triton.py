"""Kernels of Triton with a mistake each, in the lines that say so, and their correct twins."""

import triton
import triton.language as tl


@triton.jit
def accumulate(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.sum(tl.load(x + at))
    tl.store(out, tl.load(out) + total)  # BUG: programs add without an atomic


@triton.jit
def accumulate_right(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + at)))


@triton.jit
def halo(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    right = tl.load(x + at + 1, mask=at + 1 < n, other=0.0)  # BUG with out = x: another program stores it
    tl.store(out + at, tl.load(x + at) + right)


@triton.jit
def produce(data, flag, out, SEM: tl.constexpr):
    if tl.program_id(0) == 0:
        tl.store(data, 42)
        tl.atomic_xchg(flag, 1, sem=SEM)
    else:
        while tl.atomic_add(flag, 0, sem=SEM) == 0:
            pass
        tl.store(out, tl.load(data))  # BUG with a relaxed flag


@triton.jit
def later(flag, out):
    if tl.program_id(0) == 0:
        while tl.atomic_add(flag, 0) == 0:  # correct: a later program sets it
            pass
        tl.store(out, 1)
    else:
        tl.atomic_xchg(flag, 1)


@triton.jit
def unmasked(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at)  # BUG: no mask
    tl.store(out + at, value, mask=at < n)


@triton.jit
def divide(x, y, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at) // tl.load(y + at))  # BUG with a zero in y


@triton.jit
def histogram(x, bins, BLOCK: tl.constexpr):
    at = tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    tl.store(bins + at, tl.load(bins + at) + 1)  # BUG: not atomic


@triton.jit
def never_add(flag, out):
    while tl.atomic_add(flag, 0) == 0:  # BUG: nobody sets it (add)
        pass
    tl.store(out, 1)


@triton.jit
def never_cas(flag, out):
    while tl.atomic_cas(flag, 1, 2) == 0:  # BUG: nobody sets it (cas)
        pass
    tl.store(out, 1)


@triton.jit
def never_volatile(flag, out):
    while tl.load(flag, volatile=True) == 0:  # BUG: nobody sets it (volatile)
        pass
    tl.store(out, 1)


@triton.jit
def locked(x, out, lock, BARRIER: tl.constexpr, BLOCK: tl.constexpr):
    """The lock of the backward pass of tutorial 05: Triton orders the store and the release by itself."""
    at = tl.arange(0, BLOCK)
    part = tl.load(x + tl.program_id(0) * BLOCK + at)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(out + at, tl.load(out + at) + part)
    if BARRIER:
        tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def doubled(x, BLOCK: tl.constexpr):
    """Correct in place, also where there are fewer elements than threads."""
    at = x + tl.arange(0, BLOCK)
    tl.store(at, tl.load(at) * 2)


@triton.jit
def sum_of_squares(x, out, BLOCK: tl.constexpr):
    """Correct, although a contracted product makes lanes of one sum differ in the last bit."""
    value = tl.load(x + tl.arange(0, BLOCK))
    tl.store(out, tl.sum(value * value))
