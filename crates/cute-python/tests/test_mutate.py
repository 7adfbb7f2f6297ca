"""Tests that are asked about mistakes in their kernels: a good one, and some that are too weak."""

import numpy as np
import pytest

import cute_mlir as cm
from conftest import ROOT, needs_compiler

pytest_plugins = ["pytester"]

#: y = scale * x, in which each thread passes an element to its neighbour through shared memory.
PTX = """.version 9.0
.target sm_90a
.address_size 64
.file 1 "scale.py"
.visible .entry scale(.param .u64 .ptr .global px, .param .u64 .ptr .global py, .param .f32 factor)
{
  .reg .b64 %rd<5>; .reg .b32 %r<7>; .reg .f32 %f<4>;
  .shared .align 4 .b8 tile[256];
  ld.param.u64 %rd1, [px]; ld.param.u64 %rd2, [py]; ld.param.f32 %f3, [factor];
  mov.u32 %r1, %tid.x;
  .loc 1 12 3
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd1, %rd1, %rd3;
  add.s64 %rd2, %rd2, %rd3;
  ld.global.f32 %f1, [%rd1];
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, tile;
  add.s32 %r4, %r3, %r2;
  .loc 1 15 3
  st.shared.f32 [%r4], %f1;
  bar.sync 0;
  xor.b32 %r5, %r2, 4;
  add.s32 %r6, %r3, %r5;
  ld.shared.f32 %f2, [%r6];
  mul.rn.f32 %f2, %f2, %f3;
  st.global.f32 [%rd2], %f2;
  ret;
}
"""
X = np.arange(64, dtype=np.float32)
RIGHT = 2 * X.reshape(32, 2)[:, ::-1].reshape(64)


def scaled(x):
    y = np.zeros_like(x)
    cm.simulate(PTX, 1, [x.copy(), y, 2.0], block=64).raise_if_findings()
    return y


def good():
    np.testing.assert_allclose(scaled(X), RIGHT, rtol=1e-6)


def zeros():
    np.testing.assert_allclose(scaled(np.zeros_like(X)), 0 * X)


def tolerant():
    np.testing.assert_allclose(scaled(X), RIGHT, atol=1000)


def test_a_good_test_notices_what_changes_values_and_the_simulator_the_rest():
    score = cm.mutate(good, n=None)
    data = score.json
    assert data["mutants"] == score.mutants > 20
    assert score.values > 80
    assert score.survivors("tolerated", "hidden", "unreached") == []
    by_text = {mutant["text"]: mutant for mutant in data["judged"]}
    barrier = by_text["scale.py:15: `bar.sync`: dropped (line 21 of the PTX): race"]
    assert (barrier["kind"], barrier["found"]) == ("barrier", ["race"])
    assert barrier["source"] == {"file": "scale.py", "line": 15}
    assert score.survivors("equal") == [
        text for text, mutant in by_text.items() if mutant["values"] == "equal"
    ]
    assert "the simulator's findings" in str(score)
    assert repr(score).startswith("<Score: ")


@pytest.mark.parametrize("weak, kind", [(zeros, "hidden"), (tolerant, "tolerated")])
def test_a_weak_test_is_shown_to_be_weak(weak, kind):
    strong, score = cm.mutate(good, n=None), cm.mutate(weak, n=None)
    assert score.values < strong.values / 2
    # What the simulator finds does not depend on the checks of the test.
    assert score.findings == strong.findings
    assert "scale.py:15: `mul.rn.f32`: without its factor (line 25 of the PTX)" in score.survivors(kind)


def test_arguments_choose_mutants():
    assert cm.mutate(good, "scale", 5).mutants == 5
    assert cm.mutate(good, PTX, changes=["barrier"]).json["changes"].keys() == {"barrier"}
    texts = [[one["text"] for one in cm.mutate(good, n=6, seed=seed).json["judged"]] for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]
    assert cm.mutate(good, seconds=0).json["left"] > 10
    with pytest.raises(ValueError, match="'fences' is not a kind of change; they are fence, wait"):
        cm.mutate(good, changes=["fences"])


