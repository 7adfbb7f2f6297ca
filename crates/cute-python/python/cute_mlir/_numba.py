"""A check of kernels of numba.cuda, compiled without a GPU."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from ._native import Program
from ._simulate import Extents, Report, simulate

__all__ = ["numba_check"]

#: What is left of an array's address and extents in numba's ABI, in front of them.
_HEAD = ("meminfo", "parent", "size", "itemsize", "data")


def numba_check(
    kernel: Any,
    grid: Extents,
    block: Extents,
    *args: Any,
    shared: int = 0,
    target: str = "sm_90a",
    simulate_options: Mapping[str, Any] | None = None,
) -> Report:
    """Compiles a kernel of ``numba.cuda`` for a GPU, without one, and runs it in the simulator.

    ``kernel`` is a function with ``@cuda.jit``, or below it. ``args`` are its arguments as a launch has them: arrays of
    numpy, numbers, and tuples of them. They have the types that numba infers at a launch; its options, such as
    ``fastmath``, are those of the decorator. ``shared`` are the bytes of dynamic shared memory. Arrays are written to.
    Findings have the lines of the Python source, and name parameters as the source does.
    """
    try:
        cuda, types = _module("numba.cuda"), _module("numba").types
    except ImportError as error:
        raise ImportError("numba_check needs numba.cuda: pip install numba-cuda[cu13]") from error
    function = getattr(kernel, "py_func", kernel)
    if not inspect.isfunction(function):
        raise TypeError(f"a function with @cuda.jit is needed, not '{type(kernel).__name__}'; its launch kernel[..] is not one")
    names = list(inspect.signature(function).parameters)
    if len(names) != len(args):
        raise TypeError(f"{function.__name__} has {len(names)} parameters ({', '.join(names)}), but there are {len(args)} arguments")
    own = getattr(kernel, "targetoptions", {})
    flags = {"fastmath": bool(own.get("fastmath")), "opt": own.get("opt"), "launch_bounds": own.get("launch_bounds")}
    known = inspect.signature(cuda.compile_ptx).parameters
    flags = {name: value for name, value in flags.items() if value is not None and name in known}
    kinds = tuple(_type(name, value) for name, value in zip(names, args))
    digits = "".join(filter(str.isdigit, target))
    capability = (int(digits[:-1] or 0), int(digits[-1:] or 0))
    ptx, _ = cuda.compile_ptx(function, types.void(*kinds), cc=capability, lineinfo=True, **flags)
    passed: list[Any] = []
    shown: list[str] = []
    for name, kind, value in zip(names, kinds, args):
        _pass(types, name, kind, value, passed.append, shown.append)
    program = Program.from_ptx(ptx, name=f"{function.__name__}.ptx")
    (symbol,) = program.kernels
    program = Program.from_ptx(ptx, name=f"{function.__name__}.ptx", parameters=(symbol, shown))
    return simulate(program, grid, passed, block=block, shared=shared, **dict(simulate_options or {}))


def _module(name: str) -> Any:
    """A module that is optional, whose types are not known."""
    return importlib.import_module(name)


def _type(name: str, value: Any) -> Any:
    """The type that numba gives an argument of a launch."""
    try:
        known = _module("numba.cuda.typing.typeof")
    except ImportError:
        # Older versions of numba-cuda have the types of numba itself.
        known = _module("numba.core.typing.typeof")
    try:
        return known.typeof(value, known.Purpose.argument)
    except ValueError:
        kind = type(value).__name__
        raise TypeError(f"argument '{name}' is of type '{kind}', of which numba has no type") from None


def _pass(types: Any, name: str, kind: Any, value: Any, add: Callable[[Any], None], call: Callable[[str], None]) -> None:
    """Passes an argument in the parameters of numba's ABI, each with a name."""
    if isinstance(kind, types.Array):
        whole = (None, None, value.size, value.itemsize, value, *value.shape, *value.strides)
        for part in whole:
            add(part)
        axes = range(value.ndim)
        rest = [*(f"{name}.shape[{i}]" for i in axes), *(f"{name}.strides[{i}]" for i in axes)]
        for part in (*_HEAD, *rest):
            call(name if part == "data" else part if "." in part else f"{name}.{part}")
    elif isinstance(kind, types.BaseTuple):
        for i, (inner, item) in enumerate(zip(kind, value)):
            _pass(types, f"{name}[{i}]", inner, item, add, call)
    elif isinstance(kind, (types.Number, types.Boolean)) and not isinstance(kind, types.Complex):
        add(value)
        call(name)
    else:
        raise TypeError(f"argument '{name}' has numba's type {kind}, which is not supported; there are arrays, numbers and tuples")
