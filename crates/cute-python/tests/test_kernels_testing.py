"""``ck.test``: what it fails for, and how it says so in pytest; and the lines that runs reach."""

import importlib.util
import sys
import types

import pytest
from conftest import needs_compiler

pytest.importorskip("numpy")
pytestmark = needs_compiler
pytest_plugins = ["pytester"]

if importlib.util.find_spec("cute_mlir_compiler"):
    # Before the runs of pytest in this process, which forget what they import.
    from cute_mlir import kernels as ck

HEAD = """
import numpy as np
from cute_mlir import kernels as ck

V = ck.Tensor[ck.f32, "?:1"]

@ck.kernel(block=64)
def add(x: V, y: V, out: V):
    i = ck.block.x * 64 + ck.thread.x
    if i < ck.size(x):
        out[i] = x[i] + y[i]

@ck.kernel(block=64)
def reverse(x: V, out: V):
    turned = ck.shared(ck.f32, "64:1")
    t = ck.thread.x
    turned[t] = x[t]
    out[t] = turned[63 - t]

def rolled(safe):
    @ck.kernel(block=64)
    def rolled(x: V, out: V, n: ck.i32):
        turned = ck.shared(ck.f32, "64:1")
        t = ck.thread.x
        total = 0.0
        for k in ck.range(n):
            turned[t] = x[k * 64 + t]
            ck.sync()
            total += turned[63 - t]
            if safe:
                ck.sync()
        out[t] = total
    return rolled

def blocks(n):
    return -(-n // 64)

def arrays(n):
    return np.arange(n, dtype=np.float32), np.ones(n, np.float32), np.zeros(n, np.float32)
"""


def run(pytester, tests, *options):
    pytester.makepyfile(HEAD + tests)
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", *options)


def lines(result):
    return [line.strip() for line in result.stdout.lines]


def test_each_shape_is_a_test_and_what_is_wrong_is_said_at_the_kernel(pytester):
    result = run(
        pytester,
        """
@ck.test(add, shapes=[1, 64, 100], grid=blocks, reference=lambda x, y: x + y)
def test_two(n):
    return arrays(n)

@ck.test(add, shapes=[64, 100], grid=blocks, reference=lambda x, y, out: x + y)
def test_right(n):
    return arrays(n)

@ck.test(add, shapes=[100], grid=blocks, coverage=False, reference=lambda x, y, out: x + 2 * y)
def test_wrong(n):
    return dict(out=np.zeros(n, np.float32), x=np.arange(n, dtype=np.float32), y=np.ones(n, np.float32))

@ck.test(add, shapes=[64, 128], grid=blocks, reference=lambda x, y, out: x + y)
def test_no_rest(n):
    return arrays(n)

@ck.test(reverse, shapes=[64], grid=1, coverage=False, reference=lambda x, out: x[::-1])
def test_races(n):
    return arrays(n)[:2]
""",
    )
    result.assert_outcomes(passed=9, failed=3)
    text = result.stdout.str()
    file = "test_each_shape_is_a_test_and_what_is_wrong_is_said_at_the_kernel.py"
    assert f"{file}:6: 'add' of 100 differs from the reference" in text
    assert (
        "out: 100 of 100 elements differ by more than 1.9e-06 * max(1, |expected|): the first at [0] is 1.0, expected 2.0; "
        "the largest difference is 1" in text
    )
    assert f"{file}:6: no shape of 64, 128 reaches all of 'add'" in text
    assert f"{file}:9 has a condition that is never false" in text and "    if i < ck.size(x):" in text
    # Python tells columns from 3.11 on.
    column = 14 if sys.version_info >= (3, 11) else 1
    assert f"{file}:12: 'reverse' of 64 has findings" in text and f"{file}:17:{column}: `llvm.load`" in text
    # The text alone is shown: no line of this package.
    assert "_testing.py" not in text.split("test_no_rest")[-1]
    assert f"FAILED {file}::test_wrong[100]" in text and f"FAILED {file}::test_no_rest[coverage]" in text


@pytest.fixture
def module(tmp_path):
    """The kernels above, in a file."""
    file = tmp_path / "kernels_of_a_test.py"
    file.write_text(HEAD)
    spec = importlib.util.spec_from_file_location("kernels_of_a_test", file)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_a_reference_may_change_its_copies_or_name_its_arrays(module):
    import numpy as np
    def in_place(x, y, out):
        out[:] = x + y

    for reference in (in_place, lambda x, y, out: {"out": x + y}, lambda x, y, out: (y, x + y)):
        test = ck.test(module.add, shapes=[{"n": 70}, {"n": 128}], grid=module.blocks, reference=reference)(module.arrays)
        assert test.cases == ["n=70", "n=128", "coverage"]
        test.run()
    # What the reference does not return must not change.
    test = ck.test(module.add, shapes=[70], grid=2, reference=lambda x, y, out: {"x": x})(module.arrays)
    with pytest.raises(ck.KernelTestError, match=r"out: 70 of 70 elements differ .* is 1.0, expected 0.0"):
        test.run()
    test = ck.test(module.add, shapes=[70], grid=2, reference=lambda *_: {"z": np.zeros(70)})(module.arrays)
    with pytest.raises(ck.KernelError, match="the reference returns 'z', but the arrays of 'add' are x, y, out"):
        test.run()
    test = ck.test(module.add, shapes=[70], reference=in_place)(module.arrays)
    with pytest.raises(ck.KernelError, match="'add' is a kernel, whose test needs a grid"):
        test.run()
    with pytest.raises(ck.KernelError, match="at least one shape"):
        ck.test(module.add, shapes=[], reference=in_place)


