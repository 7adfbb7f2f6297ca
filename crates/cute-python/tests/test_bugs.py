"""Injected bugs: each is found at its line, by one run, within seconds; and its correct twin has no finding."""

import os
import pathlib
import re
import time

import cute_mlir as cm
import pytest
from conftest import has, needs_compiler

np = pytest.importorskip("numpy")
HERE = pathlib.Path(__file__).parent
RECORDED = HERE / "recorded" / "bugs.nvrtc.ptx"
FULL = bool(os.environ.get("CUTE_FULL"))
#: Seconds of the processor that a bug takes at most, the compilation among them.
MOST = 20


def line(file, mark):
    """The line with a mark."""
    for number, text in enumerate((HERE / file).read_text().splitlines(), 1):
        if re.search(f"BUG:? {re.escape(mark)}", text):
            return number
    raise AssertionError(mark)


def found(run, kind, file, mark):
    """Checks that a run has a finding of a kind at the line with a mark, on one of its sides, and in time."""
    began = time.process_time()
    report = run()
    took = time.process_time() - began
    sides = [
        (finding.kind, pathlib.Path(place.file).name, place.line)
        for finding in report.findings
        for side in (finding, finding.other)
        if side is not None
        for place in [side.place, *side.place.inlined]
        if place.file is not None
    ]
    assert (kind, file, line(file, mark)) in sides, f"{mark}: {sides}\n{report}"
    assert took < MOST, f"{mark}: {took:.1f} s"


def ints(count, value=0):
    return np.full(count, value, np.int32)


def floats(count):
    return np.arange(count, dtype=np.float32)


#: Kernel, grid, block, arguments, kind, mark.
CUDA = [
    ("divergent", 1, 64, lambda: [ints(64)], "hang", "divergent"),
    ("shared_bounds", 1, 64, lambda: [ints(64)], "out_of_bounds", "shared_bounds"),
    ("unwritten", 1, 64, lambda: [ints(64)], "uninitialised", "unwritten"),
    ("shuffled", 1, 32, lambda: [ints(32)], "undefined", "shuffled"),
    ("misaligned", 1, 32, lambda: [floats(64), floats(32)], "misaligned", "misaligned"),
    ("reused", 1, 64, lambda: [ints(256), ints(64), 4], "race", "reused"),
    ("counted", 2, 64, lambda: [ints(1), ints(2)], "hang", "counted"),
    ("named", 1, 64, lambda: [ints(64)], "returned_threads", "named"),
    ("in_flight", 1, 64, lambda: [floats(64), floats(64)], "in_flight", "in_flight"),
    ("never_full", 1, 64, lambda: [ints(64)], "deadlock", "never_full"),
    ("published", 2, 64, lambda: [ints(64), ints(1), ints(64)], "race", "published"),
    ("last_block", 4, 64, lambda: [ints(4), ints(1), ints(1)], "race", "last_block"),
]
#: Those that run by default.
SAMPLE = ("divergent", "reused", "counted", "in_flight", "never_full")


@pytest.fixture(scope="module")
def recorded():
    return cm.Program.from_ptx(RECORDED.read_text(), name="bugs.ptx")


@pytest.mark.parametrize(
    "kernel, grid, block, args, kind, mark", [one for one in CUDA if FULL or one[0] in SAMPLE], ids=lambda one: str(one)[:20]
)
def test_bugs_of_cuda(recorded, kernel, grid, block, args, kind, mark):
    found(lambda: cm.simulate(recorded, grid, args(), block=block, name=kernel, schedules=3), kind, "bugs.cu", mark)


def test_the_recorded_ptx_is_that_of_the_source():
    from cute_mlir import _nvrtc

    try:
        _nvrtc._library()
    except (ImportError, OSError):
        pytest.skip("nvrtc is not installed")
    source = HERE / "bugs.cu"
    for kernel, grid, block, args, kind, mark in CUDA:
        found(lambda: cm.nvrtc_check(source, kernel, grid, block, args(), schedules=3), kind, "bugs.cu", mark)


needs_triton = pytest.mark.skipif(not has("triton"), reason="triton is not installed")


def triton_check(kernel, grid, *args, **options):
    return cm.triton_check(kernel, grid, *args, simulate_options={"schedules": 3}, **options)


@pytest.fixture
def kernels():
    import bugs_triton

    return bugs_triton


