"""A GPU through the CUDA driver: arrays, kernels, launches, times."""

from __future__ import annotations

import ctypes
import pathlib
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import cute_mlir

from . import numbers

_ATTRIBUTES = {"major": 75, "minor": 76, "multiprocessors": 16, "clock_khz": 13, "memory_clock_khz": 36, "l2_bytes": 38}


#: CUDA_ERROR_NOT_READY
_NOT_READY = 600


class Hang(RuntimeError):
    """A kernel that does not end. Only the end of the process ends it."""


class _Type:
    """The type of an array, by its name: numpy has no bfloat16 and no floats of 8 bits."""

    def __init__(self, name: str) -> None:
        self.name = name


class Host:
    """An array in the memory of the process, with the name of its element type."""

    def __init__(self, values: np.ndarray, element: str) -> None:
        self.values, self.element = values, element
        self.dtype = _Type(element)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return dict(self.values.__array_interface__)


class Array:
    """An array in the memory of the GPU. It is freed with the object."""

    def __init__(self, device: Device, shape: tuple[int, ...], element: str, address: int, size: int) -> None:
        self.shape, self.element, self.dtype = shape, element, _Type(element)
        self.address, self.size = address, size
        self._device = device
        self._strides: tuple[int, ...] | None = None

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        kind = np.dtype(numbers.STORAGE[self.element]).str
        data = (self.address, False)
        return {"shape": self.shape, "typestr": kind, "data": data, "version": 3, "strides": self._strides}

    def viewed(self, axes: Sequence[int]) -> Array:
        """The same memory with its modes in another order, as numpy's `transpose` does it."""
        size, strides = np.dtype(numbers.STORAGE[self.element]).itemsize, []
        for extent in reversed(self.shape):
            strides.insert(0, size)
            size *= extent
        view = Array(self._device, tuple(self.shape[i] for i in axes), self.element, self.address, 0)
        view._strides = tuple(strides[i] for i in axes)
        return view

    def read(self) -> np.ndarray:
        """A copy in the memory of the process."""
        found = np.empty(self.shape, numbers.STORAGE[self.element])
        if self.size:
            target = ctypes.c_void_p(found.ctypes.data)
            self._device.call("cuMemcpyDtoH_v2", target, ctypes.c_uint64(self.address), ctypes.c_size_t(self.size))
        return found

    def free(self) -> None:
        """Frees the memory."""
        if self.address:
            self._device.call("cuMemFree_v2", ctypes.c_uint64(self.address))
            self.address = 0


