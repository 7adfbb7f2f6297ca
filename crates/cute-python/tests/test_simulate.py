"""Runs in the simulator."""

import json
import threading

import cute_mlir as cm
import pytest

np = pytest.importorskip("numpy")

HEAD = ".version 9.0\n.target sm_90a\n.address_size 64\n"
SCALE = HEAD + """
.visible .entry scale(.param .u64 p, .param .u64 q, .param .f32 s) {
  .reg .b64 %rd<5>; .reg .b32 %r<4>; .reg .f32 %f<3>;
  ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; ld.param.f32 %f2, [s];
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;
  ld.global.f32 %f1, [%rd1]; mul.f32 %f1, %f1, %f2; st.global.f32 [%rd2], %f1; ret;
}"""
RACE = HEAD + """
.visible .entry race(.param .u64 p) {
  .reg .b64 %rd<3>; .reg .b32 %r<4>; .shared .align 4 .b8 tile[128];
  ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;
  st.shared.u32 [tile], %r1;
  ld.shared.u32 %r2, [tile]; st.global.u32 [%rd1], %r2; ret;
}"""

# Counts in global memory, without an end.
COUNT = HEAD + """
.visible .entry count(.param .u64 p) {
  .reg .b64 %rd<3>; .reg .b32 %r<4>; ld.param.u64 %rd1, [p]; mov.u32 %r1, 0;
  L: add.u32 %r1, %r1, 1; st.global.u32 [%rd1], %r1; bra L;
}"""

# The elected thread stores its number, which must not be `n`.
ELECT = HEAD + """
.visible .entry elect(.param .u64 p, .param .u32 n) {
  .reg .b64 %rd<3>; .reg .b32 %r<4>; .reg .pred %q<3>; ld.param.u64 %rd1, [p]; ld.param.u32 %r3, [n];
  mov.u32 %r1, %tid.x; elect.sync %r2|%q1, -1; setp.eq.and.u32 %q2, %r1, %r3, %q1;
  @%q2 trap; @%q1 st.global.u32 [%rd1], %r1; ret;
}"""
VIDEO = """
.visible .entry video() { .reg .b32 %r<2>; mov.u32 %r1, 0; vabsdiff.u32.u32.u32 %r1, %r1, %r1, %r1; ret; }"""


@pytest.fixture(scope="module")
def scale():
    return cm.Program.from_ptx(SCALE, name="scale.ptx")


def arrays():
    return np.arange(32, dtype=np.float32), np.zeros(32, np.float32)


def test_results_are_written_back(scale):
    x, y = arrays()
    report = cm.simulate(scale, 1, [x, y, 2.5], block=32)
    assert report.ok and report.findings == [] and (y == 2.5 * x).all()
    cm.simulate(scale, 1, {"p": x, "q": y, "s": np.float32(3)}, block=32).raise_if_findings()
    assert (y == 3 * x).all()


def test_one_array_may_be_passed_twice(scale):
    x, _ = arrays()
    cm.simulate(scale, 1, [x, x, 2.0], block=32).raise_if_findings()
    assert (x == 2 * np.arange(32)).all()


def test_findings_have_their_places_and_nothing_is_written():
    out = np.full(4, 7, np.int32)
    report = cm.simulate(RACE, 1, [out], block=64, name="race")
    first = report.findings[0]
    assert (first.kind, first.location, first.grade, first.kernel) == ("race", "<ptx>:8", "error", "race")
    assert (first.block, first.thread[1:]) == ((0, 0, 0), (0, 0)) and "st.shared" in first.op
    assert json.loads(first.json)["kind"]["kind"] == "race" and str(first) in str(report)
    assert (out == 7).all() and not report.ok
    with pytest.raises(cm.FindingsError) as caught:
        report.raise_if_findings()
    assert caught.value.report is report
    # Errors and summaries of pytest begin with the finding; the counters are in the whole text.
    said = str(caught.value)
    assert said.startswith("error: <ptx>:8: `st.shared") and "64 threads" not in said
    assert report.text.startswith(said.split("\n")[0]) and "1 block, 64 threads" in report.text
    assert first.other is not None
    assert (first.other.location, first.other.access, first.other.block) == ("<ptx>:8", "write", (0, 0, 0))
    assert first.other.thread != first.thread
    for side in (first, first.other):
        assert (side.place.file, side.place.line, side.place.column, side.launch) == ("<ptx>", 8, None, 1)
        assert side.place.inlined == [] and side.place.origin is None


