"""Launches on a GPU, through the CUDA driver."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping, Sequence
from typing import Any

from ._compiler import Kernel
from ._native import Program

__all__ = ["DriverError", "Launched", "launch"]

_MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
_NON_PORTABLE_CLUSTER = 14  # CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED
_CLUSTER_DIMENSION = 4  # CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION


class DriverError(RuntimeError):
    """A call of the CUDA driver failed."""


class _Attribute(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int), ("pad", ctypes.c_char * 4), ("value", ctypes.c_uint32 * 16)]


class _Config(ctypes.Structure):
    _fields_ = [
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.POINTER(_Attribute)),
        ("count", ctypes.c_uint),
    ]


class Launched:
    """A launch. It keeps its arrays until :meth:`synchronize` has returned."""

    def __init__(self, driver: _Driver, stream: int, kept: Sequence[Any], module: ctypes.c_void_p) -> None:
        self._driver, self._stream, self._kept = driver, stream, list(kept)
        self._module: ctypes.c_void_p | None = module

    def synchronize(self) -> None:
        """Waits for the end of the launch."""
        self._driver.call("cuStreamSynchronize", ctypes.c_void_p(self._stream))
        self._kept.clear()
        if self._module is not None:
            self._driver.call("cuModuleUnload", self._module)
            self._module = None

    def __del__(self) -> None:
        if getattr(self, "_module", None) is not None:
            self.synchronize()


class _Driver:
    def __init__(self, library: Any) -> None:
        self.library = library

    def call(self, name: str, *arguments: Any) -> None:
        code = getattr(self.library, name)(*arguments)
        if code != 0:
            text = ctypes.c_char_p()
            self.library.cuGetErrorName(code, ctypes.byref(text))
            said = text.value.decode() if text.value else "an unknown error"
            raise DriverError(f"{name} returned {code} ({said})")

    def context(self) -> None:
        """Uses the context of this thread, or otherwise the primary one of the first device."""
        self.call("cuInit", 0)
        current = ctypes.c_void_p()
        self.call("cuCtxGetCurrent", ctypes.byref(current))
        if not current.value:
            device, primary = ctypes.c_int(), ctypes.c_void_p()
            self.call("cuDeviceGet", ctypes.byref(device), 0)
            self.call("cuDevicePrimaryCtxRetain", ctypes.byref(primary), device)
            self.call("cuCtxSetCurrent", primary)


def _open() -> Any:
    try:
        return ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise DriverError(f"there is no CUDA driver: {error}") from None


def _three(extents: int | Sequence[int]) -> list[int]:
    given = [extents] if isinstance(extents, int) else list(extents)
    return (given + [1, 1])[:3]


def launch(
    kernel: Kernel,
    grid: int | Sequence[int],
    args: Sequence[Any] | Mapping[str, Any] = (),
    *,
    name: str | None = None,
    block: int | Sequence[int] | None = None,
    cluster: int | Sequence[int] | None = None,
    shared: int | None = None,
    stream: int = 0,
    driver: Any = None,
) -> Launched:
    """Launches a kernel on the GPU of the current context, or of the first device.

    ``args`` are arrays on the device (with ``__cuda_array_interface__`` or ``__dlpack__``), numbers and
    None. ``stream`` is the address of a stream of the driver. The arrays are kept until the result is
    synchronised, or dropped, which synchronises it.
    """
    program: Program = kernel.program
    given = args if isinstance(args, dict) else list(args)
    packed, described = program.pack(given, kernel=name, grid=grid, block=block, cluster=cluster, shared=shared)
    shape = json.loads(described)
    own = _Driver(_open() if driver is None else driver)
    own.context()
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    code = kernel.code()
    own.call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(code))
    own.call("cuModuleGetFunction", ctypes.byref(function), module, shape["kernel"].encode())
    if shape["shared_memory"] > 0:
        own.call("cuFuncSetAttribute", function, _MAX_DYNAMIC_SHARED, shape["shared_memory"])
    attributes = (_Attribute * 1)()
    count = 0
    if shape["cluster"] is not None:
        attributes[0].id = _CLUSTER_DIMENSION
        attributes[0].value[:3] = shape["cluster"]
        count = 1
        blocks = shape["cluster"][0] * shape["cluster"][1] * shape["cluster"][2]
        if blocks > 8:
            own.call("cuFuncSetAttribute", function, _NON_PORTABLE_CLUSTER, 1)
    config = _Config(
        grid=(ctypes.c_uint * 3)(*shape["grid"]),
        block=(ctypes.c_uint * 3)(*shape["block"]),
        shared=shape["shared_memory"],
        stream=stream or None,
        attributes=attributes,
        count=count,
    )
    # Parameters with an alignment of 64 bytes, as descriptors have, need it here too.
    buffers = [_aligned(parameter) for parameter in packed]
    pointers = (ctypes.c_void_p * max(len(buffers), 1))(*(address for _, address in buffers))
    own.call("cuLaunchKernelEx", ctypes.byref(config), function, pointers, None)
    values = list(given.values()) if isinstance(given, dict) else list(given)
    return Launched(own, stream, [*values, buffers], module)


def _aligned(parameter: bytes) -> tuple[Any, int]:
    buffer = ctypes.create_string_buffer(len(parameter) + 64)
    address = (ctypes.addressof(buffer) + 63) // 64 * 64
    ctypes.memmove(address, parameter, len(parameter))
    return buffer, address
