"""Runs in the simulator."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, Union

from ._compiler import Kernel, compile, of_ptx, source
from ._coverage import Coverage
from ._native import Finding, Program, Run, allow_list, is_ptx, trial_goes_on

__all__ = ["Finding", "FindingsError", "Program", "Report", "schedules", "simulate", "simulate_host"]

Extents = Union[int, Sequence[int], str]
Simulated = Union[Kernel, Program, str, bytes, "os.PathLike[str]"]
Allowed = Union[Sequence[str], "os.PathLike[str]"]
Only = Union[str, int, Sequence[Union[str, int, Sequence[int]]], None]


class Watcher(Protocol):
    """Sees the runs of a test."""

    #: Whether runs are recorded for a page.
    pages: bool

    def prepare(
        self, program: Program, options: dict[str, Any], schedule: Any, schedules: int | None
    ) -> int | None:
        """Changes the options of a run before it begins, and returns the number of its schedules."""

    def seen(self, report: Report) -> None:
        """Is called after each run."""


_watcher: Watcher | None = None


def watch(watcher: Watcher | None) -> Watcher | None:
    """Lets an object see all runs of this process, and returns the one that did."""
    global _watcher
    before, _watcher = _watcher, watcher
    return before


class FindingsError(AssertionError):
    """A simulated kernel has mistakes; ``report`` has them."""

    report: Report

    def __init__(self, report: Report) -> None:
        super().__init__(str(report))
        self.report = report

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.report,))


class Report:
    """What the simulator found."""

    #: The mistakes.
    findings: list[Finding]
    #: What the instruction set forbids and widely used libraries rely on; it does not fail a run.
    portability: list[Finding]
    #: Violations of the instruction set that generated code cannot show, of a run with ``pedantic=True``.
    notes: list[Finding]
    #: The findings that ``allow`` accepts.
    accepted: list[Finding]
    #: The entries of ``allow`` that match no finding.
    unmatched: list[str]
    #: The number of different findings that are only counted, because there is no room for more.
    left_out: int
    #: A text about each array whose contents depend on the schedule.
    differences: list[str]
    #: A text about each array of which kernels wrote only a part.
    unwritten: list[str]
    #: The report as text: findings, then output and counters.
    text: str
    #: The findings as text, without counters; also ``str(report)``.
    summary: str
    #: The findings as a log of SARIF, for code scanning and editors.
    sarif: str
    #: The findings as commands of GitHub Actions, which show them beside the source, a line for each.
    github: str

    def __init__(self, run: Run) -> None:
        self.findings = [finding for finding in run.findings if finding.grade == "error"]
        self.portability = [finding for finding in run.findings if finding.grade == "portability"]
        self.notes = [finding for finding in run.findings if finding.grade == "note"]
        self.accepted = list(run.accepted)
        self.unmatched = list(run.unmatched)
        self.left_out = run.left_out
        self.differences = list(run.differences)
        self.unwritten = list(run.unwritten)
        self.text = run.text
        self.summary = run.summary.rstrip()
        self.sarif = run.sarif
        self.github = run.github
        self._json = run.json
        self._html = run.html
        self._coverage = None if run.reached is None else Coverage(run.reached)

    @property
    def json(self) -> Any:
        """The whole report: findings, counters, schedules."""
        return json.loads(self._json)

    @property
    def ok(self) -> bool:
        """Whether there are no findings."""
        return not self.findings

    @property
    def coverage(self) -> Coverage:
        """Which lines and branches of the source were reached, if the run was asked for that by ``coverage=True``."""
        if self._coverage is None:
            raise ValueError("this run did not record which lines it reached: simulate it with coverage=True")
        return self._coverage

    def html(self) -> str:
        """The report as a page of HTML, with a timeline, if the run was asked to make it by ``html=True``."""
        if self._html is None:
            raise ValueError("there is no page of this run: simulate it with html=True")
        return self._html

    def _repr_html_(self) -> str:
        """The page within a notebook, which its style does not reach; without a page, the text."""
        from html import escape

        if self._html is None:
            return f"<pre>{escape(self.text)}</pre>"
        return f'<iframe sandbox width="100%" height="600" srcdoc="{escape(self._html)}"></iframe>'

    def raise_if_findings(self) -> Report:
        """Raises a :class:`FindingsError` if there are findings; otherwise returns the report."""
        if self.findings:
            raise FindingsError(self)
        return self

    def __str__(self) -> str:
        return self.summary

    def __repr__(self) -> str:
        portability = f"{len(self.portability)} portability, " if self.portability else ""
        more = f", {self.left_out} more left out" if self.left_out else ""
        return f"<Report: {len(self.findings)} findings, {portability}{len(self.notes)} notes{more}>"


def _text(kernel: Simulated) -> str:
    """The source of a kernel; empty if it is not known."""
    if isinstance(kernel, Program):
        return kernel.text or ""
    return kernel.text if isinstance(kernel, Kernel) else source(kernel)[1]


def _shown(kernel: Simulated, html: bool) -> str | None:
    """The source for a page, if the run is to have one."""
    watched = _watcher is not None and _watcher.pages and not trial_goes_on()
    return _text(kernel) if html or watched else None


def _program(kernel: Simulated, target: str | None) -> Program:
    if isinstance(kernel, Program):
        return kernel
    if not isinstance(kernel, Kernel):
        name, text = source(kernel)
        if is_ptx(text):
            return of_ptx(name, text)
        kernel = compile(kernel, target)
    # A mutant is one of PTX.
    return kernel.through_ptx if trial_goes_on() else kernel.program


def _allowed(allow: Allowed) -> list[str]:
    """The entries of a list, or of a file."""
    if isinstance(allow, os.PathLike):
        with open(allow, encoding="utf-8") as file:
            return allow_list(file.read())
    if isinstance(allow, str):
        raise TypeError("allow must be a list of entries, or the path of a file as a pathlib.Path")
    return list(allow)


def _only(blocks: Only) -> str | None:
    """The blocks of a sample as text."""
    if blocks is None or isinstance(blocks, str):
        return blocks
    if isinstance(blocks, int):
        return str(blocks)
    return ",".join(str(tuple(block) if isinstance(block, list) else block) for block in blocks)


def _progress() -> Callable[[int], None] | None:
    """Prints the blocks that have ended, on a terminal or in a notebook."""
    stream = sys.stderr
    shown = "ipykernel" in sys.modules or (hasattr(stream, "isatty") and stream.isatty())
    if not shown:
        return None
    began = last = time.monotonic()

    def show(blocks: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - began > 1 and now - last > 0.5:
            last = now
            stream.write(f"\r{blocks} blocks simulated, {now - began:.0f} s")
            stream.flush()

    return show


def simulate(
    kernel: Simulated,
    grid: Extents,
    args: Sequence[Any] | Mapping[str, Any] = (),
    *,
    name: str | None = None,
    block: Extents | None = None,
    cluster: Extents | None = None,
    shared: int | None = None,
    arrays: Mapping[str, Any] | None = None,
    variables: Mapping[str, Any] | None = None,
    schedule: str | int | None = None,
    schedules: int | None = None,
    elect: str | int | None = None,
    only_blocks: Only = None,
    budget: int | None = None,
    races: bool = True,
    pedantic: bool = False,
    strict_isa: bool = False,
    allow: Allowed = (),
    keep_arrays: bool = False,
    overflow: bool = True,
    sums: str | None = None,
    sms: int | None = None,
    memory: int = 1024,
    target: str | None = None,
    html: bool = False,
    cooperative: bool = False,
    coverage: bool = False,
) -> Report:
    """Runs a kernel on the CPU, and reports races, hangs and misuse with their places in the source.

    ``kernel`` is one of :func:`compile`, a text or path of cute IR, or a text, bytes or path of PTX of any
    compiler. ``allow`` lists accepted findings, as ``KIND[@FILE[:LINE]]``, or is the path of a file
    ``cute-allow.toml``; ``keep_arrays`` writes arrays back after findings, too; ``strict_isa`` makes errors of
    portability findings. ``args`` has one object for each parameter, in their order or by their names: a numpy
    array or view, any array with ``__array_interface__`` or ``__dlpack__`` on the CPU, a number, None for a
    null pointer, :func:`struct`, :func:`raw`, :func:`address`, a tensor map, a list of arrays and addresses for an
    array of pointers, or a text such as ``"f16[128x64]=random(7)"``. ``arrays`` are those that only addresses lead to, and
    ``variables`` the values of variables of the module, both by their names. After a run without findings, what the kernel stores is
    written back to the arrays.
    With ``html``, the run is recorded for :meth:`Report.html`, which takes longer.
    ``elect`` is the lane that ``elect.sync`` elects: "first", "last", or a number.
    ``only_blocks`` runs a sample of the grid, in whole clusters: a text such as "first,last,random:8", or a list of
    such words, numbers of blocks and positions, as in ``["first", 3, (1, 2, 0)]``.
    ``sums`` is the GPU as whose tensor cores floats are added, such as "sm_90", if not the one that the kernel is
    for, or "plain" for sums in f32.
    ``cooperative`` launches as ``cudaLaunchCooperativeKernel`` does: the blocks may wait for each other.
    ``coverage`` records which lines and branches are reached, for :attr:`Report.coverage`.
    """
    options = {
        "kernel": name,
        "grid": grid,
        "block": block,
        "cluster": cluster,
        "shared": shared,
        "elect": None if elect is None else str(elect),
        "only_blocks": _only(only_blocks),
        "budget": budget,
        "races": races,
        "pedantic": pedantic,
        "strict_isa": strict_isa,
        "allow": _allowed(allow),
        "keep_arrays": keep_arrays,
        "overflow": overflow,
        "sums": sums,
        "sms": sms,
        "memory": memory,
        "target": target,
        "html": _shown(kernel, html),
        "cooperative": cooperative,
        "coverage": coverage,
    }
    return _run(_program(kernel, target), args, arrays, variables, schedule, schedules, options)


def _run(
    program: Program,
    args: Sequence[Any] | Mapping[str, Any],
    arrays: Mapping[str, Any] | None,
    variables: Mapping[str, Any] | None,
    schedule: str | int | None,
    schedules: int | None,
    options: dict[str, Any],
) -> Report:
    """A run with options that need no change."""
    if _watcher is not None and not trial_goes_on():
        schedules = _watcher.prepare(program, options, schedule, schedules)
    run = program.run(
        dict(args) if isinstance(args, Mapping) else list(args),
        arrays=None if arrays is None else dict(arrays),
        variables=None if variables is None else dict(variables),
        schedule=None if schedule is None else str(schedule),
        schedules=schedules,
        progress=_progress(),
        **options,
    )
    report = Report(run)
    if _watcher is not None and not trial_goes_on():
        _watcher.seen(report)
    return report


def host_of(program: Program, name: str | None) -> str:
    """The name of a host function: the given one, or that of the only one."""
    if name is not None:
        return name
    if len(program.hosts) != 1:
        found = ", ".join(program.hosts) or "none"
        raise ValueError(f"name one of the host functions: {found}")
    return program.hosts[0]


def simulate_host(
    module: Simulated,
    args: Sequence[Any] | Mapping[str, Any] = (),
    *,
    name: str | None = None,
    target: str | None = None,
    arrays: Mapping[str, Any] | None = None,
    variables: Mapping[str, Any] | None = None,
    schedule: str | int | None = None,
    schedules: int | None = None,
    elect: str | int | None = None,
    only_blocks: Only = None,
    budget: int | None = None,
    races: bool = True,
    pedantic: bool = False,
    strict_isa: bool = False,
    allow: Allowed = (),
    keep_arrays: bool = False,
    overflow: bool = True,
    sums: str | None = None,
    sms: int | None = None,
    memory: int = 1024,
    html: bool = False,
    coverage: bool = False,
) -> Report:
    """Runs a host function, with the kernels that it launches. ``args`` are its arguments, without streams."""
    program = _program(module, target)
    options = {
        "host": host_of(program, name),
        "elect": None if elect is None else str(elect),
        "only_blocks": _only(only_blocks),
        "budget": budget,
        "races": races,
        "pedantic": pedantic,
        "strict_isa": strict_isa,
        "allow": _allowed(allow),
        "keep_arrays": keep_arrays,
        "overflow": overflow,
        "sums": sums,
        "sms": sms,
        "memory": memory,
        "target": target,
        "html": _shown(module, html),
        "coverage": coverage,
    }
    return _run(program, args, arrays, variables, schedule, schedules, options)


def schedules(kernel: Simulated, grid: Extents, args: Any = (), count: int = 8, **options: Any) -> Report:
    """Runs a kernel under several orders of events, side by side, and merges what they find.

    They are the first ``count`` of lazy, eager, reverse, and random orders with the seeds 1, 2, and so on.
    """
    return simulate(kernel, grid, args, schedules=count, **options)
