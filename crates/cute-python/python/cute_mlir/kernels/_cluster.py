"""Shared memory of other blocks of a cluster, and launches that overlap."""

from __future__ import annotations

from typing import Any

from . import _ops
from ._atomics import converted
from ._machine import Barrier
from ._trace import current, fail
from ._values import Dtype, Value, is_vector, spelled


class Remote:
    """A view of another block's shared memory: ``there[i, j]`` loads an element, and ``there[i, j] = x`` stores one.

    With an index None, ``there[None, j] = v`` stores a vector to elements that lie side by side. A barrier of the cluster, or an
    mbarrier with scope "cluster", tells the other block that they have arrived.
    """

    def __init__(self, view: Value, rank: Any) -> None:
        if not isinstance(view, Value) or view.kind != "memref" or "smem" not in view.type:
            fail(f"another block of the cluster has shared memory, not {getattr(view, 'type', view)!r}")
        self._view, self._rank = view, rank

    def _at(self, at: Any) -> Value:
        leaves: list[Any] = []
        text = spelled(at, leaves)
        return _ops.slice(self._view, current().word("coord", leaves, text))

    def __getitem__(self, at: Any) -> Value:
        part = self._at(at)
        if "_" in spelled(at, []):
            fail("a vector of another block's memory cannot be loaded: load its elements, each with its index")
        return current().word("load_there", [part.iterator, self._rank])  # type: ignore[no-any-return]

    def __setitem__(self, at: Any, x: Any) -> None:
        part = self._at(at)
        current().word("store_there", [part.iterator, self._rank, _fitting(part, x)])


def _fitting(part: Value, x: Any) -> Value:
    """What is stored to a part of a view: a number, or a vector of as many elements, which lie side by side."""
    if not is_vector(x):
        if part.shape != ():
            fail("a part with several elements takes a vector: give each index a number, or store one by ck.vector")
        return converted(part.dtype, x)
    import cute_mlir

    count = int(x.kind.removeprefix("vector<").split("x")[0])
    layout = part.layout
    if isinstance(layout, Value) or str(cute_mlir.coalesce(layout)) != f"{count}:1":
        fail(f"a vector of {count} elements is stored to as many that lie side by side, not to {layout}")
    return x  # type: ignore[no-any-return]


def map_shared_rank(view: Value, rank: Any) -> Remote:
    """The same view in the shared memory of the block with this number in the cluster: ``cluster.map_shared_rank``."""
    return Remote(view, rank)


def store_shared_remote(view: Value, at: Any, x: Any, barrier: Barrier, rank: Any) -> None:
    """Stores a number, or a vector of up to 16 bytes, to a block of the cluster, whose barrier counts the bytes: ``st.async``.

    The place and the barrier are given as in this block. The other block expects the bytes, and waits.
    """
    part = Remote(view, rank)._at(at)
    current().word("store_async", [part.iterator, rank, _fitting(part, x), barrier.pointer])


def vector(*elements: Any) -> Value:
    """A vector of numbers."""
    trace = current()
    kinds = {one.kind for one in elements if isinstance(one, Value)}
    if len(kinds) != 1:
        fail(f"a vector has elements of one type, found {' and '.join(sorted(kinds)) or 'no value'}")
    kind = kinds.pop()
    parts = [one if isinstance(one, Value) else Dtype(kind)(one) for one in elements]
    return trace.op("vector.from_elements", parts, {}, [f"vector<{len(parts)}x{kind}>"])  # type: ignore[no-any-return]


def wait_on_dependent_grids() -> None:
    """Waits for the launches before a programmatic one, and sees what they wrote: ``griddepcontrol.wait``."""
    current().op("nvvm.griddepcontrol", [], {"kind": "#nvvm<grid_dep_action wait>"}, [])


def launch_dependent_grids() -> None:
    """Lets a programmatic launch behind this one begin when each block has called it or has ended: ``griddepcontrol.launch_dependents``."""
    current().op("nvvm.griddepcontrol", [], {"kind": "#nvvm<grid_dep_action launch_dependents>"}, [])