def test_places_have_the_calls_around_them():
    call = "  .loc 2 90 5, function_name $name, inlined_at 1 7 3\n  st.shared"
    text = RACE.replace("  st.shared", call, 1).replace(
        ".address_size 64", '.address_size 64 .file 1 "/home/me/k.py" .file 2 "/lib/standard.py"'
    )
    text += ".section .debug_str {\n$name:\n.b8 115,117,109,0\n}\n"
    report = cm.simulate(text, 1, [np.full(4, 7, np.int32)], block=64, name="race")
    first = next(finding for finding in report.findings if finding.place.origin is not None)
    place = first.place
    assert (place.file, place.line, place.column) == ("/lib/standard.py", 90, 5)
    assert place.origin is not None and (place.origin.file, place.origin.line) == ("<ptx>", 9)
    [inlined] = place.inlined
    assert (inlined.function, inlined.file, inlined.line, inlined.column) == ("sum", "/home/me/k.py", 7, 3)
    assert inlined.others == [] and repr(inlined) == "<Place /home/me/k.py:7:3>"
    assert first.location.endswith("(<ptx>:9)")
    assert json.loads(first.json)["place"]["inlined"][0]["function"] == "sum"


def test_findings_may_be_accepted(tmp_path):
    out = np.full(4, 7, np.int32)
    report = cm.simulate(RACE, 1, [out], block=64, name="race", allow=["race@<ptx>:8", "race@<ptx>:9", "hang"])
    assert report.ok and [finding.kind for finding in report.accepted] == ["race"] * 3 and report.unmatched == ["hang"]
    assert out[0] != 7
    file = tmp_path / "cute-allow.toml"
    file.write_text('[[allow]]\nkind = "race"\nreason = "a test"\n')
    assert cm.simulate(RACE, 1, [out], block=64, name="race", allow=file).ok
    with pytest.raises(ValueError, match="there is no finding 'raze'"):
        cm.simulate(RACE, 1, [out], block=64, allow=["raze"])
    with pytest.raises(TypeError, match="list"):
        cm.simulate(RACE, 1, [out], block=64, allow="race")


def test_arrays_are_kept_after_findings():
    out = np.full(4, 7, np.int32)
    report = cm.simulate(RACE, 1, [out], block=64, name="race", keep_arrays=True)
    assert not report.ok and out[0] != 7


def test_several_schedules_are_merged():
    report = cm.schedules(RACE, 1, [np.zeros(4, np.int32)], 4, block=64)
    assert len(report.json["schedules"]) == 4 and "lazy, eager, reverse" in str(report)
    assert report.findings


def test_the_elected_lane_can_be_chosen():
    def lane(**options):
        out = np.zeros(1, np.int32)
        cm.simulate(ELECT, 1, [out, 99], block=32, **options).raise_if_findings()
        return int(out[0])

    assert (lane(), lane(schedule="reverse"), lane(elect=7), lane(elect="last")) == (0, 31, 7, 31)
    with pytest.raises(ValueError, match="the elected lane is first, last, or a number from 0 to 31"):
        lane(elect=32)


def test_a_sample_of_the_blocks_runs():
    out = np.zeros(4, np.int32)
    text = HEAD + """
    .visible .entry number(.param .u64 p) {
      .reg .b64 %rd<3>; .reg .b32 %r<2>; ld.param.u64 %rd1, [p]; mov.u32 %r1, %ctaid.x;
      mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; add.u32 %r1, %r1, 1; st.global.u32 [%rd1], %r1; ret;
    }"""
    for only in ("1,last", [1, "last"], [(1, 0, 0), (3,)]):
        out[:] = 0
        report = cm.simulate(text, 4, [out], block=1, only_blocks=only)
        assert report.json["sample"] == {"blocks": 2, "of": 4} and list(out) == [0, 2, 0, 4]
    for only, why in ((4, "block 4 is not in the grid"), ([], "is empty"), ("random:0", "chooses no block")):
        with pytest.raises(ValueError, match=why):
            cm.simulate(text, 4, [out], block=1, only_blocks=only)


