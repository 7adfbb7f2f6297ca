"""Findings, reports and programs as data: they are equal, and pass between processes."""

import concurrent.futures
import copy
import json
import pickle

import cute_mlir as cm
import pytest
from conftest import needs_compiler

np = pytest.importorskip("numpy")

RACE = """.version 9.0
.target sm_90a
.address_size 64
.file 1 "/home/me/k.py"
.visible .entry race(.param .u64 p) {
  .reg .b64 %rd<3>; .reg .b32 %r<4>; .shared .align 4 .b8 tile[256];
  ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, tile; add.u32 %r2, %r2, %r3;
  .loc 1 7 3
  st.shared.u32 [%r2], %r1;
  .loc 1 9 5
  ld.shared.u32 %r2, [tile+252];
  st.global.u32 [%rd1], %r2; ret;
}"""


def run(**options):
    return cm.simulate(RACE, 1, [np.zeros(4, np.int32)], block=64, **options)


def fails(number):
    """What a worker of a pool does."""
    run(schedule=number).raise_if_findings()


def same(found):
    return pickle.loads(pickle.dumps(found))


def test_a_finding_has_both_sides_as_attributes_and_in_json():
    [race] = [finding for finding in run(schedules=2).findings if "ld.shared" in finding.op]
    assert (race.kind, race.grade, race.access, race.rule) == ("race", "error", "read", None)
    assert (race.place.file, race.place.line, race.place.column) == ("/home/me/k.py", 9, 5)
    assert race.place.origin is not None and race.place.origin.line == 11
    other = race.other
    assert (other.access, other.block, other.op) == ("write", (0, 0, 0), "st.shared.u32")
    assert (other.place.file, other.place.line) == ("/home/me/k.py", 7) and other.thread != race.thread
    data = json.loads(race.json)
    assert data["place"]["line"] == 9 and data["other"]["place"]["line"] == 7
    assert data["other"]["thread"] == list(other.thread) and data["schedules"] == race.schedules == ["lazy", "eager"]


def test_everything_about_a_run_can_be_pickled():
    report = run()
    for finding in report.findings:
        for one in (finding, finding.place, finding.place.origin, finding.other):
            assert same(one) == one == copy.deepcopy(one) and hash(same(one)) == hash(one)
    [first, *_] = report.findings
    assert first != run(schedule="reverse").findings[0] and str(same(first)) == str(first)
    again = same(report)
    assert again.findings == report.findings and str(again) == str(report) and again.json == report.json
    with pytest.raises(cm.FindingsError) as caught:
        report.raise_if_findings()
    error = same(caught.value)
    assert str(error) == str(caught.value) and error.report.findings == report.findings
    with pytest.raises(ValueError):
        cm.Finding("{}")


def test_the_first_line_of_an_error_is_the_mistake():
    with pytest.raises(cm.FindingsError) as caught:
        run().raise_if_findings()
    first = str(caught.value).splitlines()[0]
    assert first.startswith("error: /home/me/k.py:9:5 (<ptx>:11): `ld.shared.u32` in block") and "nothing orders" in first
    assert "instructions" not in str(caught.value) and "64 threads" in caught.value.report.text


def test_programs_can_be_pickled():
    program = cm.Program.from_ptx(RACE, name="race.ptx")
    again = same(program)
    assert (again.kernels, again.manifest, again.target, again.text) == (["race"], program.manifest, "sm_90a", RACE)
    found = [cm.simulate(one, 1, [np.zeros(4, np.int32)], block=64).findings for one in (program, again)]
    assert found[0] == found[1] and found[0]
    with pytest.raises(ValueError, match="has only machine code"):
        cm.simulate(same(cm.Program.from_manifest(program.manifest, "k.cubin")), 1, [np.zeros(4, np.int32)], block=64)


@needs_compiler
def test_kernels_can_be_pickled_after_a_run(examples):
    kernel = cm.compile(examples / "copy.mlir", target="sm_90a")
    x, y = np.arange(64 * 128, dtype=np.float32).reshape(64, 128), np.zeros((64, 128), np.float32)
    cm.simulate(kernel, (1, 4), [x, y]).raise_if_findings()
    y[:] = 0
    cm.simulate(same(kernel), (1, 4), [x, y]).raise_if_findings()


def test_a_tensor_map_is_pickled_with_its_array():
    array = np.arange(64 * 64, dtype=np.float16).reshape(64, 64)
    made = cm.tensor_map(array, (64, 64), "128B", promotion="128B")
    # The address of the array is the only word that differs.
    assert bytes(same(made))[8:] == bytes(made)[8:]


def test_findings_come_out_of_a_pool_of_processes():
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        for error in (pool.submit(fails, number).exception() for number in (1, 2)):
            assert isinstance(error, cm.FindingsError) and error.report.findings[0].kind == "race"
