"""CuTe's layouts, a compiler for kernels in cute IR, and a simulator of GPUs.

>>> import cute_mlir as cm
>>> A = cm.Layout((4, 8), (8, 1))
>>> print(A @ cm.Layout((2, 4), (4, 2)))
(2,(2,2)):(1,(16,1))
>>> A(2, 3)
19

Layouts, their functions, pictures and the simulator are here. What turns text into PTX is the package
``cute-mlir-compiler``, which ``pip install cute-mlir[compiler]`` installs.
"""

from __future__ import annotations

from ._algebra import (
    Atom,
    ComposedLayout,
    E,
    Expression,
    Int,
    Layout,
    LayoutError,
    Placement,
    Swizzle,
    TensorMap,
    Tile,
    TiledCopy,
    TiledMma,
    atoms,
    banks,
    choose_swizzle,
    compositions,
    divides,
    domain,
    evaluate,
    explain,
    request,
    svg,
    tensor_map,
)
from ._compiler import CompileError, Kernel, build_kernel, compile
from ._functions import *  # noqa: F403
from ._functions import __all__ as _functions
from ._functions import composition as compose
from ._hooks import cutlass_hook
from ._launch import launch
from ._native import __version__
from ._simulate import Finding, FindingsError, Program, Report, schedules, simulate, simulate_host
from ._triton import triton_check

__all__ = [
    "Atom",
    "CompileError",
    "ComposedLayout",
    "E",
    "Expression",
    "Finding",
    "FindingsError",
    "Int",
    "Kernel",
    "Layout",
    "LayoutError",
    "Placement",
    "Program",
    "Report",
    "Swizzle",
    "TensorMap",
    "Tile",
    "TiledCopy",
    "TiledMma",
    "__version__",
    "atoms",
    "banks",
    "build_kernel",
    "choose_swizzle",
    "compile",
    "compose",
    "compositions",
    "cutlass_hook",
    "divides",
    "domain",
    "evaluate",
    "explain",
    "launch",
    "request",
    "schedules",
    "simulate",
    "simulate_host",
    "svg",
    "tensor_map",
    "triton_check",
    *_functions,
]
