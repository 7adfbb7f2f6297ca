"""Atomic operations, fences, and semaphores in memory.

``order`` is "relaxed", "acquire", "release" or "acq_rel", and ``scope`` is "block", "cluster", "device" or "system": the threads for
which an access is atomic and ordered. Operations that read and write have no scope "system".
"""

from __future__ import annotations

import dataclasses
from typing import Any

from . import _ops
from ._flow import If, While
from ._machine import sync, thread
from ._trace import current, fail
from ._values import Dtype, Value, spelled

_ORDERS = {"relaxed": 2, "acquire": 4, "release": 5, "acq_rel": 6}
_SCOPES = ("block", "cluster", "device", "system")
_CODES = {"exchange": 0, "add": 1, "and": 3, "or": 5, "max": 7, "min": 8, "fadd": 11}


def _ordered(order: str, scope: str, *allowed: str) -> dict[str, str]:
    """The attributes of an order and a scope."""
    if order not in allowed:
        fail(f"the order is {', '.join(allowed[:-1])} or {allowed[-1]} here, not {order!r}")
    if scope not in _SCOPES:
        fail(f"a scope is {', '.join(_SCOPES[:-1])} or {_SCOPES[-1]}, not {scope!r}")
    return {"ordering": f"{_ORDERS[order]} : i64"} | ({} if scope == "system" else {"syncscope": f'"{scope}"'})


def pointer_to(view: Value, at: Any) -> Value:
    """The pointer to an element of a view."""
    trace = current()
    if not isinstance(view, Value) or view.kind != "memref":
        fail(f"a view of memory is needed here, not {getattr(view, 'kind', view)!r}")
    leaves: list[Any] = []
    text = spelled(at, leaves)
    if "_" in text:
        fail("an atomic operation has one element: give each index a number")
    return _ops.slice(view, trace.word("coord", leaves, text)).iterator  # type: ignore[no-any-return]


def converted(kind: Dtype, x: Any) -> Value:
    """A number of the type of a view's elements."""
    made: Value = x if isinstance(x, Value) else kind(x)
    if made.kind != kind.mlir:
        fail(f"{made.kind} does not fit a view of {kind}: convert it, as in x.to(ck.{kind})")
    return made


def _atomic(op: str, view: Value, at: Any, x: Any, order: str, scope: str) -> Value:
    trace = current()
    attributes = _ordered(order, scope, *_ORDERS)
    if scope == "system":
        fail("LLVM compiles an atomic operation of the system to one of the device, which is less: use ck.atomic_load and ck.atomic_store")
    where = trace.word("address", [pointer_to(view, at)])
    x = converted(view.dtype, x)
    if op != "exchange" and view.dtype.is_float:
        if op != "add":
            fail(f"there is no atomic {op} of {view.dtype}: the hardware has it for integers")
        op = "fadd"
    attributes["bin_op"] = f"{_CODES[op]} : i64"
    return trace.op("llvm.atomicrmw", [where, x], attributes, [view.dtype.mlir])  # type: ignore[no-any-return]


def atomic_add(view: Value, at: Any, x: Any, order: str = "relaxed", scope: str = "device") -> Value:
    """``atomicAdd(&view[at], x)`` of global or shared memory; returns what was there."""
    return _atomic("add", view, at, x, order, scope)


def atomic_max(view: Value, at: Any, x: Any, order: str = "relaxed", scope: str = "device") -> Value:
    """``atomicMax(&view[at], x)`` of signed integers; returns what was there."""
    return _atomic("max", view, at, x, order, scope)


def atomic_min(view: Value, at: Any, x: Any, order: str = "relaxed", scope: str = "device") -> Value:
    """``atomicMin(&view[at], x)`` of signed integers; returns what was there."""
    return _atomic("min", view, at, x, order, scope)


def atomic_exchange(view: Value, at: Any, x: Any, order: str = "relaxed", scope: str = "device") -> Value:
    """``atomicExch(&view[at], x)``; returns what was there."""
    return _atomic("exchange", view, at, x, order, scope)


def _aligned(view: Value) -> dict[str, str]:
    return {"alignment": f"{max(view.dtype.bits // 8, 1)} : i64"}


def atomic_load(view: Value, at: Any, order: str = "acquire", scope: str = "device") -> Value:
    """The element, as a thread reads it that may race with a writer: ``cuda::atomic_ref::load``."""
    attributes = _ordered(order, scope, "relaxed", "acquire") | _aligned(view)
    where = current().word("address", [pointer_to(view, at)])
    return current().op("llvm.load", [where], attributes, [view.dtype.mlir])  # type: ignore[no-any-return]


def atomic_store(view: Value, at: Any, x: Any, order: str = "release", scope: str = "device") -> None:
    """Stores an element that other threads may read at the same time: ``cuda::atomic_ref::store``."""
    attributes = _ordered(order, scope, "relaxed", "release") | _aligned(view)
    where = current().word("address", [pointer_to(view, at)])
    current().op("llvm.store", [converted(view.dtype, x), where], attributes, [])


def fence(scope: str = "device", order: str = "acq_rel") -> None:
    """Orders this thread's accesses before and after it, for threads of a scope: ``__threadfence()``."""
    current().op("llvm.fence", [], _ordered(order, scope, "acquire", "release", "acq_rel"), [])


@dataclasses.dataclass(frozen=True)
class Semaphore:
    """An integer in global memory by which blocks take turns, as ``cutlass::Semaphore``: ``ck.Semaphore(view, at)`` of i32.

    All threads of the block call each method.
    """

    view: Value
    at: Any

    def wait(self, turn: Any) -> None:
        """Waits until the semaphore has this value; then the block sees what the blocks before it wrote."""
        branch = If(thread.x == 0, (), [])
        loop = While([self.view], (), [])
        loop.enter([])
        loop.test(atomic_load(self.view, self.at) != turn)
        loop.leave([])
        branch.leave([])
        branch.leave([])
        sync()

    def release(self, turn: Any) -> None:
        """Sets the semaphore to a value, when all threads of the block have written."""
        sync()
        branch = If(thread.x == 0, (), [])
        atomic_store(self.view, self.at, turn)
        branch.leave([])
        branch.leave([])