def test_a_mistake_that_relies_on_the_elected_lane_is_one_of_portability():
    out = np.zeros(1, np.int32)
    report = cm.simulate(ELECT, 1, [out, 31], block=32, schedule="reverse")
    (finding,) = report.portability
    assert (finding.kind, finding.grade) == ("elected_lane", "portability") and report.ok
    assert "elect.sync" in str(finding) and finding.json and int(out[0]) == 0


def test_strictness_is_about_the_kernel_that_runs():
    program = cm.Program.from_ptx(SCALE + VIDEO, strict=True)
    x, y = arrays()
    cm.simulate(program, 1, [x, y, 2.0], block=32, name="scale").raise_if_findings()
    with pytest.raises(ValueError, match="vabsdiff"):
        cm.simulate(program, 1, [], block=32, name="video")


def test_an_error_names_its_rule(scale):
    x, y = arrays()
    for text, options, rule in (
        (SCALE, {"args": []}, "launch-argument-count"),
        (SCALE, {"args": [x, y, "f64=1"]}, "launch-argument"),
        (SCALE.replace("ret;", "frob; ret;"), {"args": [x, y, 2.0], "strict": True}, "unmodelled-unknown-instruction"),
        (SCALE.replace("ret;", "mov.u32 %r1, nobody; ret;"), {"args": [x, y, 2.0]}, "malformed-undeclared-name"),
    ):
        with pytest.raises(ValueError) as caught:
            program = cm.Program.from_ptx(text, strict=options.get("strict", False))
            cm.simulate(program, 1, options["args"], block=32)
        assert caught.value.rule == rule, caught.value
    with pytest.raises(ValueError) as caught:
        cm.simulate(scale, 1, [x, y, 2.0], block=32, schedule="never")
    assert not hasattr(caught.value, "rule")


def test_a_read_only_array_may_be_read(scale):
    x, y = arrays()
    x.flags.writeable = False
    cm.simulate(scale, 1, [x, y, 1.0], block=32).raise_if_findings()
    with pytest.raises(ValueError, match=r"the kernel writes to argument 2, f32\[32\], which is read-only"):
        cm.simulate(scale, 1, [y, x, 1.0], block=32)


@pytest.mark.parametrize(
    "change, error, text",
    [
        (lambda x, y: [x.astype(">f4"), y, 1.0], TypeError, "bytes in the other order"),
        (lambda x, y: [x, y], ValueError, "has 3 parameters"),
        (lambda x, y: [x, y, "zz"], ValueError, "'zz' is not an array or a number"),
        (
            lambda x, y: [x, np.zeros(32, np.dtype("f4,u1"))["f0"], 1.0],
            TypeError,
            "argument 2: the array .* has a stride of 5 bytes, which is not a whole number of elements",
        ),
        (lambda x, y: [x[:16], x[8:24], 1.0], ValueError, "argument 2, .* overlaps argument 1"),
        (lambda x, y: [np.array(3.0), y, 1.0], TypeError, "an array without dimensions"),
        (lambda x, y: [object(), y, 1.0], TypeError, "argument 1 is of type 'object'"),
        (lambda x, y: [x, y, None], ValueError, "not a pointer"),
        (lambda x, y: [np.zeros(4, "M8[s]"), y, 1.0], TypeError, "are not supported"),
        (lambda x, y: [np.zeros(4, np.complex64), y, 1.0], TypeError, "arrays of complex64 are not supported"),
        (lambda x, y: 3, TypeError, "'int' object is not iterable|args must be a list"),
    ],
)
def test_wrong_arguments_are_exceptions(scale, change, error, text):
    with pytest.raises(error, match=text):
        cm.simulate(scale, 1, change(*arrays()), block=32)


@pytest.mark.parametrize("grid", [0, -1, (1, 2, 3, 4), "x", (), 1.5])
def test_a_grid_is_positive(scale, grid):
    with pytest.raises(ValueError, match="must be one to three positive integers"):
        cm.simulate(scale, grid, [*arrays(), 1.0], block=32)


