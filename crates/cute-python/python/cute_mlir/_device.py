"""Several launches: what a host enqueues in streams. The simulator orders and checks it."""

from __future__ import annotations

import json
import os
import sys
from types import TracebackType
from typing import Any, Union

from ._native import Address, Contents, TensorMap
from ._simulate import Report, Simulated, _program, _run

__all__ = ["Device", "DeviceArray", "Event", "Stream"]

Operations = list[dict[str, Any]]
Extents = Union[int, "tuple[int, ...]", "list[int]"]
_HERE = os.path.dirname(os.path.abspath(__file__))


def _extents(extents: Extents) -> list[int]:
    return [extents] if isinstance(extents, int) else list(extents)


class DeviceArray:
    """An array of a :class:`Device`, or a byte of it: ``a + 16`` is byte 16."""

    def __init__(self, name: str, offset: int = 0) -> None:
        self.name = name
        self.offset = offset

    def __add__(self, offset: int) -> DeviceArray:
        return DeviceArray(self.name, self.offset + offset)

    def __str__(self) -> str:
        return f"{self.name}+{self.offset}" if self.offset else self.name


class Event:
    """An event of a :class:`Device`."""

    def __init__(self, name: str) -> None:
        self.name = name


class Stream:
    """A stream of a :class:`Device`."""

    def __init__(self, device: Device, name: str) -> None:
        self._device = device
        self.name = name

    def record(self, event: Event) -> None:
        """Records an event."""
        self._device._add({"record": event.name, "stream": self.name})

    def wait(self, event: Event) -> None:
        """Waits for the last record of an event that was enqueued before."""
        self._device._add({"wait": event.name, "stream": self.name})

    def synchronize(self) -> None:
        """The host waits for the stream."""
        self._device.synchronize(self)


def _argument(arg: Any) -> str:
    """An argument as the operations of a file have it."""
    if isinstance(arg, DeviceArray):
        return f"&{arg}"
    if arg is None:
        return "null"
    if isinstance(arg, Address):
        target, offset = arg.parts()
        if isinstance(target, DeviceArray):
            return _argument(target + offset)
        if isinstance(target, Contents) and offset == 0:
            return f"&{_argument(target)}"
        raise TypeError("an address in a launch of a Device is one of an array of the Device, or of a struct")
    if isinstance(arg, Contents):
        whole, fields = arg.parts()
        if whole is None:
            return f"{{{','.join(word for field in fields for word in _fields(*field))}}}"
        replaced = ",".join(f"{at}:{_argument(value)}" for at, value, _ in fields)
        return f"bytes(0x{bytes(whole).hex()})" + (f"{{{replaced}}}" if replaced else "")
    if isinstance(arg, TensorMap):
        raise TypeError("a tensor map in a launch of a Device is a text, such as 'tensor_map(array0,box=64x64,swizzle=128B)'")
    return str(int(arg)) if isinstance(arg, bool) else str(arg)


def _fields(align: int, value: Any, text: str) -> list[str]:
    """A field of a struct: an address, or its bytes as unsigned integers of its alignment."""
    if not isinstance(value, (bytes, bytearray)):
        return [_argument(value)]
    if align == 0 or len(value) % align != 0 or align > 8 or not value:
        raise TypeError(f"a field {text} is not supported in a launch of a Device: pass raw(..) with the bytes of the struct")
    words = [value[at : at + align] for at in range(0, len(value), align)]
    return [f"u{8 * align}={int.from_bytes(word, 'little')}" for word in words]


