"""A fixture and options for pytest.

The fixture ``cute_simulate`` runs a kernel under several schedules, and fails with the findings.

    def test_copy(cute_simulate):
        cute_simulate("copy.mlir", grid=4, args=[source, destination])

``--cute-mutants N`` asks each test that passes about N mistakes in the kernels that it runs.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from ._simulate import Report, Simulated
from ._simulate import simulate as _simulate

if TYPE_CHECKING:
    from ._mutate import Score


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


_SCORES: pytest.StashKey[list[tuple[str, Score | str]]] = pytest.StashKey()


def _percent(text: str) -> int:
    percent = int(text)
    if not 0 <= percent <= 100:
        raise ValueError(text)
    return percent


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise ValueError(text)
    return count


def pytest_load_initial_conftests() -> None:
    """Launches of Triton are simulated if the environment has ``CUTE_MLIR_TRITON``, before a test imports torch."""
    if os.environ.get("CUTE_MLIR_TRITON"):
        import triton  # type: ignore[import-not-found, import-untyped, unused-ignore]  # noqa: F401


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of mutants."""
    group = parser.getgroup("cute", "mistakes in kernels of cute_mlir")
    group.addoption(
        "--cute-mutants",
        type=_count,
        metavar="N",
        help="ask each test about N mutants of the kernels that it runs in the simulator, and print its score",
    )
    group.addoption("--cute-mutants-seed", type=int, default=0, metavar="N", help="the seed that chooses the mutants")
    group.addoption(
        "--cute-mutants-least",
        type=_percent,
        metavar="PERCENT",
        help="fail if the checks of a test notice fewer of its mutants",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Asks a test, which runs as usual afterwards."""
    count = item.config.getoption("cute_mutants")
    if count is None:
        return
    from _pytest.runner import runtestprotocol

    from ._mutate import NoScoreError, _score

    def again() -> None:
        # What fixtures gave to the last run is asked for anew.
        if hasattr(item, "_initrequest"):
            item._initrequest()

    passed = []

    def ask() -> bool:
        again()
        # Only the item itself is torn down, not the fixtures of its module.
        reports = runtestprotocol(item, log=False, nextitem=item.parent)  # type: ignore[arg-type]
        passed.append(all(report.passed for report in reports))
        return passed[-1]

    scores = item.config.stash.setdefault(_SCORES, [])
    try:
        scores.append((item.nodeid, _score(ask, item.nodeid, count, item.config.getoption("cute_mutants_seed"))))
    except NoScoreError as why:
        # A test that fails, or runs no kernel, has no score. Pytest itself reports the failure.
        if passed and passed[0] and "runs no kernel" not in str(why):
            scores.append((item.nodeid, f"{item.nodeid}: {why}"))
    finally:
        again()


def _too_few(config: pytest.Config) -> list[str]:
    """The tests that notice fewer mutants than is asked for."""
    least = config.getoption("cute_mutants_least")
    scores = config.stash.get(_SCORES, [])
    if least is None:
        return []
    return [name for name, score in scores if not isinstance(score, str) and score.values < least]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fails if a test notices too few mutants."""
    if _too_few(session.config) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Prints the scores."""
    scores = config.stash.get(_SCORES, [])
    if not scores:
        return
    terminalreporter.section("mutants of kernels")
    for _, score in scores:
        terminalreporter.write_line(f"{score}\n")
    for name in _too_few(config):
        least = config.getoption("cute_mutants_least")
        terminalreporter.write_line(f"{name} notices fewer than {least} % of its mutants", red=True)
