"""Launches of Triton in the simulator, in programs that know nothing of it."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from typing import Any

from ._native import limits
from ._simulate import Report
from ._triton import _ACTIVE, _active, target_of
from ._triton_torch import _replaced, simulated_cuda

__all__ = ["Interposed", "triton_interpose"]

#: The values that the options of ``CUTE_MLIR_TRITON`` may have.
_CHOICES = {"configs": ("first", "all"), "benchmarks": ("smallest", "none"), "findings": ("raise", "collect")}


class Interposed:
    """What was simulated in a block of :func:`triton_interpose`."""

    #: The report of each launch, with the name of its kernel.
    reports: list[tuple[str, Report]]

    def __init__(self) -> None:
        self.reports = []

    def raise_if_findings(self) -> None:
        """Raises the findings of the first launch that has some."""
        for _, report in self.reports:
            report.raise_if_findings()


@contextlib.contextmanager
def triton_interpose(
    target: str | int = "sm_90a",
    *,
    sms: int | None = None,
    configs: str = "first",
    benchmarks: str = "smallest",
    findings: str = "raise",
    **simulate_options: Any,
) -> Iterator[Interposed]:
    """In the block, each launch ``kernel[grid](..)`` of Triton is compiled by Triton, and simulated.

    Torch, if it is imported or will be, has a device "cuda" in the memory of the process. A launch with findings
    raises them, or with ``findings="collect"`` they are in the reports of the block. An autotuned kernel runs its first
    configuration that fits, or with ``configs="all"`` each one. ``triton.testing.do_bench`` runs its function once,
    and returns NaN; a benchmark of ``perf_report`` runs its smallest size, or with ``benchmarks="none"`` nothing.
    ``simulate_options`` are those of :func:`simulate`.
    """
    given = {"configs": configs, "benchmarks": benchmarks, "findings": findings}
    for name, value in given.items():
        _one_of(name, value)
    if findings == "collect":
        # The program goes on with what the kernel stored.
        simulate_options.setdefault("keep_arrays", True)
    from ._triton_driver import SMS, SimulatedDriver

    interposed = Interposed()
    driver = SimulatedDriver(
        target_of(target), sms=sms or SMS, raises=findings == "raise", configs=configs, options=simulate_options
    )
    driver.listener = lambda name, report: interposed.reports.append((name, report))
    with _ACTIVE, contextlib.ExitStack() as stack:
        _without_time(stack, driver, benchmarks)
        _with_torch(stack, driver)
        stack.enter_context(_active(driver))
        yield interposed


def _without_time(stack: contextlib.ExitStack, driver: Any, benchmarks: str) -> None:
    """Replaces what measures time."""
    from triton import testing  # type: ignore[import-not-found, import-untyped, unused-ignore]

    from ._triton_driver import tuner_of

    def once(function: Any, *_: Any, quantiles: Any = None, return_mode: str = "mean", **__: Any) -> Any:
        """Stands for ``triton.testing.do_bench``: a simulation has no time to measure."""
        if tuner_of(function) is not None:
            return driver.get_benchmarker()(function, quantiles=quantiles)
        function()
        count = len(quantiles) if quantiles else 1
        return [float("nan")] * count if count > 1 or return_mode == "all" else float("nan")

    for name in ("do_bench", "do_bench_cudagraph"):
        stack.enter_context(_replaced(testing, name, once))
    stack.enter_context(_replaced(testing.Mark, "run", lambda mark, *_, **__: _benchmarks(mark, driver, benchmarks)))


def _with_torch(stack: contextlib.ExitStack, driver: Any) -> None:
    """Replaces torch's device, where torch is installed."""
    try:
        import torch  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return
    stack.enter_context(simulated_cuda(driver, torch))


def _benchmarks(mark: Any, driver: Any, which: str) -> Any:
    """Stands for ``triton.testing.Mark.run``: each line of each plot once, at the smallest size, in some blocks."""
    if which == "none":
        print("cute_mlir: benchmarks are not run")
        return None
    before = driver.options
    driver.options = {"only_blocks": "first,last", **before}
    try:
        for bench in mark.benchmarks if isinstance(mark.benchmarks, (list, tuple)) else [mark.benchmarks]:
            first = bench.x_vals[0]
            values = dict(zip(bench.x_names, first if isinstance(first, (list, tuple)) else [first] * len(bench.x_names)))
            for line in bench.line_vals:
                mark.fn(**values, **{bench.line_arg: line}, **bench.args)
            sizes = ", ".join(f"{name}={value}" for name, value in values.items())
            print(f"cute_mlir: {bench.plot_name} runs at {sizes} alone, without times")
    finally:
        driver.options = before
    return None


def _one_of(name: str, value: str) -> str:
    if value not in _CHOICES[name]:
        raise ValueError(f"{name} is {value!r}, but must be one of {', '.join(_CHOICES[name])}")
    return value


def _settings(text: str) -> dict[str, Any]:
    """The options of ``CUTE_MLIR_TRITON``: "simulate", then names with values between commas."""
    first, *others = text.split(",")
    if first.strip() != "simulate":
        raise ValueError(f"CUTE_MLIR_TRITON is '{text}', but must begin with 'simulate'")
    settings: dict[str, Any] = {}
    for part in others:
        name, _, value = (piece.strip() for piece in part.partition("="))
        if name in ("sms", "schedules", "memory"):
            settings[name] = int(value)
        elif name in ("target", "report"):
            settings[name] = value
        elif name in ("configs", "benchmarks"):
            settings[name] = _one_of(name, value)
        else:
            raise ValueError(
                f"CUTE_MLIR_TRITON has no option '{name}'; it has target, sms, configs, benchmarks, schedules, memory and report"
            )
    limits(target_of(settings.get("target", "sm_90a")))
    return settings


def _write(path: str, kernel: str, report: Report) -> None:
    """Adds a line about a launch to a file."""
    findings = [{"kind": f.kind, "grade": f.grade, "location": f.location} for f in (*report.findings, *report.portability)]
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps({"kernel": kernel, "findings": findings}) + "\n")


class _Environment:
    """What a process does whose environment has ``CUTE_MLIR_TRITON``. It stays until the process ends."""

    def __init__(self) -> None:
        from ._triton_driver import SMS, SimulatedDriver

        settings = _settings(os.environ["CUTE_MLIR_TRITON"])
        self._benchmarks = settings.pop("benchmarks", "smallest")
        report = settings.pop("report", None)
        target, sms = target_of(settings.pop("target", "sm_90a")), settings.pop("sms", None) or SMS
        self._driver = SimulatedDriver(target, sms=sms, configs=settings.pop("configs", "first"), options=settings)
        if report is not None:
            self._driver.listener = lambda name, made: _write(report, name, made)
        self._stack = contextlib.ExitStack()
        self._replaces_triton = False
        # Programs ask torch for a device before they ask Triton.
        _with_torch(self._stack, self._driver)

    def driver(self) -> Any:
        """Triton's driver."""
        if not self._replaces_triton:
            self._replaces_triton = True
            _without_time(self._stack, self._driver, self._benchmarks)
        return self._driver


_ENVIRONMENT: list[_Environment] = []


def environment() -> _Environment:
    """The only one of the process."""
    if not _ENVIRONMENT:
        _ENVIRONMENT.append(_Environment())
    return _ENVIRONMENT[0]