def test_tolerances_are_those_of_the_type(module):
    import numpy as np

    def off(by, **more):
        reference = lambda x, y, out: x + y + np.float32(by)  # noqa: E731
        ck.test(module.add, shapes=[128], grid=2, coverage=False, reference=reference, **more)(
            lambda n: (np.zeros(n, np.float32), np.ones(n, np.float32), np.zeros(n, np.float32))
        ).run()

    off(1e-6)
    off(0.01, tolerance=0.02)
    off(0.01, tolerance={"out": 0.02})
    for by, more in ((1e-5, {}), (1e-6, {"tolerance": "exact"}), (0.01, {"tolerance": {"out": 0.001}})):
        with pytest.raises(ck.KernelTestError, match="128 of 128 elements differ"):
            off(by, **more)
    with pytest.raises(ck.KernelError, match='a number, "exact", or None'):
        off(0, tolerance="close")


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float16", "int32", "bool"])
def test_each_type_is_compared_in_its_own_way(name):
    import numpy as np
    from cute_mlir.kernels._testing import _difference

    ml_dtypes = pytest.importorskip("ml_dtypes")
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    found = np.ones((2, 3), dtype)
    assert _difference("x", found, np.ones((2, 3)).astype(dtype), None) is None
    other = found.copy()
    other[1, 2] = 0
    assert _difference("x", other, found, None).startswith("x: 1 of 6 elements differ")
    assert "the first at [1, 2] is" in _difference("x", other, found, None)
    assert _difference("x", other, found[:1], None) == "x: the reference has the shape (1, 3), but the array has (2, 3)"
    if np.issubdtype(dtype, np.floating) or "float" in name:
        nothing = np.full((2, 3), np.nan).astype(dtype)
        assert _difference("x", nothing, nothing, "exact") is None
        assert _difference("x", nothing, found, 100.0).startswith("x: 6 of 6")
    else:
        assert "the reference is of float64" in _difference("x", found, np.ones((2, 3)), None)


def test_bfloat_of_torch_is_compared_by_its_bits(monkeypatch):
    import numpy as np
    from cute_mlir.kernels._testing import _difference
    from dlpack import Array

    ml_dtypes = pytest.importorskip("ml_dtypes")
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(int16=np.int16))

    class Tensor(Array):
        """As torch has them: numpy cannot read it, but a view of its bits."""

        def __init__(self, array):
            super().__init__(array.view(np.uint16), kind=4)
            self.kept = array

        def view(self, dtype):
            return self.kept.view(dtype)

    x = (np.arange(6) / 4).astype(ml_dtypes.bfloat16)
    assert _difference("x", Tensor(x), Tensor(x), "exact") is None
    assert _difference("x", Tensor(x), Tensor(x + x), None).endswith("the first at [1] is 0.25, expected 0.5; the largest difference is 1.25")


def test_the_lines_of_several_runs_are_joined(module):
    import numpy as np

    runs = [module.add(*module.arrays(n), grid=module.blocks(n), coverage=True).coverage for n in (64, 70)]
    assert [[one.what for one in run.missed] for run in runs] == [["false"], []]
    total = runs[0] + runs[1]
    assert str(total) == "all 4 lines are reached, and both ways of all branches"
    line = total.missed, next(at for at in total.branches)
    assert total.branches[line[1]] == (64 + 70, 58)
    with pytest.raises(ValueError, match="simulate it with coverage=True"):
        module.add(*module.arrays(64), grid=1).coverage
    assert repr(runs[0]) == "<Coverage: 4 lines, 1 missed>"


PROOF = ["f32[{64*n}]", "f32[64]", "{n}"]


def sums(module, kernel, shapes=(1,), **more):
    import numpy as np

    def arguments(n):
        return np.arange(64 * n, dtype=np.float32), np.zeros(64, np.float32), n

    reference = lambda x, out: x.reshape(-1, 64).sum(0)[::-1]  # noqa: E731
    return ck.test(kernel, shapes=shapes, grid=1, schedules=1, reference=reference, **more)(arguments)


def test_a_proof_is_about_the_sizes_that_are_no_shape(module):
    right = sums(module, module.rolled(True), prove=PROOF)
    assert right.cases == ["1", "coverage", "proof"]
    right.run()
    # The only shape has one iteration.
    with pytest.raises(ck.KernelTestError) as caught:
        sums(module, module.rolled(False), prove={"args": PROOF, "seconds": 30}).run()
    text = str(caught.value)
    assert ": 'rolled' is not proved for every size\n" in text and "n = 2" in text and "kernels_of_a_test.py" in text
    with pytest.raises(ck.KernelError, match="prove has no option 'size'"):
        sums(module, module.rolled(True), prove={"args": PROOF, "size": 3}).run()


def test_mutants_are_noticed_by_all_shapes_together(module):
    def of(least, **more):
        # A function of the shape makes the kernel.
        kernel = module.rolled(True)
        return sums(module, lambda _: kernel, shapes=[2], coverage=False, mutants=6, least=least, **more)

    of(50).run()
    # A test that accepts any numbers notices little.
    with pytest.raises(ck.KernelTestError, match=r"the shapes notice \d+ % of the mutants of 'rolled'\n"):
        of(90, tolerance=1e9).run()
