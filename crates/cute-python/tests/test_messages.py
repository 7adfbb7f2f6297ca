"""Mistakes of users, and what is said about them: nothing in the words of a command line."""

import re

import cute_mlir as cm
import pytest
from conftest import ROOT, Driver, needs_compiler

np = pytest.importorskip("numpy")

#: Options with dashes, the tools, and the column of a text that the user did not write.
FORBIDDEN = re.compile(r"(?<![\w-])--[a-z]|\b(opt|runtime|fast|max|m|n|k|ptxas)-(levl|level|checks|math|registers|tile|option)\b|column 1\b|\bcutec\b|cute-calc")
PTX = """.version 9.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 p) { .reg .b64 %rd<2>; ld.param.u64 %rd1, [p]; ret; }"""


def array():
    return np.zeros((64, 64), np.float16)


def ptx(*args, **options):
    return cm.simulate(PTX, options.pop("grid", 1), list(args), **{"block": 1, **options})


MISTAKES = [
    (lambda: cm.tensor_map(array(), ()), "box is empty: it has a number for each extent of the array"),
    (lambda: cm.tensor_map(array(), (64, 64), "200B"), r"'200B' is not a valid swizzle; help\(cute_mlir.tensor_map\)"),
    (lambda: cm.tensor_map(array(), (64, 64), steps=()), "steps is empty"),
    (lambda: cm.tensor_map(array(), (64, 64), fill="x"), "'x' is not a valid fill"),
    (lambda: cm.tensor_map(array(), (64, 64), shape=(64, 64)), "needs 1 strides in bytes"),
    (lambda: cm.atoms["foo"], "'foo' is not defined"),
    (lambda: cm.evaluate("nothing(3)"), "unknown function 'nothing'"),
    (lambda: cm.svg("(10000,10000):(1,10000)"), "a table of 10000 x 10000: .*; corner=N draws the first"),
    (lambda: cm.svg("(4,8):(1,4)", tile="(3,3)"), "tile is for a tiled MMA"),
    (lambda: cm.banks("(8,64):(64,1)", 16), r"banks needs an access, access=NAME=LAYOUT"),
    (lambda: cm.banks("(8,64):(64,1)", None, "load=(8,8):(1,8)"), "bits=N"),
    (lambda: cm.request("nothing"), "unknown function 'nothing'"),
    (lambda: cm.simulate("kernels/foo.cu", 1), r"'kernels/foo.cu' looks like a path, .* nvrtc_check\(\) takes CUDA C\+\+"),
    (lambda: cm.compile("foo.txt"), "'foo.txt' looks like a path, but is taken as a text"),
    (lambda: cm.launch(PTX, 1, driver=Driver()), "a launch takes the path of a file of PTX, not its text"),
    (lambda: cm.launch("k.mlir", 1, driver=Driver()), r"'k.mlir' is not a .ptx or .cubin file; compile\(\) compiles"),
    (lambda: cm.launch(cm.Program.from_ptx(PTX), 1, driver=Driver()), "a compiled kernel or the path .* not 'Program'"),
    (lambda: cm.simulate(PTX, 1, [array()]), r"it does not specify its block; give block=\(X,Y,Z\)"),
    (lambda: ptx(array(), grid="auto"), "give the number of the simulated GPU with sms"),
    (lambda: ptx(array(), memory=0), "more than the 0 that memory leaves"),
    (lambda: ptx(array(), sums="sm_1"), "sums: 'sm_1' is neither plain nor a GPU"),
    (lambda: ptx(array(), schedule="never"), "a schedule is lazy, eager, reverse"),
    (lambda: ptx(array(), schedule="eager", schedules=3), "give one of the two"),
    (lambda: ptx(array(), schedules=0), "schedules is 0, but must be 1 to"),
    (lambda: ptx(array(), only_blocks="x"), "only_blocks: 'x' is not a choice of blocks"),
    (lambda: ptx(array(), elect=99), "the elected lane is first, last, or a number"),
    (lambda: ptx(array(), allow=["raze"]), "there is no finding 'raze'"),
    (lambda: ptx(2.5), "parameter 'p' is .u64, but 2.5 is a float"),
    (lambda: ptx(bytearray(8)), "give an array, such as numpy.frombuffer"),
    (lambda: ptx(array(), target="sm_9"), "unknown target 'sm_9'"),
    (lambda: ptx(array(), name="q"), "there is no kernel 'q' in '<ptx>'; it has k"),
    (lambda: ptx(), "has 1 parameter"),
    (lambda: cm.simulate(PTX, 1, {"q": array()}, block=1), "kernel 'k' has no parameter 'q'; it has 'p'"),
    (lambda: ptx("x.npy"), r"pass the array, numpy.load\('x.npy'\)"),
    (lambda: cm.simulate(PTX.replace("ret;", "frob; ret;"), 1, [array()], block=1, strict_isa=True).raise_if_findings(), "frob"),
    (lambda: cm.launch(3, 1, driver=Driver()), "a compiled kernel or the path"),
    (lambda: cm.load("no such file"), "no such file"),
]


