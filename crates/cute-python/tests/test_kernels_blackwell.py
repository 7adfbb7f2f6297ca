"""Kernels in Python on Blackwell: tensor memory, UMMAs and scale factors."""

import importlib.util
import re

import pytest
from conftest import ROOT, needs_compiler

np = pytest.importorskip("numpy")
ml_dtypes = pytest.importorskip("ml_dtypes")
pytestmark = needs_compiler

if importlib.util.find_spec("cute_mlir_compiler"):
    from cute_mlir import kernels as ck
else:
    ck = None

EXAMPLES = ROOT / "examples" / "python" / "kernels"


def load(file):
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def instructions(ptx):
    return len(re.findall(r"^\s+[@a-z].*;", ptx, re.MULTILINE))


def test_pairs_have_no_more_instructions_than_the_builders():
    import cute_mlir as cm

    theirs = cm.build_kernel("gemm_sm100", "sm_100a", types="bf16", out="bf16", n_cluster=2).ptx
    own = load(EXAMPLES / "gemm_sm100_pairs.py").multiply.ptx
    assert own.count("tcgen05.mma.") == theirs.count("tcgen05.mma.") == 4
    assert instructions(own) <= instructions(theirs)


def test_scale_factors_of_registers_are_taken_from_words():
    ptx = load(EXAMPLES / "mxf4_gemm.py").multiply.ptx
    assert ptx.count("mma.sync.") == 16 and ptx.count("ldmatrix.") == 10
    # Each word has the factors of two MMAs, which a selector chooses: no instruction takes it apart.
    assert "cvt.u32.u16" not in ptx and "prmt" not in ptx


#: What is left out of an example, and words of the lines where its effect is seen.
BROKEN = [
    ("gemm_sm100", "            ring.wait(state)\n", ("ck.gemm(", "ring.wait", ".load(")),
    ("gemm_sm100", "    ck.fence_async()\n", ("ck.copy(put", "C.store(")),
    ("mxf8_gemm", "            factors_B.copy(state.stage)\n", ("ck.gemm(", "ck.copy(put")),
]


@pytest.mark.parametrize("name, line, words", BROKEN, ids=lambda one: str(one).strip() if isinstance(one, str) else None)
def test_what_is_left_out_is_found_at_its_line(name, line, words, tmp_path):
    text = (EXAMPLES / f"{name}.py").read_text()
    assert text.count(line) == 1
    file = tmp_path / f"{name}.py"
    file.write_text(text.replace(line, ""))
    broken = load(file)
    dtype = np.float16 if name == "gemm_sm100" else ml_dtypes.float8_e4m3fn
    a = np.ones((128, 128), dtype)
    factors = [np.ones((1, 1, 512), ml_dtypes.float8_e8m0fnu).transpose(2, 1, 0)] * 2 if name == "mxf8_gemm" else []
    report = broken.multiply.simulate(a, a, *factors, np.zeros((128, 128), np.float32), schedule="eager")
    found = file.read_text().splitlines()
    assert report.findings and report.findings[0].place.file == str(file)
    at = found[report.findings[0].place.line - 1]
    assert any(word in at for word in words), (report.findings[0].kind, at)


def test_one_lane_is_elected_once():
    @ck.kernel(block=32)
    def once(x: ck.Tensor[ck.i32, "?:1"]):
        with ck.elected():
            with ck.elected():
                x[0] = 1
        with ck.elected():
            x[1] = 2

    assert once.mlir.count("nvvm.elect.sync") == 2
