"""A fixture for pytest: ``cute_simulate`` runs a kernel under several schedules, and fails with the findings.

    def test_copy(cute_simulate):
        cute_simulate("copy.mlir", grid=4, args=[source, destination])
"""

from __future__ import annotations

from typing import Any, Protocol

import pytest

from ._simulate import Report, Simulated
from ._simulate import simulate as _simulate


class Simulate(Protocol):
    """The fixture."""

    def __call__(self, kernel: Simulated, grid: Any, args: Any = (), *, schedules: int = 5, **options: Any) -> Report:
        """Runs a kernel; fails the test if there are findings, or if arrays depend on the schedule."""


@pytest.fixture
def cute_simulate(request: pytest.FixtureRequest) -> Simulate:
    """Runs kernels in the simulator, and fails the test if they have findings.

    Findings that ``cute-allow.toml`` in pytest's root folder lists are accepted.
    """

    beside = request.config.rootpath / "cute-allow.toml"

    def run(kernel: Simulated, grid: Any, args: Any = (), *, schedules: int = 5, **options: Any) -> Report:
        __tracebackhide__ = True
        if beside.exists():
            options.setdefault("allow", beside)
        report = _simulate(kernel, grid, args, schedules=schedules, **options)
        if report.findings:
            pytest.fail(str(report), pytrace=False)
        if report.differences:
            pytest.fail("\n".join(report.differences), pytrace=False)
        return report

    return run
