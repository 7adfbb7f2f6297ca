"""Answers about all sizes: those of `cutec prove`, as objects."""

import pickle

import pytest

import cute_mlir as cm
from conftest import ROOT, needs_compiler

RING = (ROOT / "crates/cute-prove/tests/ring.ptx").read_text()
ARGS = ["A:i32[{256*n}]", "D:i32[32]", "{n}"]
ARRIVES = "\t@%p9 bra NEXT;\n"
#: The arrival of the tenth slot is missing: the one four slots later waits for it.
#: A branch on data, with an access of a slot on its way.
DATA = "setp.eq.u32 %p10, %r23, 7;\n@%p10 bra SKIP;\nld.shared.b32 %r23, [%r22];\nSKIP:\n"
WRONG = RING.replace(ARRIVES, f"{ARRIVES}\tsetp.eq.u32 %p9, %r10, 9;\n{ARRIVES}")


def test_a_ring_is_proved():
    proof = cm.prove(RING, 1, ARGS, first=0)
    assert proof.ok and proof.answer == "proved" and proof.kernel == "ring"
    assert len(proof.properties) == 4 and len(proof.assumptions) == 5 and len(proof.evidence) == 2
    assert proof.first == 0 and proof.most > 1 << 30
    assert (proof.size, proof.schedule, proof.finding, proof.place, proof.reason) == (None,) * 5
    assert str(proof).startswith("proved: for every n from 0 to ") and "after 8 sizes" in str(proof)
    assert proof.json["answer"] == "proved" and proof.json["text"] == proof.text
    # By the names of the parameters, and with an array whose size does not depend on n.
    np = pytest.importorskip("numpy")
    named = {"a": ARGS[0], "d": np.zeros(32, np.int32), "count": "{n}"}
    assert cm.Program.from_ptx(RING).prove(named, grid=1, first=0).json == proof.json
    again = pickle.loads(pickle.dumps(proof))
    assert again == proof and hash(again) == hash(proof) and again.json == proof.json
    assert repr(proof) == "<Proof of ring: proved>"


def test_a_counterexample_is_a_run():
    proof = cm.prove(WRONG, 1, ARGS, first=0, seconds=50)
    assert (proof.answer, proof.size, proof.schedule, proof.ok) == ("counterexample", 14, "lazy", False)
    assert proof.arguments == ["A:i32[3584]", "D:i32[32]", "14"]
    assert str(proof).startswith("counterexample: n = 14, schedule lazy\nerror: ")
    report = cm.simulate(WRONG, 1, proof.arguments, schedule=proof.schedule)
    assert [finding.text in proof.finding for finding in report.findings] == [True]
    assert len(report.portability) == 1 and report.portability[0].text not in proof.finding
    assert repr(proof) == "<Proof of ring: counterexample, n = 14>"


def test_what_is_not_decided_has_a_reason():
    proof = cm.prove(RING, 1, ARGS, seconds=0)
    assert (proof.answer, proof.place, proof.reason) == ("not decided", None, "the time of 0 s is over")
    load = "ld.shared.b32 %r23, [%r22];"
    proof = cm.prove(RING.replace(load, f"{load}\n{DATA}"), 1, ARGS)
    assert (proof.answer, proof.place) == ("not decided", "<ptx>:84: bra")
    assert proof.reason.startswith("a branch on data")
    assert str(proof) == f"not decided: {proof.place}: {proof.reason}"
    # The ring has no proxy fence before a slot is copied to again.
    strict = cm.prove(RING, 1, ARGS, strict_isa=True)
    assert (strict.answer, strict.size) == ("counterexample", 5) and "rule X4" in strict.finding


@pytest.mark.parametrize(
    ("change", "rule", "why"),
    [
        ({"args": ["A:i32[256]", "D:i32[32]", 1]}, "prove-no-size", "no argument or array depends on n"),
        ({"args": ["A:i32[{256*n/2}]", "D:i32[32]", 1]}, "prove-expression", "is not a size; write n with numbers"),
        ({"args": ["A:i32[{256*n-512}]", "D:i32[32]", 1]}, "prove-first", "first gives another one"),
        ({"args": ARGS[:2]}, "launch-argument-count", "but there are 2 arguments"),
        ({"name": "other"}, "launch-no-such-kernel", "it has ring"),
        ({"first": -1}, "prove-option", "first is -1, but must be a number from 0"),
        ({"seconds": float("nan")}, "prove-option", "seconds is NaN, but must be a number from 0"),
        ({"grid": "{n}"}, None, "grid is '{n}', but must be one to three positive integers"),
        ({"through": "sass"}, None, "through is 'sass', but must be 'ptx' or None"),
    ],
)
def test_a_question_that_cannot_be_asked_is_an_error(change, rule, why):
    options = {"grid": 1, "args": ARGS, **change}
    with pytest.raises(ValueError, match=why.replace("{", r"\{")) as raised:
        cm.prove(RING, **options)
    assert getattr(raised.value, "rule", None) == rule


def test_a_kernel_is_asked_about_by_its_name():
    second = RING[RING.index(".visible") :].replace("ring(", "second(")
    both = f"{RING}\n{second}"
    with pytest.raises(ValueError, match="has the kernels ring, second"):
        cm.prove(both, 1, ARGS)
    assert cm.prove(both, 1, ARGS, name="second").kernel == "second"


@needs_compiler
def test_a_host_function_is_asked_about():
    gemm = cm.build_kernel("gemm_sm90", target="sm_90a")
    args = ["A:bf16[256x{64*n}]", "B:bf16[256x{64*n}]", "D:bf16[256x256]", "blocks:2"]
    for through in (None, "ptx"):
        proof = cm.prove_host(gemm, args, through=through, seconds=0)
        assert (proof.kernel, proof.reason) == ("gemm_sm90", "the time of 0 s is over")
    with pytest.raises(ValueError, match="no host function 'other'"):
        cm.prove_host(gemm, args, name="other")