class Device:
    """Takes what a host enqueues, and simulates it at the end of its ``with`` block.

    ``report`` then has the findings. ``kernels`` is a program as for :func:`simulate`, and so are ``options``.
    The default stream is the legacy one; :attr:`per_thread` is the default stream of a thread.
    """

    report: Report

    def __init__(self, kernels: Simulated, *, target: str | None = None, **options: Any) -> None:
        self._program = _program(kernels, target)
        self._options = {"target": target, **options}
        self._file: dict[str, Any] = {"arrays": {}, "pinned": {}, "pageable": {}, "managed": {}, "streams": {}}
        self._operations: Operations = []
        self._arrays: dict[str, Any] = {}
        self._events = 0
        self.per_thread = Stream(self, "per-thread")

    def __enter__(self) -> Device:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.report = self._simulated()

    def array(self, array: Any, memory: str = "arrays", *, name: str | None = None) -> DeviceArray:
        """An array: one of numpy, or a text such as ``"f32[64x128]=random(7)"``.

        It is memory of the device; with ``memory="pinned"``, ``"pageable"`` or ``"managed"``, it is such memory.
        After a run without findings, what the kernels have stored is written back to an array of numpy.
        """
        name = name or f"array{sum(len(self._file[kind]) for kind in list(self._file)[:4])}"
        if isinstance(array, str):
            self._file[memory][name] = array
        else:
            self._file[memory][name] = None
            self._arrays[name] = array
        return DeviceArray(name)

    def stream(self, *, blocking: bool = False, name: str | None = None) -> Stream:
        """A new stream, which synchronises with the legacy default stream if it is ``blocking``."""
        name = name or f"stream{len(self._file['streams'])}"
        self._file["streams"][name] = "blocking" if blocking else "nonblocking"
        return Stream(self, name)

    def event(self, *, name: str | None = None) -> Event:
        """A new event."""
        self._events += 1
        return Event(name or f"event{self._events - 1}")

    def launch(
        self,
        kernel: str,
        grid: Extents,
        args: Any = (),
        *,
        block: Extents | None = None,
        cluster: Extents | None = None,
        preferred_cluster: Extents | None = None,
        shared: int | None = None,
        stream: Stream | None = None,
        programmatic: bool = False,
        cooperative: bool = False,
        begun: Event | None = None,
        triggered: Event | None = None,
        trigger_at_start: bool = False,
    ) -> None:
        """Launches a kernel.

        ``args`` are arrays of the device, numbers, None, :func:`struct` and :func:`raw` with such arrays, :func:`address`
        of them, or texts, such as ``"i32=5"``.

        ``begun`` is recorded when all blocks have begun. ``triggered`` is a programmatic event, which is recorded when all
        blocks have let dependent launches begin, or with ``trigger_at_start`` when all have begun.
        """
        operation: dict[str, Any] = {"launch": kernel, "grid": _extents(grid)}
        operation["args"] = [_argument(arg) for arg in args]
        sizes = {"block": block, "cluster": cluster, "preferred_cluster": preferred_cluster}
        operation |= {name: _extents(size) for name, size in sizes.items() if size is not None}
        if shared is not None:
            operation["shared"] = shared
        events = {"begun": begun, "triggered": triggered}
        operation |= {name: event.name for name, event in events.items() if event is not None}
        if trigger_at_start:
            operation["trigger_at_start"] = True
        self._add({**operation, "programmatic": programmatic, "cooperative": cooperative}, stream)

    def copy(
        self, to: DeviceArray, source: DeviceArray, *, bytes: int | None = None, stream: Stream | None = None
    ) -> None:
        """Copies an array: with ``stream`` as ``cudaMemcpyAsync``, otherwise as ``cudaMemcpy``."""
        part = {} if bytes is None else {"bytes": bytes}
        self._later({"copy": {"to": str(to), "from": str(source), **part}}, stream)

    def set(self, array: DeviceArray, value: int = 0, *, stream: Stream | None = None) -> None:
        """Sets each byte of an array: with ``stream`` as ``cudaMemsetAsync``, otherwise as ``cudaMemset``."""
        self._later({"set": array.name, "value": value}, stream)

    def free(self, array: DeviceArray, *, stream: Stream | None = None) -> None:
        """Frees an array: with ``stream`` as ``cudaFreeAsync``, otherwise as ``cudaFree``."""
        self._later({"free": array.name}, stream)

    def reads(self, array: DeviceArray) -> None:
        """The host reads an array."""
        self._add({"host": "reads", "array": array.name})

    def writes(self, array: DeviceArray) -> None:
        """The host writes an array."""
        self._add({"host": "writes", "array": array.name})

    def synchronize(self, what: Stream | Event | None = None) -> None:
        """The host waits for a stream or an event, or for the device."""
        self._add({"synchronize": True if what is None else what.name})

    def json(self) -> str:
        """The operations as a file of launches has them."""
        return json.dumps({**self._file, "operations": self._operations})

    def _add(self, operation: dict[str, Any], stream: Stream | None = None) -> None:
        frame = sys._getframe(1)
        while os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == _HERE and frame.f_back:
            frame = frame.f_back
        if stream is not None:
            operation["stream"] = stream.name
        self._operations.append({**operation, "at": [frame.f_code.co_filename, frame.f_lineno]})

    def _later(self, operation: dict[str, Any], stream: Stream | None) -> None:
        self._add({**operation, "async": stream is not None}, stream)

    def _simulated(self) -> Report:
        options = {**self._options, "launches": self.json()}
        variables, schedule, schedules = (options.pop(name, None) for name in ("variables", "schedule", "schedules"))
        return _run(self._program, (), self._arrays, variables, schedule, schedules, options)
