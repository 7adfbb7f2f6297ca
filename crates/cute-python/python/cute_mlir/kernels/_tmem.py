"""Tensor memory of Blackwell: its allocation, views, copies and fences."""

from __future__ import annotations

import re
from typing import Any

from . import _ops
from ._machine import sync, sync_cluster
from ._trace import current, fail
from ._values import Atom, Dtype, Value
from ._words import fragment_C, layout_of


def ctas_of(ctas: int) -> int:
    """The number of CTAs that multiply one tile."""
    if ctas not in (1, 2):
        fail(f"one CTA multiplies a tile, or a pair of them: ctas is 1 or 2, found {ctas!r}")
    return ctas


class TensorMemory:
    """Columns of tensor memory, of 128 lanes with 32 bits each: CUTLASS's ``TMEM::Allocator1Sm``, or ``Allocator2Sm`` for a pair of CTAs.

    The number of columns is a power of two from 32 to 512. Their address goes through shared memory: a barrier such as ``ck.sync_tmem()``
    lies between ``allocate`` and the first view, and the views are made outside of the branches for single warps.
    """

    def __init__(self, columns: int, ctas: int = 1) -> None:
        self.columns, self.ctas = columns, ctas_of(ctas)
        self._word: Value = current().word("tensor_memory", [], columns)

    def allocate(self) -> None:
        """Allocates the columns, and lets other blocks allocate. One whole warp does it; of a pair, one in each block.

        Of a pair, both blocks must run: ``ck.sync_cluster()`` before.
        """
        _ops.nvgpu_arch_sm100_alloc_tmem(self.columns, self._word, is_two_cta=self.ctas == 2)
        _ops.nvgpu_arch_sm100_relinquish_tmem_alloc_permit(is_two_cta=self.ctas == 2)

    def free(self) -> None:
        """Frees the columns, by the warp that allocated them, when no thread uses them any more."""
        _ops.nvgpu_arch_sm100_dealloc_tmem(self._pointer("i32"), self.columns, is_two_cta=self.ctas == 2)

    def _pointer(self, element: str, column: int = 0) -> Value:
        trace = current()
        first: Value = trace.word("tensor_pointer", [self._word], element)
        return first if column == 0 else trace.word("add_offset", [first], column)

    def tensor(self, dtype: Any, layout: Any, column: int = 0) -> Value:
        """A view of elements of 32 bits from a column on: a column is 1, and a lane is 65536."""
        return current().word("view_of", [self._pointer(Dtype.of(dtype).mlir, column), layout_of(layout)])  # type: ignore[no-any-return]

    def fragment_C(self, mma: Value, tile: tuple[int, ...], column: int = 0) -> Value:  # noqa: N802
        """Accumulators of a UMMA from a column on, for a tile (M, N) or several (M, N, tiles): ``make_fragment_C``.

        The modes are ((rows, columns) of this CTA, 1, 1, tiles).
        """
        like = fragment_C(mma, tile)
        if "tmem" not in like.type:
            fail("tensor memory has the accumulators of ck.umma; those of other MMAs are in registers, ck.fragment_C")
        return self.tensor(like.dtype, like.layout, column)


_SHAPE = re.compile(r"(16|32)dp(32|64|128|256)b")


def _atom(kind: str, dtype: Any, shape: str, repeats: int) -> Atom:
    found = _SHAPE.fullmatch(shape)
    if found is None:
        fail(f'the shape of a copy of tensor memory is one such as "32dp32b" or "16dp256b", lanes and bits of each, not {shape!r}')
    return Atom(kind, Dtype.of(dtype).mlir, *found.groups(), repeats)


def tmem_load(dtype: Any, shape: str, repeats: int) -> Atom:
    """``tcgen05.ld``: CuTe's ``SM100_TMEM_LOAD_32dp32b16x`` is ``ck.tmem_load(ck.f32, "32dp32b", 16)``.

    Each of four warps reaches the 32 lanes of its number modulo 4.
    """
    return _atom("tmem_load", dtype, shape, repeats)


def tmem_store(dtype: Any, shape: str, repeats: int) -> Atom:
    """``tcgen05.st``: CuTe's ``SM100_TMEM_STORE_32dp32b16x`` is ``ck.tmem_store(ck.f32, "32dp32b", 16)``."""
    return _atom("tmem_store", dtype, shape, repeats)


def make_tmem_copy(atom: Atom, tensor: Value) -> Value:
    """A copy atom laid over four warps, for tensors with the layout of this one: (lanes, columns).

    ``ck.partition_S`` or ``ck.partition_D`` takes the thread of the 128.
    """
    return _ops.nvgpu_atom_make_tmem_copy(atom, tensor)


def tmem_wait_load() -> None:
    """Waits for this warp's loads from tensor memory: ``fence_view_async_tmem_load()``.

    The compiler inserts it where it is missing before columns are handed on.
    """
    current().word("tensor_wait", [], "load")


def tmem_wait_store() -> None:
    """Waits for this warp's stores to tensor memory: ``fence_view_async_tmem_store()``."""
    current().word("tensor_wait", [], "store")


def tcgen05_before_thread_sync() -> None:
    """Orders this thread's operations on tensor memory before the barrier or arrival that follows; it is no instruction."""
    current().word("tensor_fence", [], "before")


def tcgen05_after_thread_sync() -> None:
    """Orders this thread's operations on tensor memory after the barrier or wait before it; it is no instruction."""
    current().word("tensor_fence", [], "after")


def sync_tmem(cluster: bool = False) -> None:
    """``ck.sync()``, or ``ck.sync_cluster()``, between the two fences: threads see each other's operations on tensor memory."""
    tcgen05_before_thread_sync()
    if cluster:
        sync_cluster()
    else:
        sync()
    tcgen05_after_thread_sync()
