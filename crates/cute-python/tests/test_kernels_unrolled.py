"""The kernels of docs/python_kernels.md, with their loops at run time and unrolled: equal arrays."""

import builtins
import importlib.util
import linecache
import re

import pytest
from conftest import ROOT, needs_compiler

np = pytest.importorskip("numpy")
ml_dtypes = pytest.importorskip("ml_dtypes")
pytestmark = needs_compiler

if importlib.util.find_spec("cute_mlir_compiler"):
    from cute_mlir import kernels as ck

PAGE = (ROOT / "docs/python_kernels.md").read_text()


BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: The first line of a block that calls a kernel.
CALLS = re.compile(r"^(?:[a-zA-Z]\w*(?:, \w+)* = (?:np|random|\(|reverse)|try:)", re.MULTILINE)


def tutorial(name, *change):
    """A function of the page, with the definitions before it. A change of its text is what is replaced, and by what."""
    names = {}
    for number, block in enumerate(BLOCK.findall(PAGE)):
        text = CALLS.split(block)[0]
        text = text.replace(*change) if change else text
        file = f"{name}, block {number}"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        exec(compile(text, file, "exec"), names)
        if f"def {name}(" in text:
            return names[name]
    raise AssertionError(f"the page has no function {name}")


def with_layouts(function, arrays):
    """The function for arrays with the layouts of these, so that Python knows their extents."""
    if isinstance(function, ck.Host):
        made = ck.host(target=function.target)(function.function)
    else:
        made = ck.kernel(block=function.block, target=function.target)(function.function)
    arrays = iter(arrays)

    def layout(array):
        strides = [stride // array.itemsize for stride in array.strides]
        return f"({','.join(map(str, array.shape))}):({','.join(map(str, strides))})" if array.ndim > 1 else f"{array.size}:{strides[0]}"

    declared = [(*one[:3], layout(next(arrays))) if len(one) == 4 else one for one in made.declared()]
    made.declared = lambda: declared
    return made


def unrolled(*given):
    """``ck.range``, but a loop of Python."""
    assert all(isinstance(one, int) for one in given), given
    return builtins.range(*given)


def integers(shape, dtype):
    return np.random.default_rng(1).integers(-4, 5, shape).astype(dtype)


def of_gemm_sm90():
    spec = importlib.util.spec_from_file_location("gemm_sm90", ROOT / "examples/python/kernels/gemm_sm90.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.multiply


ROWS = ("ck.range(ck.lane(), ck.size(x, 1), 32):\n        total += x[row, j]", "ck.range(0, ck.size(x, 1), 32):\n        total += x[row, j + ck.lane()]")
BF16 = ml_dtypes.bfloat16
CASES = {
    "row_sums": (lambda: tutorial("row_sums", *ROWS), [((2, 96), np.float32)], (2, np.float32), 2),
    "gemm": (lambda: tutorial("gemm"), [((64, 128), np.float16)] * 2, ((64, 64), np.float32), (1, 1)),
    "staged": (lambda: tutorial("staged"), [((64, 256), np.float16)], ((64, 64), np.float16), 1),
    "run": (lambda: tutorial("run"), [((64, 192), np.float16)], ((64, 192), np.float16), None),
    "gemm_sm90": (of_gemm_sm90, [((128, 192), BF16)] * 2, ((128, 128), BF16), None),
}


@pytest.mark.parametrize("name", CASES)
def test_a_loop_that_is_unrolled_computes_the_same(name, monkeypatch):
    make, inputs, (shape, dtype), grid = CASES[name]
    function, inputs = make(), [integers(*one) for one in inputs]
    results = []
    for unroll in (False, True):
        out = np.zeros(shape, dtype)
        own = with_layouts(function, [*inputs, out])
        with monkeypatch.context() as patched:
            if unroll:
                patched.setattr(ck, "range", unrolled)
            text = own.mlir
        # The ring of barriers has a loop of its own.
        loops = text.count("scf.for") - text.count("scf.for %stage")
        assert (loops == 0) if unroll else (loops > 0)
        own(*inputs, out, **({} if grid is None else {"grid": grid}))
        results.append(out)
    np.testing.assert_array_equal(*results)
    assert results[0].astype(np.float32).any()
