"""A check of the modules that CuTe DSL compiles in this process."""

from __future__ import annotations

import inspect
import os
import pathlib
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Union

from ._compiler import CompileError, Kernel
from ._simulate import Report, simulate_host

__all__ = ["Checked", "Hooked", "UncheckedError", "cutlass_hook"]

Arguments = Union[Mapping[str, Any], Callable[[str, str], Any], None]


class UncheckedError(AssertionError):
    """A block of :func:`cutlass_hook` that is strict did not check what it was meant to check."""


class Checked:
    """What was done with one module."""

    #: The names of the module and of the function that was compiled.
    module: str
    function: str
    #: The text that was read.
    text: str
    #: The report of the simulator, if it ran.
    report: Report | None
    #: In one line: ``simulated``, ``not simulated``, or why it could not be read.
    status: str

    def __init__(self, module: str, function: str, text: str) -> None:
        self.module, self.function, self.text = module, function, text
        self.report = None
        self.status = "not simulated"

    def __repr__(self) -> str:
        return f"<{self.function}: {self.status}>"


class Hooked(list[Checked]):
    """The modules that were compiled in the block, in order."""

    def raise_if_findings(self) -> None:
        """Raises the findings of the first module that has some."""
        for checked in self:
            if checked.report is not None:
                checked.report.raise_if_findings()


def _dsl() -> Any:
    module = sys.modules.get("cutlass.cutlass_dsl")
    if module is None:
        raise RuntimeError("cutlass is not imported; import cutlass before the block")
    dsl = module.CuTeDSL._get_dsl()
    if not hasattr(dsl, "trace_finalize_hooks"):
        version = getattr(sys.modules.get("cutlass"), "__version__", "of this version")
        raise RuntimeError(
            f"CuTe DSL {version} has no trace_finalize_hooks, which came with 4.6; "
            "print its modules with CUTE_DSL_PRINT_IR=1, and pass them to simulate_host()"
        )
    return dsl


def _text(module: Any) -> str:
    """The assembly of a module with its locations, as the module itself prints it."""
    operation = getattr(module, "operation", module)
    return str(operation.get_asm(enable_debug_info=True))


def _options(options: Mapping[str, Any]) -> None:
    """Refuses options that :func:`simulate_host` does not have."""
    own = inspect.signature(simulate_host).parameters.values()
    known = [parameter.name for parameter in own if parameter.kind is parameter.KEYWORD_ONLY and parameter.name != "name"]
    for name in options:
        if name not in known:
            raise TypeError(f"cutlass_hook() has no option '{name}'; it has args, save, strict, {', '.join(known)}")


def _is_ci() -> bool:
    """Whether the program runs in continuous integration: services set CI, most of them to true."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false", "no")


@contextmanager
def cutlass_hook(
    args: Arguments = None,
    save: str | os.PathLike[str] | None = None,
    *,
    strict: bool | None = None,
    **options: Any,
) -> Iterator[Hooked]:
    """Checks each module that CuTe DSL (4.6 or later) compiles in the block.

    ``args`` gives arrays for the host functions, by the name of the function or as a callable of module
    and function; without them, modules are compiled and verified. ``save`` is a folder for their texts.
    Other options are those of :func:`simulate_host`.

    Findings are raised when the block ends, never inside of a compilation. With ``strict``, so is an
    :class:`UncheckedError` if a module could not be read, if a function in ``args`` never came, or if nothing was
    simulated. Otherwise, the first two are warnings. It is the default where the environment has ``CI=true``.
    """
    _options(options)
    dsl = _dsl()
    hooked = Hooked()
    folder = None if save is None else pathlib.Path(save)
    strict = _is_ci() if strict is None else strict
    failed: list[str] = []

    def hook(owner: Any, module: Any, function: str) -> None:
        try:
            hooked.append(_check(module, function, args, folder, options))
        except Exception as error:  # noqa: BLE001 - nothing may fail inside of the user's compilation
            failed.append(f"{function}: {error}")
            warnings.warn(f"cute_mlir could not check {function}: {error}", stacklevel=2)

    with dsl.trace_finalize_hooks(hook):
        yield hooked
    hooked.raise_if_findings()
    missed = [f"{checked.function}: {checked.status}" for checked in hooked if checked.status.startswith("not read")]
    missed += failed
    came = {checked.function for checked in hooked}
    absent = [] if args is None or callable(args) else [name for name in args if name not in came]
    if absent:
        seen = ", ".join(sorted(came)) or "none"
        missed.append(f"args has {', '.join(map(repr, absent))}, but the functions that were compiled are: {seen}")
    if strict and not any(checked.report for checked in hooked):
        missed.append("nothing was simulated: give args= arrays for a function that is compiled in the block")
    if missed and strict:
        raise UncheckedError("cute_mlir did not check the block:\n  " + "\n  ".join(missed) + "\nstrict=False accepts this")
    if absent:
        warnings.warn(f"cute_mlir: {missed[-1]}", stacklevel=3)


def _check(
    module: Any, function: str, args: Arguments, folder: pathlib.Path | None, options: dict[str, Any]
) -> Checked:
    text = _text(module)
    found = re.search(r"^\s*(?:gpu\.)?module\s+@(\S+)", text, re.MULTILINE)
    name = found.group(1) if found else function
    checked = Checked(name, function, text)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        plain = re.sub(r"[^A-Za-z0-9_.-]", "_", function)[:100]
        (folder / f"{plain}.mlir").write_text(text, encoding="utf-8")
    given = args(name, function) if callable(args) else None if args is None else args.get(function)
    kernel = Kernel(f"{function}.mlir", text, options.get("target"), [])
    try:
        program = kernel.program
        if given is None:
            return checked
        checked.report = simulate_host(program, given, name=_host(program, function), **options)
        checked.status = "simulated"
    except (CompileError, ValueError, TypeError) as error:
        checked.status = f"not read: {str(error).splitlines()[0]}"
        warnings.warn(f"cute_mlir could not check {function}: {error}", stacklevel=2)
    return checked


def _host(program: Any, function: str) -> str | None:
    """The host function that a function of Python became, if its name tells."""
    if len(program.hosts) == 1:
        return None
    matching = [name for name in program.hosts if function in name]
    return matching[0] if len(matching) == 1 else None
