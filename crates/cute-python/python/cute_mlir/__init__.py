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

from typing import TYPE_CHECKING

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
    make_layout_tv,
    request,
    svg,
    tensor_map,
)
from ._arguments import address, raw, struct
from ._functions import *  # noqa: F403
from ._functions import __all__ as _functions
from ._functions import composition as compose
from ._native import Address, Contents, Finding, Party, Place, Program, Proof, __version__

if TYPE_CHECKING:
    from . import builders
    from ._compiler import CompileError, Kernel, build_kernel, compile, load
    from ._coverage import Coverage, Missed
    from ._device import Device, DeviceArray
    from ._hooks import UncheckedError, cutlass_hook
    from ._launch import DriverError, Prepared, launch, launch_host, prepare, prepare_host
    from ._mutate import NoScoreError, Score, mutate
    from ._numba import numba_check
    from ._nvrtc import nvrtc_check, nvrtc_program
    from ._prove import prove, prove_host
    from ._simulate import FindingsError, Report, schedules, simulate, simulate_host
    from ._triton import triton_array, triton_check
    from ._triton_interpose import triton_interpose
else:
    # Modules that need json, ctypes or inspect, with their names: they are imported when they are first used, since
    # these take longer than all the rest of the package.
    _LATER = {
        "_compiler": ("CompileError", "Kernel", "build_kernel", "compile", "load"),
        "_coverage": ("Coverage", "Missed"),
        "_device": ("Device", "DeviceArray"),
        "_hooks": ("UncheckedError", "cutlass_hook"),
        "_launch": ("DriverError", "Prepared", "launch", "launch_host", "prepare", "prepare_host"),
        "_mutate": ("NoScoreError", "Score", "mutate"),
        "_numba": ("numba_check",),
        "_nvrtc": ("nvrtc_check", "nvrtc_program"),
        "_prove": ("prove", "prove_host"),
        "_simulate": ("FindingsError", "Report", "schedules", "simulate", "simulate_host"),
        "_triton": ("triton_array", "triton_check"),
        "_triton_interpose": ("triton_interpose",),
    }

    def __getattr__(name):
        if name == "builders":
            from importlib import import_module

            return import_module(".builders", __name__)
        for module, names in _LATER.items():
            if name in names:
                from importlib import import_module

                value = globals()[name] = getattr(import_module(f".{module}", __name__), name)
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *__all__})


__all__ = [
    "Address",
    "Atom",
    "CompileError",
    "ComposedLayout",
    "Contents",
    "Coverage",
    "Device",
    "DeviceArray",
    "DriverError",
    "E",
    "Expression",
    "Finding",
    "FindingsError",
    "Int",
    "Kernel",
    "Layout",
    "LayoutError",
    "Missed",
    "NoScoreError",
    "Party",
    "Place",
    "Placement",
    "Prepared",
    "Program",
    "Proof",
    "Report",
    "Score",
    "Swizzle",
    "TensorMap",
    "Tile",
    "TiledCopy",
    "TiledMma",
    "UncheckedError",
    "__version__",
    "address",
    "atoms",
    "banks",
    "build_kernel",
    "builders",
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
    "launch_host",
    "load",
    "make_layout_tv",
    "mutate",
    "numba_check",
    "nvrtc_check",
    "nvrtc_program",
    "prepare",
    "prepare_host",
    "prove",
    "prove_host",
    "raw",
    "request",
    "schedules",
    "simulate",
    "simulate_host",
    "struct",
    "svg",
    "tensor_map",
    "triton_array",
    "triton_check",
    "triton_interpose",
    *_functions,
]
