"""Tensor maps that a kernel changes."""

from __future__ import annotations

from typing import Any

from . import _ops
from ._tma import Tma
from ._trace import current, fail
from ._values import Value

_MAP = "!cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<128>>"


class TensorMap:
    """A tensor map of this block's own, in place of one that the host made: ``ck.tma_partition`` takes it as it takes that.

    ``words`` is a view of 128 bytes of global memory, where the TMA reads the map: 16 elements of i64, aligned to 128 bytes. The map
    is changed in shared memory, as CUTLASS does for grouped GEMMs: one thread calls ``init``, and a warp ``update`` for each
    matrix, when no copy uses the map any more.
    """

    def __init__(self, tma: Tma, words: Value) -> None:
        trace = current()
        if not isinstance(tma, Tma):
            fail(f"a tensor map is made from one of the host's, the result of ck.make_tma_load or ck.make_tma_store, not {tma!r}")
        if not isinstance(words, Value) or words.kind != "memref" or "gmem" not in words.type or words.dtype != "i64":
            fail(f"a tensor map has 16 elements of i64 in global memory, not {getattr(words, 'type', words)}")
        self.coords, self.atom, self.is_load, self.tile = tma.coords, tma.atom, tma.is_load, tma.tile
        self._words = words.iterator
        self._copy = trace.word("shared", [], "static", "i64", 128, "", "16:1").iterator
        number = _ops.ptrtoint(self._words, result="i64")
        #: A generic address is the same number as one of global memory.
        self.pointer = _ops.inttoptr(number, result=_MAP)

    def init(self) -> None:
        """Copies the host's map to shared memory; one thread does it."""
        _ops.nvgpu_copy_tma_desc(self.atom, self._copy)

    def update(self, view: Any) -> None:
        """Makes it the map of another matrix: a warp does it, and may copy by it then."""
        trace = current()
        _ops.nvgpu_update_tma_desc(self.atom, view, self._copy)
        trace.word("warp_barrier")
        trace.word("publish_map", [self._words, self._copy])
        self.acquire()

    def acquire(self) -> None:
        """Makes a change visible to a thread of another warp, which has waited for it and copies by the map then."""
        trace = current()
        trace.op("nvvm.fence.proxy.acquire", [trace.word("address", [self.pointer]), 128], {"scope": "#nvvm.mem_scope<gpu>"}, [])
