"""The compiler of cute-mlir. Use it through the package ``cute_mlir``, which has the same version."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import shutil

from ._compiler import Failed, Session, __version__, build, declared, ops, program
from ._compiler import machine_code as _machine_code
from ._compiler import compile as _compile

__all__ = ["Failed", "Session", "__version__", "build", "compile", "declared", "machine_code", "ops", "program"]


def _ptxas() -> str | None:
    """The ptxas of the package nvidia-cuda-nvcc, unless CUTE_PTXAS or PATH has one."""
    if os.environ.get("CUTE_PTXAS") or shutil.which("ptxas"):
        return None
    spec = importlib.util.find_spec("nvidia")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for found in sorted(pathlib.Path(folder).glob("*/bin/ptxas"), reverse=True):
            return str(found)
    return None


def _with_ptxas(options: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The options with the ptxas that is found; an error without any."""
    if any(option == "ptxas" for option, _ in options):
        return options
    found = _ptxas()
    if found is None and not os.environ.get("CUTE_PTXAS") and not shutil.which("ptxas"):
        raise Failed("a cubin needs NVIDIA's ptxas: pip install cute-mlir[cubin], or set CUTE_PTXAS", "[]")
    return options if found is None else [*options, ("ptxas", found)]


def machine_code(ptx: str, target: str, options: list[tuple[str, str]]) -> str:
    """The registers, spills and loops of kernels, as JSON."""
    return _machine_code(ptx, target, _with_ptxas(options))


def compile(
    name: str, text: str, target: str | None, emit: str, options: list[tuple[str, str]]
) -> tuple[bytes, str]:
    """One output of a module, and its manifest."""
    return _compile(name, text, target, emit, _with_ptxas(options) if emit == "cubin" else options)
