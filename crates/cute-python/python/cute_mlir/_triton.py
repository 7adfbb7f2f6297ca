"""A check of kernels of Triton, compiled without a GPU."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

from ._native import Program, TensorMap, element_name, first_byte
from ._simulate import Report, simulate

__all__ = ["triton_check"]

#: The names of element types in signatures of Triton, by those of numpy and torch.
_TYPES = {
    "bool": "i1",
    "int8": "i8",
    "uint8": "u8",
    "int16": "i16",
    "uint16": "u16",
    "int32": "i32",
    "uint32": "u32",
    "int64": "i64",
    "uint64": "u64",
    "float16": "fp16",
    "bfloat16": "bf16",
    "float32": "fp32",
    "float64": "fp64",
    "float8_e4m3fn": "fp8e4nv",
    "float8_e5m2": "fp8e5",
}

Grid = Union[int, Sequence[int], Callable[[Mapping[str, Any]], Sequence[int]]]


def triton_check(
    kernel: Any,
    grid: Grid,
    *args: Any,
    target: str = "sm_90a",
    num_warps: int = 4,
    num_stages: int = 3,
    num_ctas: int = 1,
    simulate_options: Mapping[str, Any] | None = None,
    **constexprs: Any,
) -> Report:
    """Compiles a kernel of Triton for a GPU, without one, and runs it in the simulator.

    ``args`` are its arguments in order: numpy or CPU arrays, numbers, None; ``constexprs`` are those that
    are ``tl.constexpr``. Arrays are written to. Findings have the lines of the Python source.

    Not supported: kernels with autotuning, heuristics or tensor descriptors.
    """
    try:
        import triton  # type: ignore[import-not-found, import-untyped, unused-ignore]
        from triton.backends.compiler import GPUTarget  # type: ignore[import-not-found, import-untyped, unused-ignore]
        from triton.compiler import ASTSource  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as error:
        raise ImportError("triton_check needs Triton: pip install triton") from error
    _refuse(kernel)
    names = list(inspect.signature(kernel.fn).parameters)
    marked = {parameter.name for parameter in kernel.params if parameter.is_constexpr}
    values = {name: _plain(value) for name, value in _bound(names, marked, args, constexprs, kernel).items()}
    signature, constants, promises = {}, {}, {}
    for number, name in enumerate(names):
        value = values[name]
        if name in marked:
            signature[name] = "constexpr"
            constants[(number,)] = value
            continue
        kind, promise = _specialised(name, value)
        signature[name] = kind
        if kind == "constexpr":
            constants[(number,)] = value
        if promise:
            promises[(number,)] = [["tt.divisibility", 16]]
    source = ASTSource(fn=kernel, signature=signature, constexprs=constants, attrs=promises)
    number = int("".join(filter(str.isdigit, target)))
    options = {"num_warps": num_warps, "num_stages": num_stages, "num_ctas": num_ctas}
    compiled = triton.compile(source, target=GPUTarget("cuda", number, 32), options=options)
    if callable(grid):
        grid = grid({name: values[name] for name in marked})
    extents = [grid] if isinstance(grid, int) else list(grid)
    metadata = compiled.metadata
    passed = [values[name] for name in names if signature[name] != "constexpr"]
    blocks = 1
    for extent in extents:
        blocks *= extent
    # Memory that a launch from Python would allocate.
    for what in ("global_scratch_size", "profile_scratch_size"):
        size = getattr(metadata, what, 0) * blocks
        passed.append(f"{what[:-5]}:u8[{size}]" if size else None)
    # None and constants are not parameters of the PTX, so that its numbers are not those of the source.
    shown = [name for name in names if signature[name] != "constexpr"]
    ptx = compiled.asm["ptx"]
    program = Program.from_ptx(ptx, name=f"{kernel.__name__}.ptx", parameters=(metadata.name, shown))
    cluster = num_ctas if num_ctas > 1 else None
    return simulate(
        program,
        [extents[0] * num_ctas, *extents[1:]],
        passed,
        name=metadata.name,
        block=32 * metadata.num_warps,
        cluster=cluster,
        shared=metadata.shared,
        **dict(simulate_options or {}),
    )


def _refuse(kernel: Any) -> None:
    kind = type(kernel).__name__
    if kind in ("Autotuner", "Heuristics"):
        what = "autotuning" if kind == "Autotuner" else "heuristics"
        raise TypeError(
            f"a kernel with {what} is not supported; pass the function below the decorator, as in kernel.fn, with "
            "the constants of one configuration"
        )
    if not hasattr(kernel, "params"):
        raise TypeError(f"a function with @triton.jit is needed, not '{kind}'")


def _bound(
    names: list[str], marked: set[str], args: Sequence[Any], constexprs: dict[str, Any], kernel: Any
) -> dict[str, Any]:
    """The value of each parameter."""
    values = dict(zip(names, args))
    if len(args) > len(names):
        raise TypeError(f"{kernel.__name__} has {len(names)} parameters, but there are {len(args)} arguments")
    for name, value in constexprs.items():
        if name not in names:
            raise TypeError(f"{kernel.__name__} has no parameter '{name}'; it has {', '.join(names)}")
        if name in values:
            raise TypeError(f"parameter '{name}' of {kernel.__name__} is given twice")
        values[name] = value
    for name, parameter in inspect.signature(kernel.fn).parameters.items():
        if name not in values:
            if parameter.default is inspect.Parameter.empty:
                raise TypeError(f"parameter '{name}' of {kernel.__name__} is missing")
            values[name] = parameter.default
    return values


def _specialised(name: str, value: Any) -> tuple[str, bool]:
    """The type of an argument, and whether it is promised to be divisible by 16, as Triton's binder does it."""
    if value is None:
        return "constexpr", False
    if isinstance(value, bool):
        return "i1", False
    if isinstance(value, int):
        if value == 1:
            return "constexpr", False
        if not -(2**63) <= value < 2**64:
            raise TypeError(f"argument '{name}' is {value}, which has more than 64 bits")
        kind = "i32" if -(2**31) <= value < 2**31 else "i64" if value < 2**63 else "u64"
        return kind, value % 16 == 0
    if isinstance(value, float):
        return "fp32", False
    if isinstance(value, TensorMap) or "ensorDescriptor" in type(value).__name__:
        raise TypeError(f"argument '{name}' is a tensor descriptor, which is not supported; run its PTX with simulate()")
    try:
        element = element_name(value)
    except TypeError as error:
        raise TypeError(f"argument '{name}': {error}") from None
    if element is None or element not in _TYPES:
        raise TypeError(f"argument '{name}' is of type '{type(value).__name__}', which is not supported")
    # The memory of an array is aligned to 256 bytes in the simulator. Its first element is further up if a stride is
    # negative.
    return f"*{_TYPES[element]}", (first_byte(value) or 0) % 16 == 0


def _plain(value: Any) -> Any:
    """A scalar of numpy as a number of Python; anything else as it is."""
    if not hasattr(value, "dtype") or hasattr(value, "__setitem__") or getattr(value, "shape", None) != ():
        return value
    name = str(value.dtype)
    if name == "bool":
        return bool(value)
    return int(value) if "int" in name else float(value)
