"""Launches of kernels in Python on a GPU, through the CUDA driver."""

from __future__ import annotations

from typing import Any

from .._compiler import Kernel as Compiled
from .._launch import DriverError, Launched, launch, launch_host
from ._trace import KernelError, tracing

#: Where packages keep the address of a stream: CUDA's protocol, torch, CuPy, cuda-python.
_ADDRESSES = ("__cuda_stream__", "cuda_stream", "ptr", "handle")


def stream_of(given: Any) -> int:
    """The address of a stream of the driver: an integer, None for the default one, or a stream of another package."""
    if given is None:
        return 0
    for name in _ADDRESSES:
        found = getattr(given, name, None)
        if found is not None:
            found = found() if callable(found) else found
            # The protocol has a version and the address.
            return int(found[1] if isinstance(found, tuple) else found)
    if isinstance(given, int):
        return given
    raise KernelError(f"a stream is an address, None, or one of torch, CuPy or cuda-python, not {given!r}")


def launched(name: str, compiled: Compiled, grid: Any, args: list[Any], stream: Any, driver: Any) -> Launched:
    """Launches a kernel with this grid, or without one the kernels of a host function."""
    if tracing():
        raise KernelError(f"'{name}.on_gpu' is called while a kernel is traced: call it outside of kernels")
    at = stream_of(stream)
    try:
        if grid is None:
            return launch_host(compiled, args, stream=at, driver=driver)
        return launch(compiled, grid, args, stream=at, driver=driver)
    except DriverError as error:
        if "no CUDA driver" not in str(error):
            raise
        where = f"{name}(..)" if grid is None else f"{name}(.., grid=..)"
        raise DriverError(f"'{name}' cannot run on a GPU: {error}; {where} runs it in the simulator") from None
