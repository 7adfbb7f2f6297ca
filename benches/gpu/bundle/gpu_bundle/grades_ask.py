"""One case of part (h): its launches, and the row that its counters give."""

from __future__ import annotations

import ctypes
import time
from typing import Any

import numpy as np

from cute_mlir._launch import _Attribute, _Config

from . import cuda
from .grades_case import CONTROL, LEGAL, Case, words

#: Numbers of CUlaunchAttributeID.
_CLUSTER, _PROGRAMMATIC = 4, 6

#: The case that is asked now: a fake driver answers for it.
asked: list[Case] = []


class Broken(RuntimeError):
    """A kernel that does not end, or that the device stopped."""


class _Loaded:
    """A kernel of three parameters, whose number of rounds may differ in each launch."""

    def __init__(self, device: cuda.Device, stream: ctypes.c_void_p, path: Any, name: str) -> None:
        self._device, self._stream, self._code = device, stream, path.read_bytes()
        module, self._function = ctypes.c_void_p(), ctypes.c_void_p()
        device.call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(self._code))
        device.call("cuModuleGetFunction", ctypes.byref(self._function), module, ctypes.c_char_p(name.encode()))

    def launch(self, case: Case, grid: int, counters: int, data: int, rounds: int, dependent: bool) -> None:
        """Launches it; `dependent` lets it begin before the launch before has ended."""
        attributes = (_Attribute * 2)()
        count = 0
        if case.cluster > 1:
            attributes[count].id = _CLUSTER
            attributes[count].value[:3] = (case.cluster, 1, 1)
            count += 1
        if dependent:
            attributes[count].id = _PROGRAMMATIC
            attributes[count].value[0] = 1
            count += 1
        config = _Config(
            grid=(ctypes.c_uint * 3)(grid, 1, 1),
            block=(ctypes.c_uint * 3)(case.block, 1, 1),
            shared=case.more_shared,
            stream=self._stream.value,
            attributes=attributes,
            count=count,
        )
        values = [ctypes.c_uint64(value) for value in (counters, data, rounds)]
        pointers = (ctypes.c_void_p * 3)(*(ctypes.addressof(value) for value in values))
        self._device.call("cuLaunchKernelEx", ctypes.byref(config), self._function, pointers, None)


def counted(context: Any, case: Case, is_few: bool = False, seconds: float = 4) -> tuple[np.ndarray, float]:
    """Launches a case, as often as in the simulator if `is_few`. Returns its counters and milliseconds."""
    device: cuda.Device = context.device
    asked[:] = [case]
    device.asking(case.row)
    grid, rounds = case.few if is_few else (case.grid, case.rounds)
    counters = device.empty((8,), "uint64")
    data = device.array(words(case, grid), "uint32")
    # It waits for the work on the null stream, and dependent launches need a stream of their own.
    stream = ctypes.c_void_p()
    device.call("cuStreamCreate", ctypes.byref(stream), ctypes.c_uint(0))
    first = _Loaded(device, stream, context.folder / f"{case.stem}.cubin", case.file)
    second = _Loaded(device, stream, context.folder / f"{case.second_stem}.cubin", case.second) if case.second else None
    start = time.monotonic()
    numbers = range(1, (3 if is_few else case.launches) + 1) if case.launches else [rounds]
    for number in numbers:
        first.launch(case, grid, counters.address, data.address, number, False)
        if second is not None:
            second.launch(case, grid, counters.address, data.address, number, case.is_dependent)
    try:
        device.wait(0.02 if context.is_fake else seconds, stream)
    except RuntimeError as error:
        raise Broken(str(error)) from error
    took = 1000 * (time.monotonic() - start)
    found = counters.read()
    counters.free()
    data.free()
    return found, took


def ask(context: Any, case: Case, known: dict[str, Any]) -> None:
    """Writes the row of a case. `known` has the simulator's verdict and what ptxas said."""
    facts: dict[str, Any] = {"claim": case.claim, **known}
    total = case.total(case.grid, case.rounds)
    try:
        found, took = counted(context, case)
    except Broken as error:
        # That answers a question; each look counts as seen.
        state = "failed" if case.role == LEGAL else "seen"
        context.rows.add(case.row, state, seen=total, of=total, outcome=str(error), **facts)
        context.restart_if_broken(error.__cause__)
        return
    except RuntimeError as error:
        context.rows.add(case.row, "failed", error=f"it was not launched: {error}", **facts)
        context.restart_if_broken(error)
        return
    seen, of = int(found[0]), int(found[1])
    facts |= {name: int(found[2 + i]) for i, name in enumerate(case.details)}
    facts["ms"] = round(took, 1)
    state, said = "seen", {}
    if of != total:
        state, said = "failed", {"error": f"the kernel looked {of} times, and not {total} times"}
    elif case.role == LEGAL and seen:
        state, said = "differs", {"error": "a legal kernel fails"}
    elif case.role == CONTROL and not seen:
        state, said = "differs", {"error": "the control never fails, so that a 0 beside it means nothing"}
    name = "control" if case.role == CONTROL else "answer"
    context.rows.add(case.row, state, seen=seen, of=of, **{name: f"seen {seen} of {of}"}, **said, **facts)