def test_a_test_that_cannot_be_asked():
    with pytest.raises(cm.NoScoreError, match="runs no kernel in the simulator whose PTX is known"):
        cm.mutate(lambda: None)
    with pytest.raises(cm.NoScoreError, match="no kernel 'other'; the kernels are scale"):
        cm.mutate(good, "other")

    def racy():
        y = np.zeros_like(X)
        cm.simulate(PTX.replace("bar.sync 0;", ""), 1, [X.copy(), y, 2.0], block=64)

    with pytest.raises(cm.NoScoreError, match=r"the kernel itself has findings \(race\)"):
        cm.mutate(racy)

    def fails():
        raise KeyError("the test's own")

    with pytest.raises(KeyError, match="the test's own"):
        cm.mutate(fails)
    # Nothing is left over for the runs after it.
    good()
    assert not cm.simulate(PTX.replace("bar.sync 0;", ""), 1, [X.copy(), 0 * X, 2.0], block=64).ok


@needs_compiler
def test_kernels_of_ir_are_changed_as_ptx_with_their_lines(examples):
    kernel = cm.compile(examples / "transpose.mlir")
    x = np.random.default_rng(0).standard_normal((64, 64)).astype(np.float16)

    def test():
        y = np.zeros_like(x)
        cm.simulate(kernel, 1, [x, y])
        assert (y == x.T).all()

    score = cm.mutate(test, kernel, 20)
    assert score.values > 40
    # A few instructions come from no line.
    assert sum("transpose.mlir:" in one["text"] for one in score.json["judged"]) > 10


TESTS = '''
import numpy as np
import pytest
import sys
sys.path.insert(0, {folder!r})
from test_mutate import PTX, RIGHT, X


@pytest.fixture
def y():
    return np.zeros_like(X)


def test_good(cute_simulate, y):
    cute_simulate(PTX, 1, [X.copy(), y, 2.0], block=64)
    np.testing.assert_allclose(y, RIGHT)


def test_weak(cute_simulate, y):
    cute_simulate(PTX, 1, [X.copy(), y, 0.0], block=64)
    assert (y == 0).all()


def test_without_a_kernel():
    pass
'''


def run(pytester, *arguments):
    import pathlib

    pytester.makepyfile(TESTS.format(folder=str(pathlib.Path(__file__).parent)))
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", *arguments)


def test_pytest_prints_the_score_of_each_test(pytester):
    result = run(pytester, "--cute-mutants", "20")
    result.assert_outcomes(passed=3)
    lines = [line for line in result.outlines if " notice " in line]
    assert ["test_good" in lines[0], "test_weak" in lines[1], len(lines)] == [True, True, 2]
    assert any("because arrays differ with other inputs alone" in line for line in result.outlines), result.outlines


def test_pytest_fails_for_a_test_that_notices_too_little(pytester):
    result = run(pytester, "--cute-mutants", "20", "--cute-mutants-least", "45")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    named = [line.split("::")[1] for line in result.outlines if "notices fewer than 45 %" in line]
    assert named == ["test_weak notices fewer than 45 % of its mutants"]


#: The kernel of Triton's tutorial about softmax.
TUTORIAL = ROOT / "tests" / "foreign" / "tutorial" / "softmax.sm_90.ptx"


def softmax(x):
    """The launcher of the tutorial: some programs for all rows."""
    # Not empty_like: what no thread stores must not depend on what was in memory before.
    y = np.full_like(x, 0.5)
    arguments = [y, x, x.shape[1], y.shape[1], *x.shape, None, None]
    cm.simulate(TUTORIAL, 2, arguments, block=256, shared=12320).raise_if_findings()
    return y


def right_softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def tutorial():
    """The unit test of the tutorial, which has 1823 rows: ``torch.allclose`` with its tolerances."""
    x = np.random.default_rng(0).standard_normal((6, 781)).astype(np.float32)
    np.testing.assert_allclose(softmax(x), right_softmax(x), rtol=1e-5, atol=1e-8)


def sums():
    """A check that is often seen: the rows of a softmax are positive and have the sum 1."""
    x = np.zeros((6, 1024), np.float32)
    y = softmax(x)
    assert (y >= 0).all()
    np.testing.assert_allclose(y.sum(axis=1), 1, atol=1e-2)


def test_the_test_of_a_tutorial_is_good_and_a_weak_one_is_shown_to_be_weak():
    changes = ["access", "arithmetic", "lane"]
    strong, weak = (cm.mutate(test, n=24, changes=changes) for test in (tutorial, sums))
    missed, more = (score.survivors("tolerated", "hidden", "unreached") for score in (strong, weak))
    # Its numbers are too small to overflow, so that the test of the tutorial does not see which number is subtracted.
    assert any("`max.f32`: max becomes min" in mutant for mutant in missed)
    assert not any("sub.f32" in mutant or "st.global" in mutant for mutant in missed)
    assert weak.values < strong.values - 20 and len(more) > len(missed) + 3