class Device:
    """The first GPU of the driver, or a library in its place."""

    def __init__(self, library: Any = None) -> None:
        self.library = ctypes.CDLL("libcuda.so.1") if library is None else library
        self.call("cuInit", ctypes.c_uint(0))
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), ctypes.c_int(0))
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self._device = device
        self._flush: Array | None = None

    def call(self, name: str, *arguments: Any) -> None:
        """A call of the driver; a failure is a RuntimeError with its name and code."""
        code = self.code(name, *arguments)
        if code != 0:
            text = ctypes.c_char_p()
            self.library.cuGetErrorName(code, ctypes.byref(text))
            said = text.value.decode() if text.value else "an unknown error"
            raise RuntimeError(f"{name} returned {code} ({said})")

    def code(self, name: str, *arguments: Any) -> int:
        """A call of the driver, and the code that it returns."""
        return int(getattr(self.library, name)(*arguments))

    def facts(self) -> dict[str, Any]:
        """The name of the GPU, the driver's version and what else tells one machine from another."""
        name = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", name, ctypes.c_int(256), self._device)
        version = ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(version))
        facts: dict[str, Any] = {"gpu": name.value.decode(), "driver": f"{version.value // 1000}.{version.value % 1000 // 10}"}
        for key, attribute in _ATTRIBUTES.items():
            value = ctypes.c_int()
            self.call("cuDeviceGetAttribute", ctypes.byref(value), ctypes.c_int(attribute), self._device)
            facts[key] = value.value
        return facts

    def empty(self, shape: tuple[int, ...], element: str, fill: int = 0) -> Array:
        """An array whose bytes are all `fill`."""
        size = int(np.prod(shape)) * np.dtype(numbers.STORAGE[element]).itemsize
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 1)))
        made = Array(self, tuple(shape), element, address.value, size)
        if size:
            self.call("cuMemsetD8_v2", address, ctypes.c_ubyte(fill), ctypes.c_size_t(size))
        return made

    def array(self, values: np.ndarray, element: str) -> Array:
        """A copy of values that are stored as `numbers.encode` stores them."""
        stored = np.ascontiguousarray(values)
        size, address = stored.nbytes, ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 1)))
        if size:
            source = ctypes.c_void_p(stored.ctypes.data)
            self.call("cuMemcpyHtoD_v2", address, source, ctypes.c_size_t(size))
        return Array(self, stored.shape, element, address.value, size)

    def asking(self, row: str) -> None:
        """Tells a fake driver which row the next calls belong to."""
        asking = getattr(self.library, "asking", None)
        if asking is not None and not isinstance(self.library, ctypes.CDLL):
            asking(row)

    def prepare(self, stem: pathlib.Path, grid: Any, args: Sequence[Any], **how: Any) -> cute_mlir.Prepared:
        """A launch of the kernel in `stem`.kernel, `stem`.cubin or `stem`.ptx, whichever is there first."""
        saved, *files = [stem.with_name(stem.name + suffix) for suffix in (".kernel", ".cubin", ".ptx")]
        kernel: Any = cute_mlir.load(saved) if saved.exists() else next(p for p in files if p.exists())
        return cute_mlir.prepare(kernel, grid, args, driver=self.library, **how)

    def prepare_host(self, stem: pathlib.Path, args: Sequence[Any], **how: Any) -> cute_mlir.Prepared:
        """The launches of the host function in `stem`.kernel."""
        kernel = cute_mlir.load(stem.with_name(stem.name + ".kernel"))
        return cute_mlir.prepare_host(kernel, args, driver=self.library, **how)

    def run(self, stem: pathlib.Path, grid: Any, args: Sequence[Any], **how: Any) -> None:
        """Launches a kernel once and waits for its end."""
        prepared = self.prepare(stem, grid, args, **how)
        prepared.launch()
        self.wait()
        # Not by `with`, which would wait for a kernel that hangs.
        prepared.unload()

    def wait(self, seconds: float = 5, stream: ctypes.c_void_p | None = None) -> None:
        """Waits for the end of all launches on a stream. A kernel that does not end in time is a :class:`Hang`."""
        until = time.monotonic() + seconds
        while (code := self.code("cuStreamQuery", stream)) == _NOT_READY:
            if time.monotonic() > until:
                raise Hang(f"the kernel did not end within {seconds} s")
            time.sleep(0.0005)
        if code != 0:
            self.call("cuStreamSynchronize", stream)

    def synchronize(self) -> None:
        """Waits for the end of all launches."""
        self.call("cuCtxSynchronize")

    def times(self, launch: Callable[[], Any], count: int, flush: bool = True) -> list[float]:
        """Milliseconds of `count` launches, each between two events, with an empty L2 cache if `flush`."""
        if flush and self._flush is None:
            self._flush = self.empty((256 << 20,), "uint8")
        begin, end = ctypes.c_void_p(), ctypes.c_void_p()
        for event in (begin, end):
            self.call("cuEventCreate", ctypes.byref(event), ctypes.c_uint(0))
        found = []
        for _ in range(count):
            if flush and self._flush is not None:
                size = ctypes.c_size_t(self._flush.size)
                self.call("cuMemsetD8Async", ctypes.c_uint64(self._flush.address), ctypes.c_ubyte(0), size, None)
            self.call("cuEventRecord", begin, None)
            launch()
            self.call("cuEventRecord", end, None)
            self.wait()
            took = ctypes.c_float()
            self.call("cuEventElapsedTime", ctypes.byref(took), begin, end)
            found.append(took.value)
        return found

