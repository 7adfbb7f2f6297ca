"""A check of kernels in CUDA C++, which NVIDIA's nvrtc compiles in this process, without a GPU."""

from __future__ import annotations

import ctypes
import glob
import importlib.util
import os
import pathlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, Union

from ._compiler import CompileError, Diagnostic
from ._native import Program
from ._simulate import Extents, Report, simulate

__all__ = ["nvrtc_check", "nvrtc_program"]

Source = Union[str, "os.PathLike[str]"]

#: The line of a message of nvrtc: ``kernel.cu(3): error: ..``.
_MESSAGE = re.compile(r"^(?P<file>[^\n(]+)\((?P<line>\d+)\): (?P<severity>error|warning)(?: #[\w-]+)?: (?P<text>.*)$", re.MULTILINE)


class _Nvrtc:
    """The library, as C declares it."""

    def __init__(self, library: Any) -> None:
        self.library = library
        library.nvrtcGetErrorString.restype = ctypes.c_char_p

    def call(self, name: str, *arguments: Any) -> None:
        code = getattr(self.library, name)(*arguments)
        if code != 0:
            raise RuntimeError(f"{name} failed: {self.library.nvrtcGetErrorString(code).decode()}")

    def text(self, what: str, program: Any) -> bytes:
        """What ``nvrtcGet..`` returns, whose size another call returns."""
        size = ctypes.c_size_t()
        self.call(f"nvrtcGet{what}Size", program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(max(size.value, 1))
        self.call(f"nvrtcGet{what}", program, buffer)
        return buffer.value


_loaded: _Nvrtc | None = None


def _library() -> _Nvrtc:
    """The library of ``CUTE_NVRTC``, of NVIDIA's packages for Python, or of the system, in this order."""
    global _loaded
    if _loaded is None:
        _loaded = _Nvrtc(_open())
    return _loaded


def _open() -> Any:
    named = os.environ.get("CUTE_NVRTC")
    if named:
        return _with_builtins(named)
    spec = importlib.util.find_spec("nvidia")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        # cu13/lib in the packages of CUDA 13, cuda_nvrtc/lib in those of CUDA 12.
        for file in sorted(glob.glob(os.path.join(folder, "*", "lib", "libnvrtc.so.*")), reverse=True):
            if ".alt." not in file:
                return _with_builtins(file)
    for name in ("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    raise ImportError("nvrtc is not found: pip install nvidia-cuda-nvrtc, or set CUTE_NVRTC to the path of libnvrtc.so")


def _with_builtins(file: str) -> Any:
    """The library, after the one with its built-in headers: it looks for that by name alone."""
    beside = os.path.join(os.path.dirname(file), "libnvrtc-builtins.so*")
    for builtins in sorted(glob.glob(beside)):
        ctypes.CDLL(builtins)
    return ctypes.CDLL(file)


def _compiled(
    source: str, file: str, names: Sequence[str], target: str, options: Sequence[str], headers: Mapping[str, str]
) -> tuple[str, dict[str, str]]:
    """The PTX, and the symbol of each name."""
    nvrtc, program = _library(), ctypes.c_void_p()
    texts = [text.encode() for text in headers.values()]
    includes = [name.encode() for name in headers]
    count = len(texts)
    nvrtc.call(
        "nvrtcCreateProgram",
        ctypes.byref(program),
        source.encode(),
        file.encode(),
        count,
        (ctypes.c_char_p * count)(*texts),
        (ctypes.c_char_p * count)(*includes),
    )
    try:
        for name in names:
            nvrtc.call("nvrtcAddNameExpression", program, name.encode())
        words = [word.encode() for word in _options(target, options)]
        code = nvrtc.library.nvrtcCompileProgram(program, len(words), (ctypes.c_char_p * len(words))(*words))
        log = nvrtc.text("ProgramLog", program).decode(errors="replace").strip()
        if code != 0:
            raise _failure(log or nvrtc.library.nvrtcGetErrorString(code).decode())
        lowered = {}
        for name in names:
            symbol = ctypes.c_char_p()
            nvrtc.call("nvrtcGetLoweredName", program, name.encode(), ctypes.byref(symbol))
            lowered[name] = (symbol.value or b"").decode()
        return nvrtc.text("PTX", program).decode(), lowered
    finally:
        nvrtc.library.nvrtcDestroyProgram(ctypes.byref(program))


def _options(target: str, options: Sequence[str]) -> list[str]:
    """The options of nvrtc: the target and the lines of the source, unless they are among the given ones."""
    if isinstance(options, str):
        raise TypeError(f"options must be a list of options of nvrtc, such as ['-DN=4'], not the text {options!r}")
    names = {word.lstrip("-").split("=")[0] for word in options}
    own = [] if names & {"gpu-architecture", "arch"} else [f"-arch={target.replace('sm_', 'compute_')}"]
    own += [] if names & {"generate-line-info", "lineinfo", "device-debug", "G"} else ["-lineinfo"]
    return [*own, *options]


def _failure(log: str) -> CompileError:
    """The messages of nvrtc."""
    listed = []
    for found in _MESSAGE.finditer(log):
        place = (found["file"], int(found["line"]), 1)
        listed.append(Diagnostic(found["severity"], found["text"], place, found.group()))
    return CompileError(f"nvrtc does not compile the kernel\n{log}", listed)


def _read(source: Source, file: str | None) -> tuple[str, str]:
    """The text and the name of a source: a path, or the text itself."""
    if isinstance(source, os.PathLike):
        return pathlib.Path(source).read_text(encoding="utf-8"), file or os.fspath(source)
    if not isinstance(source, str):
        raise TypeError(f"source is a text of CUDA C++ or a pathlib.Path, not '{type(source).__name__}'")
    if "\n" not in source and source.endswith((".cu", ".cuh", ".cpp")):
        return pathlib.Path(source).read_text(encoding="utf-8"), file or source
    return source, file or "kernel.cu"


def nvrtc_program(
    source: Source,
    names: Sequence[str] = (),
    *,
    options: Sequence[str] = (),
    target: str = "sm_90a",
    headers: Mapping[str, str] | None = None,
    file: str | None = None,
) -> Program:
    """Compiles CUDA C++ with nvrtc, for :func:`simulate` and for :class:`Device`, which launches several kernels.

    ``names`` are the instances of templates that are to be compiled, as in ``["scale<float, 3>"]``; other kernels
    are compiled in any case. ``options`` are those of nvrtc, as in ``["-DN=4", "-I/usr/include"]``, and ``headers`` the
    texts of files that the source includes. ``file`` is the name in messages of a source that is a text.

    Raises a :class:`CompileError` with the messages of nvrtc, and an ``ImportError`` if there is no nvrtc.
    """
    text, name = _read(source, file)
    ptx, _ = _compiled(text, name, names, target, options, headers or {})
    return Program.from_ptx(ptx, name=f"{os.path.splitext(name)[0]}.ptx")


def nvrtc_check(
    source: Source,
    name: str,
    grid: Extents,
    block: Extents,
    args: Sequence[Any] | Mapping[str, Any] = (),
    *,
    options: Sequence[str] = (),
    target: str = "sm_90a",
    headers: Mapping[str, str] | None = None,
    file: str | None = None,
    **simulate_options: Any,
) -> Report:
    """Compiles a kernel of CUDA C++ with nvrtc, without a GPU, and runs it in the simulator.

    ``source`` is a text, or a path. ``name`` is the kernel as the source calls it, an instance of a template among
    them: ``"scale<float, 3>"``. ``args`` are those of :func:`simulate`: a struct by value is :func:`struct`. All other
    options are those of :func:`simulate`, too. Findings have the lines of the source.
    """
    text, called = _read(source, file)
    ptx, lowered = _compiled(text, called, [name], target, options, headers or {})
    program = Program.from_ptx(ptx, name=f"{os.path.splitext(called)[0]}.ptx")
    return simulate(program, grid, args, name=lowered[name], block=block, **simulate_options)
