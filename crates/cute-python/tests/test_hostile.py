"""Damaged inputs: each is an exception of Python, or a result. A crash ends the process, and with it the tests."""

import json
import os
import random

import cute_mlir as cm
import pytest

COUNT = 1_000_000 if os.environ.get("CUTE_FULL") else 100_000

EXPRESSIONS = [
    "composition((4,8):(8,1), (2,4):(4,2))",
    "S<3,4,3> o 0 o (8,64):(64,1)",
    "logical_divide((16,8):(8,1), [4:1;2])",
    "complement((2,(2,3)):(1,(4,16)), 96)",
    "slice((1,_), (4,8):(?{div=4},1))",
    "crd2idx((1,(2,3)), (2,(3,4)):(1@0,(1@1,3@1)))",
    "zipped_product((2,2):(1,2), 3:?8)",
    "right_inverse(((2,4),8):((1,16),2))",
]
#: An unknown atom is compared with fourteen thousand names.
ATOMS = ["tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), [32;32;16])", "SM90_64x128x16_F32F16F16_SS"]
REQUESTS = [
    '{"op": "coalesce", "args": ["(2,4):(1,2)"]}',
    '{"op": "banks", "args": ["(8,64):(64,1)"], "bits": 16, "access": ["load=(8,8):(1,8)"]}',
    '{"op": "composition", "args": ["8:2", "4:1"], "domain": "strict"}',
    '{"op": "placement", "args": ["S[(4,32) : (1@warpid,1@laneid)]"], "target": "cuda"}',
]
PTX = [
    """.version 9.0
.target sm_90a
.address_size 64
.visible .entry scale(.param .u64 p, .param .f32 s) {
  .reg .b64 %rd<3>; .reg .b32 %r<4>; .reg .f32 %f<3>; .reg .pred %p<2>; .shared .align 4 .b8 tile[128];
  ld.param.u64 %rd1, [p]; ld.param.f32 %f2, [s];
  L: mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
  ld.global.f32 %f1, [%rd1]; setp.gt.u32 %p1, %r1, 99; @%p1 bra L; mul.f32 %f1, %f1, 0f3F800000; st.global.f32 [%rd1+4], %f1; bar.sync 0; ret;
}"""
]
#: What a mutation inserts.
PIECES = ["(", ")", ",", ":", "_", "?", "{div=", "}", "@", "<", ">", "0", "-1", "9223372036854775807", "\0", "é", "[", "]", '"', ".", "%"]


def mutated(generator, text):
    """A text with a few pieces removed, repeated, swapped or inserted."""
    for _ in range(generator.randint(1, 4)):
        at = generator.randrange(len(text) + 1)
        end = min(len(text), at + generator.randint(0, 8))
        kind = generator.randrange(4)
        if kind == 0:
            text = text[:at] + text[end:]
        elif kind == 1:
            text = text[:at] + text[at:end] * generator.randint(2, 3) + text[end:]
        elif kind == 2:
            text = text[:at] + generator.choice(PIECES) + text[at:]
        else:
            other = generator.randrange(len(text) + 1)
            text = text[:at] + text[other : other + 8] + text[end:]
    return text


def layouts(generator, text):
    """A layout of numbers that a text would not have."""
    numbers = [0, 1, -1, 2, 3, 2**31, 2**62, 2**63 - 1, -(2**63), 2**64]
    shape, stride = ([generator.choice(numbers) for _ in range(generator.randrange(4))] for _ in range(2))
    layout = cm.Layout(tuple(shape), tuple(stride))
    str(layout), hash(layout), layout.cosize(), layout @ layout, cm.logical_divide(layout, 4)


def answer(text):
    """The answer to a request in JSON, which may be an error."""
    found = json.loads(cm._native.request(text))
    if "error" in found:
        raise cm.LayoutError(found["error"])


@pytest.mark.parametrize(
    "share, seeds, call",
    [
        (0.598, EXPRESSIONS, lambda _, text: cm.evaluate(text)),
        (0.002, ATOMS, lambda _, text: cm.evaluate(text)),
        (0.1, EXPRESSIONS, lambda _, text: cm.explain(text)),
        (0.2, REQUESTS, lambda _, text: answer(text)),
        (0.06, [""], layouts),
        (0.04, PTX, lambda _, text: cm.Program.from_ptx(text)),
    ],
    ids=["expressions", "atoms", "explanations", "requests", "layouts", "ptx"],
)
def test_damaged_text_is_an_exception(share, seeds, call):
    generator, refused = random.Random(4), 0
    for _ in range(round(share * COUNT)):
        text = mutated(generator, generator.choice(seeds))
        try:
            call(generator, text)
        except (ValueError, TypeError, OverflowError):
            refused += 1
    assert refused > share * COUNT / 4


def test_damaged_kernels_end():
    """What is still PTX after a mutation runs, or is a finding; with a small budget."""
    generator, ran = random.Random(5), 0
    numpy = pytest.importorskip("numpy")
    for _ in range(COUNT // 200):
        try:
            program = cm.Program.from_ptx(mutated(generator, PTX[0]))
            cm.simulate(program, 1, [numpy.zeros(64, numpy.float32), 1.0], block=32, budget=10_000)
            ran += 1
        except (ValueError, TypeError, OverflowError):
            pass
    assert ran > 0
