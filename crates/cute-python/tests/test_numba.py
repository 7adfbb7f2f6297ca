"""Kernels of numba.cuda: by its compiler where it is installed, and by recorded PTX of it."""

import importlib.util
import pathlib
import sys
import types

import cute_mlir as cm
import pytest

np = pytest.importorskip("numpy")
RECORDED = pathlib.Path(__file__).with_name("recorded") / "add.numba.ptx"


def is_there():
    try:
        return importlib.util.find_spec("numba_cuda") is not None and importlib.import_module("numba.cuda") is not None
    except Exception:  # noqa: BLE001 - without its libraries, numba-cuda raises errors of its own
        return False


@pytest.fixture
def kernels():
    if not is_there():
        pytest.skip("numba-cuda is not installed")
    import numba_kernels

    return numba_kernels


def line(what):
    """The line of the file of kernels with this text."""
    text = pathlib.Path(__file__).with_name("numba_kernels.py").read_text().splitlines()
    return next(number for number, each in enumerate(text, 1) if what in each)


def arrays():
    return np.arange(64, dtype=np.float32), np.ones((64, 2), np.float32)[:, 0], np.zeros(64, np.float32)


def test_a_kernel_computes(kernels):
    x, y, out = arrays()
    cm.numba_check(kernels.add, 2, 32, x, y, out, 3).raise_if_findings()
    assert (out == x + 3).all()
    cm.numba_check(kernels.add.py_func, 2, 32, x, y, out, np.float32(0.5), target="sm_80").raise_if_findings()
    assert (out == x + 0.5).all()


def test_views_have_their_strides(kernels):
    x = np.arange(96, dtype=np.float64).reshape(8, 12)
    for given in (x, np.asfortranarray(x), x[::2, 1:], x.T):
        out = np.zeros(given.shape[::-1])
        cm.numba_check(kernels.transpose, (1, 1), (16, 16), given, out).raise_if_findings()
        assert (out == given.T).all()


def test_mistakes_are_at_their_lines(kernels):
    x, _, out = arrays()
    numbers = np.zeros(64, np.int64)
    for kernel, args, kind, what in (
        (kernels.reverse, [x], "race", "no barrier"),
        (kernels.shift, [x, (out, 2.0)], "out_of_bounds", "past the end"),
        (kernels.histogram, [numbers, np.zeros(4, np.int64)], "race", "not atomic"),
    ):
        report = cm.numba_check(kernel, 1, 64, *args)
        found = {(finding.kind, finding.place.line) for finding in report.findings}
        assert (kind, line(what)) in found, report
        assert pathlib.Path(report.findings[0].place.file).name == "numba_kernels.py"
    # Parameters have the names of the source, and none of the symbols that numba makes of types.
    assert "buffer x, which has 256 bytes" in str(cm.numba_check(kernels.shift, 1, 64, x, (out, 2.0)))
    assert "_ZN" not in str(report)


def test_wrong_arguments_are_named(kernels):
    x, y, out = arrays()
    with pytest.raises(TypeError, match=r"add has 4 parameters \(x, y, out, scale\), but there are 3 arguments"):
        cm.numba_check(kernels.add, 1, 64, x, y, out)
    with pytest.raises(TypeError, match="argument 'scale' is of type 'object'"):
        cm.numba_check(kernels.add, 1, 64, x, y, out, object())
    with pytest.raises(TypeError, match="argument 'scale' has numba's type complex128, which is not supported"):
        cm.numba_check(kernels.add, 1, 64, x, y, out.astype(np.complex128), 2j)
    with pytest.raises(TypeError, match="a function with @cuda.jit is needed, not '_LaunchConfiguration'"):
        cm.numba_check(kernels.add[1, 64], 1, 64, x, y, out, 1)


@pytest.fixture
def recorded(monkeypatch):
    """Modules with what is used of numba, whose compiler knows one kernel."""

    class Array:
        pass

    class Integer:
        pass

    kinds = {"Array": Array, "BaseTuple": (), "Number": Integer, "Boolean": (), "Complex": (), "void": lambda *all: all}
    asked = {}

    def compile_ptx(function, signature, cc, lineinfo, fastmath):
        asked.update(signature=[type(kind).__name__ for kind in signature], cc=cc, lineinfo=lineinfo, fastmath=fastmath)
        return RECORDED.read_text(), None

    def typeof(value, purpose):
        return Integer() if isinstance(value, int) else Array()

    modules = {
        "numba": {"types": types.SimpleNamespace(**kinds)},
        "numba.cuda": {"compile_ptx": compile_ptx},
        "numba.cuda.typing.typeof": {"typeof": typeof, "Purpose": types.SimpleNamespace(argument=1)},
    }
    for name, has in modules.items():
        module = types.ModuleType(name)
        module.__dict__.update(has)
        monkeypatch.setitem(sys.modules, name, module)
    return asked


def add(x, y, out, scale):
    """The parameters of the recorded kernel."""


def test_recorded_ptx_has_the_parameters_of_numba(recorded):
    x, y, out = arrays()
    cm.numba_check(add, 2, 32, x, y, out, 3).raise_if_findings()
    assert (out == x + 3).all() and recorded["cc"] == (9, 0) and recorded["lineinfo"]
    assert recorded["signature"] == ["Array", "Array", "Array", "Integer"]
    # The kernel trusts the extents that are passed, so that a shorter array is a mistake in its line.
    report = cm.numba_check(add, 2, 32, x[:40].copy(), y, out, 3)
    [found] = report.findings
    assert (found.kind, found.place.line) == ("out_of_bounds", line("out[i] = ")) and "buffer x, which has 160 bytes" in str(found)


def test_without_numba_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba.cuda", None)
    with pytest.raises(ImportError, match=r"pip install numba-cuda\[cu13\]"):
        cm.numba_check(add, 1, 1)
