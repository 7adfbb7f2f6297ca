"""A fixture, a marker and options for pytest.

The fixture ``cute_simulate`` runs a kernel under several schedules, and fails with the findings.

    def test_copy(cute_simulate):
        cute_simulate("copy.mlir", grid=4, args=[source, destination])

The marker ``cute`` has options for all runs of a test, by whatever function: ``@pytest.mark.cute(schedules=8)``.
``--cute-reports DIR`` writes the findings of tests that fail as pages of HTML and as SARIF.
``--cute-mutants N`` asks each test that passes about N mistakes in the kernels that it runs.
"""

from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from ._native import allow_list, merged_sarif
from ._simulate import Program, Report, Simulated, _only, watch
from ._simulate import simulate as _simulate

if TYPE_CHECKING:
    from collections.abc import Generator

    from ._mutate import Score

#: The file with accepted findings, in pytest's root folder.
_ALLOW = "cute-allow.toml"
#: The options of the marker, and what a run has that does not give them.
_OPTIONS = ("schedules", "blocks", "allow", "budget", "elect", "pedantic", "sms", "strict_isa")
_SCHEDULES = 5
#: Characters of a finding in pytest's summary.
_LINE = 240


class Simulate(Protocol):
    """The fixture."""

    def __call__(
        self, kernel: Simulated, grid: Any, args: Any = (), *, schedules: int | None = None, **options: Any
    ) -> Report:
        """Runs a kernel; fails the test if there are findings, or if arrays depend on the schedule."""


@pytest.fixture
def cute_simulate(request: pytest.FixtureRequest) -> Simulate:
    """Runs kernels in the simulator, and fails the test if they have findings.

    Findings that ``cute-allow.toml`` in pytest's root folder lists are accepted. The number of schedules is 5, if
    neither the call nor the marker ``cute`` has another one.
    """
    beside = request.config.rootpath / _ALLOW
    marked = _marked(request.node)

    def run(
        kernel: Simulated, grid: Any, args: Any = (), *, schedules: int | None = None, **options: Any
    ) -> Report:
        __tracebackhide__ = True
        if beside.exists() and not (marked and "allow" in marked):
            options.setdefault("allow", beside)
        if schedules is None and "schedule" not in options:
            schedules = (marked or {}).get("schedules", _SCHEDULES)
        report = _simulate(kernel, grid, args, schedules=schedules, **options)
        if report.findings:
            pytest.fail(str(report), pytrace=False)
        if report.differences:
            pytest.fail("\n".join(report.differences), pytrace=False)
        return report

    return run


def _marked(item: pytest.Item) -> dict[str, Any] | None:
    """The options of the marker, of which the one next to the test counts; None without a marker."""
    markers = list(item.iter_markers("cute"))
    if not markers:
        return None
    options: dict[str, Any] = {}
    for marker in reversed(markers):
        if marker.args:
            raise TypeError(f"the marker cute has no options by position, but {marker.args[0]!r} is given: write schedules=8")
        for name in marker.kwargs:
            if name not in _OPTIONS:
                raise TypeError(f"the marker cute has no option '{name}'; it has {', '.join(_OPTIONS)}")
        options.update(marker.kwargs)
    return options


class _Watcher:
    """Sees the runs of one test, and gives them the options of its marker."""

    def __init__(self, item: pytest.Item) -> None:
        self.reports: list[Report] = []
        self.pages = item.config.getoption("cute_reports") is not None
        self._marked = _marked(item)
        if self._marked is not None and "allow" not in self._marked:
            beside = item.config.rootpath / _ALLOW
            if beside.exists():
                self._marked["allow"] = beside

    def prepare(self, program: Program, options: dict[str, Any], schedule: Any, schedules: int | None) -> int | None:
        """A value that the run does not give is that of the marker."""
        for name, value in (self._marked or {}).items():
            if name == "schedules":
                schedules = value if schedules is None and schedule is None else schedules
            elif name == "blocks":
                options["only_blocks"] = options.get("only_blocks") or _only(value)
            elif not options.get(name):
                path = name == "allow" and isinstance(value, os.PathLike)
                value = allow_list(pathlib.Path(value).read_text(encoding="utf-8")) if path else value
                options[name] = str(value) if name == "elect" else list(value) if name == "allow" else value
        # A Device has the text of its program.
        if self.pages and options.get("html") is None:
            options["html"] = program.text or ""
        return schedules

    def seen(self, report: Report) -> None:
        """Keeps the report until the test ends."""
        self.reports.append(report)


_WATCHER: pytest.StashKey[_Watcher] = pytest.StashKey()


