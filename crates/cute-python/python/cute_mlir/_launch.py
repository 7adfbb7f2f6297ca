"""Launches on a GPU, through the CUDA driver."""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any, Union

from ._compiler import Kernel, beside, of_ptx
from ._native import Program, is_ptx
from ._simulate import host_of

__all__ = ["DriverError", "Launched", "Prepared", "launch", "launch_host", "prepare", "prepare_host"]

#: A kernel that the compiler made, or the path of a file of PTX or of a cubin.
Launchable = Union[Kernel, str, "os.PathLike[str]"]


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


class Prepared:
    """A loaded kernel with its arguments, or the kernels of a host function, which can be launched many times.

    It keeps the arrays and the code until :meth:`unload`, or until it is dropped. As a context manager, it
    unloads the code at the end of the block.
    """

    def __init__(self, driver: _Driver, code: bytes, plan: Sequence[dict[str, Any]], kept: Sequence[Any], stream: int):
        self._driver, self._stream, self._kept = driver, stream, list(kept)
        self._module: ctypes.c_void_p | None = None
        self._functions: dict[str, ctypes.c_void_p] = {}
        #: The launches: a configuration, a kernel, and the addresses of its parameters.
        self._launches: list[tuple[_Config, ctypes.c_void_p, Any]] = []
        for call in plan:
            self._do(call, code)

    def _do(self, call: dict[str, Any], code: bytes) -> None:
        """Makes one call of a plan; a launch is only prepared."""
        name = call["call"]
        if name == "cuModuleLoadData":
            module = ctypes.c_void_p()
            self._driver.call(name, ctypes.byref(module), ctypes.c_char_p(code))
            self._module = module
        elif name == "cuModuleGetFunction":
            function = ctypes.c_void_p()
            self._driver.call(name, ctypes.byref(function), self._module, call["kernel"].encode())
            self._functions[call["kernel"]] = function
        elif name == "cuFuncSetAttribute":
            self._driver.call(name, self._functions[call["kernel"]], call["attribute"], call["value"])
        elif name == "cuLaunchKernelEx":
            self._launches.append(self._configured(call))
        else:
            raise ValueError(f"a plan has the call {name}, which is not known")

    def _configured(self, call: dict[str, Any]) -> tuple[_Config, ctypes.c_void_p, Any]:
        attributes = (_Attribute * len(call["attributes"]))()
        for to, attribute in zip(attributes, call["attributes"]):
            to.id = attribute["id"]
            to.value[: len(attribute["words"])] = attribute["words"]
        config = _Config(
            grid=(ctypes.c_uint * 3)(*call["grid"]),
            block=(ctypes.c_uint * 3)(*call["block"]),
            shared=call["shared_memory"],
            stream=self._stream or None,
            attributes=attributes,
            count=len(attributes),
        )
        # Parameters with an alignment of 64 bytes, as descriptors have, need it here too.
        buffers = [_aligned(bytes.fromhex(parameter)) for parameter in call["parameters"]]
        pointers = (ctypes.c_void_p * max(len(buffers), 1))(*(address for _, address in buffers))
        self._kept += [attributes, buffers]
        return config, self._functions[call["kernel"]], pointers

    def launch(self) -> None:
        """Launches the kernels in their order. The call returns before they have ended."""
        if self._module is None:
            raise DriverError("the code of this launch is unloaded: prepare it again")
        for config, function, pointers in self._launches:
            self._driver.call("cuLaunchKernelEx", ctypes.byref(config), function, pointers, None)

    def synchronize(self) -> None:
        """Waits for the end of all work on the stream."""
        self._driver.call("cuStreamSynchronize", ctypes.c_void_p(self._stream))

    def unload(self) -> None:
        """Waits for the launches, unloads the code and releases the arrays."""
        if self._module is not None:
            self.synchronize()
            module, self._module = self._module, None
            self._kept.clear()
            self._driver.call("cuModuleUnload", module)

    def __enter__(self) -> Prepared:
        return self

    def __exit__(self, *_: object) -> None:
        self.unload()

    def __del__(self) -> None:
        if getattr(self, "_module", None) is not None:
            self.unload()


class Launched:
    """A launch. It keeps its arrays until :meth:`synchronize` has returned."""

    def __init__(self, prepared: Prepared) -> None:
        self._prepared = prepared

    def synchronize(self) -> None:
        """Waits for the end of the launch."""
        if self._prepared._module is None:
            self._prepared.synchronize()
        self._prepared.unload()