@needs_triton
def test_bugs_of_triton(kernels):
    x, n = floats(256), 250
    for run, kind, mark in (
        (lambda: triton_check(kernels.accumulate, 4, x, floats(1), BLOCK=64), "race", "programs add"),
        (lambda: halo(kernels, x.copy(), None), "race", "with out = x"),
        (lambda: triton_check(kernels.unmasked, 4, x[:n].copy(), floats(n), n, BLOCK=64), "out_of_bounds", "no mask"),
        (lambda: triton_check(kernels.histogram, 4, ints(256), ints(4), BLOCK=64), "race", "not atomic"),
        (lambda: triton_check(kernels.divide, 1, ints(64, 7), ints(64), ints(64), BLOCK=64), "undefined", "with a zero"),
        (lambda: produce(kernels, "relaxed"), "race", "with a relaxed flag"),
    ):
        found(run, kind, "bugs_triton.py", mark)


@needs_triton
def test_hangs_of_triton(kernels):
    for kernel, mark in (
        (kernels.never_add, "nobody sets it (add)"),
        (kernels.never_cas, "nobody sets it (cas)"),
        (kernels.never_volatile, "nobody sets it (volatile)"),
    ):
        found(lambda: cm.triton_check(kernel, 1, ints(1), ints(1)), "hang", "bugs_triton.py", mark)


def halo(kernels, x, out):
    return triton_check(kernels.halo, 4, x, x if out is None else out, 256, BLOCK=64)


def produce(kernels, how):
    return triton_check(kernels.produce, 2, ints(1), ints(1), ints(1), SEM=how)


@needs_triton
def test_correct_twins_of_triton(kernels):
    x, total, out = np.ones(256, np.float32), np.zeros(1, np.float32), np.zeros(256, np.float32)
    triton_check(kernels.accumulate_right, 4, x, total, BLOCK=64).raise_if_findings()
    assert total[0] == 256
    halo(kernels, x, out).raise_if_findings()
    assert list(out[:3]) == [2, 2, 2]
    produce(kernels, "acq_rel").raise_if_findings()
    triton_check(kernels.later, 2, ints(1), ints(1)).raise_if_findings()
    for count in (32, 64, 256):
        values = np.random.default_rng(count).standard_normal(count).astype(np.float32)
        square = np.zeros(1, np.float32)
        triton_check(kernels.sum_of_squares, 1, values, square, BLOCK=count).raise_if_findings()
        np.testing.assert_allclose(square[0], (values * values).sum(), rtol=1e-5)
        twice = values.copy()
        triton_check(kernels.doubled, 1, twice, BLOCK=count).raise_if_findings()
        assert (twice == 2 * values).all()
    for barrier in (True, False):
        # Triton itself puts a barrier in front of the atomic operation.
        sums = np.zeros(64, np.float32)
        triton_check(kernels.locked, 4, x, sums, ints(1), BARRIER=barrier, BLOCK=64).raise_if_findings()
        assert (sums == 4).all()


COPY = """
gpu.module @kernels {{
  cuda.kernel @copy(%x: !cute.memref<f32, gmem, align<16>, "(256):(1)">, %y: !cute.memref<f32, gmem, align<16>, "(256):(1)">) attributes {{gpu.kernel, nvvm.reqntid = array<i32: 64, 1, 1>}} {{
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %block = nvvm.read.ptx.sreg.ctaid.x : i32
    %c = arith.constant {width} : i32
    %first = arith.muli %block, %c : i32
    %i = arith.addi %first, %tid : i32
    %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %value = cute.memref.load(%x, %at) : (!cute.memref<f32, gmem, align<16>, "(256):(1)">, !cute.coord<"?">) -> f32
    %scale = arith.uitofp %block : i32 to f32
    %new = arith.addf %value, %scale : f32
    cute.memref.store(%y, %at, %new) : (!cute.memref<f32, gmem, align<16>, "(256):(1)">, !cute.coord<"?">, f32) -> ()
    cuda.return
  }}
}}"""


@needs_compiler
def test_bugs_of_cute_ir(tmp_path):
    """Tiles that overlap, and tiles that leave the tensor."""
    for width, kind in ((64, None), (32, "race"), (96, "coordinate")):
        file = tmp_path / f"copy_{width}.mlir"
        file.write_text(COPY.format(width=width))
        report = cm.simulate(file, 4, [floats(256), floats(256)])
        stores = [finding for finding in report.findings if finding.place.line in (10, 13)]
        assert report.ok if kind is None else any(kind == finding.kind for finding in stores), report


def test_bugs_of_streams(recorded):
    """A second stream reads what the first one still writes, and the line is one of this file."""
    with cm.Device(recorded) as device:
        x, out = device.array(floats(64)), device.array(floats(64))
        one, two = device.stream(), device.stream()
        device.launch("misaligned", 1, [out, x], block=1, stream=one)
        device.copy(out, x, stream=two)  # BUG streams: it does not wait
    [race] = device.report.findings
    assert (race.kind, pathlib.Path(race.place.file).name, race.place.line) == ("race", "test_bugs.py", line("test_bugs.py", "streams"))
