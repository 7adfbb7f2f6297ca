"""A check of kernels of Triton, compiled without a GPU."""

from __future__ import annotations

import copy
import inspect
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Union

from ._native import element_name, first_byte, limits
from ._simulate import Report

__all__ = ["triton_array", "triton_check"]

Grid = Union[int, Sequence[int], Callable[[Mapping[str, Any]], Union[int, Sequence[int]]]]

#: Triton has one active driver in a process.
_ACTIVE = threading.RLock()


def target_of(target: str | int) -> str:
    """The name of a target: ``sm_90a`` for 90, "90" and "sm_90a" itself."""
    name = str(target)
    if re.fullmatch(r"\d+[af]?", name):
        name = f"sm_{name}"
    limits(name)
    return name


class _Array:
    """An array of numpy, or of a library like it, with what Triton asks of a tensor."""

    def __init__(self, name: str, array: Any) -> None:
        try:
            element = element_name(array)
        except TypeError as error:
            raise TypeError(f"argument '{name}': {error}") from None
        if element is None:
            raise TypeError(f"argument '{name}' is of type '{type(array).__name__}', which is not supported")
        self._array = array
        self.dtype: Any = array.dtype if hasattr(array, "dtype") else element

    def __getattr__(self, name: str) -> Any:
        return getattr(self._array, name)

    def __len__(self) -> int:
        return len(self._array)

    def simulated(self) -> Any:
        """What the simulator takes."""
        return self._array

    def data_ptr(self) -> int:
        # The memory of an array is aligned to 256 bytes in the simulator. Its first element is further up if a stride
        # is negative.
        return 1 << 20 | (first_byte(self._array) or 0)

    def numel(self) -> int:
        return int(self._array.size)

    def element_size(self) -> int:
        return int(self.dtype.itemsize)

    def dim(self) -> int:
        return int(self._array.ndim)

    def stride(self, axis: int | None = None) -> Any:
        strides = tuple(stride // self.element_size() for stride in self._array.strides)
        return strides if axis is None else strides[axis]

    def zero_(self) -> _Array:
        self._array[...] = 0
        return self

    def copy_(self, other: Any) -> _Array:
        self._array[...] = getattr(other, "_array", other)
        return self

    def clone(self) -> _Array:
        return _Array("clone", self._array.copy())


def triton_array(array: Any) -> Any:
    """An array of numpy as what ``TensorDescriptor`` of Triton takes for a tensor, for :func:`triton_check`."""
    return _Array("array", array)


def triton_check(
    kernel: Any,
    grid: Grid,
    *args: Any,
    target: str | int = "sm_90a",
    config: Any = None,
    sms: int | None = None,
    simulate_options: Mapping[str, Any] | None = None,
    **named: Any,
) -> Report:
    """Compiles a kernel of Triton for a GPU, without one, and runs it in the simulator.

    ``args`` and ``named`` are the arguments of a launch ``kernel[grid](..)``: numpy or CPU arrays, numbers, None,
    tensor descriptors, constants, and options of Triton's compiler such as ``num_warps`` or ``enable_fp_fusion``.
    Arrays are written to. Findings have the lines of the Python source.

    ``config`` chooses among the configurations of an autotuned kernel: a number, a ``triton.Config``, or "all", which
    runs each one on the arrays as they were, and returns the first report with findings, or else the last. Without
    it, the first one that fits into the device runs. ``simulate_options`` are those of :func:`simulate`.
    """
    try:
        from ._triton_driver import SMS, SimulatedDriver
    except ImportError as error:
        if error.name and error.name.startswith("cute_mlir"):
            raise
        raise ImportError("triton_check needs Triton: pip install triton") from error
    driver = SimulatedDriver(
        target_of(target), sms=sms or SMS, raises=False, options=dict(simulate_options or {})
    )
    driver.allocates = True
    layers = _layers(kernel)
    function = layers[-1]
    named = {name: _wrapped(name, value) for name, value in named.items()}
    names = list(inspect.signature(function.fn).parameters)
    passed = [_wrapped(name, value) for name, value in zip([*names, *[""] * len(args)], args)]
    with _ACTIVE, _active(driver):
        _check_names(function, layers, names, len(args), named, driver)
        chosen = _configs(layers, config, passed, named)
        before = [value.clone() for value in (*passed, *named.values()) if isinstance(value, _Array)] if len(chosen) > 1 else []
        report = None
        for number, one in enumerate(chosen):
            if number:
                for value, kept in zip((v for v in (*passed, *named.values()) if isinstance(v, _Array)), before):
                    value.copy_(kept)
            report = _run(_with(layers, one), driver, _grid(grid), passed, named)
            if report.findings:
                break
    assert report is not None
    return report


def _run(kernel: Any, driver: Any, grid: Any, args: list[Any], named: dict[str, Any]) -> Report:
    driver.reports.clear()
    kernel.run(*args, grid=grid, warmup=False, **named)
    if not driver.reports:
        raise ValueError("the grid has no block: nothing was simulated")
    made: Report = driver.reports[-1]
    return made


@contextmanager
def _active(driver: Any) -> Iterator[None]:
    """Makes a driver Triton's own in the block."""
    from triton.runtime import driver as config  # type: ignore[import-not-found, import-untyped, unused-ignore]

    before = config._active
    config.set_active(driver)
    try:
        yield
    finally:
        config._active = before


def _layers(kernel: Any) -> list[Any]:
    """The kernel and what it decorates, down to the function with ``@triton.jit``."""
    layers = [kernel]
    while not hasattr(layers[-1], "params"):
        if not (hasattr(layers[-1], "fn") and hasattr(layers[-1], "run")):
            break
        layers.append(layers[-1].fn)
    if hasattr(layers[-1], "params"):
        return layers
    if "__getitem__" in getattr(kernel, "__qualname__", ""):
        raise TypeError("the kernel has its grid already, as in kernel[grid]: pass triton_check(kernel, grid, ..)")
    raise TypeError(f"a function with @triton.jit is needed, not '{type(kernel).__name__}'")


def _wrapped(name: str, value: Any) -> Any:
    """An argument as Triton's binder takes it."""
    if hasattr(value, "dtype") and not hasattr(value, "__setitem__") and getattr(value, "shape", None) == ():
        # A scalar of numpy.
        kind = str(value.dtype)
        return bool(value) if kind == "bool" else int(value) if "int" in kind else float(value)
    if value is None or isinstance(value, (bool, int, float, str, tuple, list, type)) or hasattr(value, "data_ptr"):
        return value
    # Descriptors, constants such as tl.float32 and functions are Triton's.
    if type(value).__module__.split(".")[0] == "triton" or callable(value):
        return value
    return _Array(name, value)


def _configs(layers: list[Any], config: Any, args: list[Any], named: dict[str, Any]) -> list[Any]:
    """The configurations to run; None is that of a kernel without."""
    tuner = next((layer for layer in layers if hasattr(layer, "prune_configs")), None)
    if tuner is None:
        if config is not None:
            raise TypeError(f"config is given, but {layers[-1].__name__} is not autotuned")
        return [None]
    if config is None or (isinstance(config, str) and config == "all"):
        tuner.nargs = dict(zip(tuner.arg_names, args))
        left = tuner.prune_configs(named)
        from triton.runtime.errors import OutOfResources  # type: ignore[import-not-found, import-untyped, unused-ignore]

        fits, why = [], None
        for one in left:
            try:
                _warm(_with(layers, one), args, named)
            except OutOfResources as error:
                why = error
                continue
            fits.append(one)
            if config is None:
                break
        if not fits:
            raise ValueError(f"none of the {len(left)} configurations of {layers[-1].__name__} fits: {why}") from why
        return fits
    if isinstance(config, int):
        if not 0 <= config < len(tuner.configs):
            raise ValueError(f"config is {config}, but {layers[-1].__name__} has {len(tuner.configs)} configurations")
        return [tuner.configs[config]]
    if hasattr(config, "all_kwargs"):
        return [config]
    raise TypeError(f"config must be a number, a triton.Config or 'all', not {config!r}")


def _warm(kernel: Any, args: list[Any], named: dict[str, Any]) -> None:
    """Compiles a kernel, and asks whether it fits."""
    from triton.runtime import driver

    with driver.active.only_compiling():
        kernel.run(*args, grid=(1,), warmup=False, **named)


def _with(layers: list[Any], config: Any) -> Any:
    """The kernel with one configuration."""
    made = layers[-1]
    for layer in reversed(layers[:-1]):
        layer = copy.copy(layer)
        layer.fn = made
        if hasattr(layer, "prune_configs"):
            layer.configs, layer.cache = [config], {}
        made = layer
    return made


def _grid(grid: Grid) -> Any:
    """The grid as Triton takes it."""

    def checked(extents: Any) -> tuple[int, ...]:
        try:
            own = (int(extents),) if not hasattr(extents, "__len__") else tuple(int(extent) for extent in extents)
        except (TypeError, ValueError):
            own = ()
        if not 1 <= len(own) <= 3 or any(extent < 0 for extent in own):
            raise ValueError(f"grid is {extents!r}, but must be one to three positive integers")
        return own

    if callable(grid):
        return lambda meta: checked(grid(meta))
    return checked(grid)


def _check_names(
    function: Any, layers: list[Any], names: list[str], count: int, named: dict[str, Any], driver: Any
) -> None:
    """Arguments that the kernel does not have, or that are missing, by name."""
    from triton.compiler.compiler import make_backend  # type: ignore[import-not-found, import-untyped, unused-ignore]

    kernel = function.__name__
    if count > len(names):
        raise TypeError(f"{kernel} has {len(names)} parameters, but there are {count} arguments")
    own = make_backend(driver.get_current_target()).parse_options({}).__dict__
    for name in named:
        if name in names[:count]:
            raise TypeError(f"parameter '{name}' of {kernel} is given twice")
        if name not in names and name not in own:
            options = ", ".join(sorted(own))
            raise TypeError(f"{kernel} has no parameter '{name}'; it has {', '.join(names)}. Options of Triton are {options}")
    given = {*names[:count], *named}
    for layer in layers[:-1]:
        given.update(getattr(layer, "values", ()))
        for config in getattr(layer, "configs", ()):
            given.update(config.all_kwargs())
    for name, parameter in inspect.signature(function.fn).parameters.items():
        if name not in given and parameter.default is inspect.Parameter.empty:
            raise TypeError(f"parameter '{name}' of {kernel} is missing")
