"""The plugin for pytest: the fixture, the marker, the lines of the summary, and reports."""

import importlib.util
import json

import pytest
from conftest import needs_compiler

pytest.importorskip("numpy")
pytest_plugins = ["pytester"]

KERNELS = """
import cute_mlir as cm
import numpy as np
import pytest

HEAD = ".version 9.0\\n.target sm_90a\\n.address_size 64\\n"
RACE = HEAD + '''.visible .entry k() { .reg .b32 %r<2>; .shared .align 4 .b8 t[4];
  mov.u32 %r1, %tid.x; st.shared.u32 [t], %r1; ret; }'''
# The order of blocks decides.
TICKET = HEAD + '''.visible .entry ticket(.param .u64 p, .param .u64 q) { .reg .b64 %rd<4>; .reg .b32 %r<3>;
  ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd2, %rd2, %rd3;
  atom.global.add.u32 %r2, [%rd1], 1; st.global.u32 [%rd2], %r2; ret; }'''
def arrays(): return [np.zeros(1, np.int32), np.zeros(4, np.int32)]
"""
ALLOW = '[[allow]]\nkind = "race"\nfile = "<ptx>"\nline = 5\nreason = "a test"\n'


def run(pytester, tests, *options):
    pytester.makepyfile(KERNELS + tests)
    return pytester.runpytest_inprocess(*options)


def test_the_fixture_fails_with_the_findings(pytester):
    result = run(
        pytester,
        """
def test_right(cute_simulate):
    cute_simulate(HEAD + ".visible .entry k() { ret; }", grid=1, block=32)

def test_wrong(cute_simulate):
    cute_simulate(RACE, grid=1, block=64)

def test_differs(cute_simulate):
    cute_simulate(TICKET, grid=4, block=1, args=arrays())
""",
    )
    result.assert_outcomes(passed=1, failed=2)
    # The line of pytest's summary is the mistake, and there is one line for each finding.
    result.stdout.fnmatch_lines(
        [
            "*findings in kernels*",
            "test_the_fixture_fails_with_the_findings.py::test_wrong: race: <ptx>:5: `st.shared.u32` in block (0, 0, 0)*",
            "test_the_fixture_fails_with_the_findings.py::test_differs: schedules: q: i32[[]4] depends on the schedule*",
            # As wide as the terminal.
            "FAILED test_the_fixture_fails_with_the_findings.py::test_wrong - Failed: err*",
        ]
    )
    assert result.stdout.str().count("::test_wrong: race") == 1


def test_the_allow_file_of_the_root_is_read(pytester):
    tests = """
def test_fixture(cute_simulate):
    assert len(cute_simulate(RACE, grid=1, block=64).accepted) == 1

@pytest.mark.cute
def test_marked():
    cm.simulate(RACE, 1, block=64).raise_if_findings()

def test_alone():
    cm.simulate(RACE, 1, block=64).raise_if_findings()

@pytest.mark.cute(allow=[])
def test_own():
    cm.simulate(RACE, 1, block=64).raise_if_findings()
"""
    pytester.makefile(".toml", **{"cute-allow": ALLOW})
    run(pytester, tests).assert_outcomes(passed=2, failed=2)


def test_the_marker_has_schedules_and_blocks(pytester):
    tests = """
pytestmark = pytest.mark.cute(blocks="first,last")

@pytest.mark.cute(schedules=3)
def test_all(cute_simulate):
    for run in (cute_simulate, cm.simulate):
        report = run(HEAD + ".visible .entry k() { ret; }", grid=4, block=32)
        assert report.json["schedules"] == ["lazy", "eager", "reverse"] and report.json["sample"] == {"blocks": 2, "of": 4}

def test_own():
    report = cm.simulate(HEAD + ".visible .entry k() { ret; }", 4, block=32, only_blocks="1", schedule="eager")
    assert report.json["sample"]["blocks"] == 1 and report.json["schedules"] == ["eager"]

@pytest.mark.cute(schedulez=3)
def test_typo():
    pass
"""
    result = run(pytester, tests, "--strict-markers")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*the marker cute has no option 'schedulez'; it has schedules, blocks, *"])


REPORTED = """
@pytest.mark.parametrize("threads", [64, 96])
def test_wrong(threads):
    cm.simulate(RACE, 1, block=threads).raise_if_findings()

@pytest.mark.cute
def test_accepted():
    cm.simulate(RACE.replace("st.shared", "\\n st.shared"), 1, block=64, allow=["race"]).raise_if_findings()

def test_expected():
    assert not cm.simulate(RACE.replace("st.shared", "\\n\\n st.shared"), 1, block=64).ok
"""


def check(folder):
    log = json.loads((folder / "cute.sarif").read_text())
    results = log["runs"][0]["results"]
    lines = sorted((r["locations"][0]["physicalLocation"]["region"]["startLine"], "suppressions" in r) for r in results)
    # What a test expects is not reported.
    assert set(lines) == {(5, False), (6, True)}
    pages = sorted(path.name for path in folder.glob("*.html"))
    assert len(pages) == 2 and all("test_wrong" in name for name in pages)
    assert "st.shared.u32 [t], %r1" in (folder / pages[0]).read_text()


def test_reports_are_written(pytester, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    result = run(pytester, REPORTED, "--cute-reports", "out/reports")
    result.assert_outcomes(passed=2, failed=2)
    check(pytester.path / "out" / "reports")
    result.stdout.fnmatch_lines(["::error file=*line=5,*title=race::*"])
    run(pytester, "def test_nothing(): pass", "--cute-reports", "empty")
    assert json.loads((pytester.path / "empty/cute.sarif").read_text())["runs"][0]["results"] == []


PAGES = """
COPY = '''gpu.module @kernels {
  gpu.func @k(%p: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    llvm.store %tid, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}'''

def test_ir():
    cm.simulate(COPY, 1, [np.zeros(1, np.int32)]).raise_if_findings()

def test_device():
    with cm.Device(RACE) as device:
        device.launch("k", 1, block=64)
    device.report.raise_if_findings()
"""


@needs_compiler
def test_pages_have_the_source_of_each_kind_of_run(pytester):
    run(pytester, PAGES, "--cute-reports", "out").assert_outcomes(failed=2)
    pages = "".join(page.read_text() for page in (pytester.path / "out").glob("*.html"))
    assert "llvm.store %tid, %p : i32" in pages and "st.shared.u32 [t], %r1" in pages


@pytest.mark.skipif(importlib.util.find_spec("xdist") is None, reason="pytest-xdist is not installed")
def test_workers_send_their_findings(pytester):
    pytester.makepyfile(KERNELS + REPORTED)
    result = pytester.runpytest_subprocess("-n", "2", "--cute-reports", "out")
    result.assert_outcomes(passed=2, failed=2)
    assert result.stdout.str().count("test_wrong[64]: race: <ptx>:5") == 1
    check(pytester.path / "out")
