"""Kernels from text, by the package cute-mlir-compiler."""

from __future__ import annotations

import io
import json
import os
import pathlib
import re
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ._native import Program, __version__, is_ptx

__all__ = ["CompileError", "Diagnostic", "Kernel", "build_kernel", "compile", "load", "source"]


class Diagnostic(NamedTuple):
    """One message of the compiler."""

    severity: str
    message: str
    #: File, line and column, from 1 on.
    place: tuple[str, int, int] | None
    #: The message with its place, the line of the source and a caret.
    text: str
    #: The id of the rule that an error is about.
    rule: str | None = None


class CompileError(ValueError):
    """A text that does not compile.

    ``diagnostics`` are the messages; ``place`` is that of the first error, and ``rule`` the id of the rule that it is about.
    """

    diagnostics: list[Diagnostic]
    place: tuple[str, int, int] | None
    rule: str | None

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = (), rule: str | None = None) -> None:
        super().__init__(message)
        self.diagnostics = list(diagnostics)
        errors = [d for d in self.diagnostics if d.severity == "error"]
        self.place = errors[0].place if errors else None
        self.rule = rule or (errors[0].rule if errors else None)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (str(self), self.diagnostics, self.rule))


def _compiler() -> Any:
    """The compiler of this version."""
    try:
        import cute_mlir_compiler
    except ImportError as error:
        raise ImportError(
            "compiling cute IR needs the package cute-mlir-compiler: pip install cute-mlir[compiler]"
        ) from error
    theirs = cute_mlir_compiler.__version__
    if theirs != __version__:
        raise ImportError(
            f"cute-mlir has version {__version__}, but cute-mlir-compiler {theirs}: "
            f"pip install cute-mlir-compiler=={__version__}"
        )
    return cute_mlir_compiler


def source(text_or_path: str | bytes | os.PathLike[str]) -> tuple[str, str]:
    """The name and the text of a source: a path, or the text itself, which nvrtc gives as bytes."""
    if isinstance(text_or_path, (bytes, bytearray)):
        try:
            return "<text>", text_or_path.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(f"the text is not UTF-8 (byte {error.start})") from None
    if isinstance(text_or_path, os.PathLike):
        path = pathlib.Path(text_or_path)
        return str(path), path.read_text(encoding="utf-8")
    if not isinstance(text_or_path, str):
        raise TypeError(f"a text or a path is needed, not '{type(text_or_path).__name__}'")
    if "\n" not in text_or_path and text_or_path.endswith((".mlir", ".ptx")):
        return text_or_path, pathlib.Path(text_or_path).read_text(encoding="utf-8")
    if _is_path(text_or_path):
        raise ValueError(
            f"'{text_or_path}' looks like a path, but is taken as a text: files of PTX end in .ptx, and of cute IR in .mlir; "
            "another one is pathlib.Path(..). nvrtc_check() takes CUDA C++, and launch() cubins"
        )
    return "<text>", text_or_path


def _is_path(text: str) -> bool:
    """Whether a text is no source, but could be the name of a file."""
    return re.fullmatch(r"[^\s{}()\"'%@!#:]+\.[A-Za-z]\w{0,7}", text) is not None and not text.startswith(".")


def beside(path: str | os.PathLike[str]) -> pathlib.Path:
    """The manifest beside a file of PTX or a cubin, where the compiler writes it."""
    path = pathlib.Path(path)
    return path.with_name(path.name + ".json")


def of_ptx(name: str, text: str) -> Program:
    """The kernels of PTX, as the manifest beside its file describes them, if there is one."""
    if name == "<text>":
        return Program.from_ptx(text)
    file = beside(name)
    manifest = file.read_text(encoding="utf-8") if file.exists() else None
    return Program.from_ptx(text, name=name, manifest=manifest)