def _loaded(kernel: Launchable) -> tuple[Program, bytes]:
    """What is known about the arguments of a kernel, and the code that a driver loads."""
    if isinstance(kernel, Kernel):
        return kernel.program, kernel.code()
    if not isinstance(kernel, (str, os.PathLike)):
        kind = type(kernel).__name__
        raise TypeError(f"a compiled kernel or the path of a .ptx or .cubin file is needed, not '{kind}'")
    if isinstance(kernel, str) and is_ptx(kernel):
        raise TypeError("a launch takes the path of a file of PTX, not its text: write it to a file, whose name ends in .ptx")
    path = pathlib.Path(kernel)
    if path.suffix == ".ptx":
        text = path.read_text(encoding="utf-8")
        return of_ptx(str(path), text), text.rstrip("\0").encode() + b"\0"
    if path.suffix == ".cubin":
        return _of_cubin(path), path.read_bytes()
    raise ValueError(f"'{path}' is not a .ptx or .cubin file; compile() compiles cute IR")


def _of_cubin(path: pathlib.Path) -> Program:
    ptx = path.with_suffix(".ptx")
    for manifest in (beside(path), beside(ptx)):
        if manifest.exists():
            return Program.from_manifest(manifest.read_text(encoding="utf-8"), name=str(path))
    if ptx.exists():
        return of_ptx(str(ptx), ptx.read_text(encoding="utf-8"))
    raise FileNotFoundError(
        f"a cubin does not describe its parameters: '{path}' needs its manifest '{beside(path)}', the JSON of "
        f"Kernel.manifest, or its PTX '{ptx}'"
    )


def prepare(
    kernel: Launchable,
    grid: int | Sequence[int],
    args: Sequence[Any] | Mapping[str, Any] = (),
    *,
    name: str | None = None,
    block: int | Sequence[int] | None = None,
    cluster: int | Sequence[int] | None = None,
    shared: int | None = None,
    stream: int = 0,
    driver: Any = None,
) -> Prepared:
    """Loads a kernel for launches with these arguments, which are those of :func:`launch`."""
    program, code = _loaded(kernel)
    given = args if isinstance(args, dict) else list(args)
    plan = program.plan(given, kernel=name, grid=grid, block=block, cluster=cluster, shared=shared)
    return _prepared(code, plan, given, stream, driver)


def prepare_host(
    kernel: Kernel,
    args: Sequence[Any] | Mapping[str, Any] = (),
    *,
    name: str | None = None,
    sms: int | None = None,
    stream: int = 0,
    driver: Any = None,
) -> Prepared:
    """Runs a host function of a module, and loads the kernels that it launches.

    ``args`` are those of the host function: arrays on the device, numbers and None. ``name`` is its name,
    which a module with one host function does not need. ``sms`` is the number of SMs that an argument
    ``"auto"`` stands for.
    """
    program, code = _loaded(kernel)
    given = args if isinstance(args, dict) else list(args)
    return _prepared(code, program.plan_host(given, host=host_of(program, name), sms=sms), given, stream, driver)


def _prepared(code: bytes, plan: str, given: Any, stream: int, driver: Any) -> Prepared:
    own = _Driver(_open() if driver is None else driver)
    own.context()
    return Prepared(own, code, json.loads(plan), list(given.values()) if isinstance(given, dict) else given, stream)


def launch(
    kernel: Launchable,
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

    ``kernel`` is the result of :func:`compile`, or the path of a ``.ptx`` or ``.cubin`` file. What its
    parameters mean is in the manifest beside it, such as ``k.ptx.json``; PTX can be
    launched without one. Such a launch does not need the compiler.

    ``args`` are arrays on the device (with ``__cuda_array_interface__`` or ``__dlpack__``), numbers and
    None. ``stream`` is the address of a stream of the driver. The arrays are kept until the result is
    synchronised, or dropped, which synchronises it.
    """
    prepared = prepare(
        kernel, grid, args, name=name, block=block, cluster=cluster, shared=shared, stream=stream, driver=driver
    )
    prepared.launch()
    return Launched(prepared)


def launch_host(
    kernel: Kernel,
    args: Sequence[Any] | Mapping[str, Any] = (),
    *,
    name: str | None = None,
    sms: int | None = None,
    stream: int = 0,
    driver: Any = None,
) -> Launched:
    """Runs a host function of a module, such as one of CuTe DSL, and makes its launches on the GPU, in order.

    ``args`` are those of :func:`prepare_host`. All launches are in ``stream``, whichever stream the function
    has them in. The arrays are kept as by :func:`launch`.
    """
    prepared = prepare_host(kernel, args, name=name, sms=sms, stream=stream, driver=driver)
    prepared.launch()
    return Launched(prepared)


def _aligned(parameter: bytes) -> tuple[Any, int]:
    buffer = ctypes.create_string_buffer(len(parameter) + 64)
    address = (ctypes.addressof(buffer) + 63) // 64 * 64
    ctypes.memmove(address, parameter, len(parameter))
    return buffer, address