def test_options_are_named_as_in_python(scale):
    with pytest.raises(ValueError, match=r"give block=\(X,Y,Z\)"):
        cm.simulate(scale, 1, [*arrays(), 1.0])
    with pytest.raises(ValueError, match="auto is the number of SMs; .* with sms"):
        cm.simulate(scale, "auto", [*arrays(), 1.0], block=32)


def test_an_empty_array_is_an_array():
    ptx = HEAD + ".visible .entry k(.param .u64 p) { ret; }"
    assert cm.simulate(ptx, 1, [np.zeros(0, np.float32)], block=32).ok


def test_a_hang_is_found_and_threads_simulate_at_once(scale):
    reports = []

    def work():
        x, y = arrays()
        reports.append(cm.simulate(scale, 1, [x, y, 2.0], block=32).ok and (y == 2 * x).all())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert reports == [True] * 4
    forever = HEAD + ".visible .entry k() { L: bra L; }"
    assert cm.simulate(forever, 1, block=32, budget=10_000).findings


def test_an_interrupt_stops_a_run():
    import _thread
    import signal

    program = cm.Program.from_ptx(COUNT)
    # A shell lets programs in the background ignore the signal, and then nothing would interrupt this run.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            cm.simulate(program, 1, [np.zeros(1, np.int32)], block=1, budget=10**15)
    finally:
        signal.signal(signal.SIGINT, before)
    timer.join()


def test_a_tensor_map_is_128_bytes_and_rules_are_named():
    array = np.zeros((64, 64), np.float16)
    assert len(bytes(cm.tensor_map(array, (64, 64), "128B"))) == 128
    with pytest.raises(cm.LayoutError, match="strides are multiples of 16 bytes") as caught:
        cm.tensor_map(np.zeros((64, 63), np.float16), (64, 64), "128B")
    assert caught.value.rule == "tensor map"


def test_narrow_types_have_their_names():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    copy = HEAD + """.visible .entry k(.param .u64 p, .param .u64 q) {
      .reg .b64 %rd<3>; .reg .b16 %h<2>; ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q];
      ld.global.b16 %h1, [%rd1]; st.global.b16 [%rd2], %h1; ret; }"""
    x, y = np.full(1, 1.5, ml_dtypes.bfloat16), np.zeros(1, ml_dtypes.bfloat16)
    cm.simulate(copy, 1, [x, y], block=1).raise_if_findings()
    assert y[0] == 1.5
    assert cm._native.element_name(np.zeros(1, ml_dtypes.float8_e4m3fn)) == "float8_e4m3fn"


def test_the_progress_of_a_run_is_shown_on_terminals(capsys, monkeypatch):
    import sys

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    cm.simulate(COUNT, 1, [np.zeros(1, np.int32)], block=1, budget=30_000_000)
    assert "blocks simulated" in capsys.readouterr().err


def test_many_calls_do_not_leak(scale):
    resource = pytest.importorskip("resource")
    x, y = arrays()

    def run(count):
        for _ in range(count):
            cm.Layout((4, 8), (8, 1)) @ cm.Layout((2, 4), (4, 2))
            with pytest.raises(cm.LayoutError):
                cm.Layout((4, 8), (1, (2, 3)))

    run(2000)
    cm.simulate(scale, 1, [x, y, 1.0], block=32)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    run(100_000)
    for _ in range(20):
        cm.simulate(scale, 1, [x, y, 1.0], block=32)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000, "KiB"


def test_a_run_is_a_page():
    report = cm.simulate(RACE, 1, [np.zeros(4, np.int32)], block=64, html=True)
    page = report.html()
    assert page.startswith("<!DOCTYPE html>") and "Errors: 3" in page and '<a href="#L8">' in page
    assert "<svg " in page and "st.shared.u32 [tile], %r1;" in page
    shown = report._repr_html_()
    assert shown.startswith("<iframe sandbox ") and "<svg" not in shown and "&lt;svg" in shown
    plain = cm.simulate(RACE, 1, [np.zeros(4, np.int32)], block=64)
    assert plain._repr_html_().startswith("<pre>")
    with pytest.raises(ValueError, match="html=True"):
        plain.html()
    program = cm.Program.from_ptx(SCALE, name="scale.ptx")
    of_program = cm.simulate(program, 1, [*arrays(), 2.5], block=32, html=True)
    assert "ld.global.f32" in of_program.html()