def _spelled(value: Any) -> str:
    """The value of an option as text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        return "x".join(map(str, value))
    return str(value)


def _options(options: dict[str, Any]) -> list[tuple[str, str]]:
    # `from_` is an option, too, because `from` is a word of Python.
    given = ((name.rstrip("_").replace("_", "-"), value) for name, value in options.items())
    return [(name, _spelled(value)) for name, value in given if value is not None]


def _raise(compiler: Any, error: Exception) -> Exception:
    message, reports = error.args[0], error.args[1] if len(error.args) > 1 else "[]"
    rule = error.args[2] if len(error.args) > 2 else None
    listed = [
        Diagnostic(
            report["severity"].lower(),
            report["message"],
            tuple(report["place"]) if report["place"] else None,
            report["text"],
            report["id"],
        )
        for report in json.loads(reports)
    ]
    text = "".join(d.text for d in listed if d.severity in ("error", "warning")).rstrip()
    return CompileError(f"{message}\n{text}" if text else str(message), listed, rule)


class Kernel:
    """A module of kernels and what it compiles to, each part made when it is first asked for."""

    name: str
    text: str
    target: str | None

    def __init__(self, name: str, text: str, target: str | None, options: list[tuple[str, str]]) -> None:
        self.name = name
        self.text = text
        self.target = target
        self._options = options
        self._made: dict[str, bytes] = {}
        self._parts: tuple[bytes, str, str, list[tuple[bytes, str]]] | None = None
        self._program: Program | None = None
        self._through_ptx: Program | None = None
        self._is_loaded = False
        self.warnings: list[Diagnostic] = []

    def _emit(self, what: str) -> bytes:
        if what not in self._made:
            compiler = _compiler()
            try:
                made, manifest = compiler.compile(self.name, self.text, self.target, what, self._options)
            except compiler.Failed as error:
                raise _raise(compiler, error) from None
            self._made[what] = made
            self._made["manifest"] = manifest.encode()
        return self._made[what]

    @property
    def ptx(self) -> str:
        """The PTX."""
        return self._emit("ptx").decode()

    @property
    def llvm(self) -> str:
        """The LLVM IR."""
        return self._emit("llvm").decode()

    @property
    def cubin(self) -> bytes:
        """The cubin, which NVIDIA's ptxas assembles: ``pip install cute-mlir[cubin]``, or CUTE_PTXAS."""
        return self._emit("cubin")

    def code(self) -> bytes:
        """The code that a driver loads: a cubin, or PTX where there is no ptxas."""
        try:
            return self.cubin
        except (CompileError, ImportError):
            return self.ptx.encode() + b"\0"

    @property
    def manifest(self) -> dict[str, Any]:
        """What a launch needs to know: parameters, shared memory, numbers of threads."""
        if "manifest" not in self._made:
            self._emit("ptx")
        return dict(json.loads(self._made["manifest"]))

    @property
    def program(self) -> Program:
        """The kernels for the simulator."""
        if self._program is None:
            self._program = Program(self.name, *self._decoded())
        return self._program

    @property
    def through_ptx(self) -> Program:
        """The kernels for the simulator, by their PTX with the lines of the source."""
        if self._through_ptx is None:
            # One that was loaded has its PTX, and no compiler.
            ptx = self._made["ptx"].decode() if self._is_loaded else self._with_lines()
            name = f"{os.path.splitext(self.name)[0]}.ptx"
            self._through_ptx = self.program.through_ptx(ptx, name)
        return self._through_ptx

    def grid(self, args: Sequence[Any] | Mapping[str, Any], name: str | None = None) -> tuple[int, int, int]:
        """The blocks along x, y and z that a kernel needs for its arguments, which are those of a launch.

        A kernel states them in its attribute ``cute.grid``, as those of :func:`build_kernel` do. ``name`` is that of
        the kernel, if the module has several.
        """
        found = self.program.grid(dict(args) if isinstance(args, Mapping) else list(args), kernel=name)
        if found is not None:
            return (found[0], found[1], found[2])
        hosts = self.program.hosts
        why = f"the host function {hosts[0]} computes it: simulate_host() runs it" if hosts else "it has no attribute cute.grid"
        raise ValueError(f"{self.name} does not state its grid: {why}")

    def _with_lines(self) -> str:
        named = [*(option for option in self._options if option[0] != "lineinfo"), ("lineinfo", "true")]
        return Kernel(self.name, self.text, self.target, named).ptx

    def _decoded(self) -> tuple[bytes, str, str, list[tuple[bytes, str]]]:
        """The program, the manifest, the target, and the host functions."""
        if self._parts is None:
            compiler = _compiler()
            try:
                self._parts = compiler.program(self.name, self.text, self.target, self._options)
            except compiler.Failed as error:
                raise _raise(compiler, error) from None
        return self._parts

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the kernel to one file, from which :func:`load` makes it anew without the compiler.

        The file has the text, the PTX, the manifest, the program of the simulator with the host functions, and
        the cubin where there is a ptxas.
        """
        program, manifest, target, hosts = self._decoded()
        entries = {"text": self.text.encode(), "ptx": self._emit("ptx"), "manifest": self._made["manifest"]}
        try:
            entries["cubin"] = self.cubin
        except CompileError:
            pass
        entries["program"], entries["program.json"] = program, manifest.encode()
        for i, (function, described) in enumerate(hosts):
            entries[f"hosts/{i}"], entries[f"hosts/{i}.json"] = function, described.encode()
        facts = {"version": __version__, "name": self.name, "target": target, "asked": self.target}
        entries["kernel.json"] = json.dumps({**facts, "options": self._options, "hosts": len(hosts)}).encode()
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for entry, content in entries.items():
                # The same kernel is the same file, whenever it is written.
                archive.writestr(zipfile.ZipInfo(entry), content, zipfile.ZIP_DEFLATED)
        # A file is written as a whole or not at all.
        written = pathlib.Path(path)
        beside = written.with_name(f".{written.name}.{os.getpid()}")
        try:
            beside.write_bytes(buffer.getvalue())
            beside.replace(written)
        finally:
            beside.unlink(missing_ok=True)

    def __repr__(self) -> str:
        return f"<Kernel {self.name}>"


def compile(text_or_path: str | bytes | os.PathLike[str], target: str | None = None, **options: Any) -> Kernel:
    """Compiles cute IR, or a module of CuTe DSL, to PTX.

    ``target`` is a GPU such as ``"sm_90a"``; without it, the first that has the instructions. Options are those
    at the end of each function of :mod:`cute_mlir.builders`, such as ``fast_math=True``. Errors are a
    :class:`CompileError`.
    """
    name, text = source(text_or_path)
    if is_ptx(text):
        raise ValueError(f"{name} is PTX, which is compiled already; simulate() runs it")
    kernel = Kernel(name, text, target, _options(options))
    kernel.ptx  # noqa: B018 - errors appear here
    return kernel


def load(path: str | os.PathLike[str]) -> Kernel:
    """The kernel that :meth:`Kernel.save` wrote to a file. It needs neither the compiler nor ptxas."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = {name: archive.read(name) for name in archive.namelist()}
        facts = json.loads(entries["kernel.json"])
        version = facts["version"]
        if version != __version__:
            raise ValueError(f"'{path}' was written by cute-mlir {version}, but this is {__version__}; save it again")
        options = [(name, value) for name, value in facts["options"]]
        kernel = Kernel(facts["name"], entries["text"].decode(), facts["asked"], options)
        kernel._is_loaded = True
        kernel._made = {name: entries[name] for name in ("ptx", "manifest", "cubin") if name in entries}
        hosts = [(entries[f"hosts/{i}"], entries[f"hosts/{i}.json"].decode()) for i in range(facts["hosts"])]
        kernel._parts = (entries["program"], entries["program.json"].decode(), facts["target"], hosts)
        kernel.program  # noqa: B018 - a program that cannot be read is an error here
    except (zipfile.BadZipFile, KeyError, TypeError, AttributeError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"'{path}' is not a file that Kernel.save wrote: {error}") from None
    return kernel


def build_kernel(builder: str, /, target: str | None = None, **options: Any) -> Kernel:
    """A kernel of a builder by its name: ``build_kernel("gemm_sm90", types="bf16")``.

    The module :mod:`cute_mlir.builders` has a function for each builder, with the types, the defaults and the
    sentences of its options. ``text`` of the result is the cute IR.
    """
    compiler = _compiler()
    try:
        text, target, rest = compiler.build(builder, target, _options(options))
    except compiler.Failed as error:
        raise _raise(compiler, error) from None
    kernel = Kernel(builder, text, target, rest)
    kernel.ptx  # noqa: B018
    return kernel