# Wrappers of the old style, which pytest 7 has as well.
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, None]:
    """Watches the runs of a test."""
    watcher = item.stash[_WATCHER] = _Watcher(item)
    before = watch(watcher)
    try:
        yield
    finally:
        watch(before)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    """Adds the findings to pytest's report, in which the workers of xdist send them, and writes pages."""
    report = (yield).get_result()
    watcher = item.stash.get(_WATCHER, None)
    if call.when == "call" and watcher is not None:
        runs = watcher.reports
        shown = [run for run in runs if run.findings] if report.failed else []
        # What a test that passes expects is not a mistake; what it accepts is shown as such.
        logs = [run for run in runs if report.failed or not run.findings] if watcher.pages else []
        # Each of several equal runs has the same ones.
        lines = [_line(finding.kind, str(finding)) for run in shown for finding in run.findings]
        lines += [_line("schedules", text) for run in runs if report.failed for text in run.differences]
        report.cute_findings = list(dict.fromkeys(lines))
        report.cute_github = [run.github for run in shown]
        report.cute_sarif = [run.sarif for run in logs if run.findings or run.portability or run.accepted]
        if watcher.pages:
            _write_pages(item, shown)


def _line(kind: str, text: str) -> str:
    """A finding in one line, cut where a sentence about it may be long."""
    text = " ".join(text.split())
    return f"{kind}: {text if len(text) <= _LINE else text[: _LINE - 3] + '...'}"


def _folder(config: pytest.Config) -> pathlib.Path:
    folder = pathlib.Path(config.invocation_params.dir, config.getoption("cute_reports"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _write_pages(item: pytest.Item, runs: list[Report]) -> None:
    """A page for each run with findings, by the name of its test."""
    import re
    import zlib

    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", item.nodeid).strip("-")
    if name != item.nodeid or len(name) > 150:
        # Other tests may differ in the other characters.
        name = f"{name[:150]}-{zlib.crc32(item.nodeid.encode()):08x}"
    for number, run in enumerate(runs, 1):
        suffix = f"-{number}" if len(runs) > 1 else ""
        (_folder(item.config) / f"{name}{suffix}.html").write_text(run.html(), encoding="utf-8")


#: The findings of tests that fail, by the name of the test; their lines for GitHub; the logs of SARIF.
_FOUND: pytest.StashKey[list[tuple[str, str]]] = pytest.StashKey()
_GITHUB: pytest.StashKey[list[str]] = pytest.StashKey()
_SARIF: pytest.StashKey[list[str]] = pytest.StashKey()


class _Collector:
    """Collects the findings where pytest reports them: not in the workers of xdist."""

    def __init__(self, config: pytest.Config) -> None:
        self._stash = config.stash
        config.stash[_FOUND], config.stash[_GITHUB], config.stash[_SARIF] = [], [], []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Takes the findings of a report."""
        if report.when != "call":
            return
        self._stash[_FOUND] += [(report.nodeid, text) for text in getattr(report, "cute_findings", ())]
        self._stash[_GITHUB] += getattr(report, "cute_github", ())
        self._stash[_SARIF] += getattr(report, "cute_sarif", ())


def pytest_configure(config: pytest.Config) -> None:
    """Declares the marker."""
    config.addinivalue_line("markers", f"cute({', '.join(f'{name}=..' for name in _OPTIONS)}): options for all runs of kernels")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Collector(config), "cute-findings")


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
    """The options of reports and mutants."""
    group = parser.getgroup("cute", "mistakes in kernels of cute_mlir")
    group.addoption(
        "--cute-reports",
        metavar="DIR",
        help="write the findings of tests that fail to a folder: a page of HTML for each run, and cute.sarif",
    )
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
    """Writes the log of SARIF; fails if a test notices too few mutants."""
    config = session.config
    if config.getoption("cute_reports") is not None and _SARIF in config.stash:
        logs: list[str] = config.stash[_SARIF]
        log = merged_sarif(logs)
        (_folder(config) / "cute.sarif").write_text(log, encoding="utf-8")
    if _too_few(session.config) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Prints the findings of tests that failed, a line for each, and the scores."""
    if found := config.stash.get(_FOUND, []):
        terminalreporter.section("findings in kernels")
        for name, text in found:
            terminalreporter.write_line(f"{name}: {text}")
        if os.environ.get("GITHUB_ACTIONS") == "true":
            for lines in config.stash[_GITHUB]:
                terminalreporter.write(lines)
    scores = config.stash.get(_SCORES, [])
    if not scores:
        return
    terminalreporter.section("mutants of kernels")
    for _, score in scores:
        terminalreporter.write_line(f"{score}\n")
    for name in _too_few(config):
        least = config.getoption("cute_mutants_least")
        terminalreporter.write_line(f"{name} notices fewer than {least} % of its mutants", red=True)