def said(mistake):
    with pytest.raises(Exception) as caught:  # noqa: PT011 - of many kinds
        mistake()
    assert not isinstance(caught.value, (AttributeError, IndexError, RuntimeError, SystemError)), caught.value
    return str(caught.value)


@pytest.mark.parametrize("mistake, why", MISTAKES, ids=[why[:40] for _, why in MISTAKES])
def test_a_mistake_is_named_in_words_of_python(mistake, why):
    text = said(mistake)
    assert re.search(why, text, re.DOTALL), text
    assert not FORBIDDEN.search(text), text


COMPILED = [
    (lambda: cm.build_kernel("gemm_sm90", typs="bf16"), "there is no option 'typs'; there are types, .*fast_math"),
    (lambda: cm.build_kernel("gemm_sm90", opt_levl=3), "there is no option 'opt_levl'; there are types"),
    (lambda: cm.build_kernel("gemm_sm90", m_tile=65), "m_tile must be between 64 and 512 and a multiple of 64, but is 65"),
    (lambda: cm.build_kernel("gemm_sm90", m_tile="x"), "invalid value 'x' for 'm_tile'"),
    (lambda: cm.build_kernel("gemm_sm90", types="f17"), "invalid value 'f17' for 'types'.*possible values: f16, bf16"),
    (lambda: cm.build_kernel("gemm_sm100", m_tile=256, ctas=1), "256 rows need a pair of blocks, ctas=2"),
    (lambda: cm.build_kernel("gemm_sm90", batch=3), "batch is true or false, not '3'"),
    (lambda: cm.build_kernel("gemm"), "there is no builder 'gemm'; there are gemm_sm80"),
    (lambda: cm.compile("module {}", opt_levl=3), "there is no option 'opt_levl'; there are target, abi, runtime_checks"),
    (lambda: cm.compile("module {}", max_registers=3), "option 'max_registers' must be a number from 16 to 255, found '3'"),
    (lambda: cm.compile("module {}", target="sm_1"), "unknown target 'sm_1'"),
    (lambda: cm.compile(LIBDEVICE, libdevice="none"), r"it needs CUDA's libdevice, which is not linked \(libdevice=FILE does that\)"),
    (lambda: cm.simulate_host(ROOT / "examples" / "copy.mlir", []), "name one of the host functions: none"),
    (lambda: cm.simulate(ROOT / "examples" / "copy.mlir", 1, []), "has 2 parameters"),
]
LIBDEVICE = """
gpu.module @kernels {
  gpu.func @k(%p: !llvm.ptr<1>, %x: f64) kernel {
    %y = math.powf %x, %x : f64
    llvm.store %y, %p : f64, !llvm.ptr<1>
    gpu.return
  }
}"""


@needs_compiler
@pytest.mark.parametrize("mistake, why", COMPILED, ids=[why[:40] for _, why in COMPILED])
def test_a_mistake_in_a_compilation_too(mistake, why):
    text = said(mistake)
    assert re.search(why, text, re.DOTALL), text
    assert not FORBIDDEN.search(text), text


def test_reports_have_words_of_python_too():
    text = """.version 9.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 p) { .reg .b64 %rd<3>; .shared .align 16 .b8 t[16]; ld.param.u64 %rd1, [p];
  mov.u64 %rd2, 5; st.shared.u64 [t], %rd2; st.shared.u64 [t+8], %rd2; fence.proxy.async.shared::cta;
  cp.async.bulk.global.shared::cta.bulk_group [%rd1], [t], 16; cp.async.bulk.commit_group; ret; }"""
    report = cm.simulate(text, 1, [np.zeros(4, np.int32)], block=1)
    for shown in (str(report), report.text):
        assert not FORBIDDEN.search(shown), shown
    assert "1 note is not shown: pedantic=True shows it" in report.text
    report = cm.simulate(text, 1, [np.zeros(4, np.int32)], block=1, pedantic=True)
    assert report.notes and "is not shown" not in report.text


def test_help_has_no_words_of_the_command_line():
    import pydoc

    public = [name for name in cm.__all__ if name not in cm._functions]
    for name in public:
        found = getattr(cm, name)
        if callable(found):
            text = pydoc.plain(pydoc.render_doc(found))
            # Pages that name the tools on purpose: what a request or a picture takes is documented there.
            if name not in ("request", "svg", "banks"):
                assert not FORBIDDEN.search(text), (name, FORBIDDEN.search(text))
