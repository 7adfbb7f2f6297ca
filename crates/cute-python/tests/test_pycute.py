"""Beside pycute: its names and signatures, and the same results."""

import os
import random
import threading

import cute_mlir as cm
import pytest
from cute_mlir import pycute as own

COUNT = 100_000


def a_shape(generator, modes=3):
    return tuple(generator.choice([1, 2, 3, 4, 6, 8]) for _ in range(generator.randint(1, modes)))


def a_pair(generator):
    """Operands of a composition: an outer layout of any strides, an inner one that often fits it."""
    shape = a_shape(generator)
    stride = tuple(generator.choice([0, 1, 2, 3, 5, 8, 64]) for _ in shape)
    inner = a_shape(generator, 2)
    steps = tuple(generator.choice([1, 1, 2, 3, 4, 6, 8, 12]) for _ in inner)
    return (shape, stride), (inner, steps)


def comparable(shape, stride):
    """The modes as pairs. The stride of an extent of 1 is never used, and they choose it in other ways."""
    if isinstance(shape, tuple):
        return [comparable(*mode) for mode in zip(shape, stride)]
    return (shape, stride if shape != 1 else 0)


def test_random_compositions_are_those_of_pycute():
    pycute = pytest.importorskip("pycute")
    generator, same, refused = random.Random(3), 0, 0
    with cm.domain("strict"):
        for _ in range(COUNT):
            outer, inner = a_pair(generator)
            a, b = cm.Layout(*outer), cm.Layout(*inner)
            try:
                own = a @ b
            except cm.LayoutError:
                refused += 1
                continue
            try:
                theirs = pycute.composition(pycute.Layout(*outer), pycute.Layout(*inner))
            except AssertionError:
                # It refuses more: what CUTLASS 3.9 learned to compose. The definition is the judge.
                assert all(own(i) == a(b(i)) for i in range(b.size())), (a, b)
                continue
            assert comparable(own.shape, own.stride) == comparable(theirs.shape, theirs.stride), (a, b)
            same += 1
    assert same > COUNT // 10 and refused > COUNT // 10


# Layouts for the subjects that NVIDIA's tests of pycute have; ./dev foreign pycute runs those tests.
LAYOUTS = [
    own.Layout(*modes)
    for modes in [
        (1, 0), (1, 1), (5, 1), (5, 0), (6, 3), ((1, 1), (0, 0)), ((3, 4), (0, 1)), ((2, 5)), ((3, 4), (4, 1)),
        ((2, 3, 4), (12, 4, 1)), ((2, 3, 4), (1, 2, 12)), ((2, 1, 5), (1, 9, 2)), ((2, (3, 5)), (1, (2, 6))),
        (((2, 3), (2, 2)), ((1, 4), (16, 48))), ((4, 2), (1, 32)),
    ]
]


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_laws_of_one_layout(layout):
    values = [layout(i) for i in range(own.size(layout))]
    assert [own.coalesce(layout)(i) for i in range(own.size(layout))] == values
    right = own.right_inverse(layout)
    assert all(layout(right(i)) == i for i in range(own.size(right)))
    if len(set(values)) == len(values):
        left = own.left_inverse(layout)
        assert [left(value) for value in values] == list(range(len(values)))
        rest = own.complement(layout)
        free = [rest(i) for i in range(own.size(rest))]
        assert set(values) & set(free) <= {0}


def test_the_law_of_compositions():
    checked = 0
    for outer in LAYOUTS:
        for inner in LAYOUTS:
            try:
                with cm.domain("strict"):
                    made = own.composition(outer, inner)
            except cm.LayoutError:
                continue
            assert all(made(i) == outer(inner(i)) for i in range(own.size(made))), (outer, inner)
            checked += 1
    assert checked > 80


def test_tuples_are_those_of_pycute():
    assert (own.product(2), own.product((3, (2, 5)))) == (2, 30)
    assert (own.inner_product(2, 3), own.inner_product((1, (2, 3)), (4, (5, 6)))) == (6, 32)
    assert own.shape_div(((3, 4), 6), 36) == ((1, 1), 2) and own.shape_div((6, (3, 4)), 36) == (1, (1, 2))
    assert own.prefix_product(7) == 1 and own.prefix_product((2, (1, 3), 4)) == (1, (2, 2), 6)
    assert own.elem_scale((2, 3), ((2, 2), 5)) == (8, 15) and own.tuple_max((1, (7, 2))) == 7
    assert own.flatten((1, (None, 2))) == (1, None, 2) and own.has_none((1, (None, 2))) and not own.has_none((1, 2))
    assert own.crd2idx((1, (2, 3)), (2, (3, 4))) == 23 and own.crd2idx((1, 2), (4, 8), (8, 1)) == 10
    assert own.idx2crd(23, (2, (3, 4))) == (1, (2, 3)) and own.idx2crd(10, (4, 8), (8, 1)) == (1, 2)
    assert own.crd2crd((1, 5), (2, (3, 2))) == (1, (2, 1)) and own.crd2crd((1, 2), 12, (3, 4)) == 7
    with pytest.raises(ValueError, match="needs the shape that it is in"):
        own.crd2crd((1, 2), 12)
    assert own.slice_((None, 3), (4, 5)) == (4,) and own.slice_(None, 4) == (4,) and own.slice_(2, 4) == ()
    assert str(own.slice_((2, None), own.Layout((4, 8), (8, 1)))) == "(8):(1)"
    assert own.slice_and_offset((2, None), own.Layout((4, 8), (8, 1))) == (own.Layout((8,), (1,)), 16)


def test_tilers_and_layouts_are_those_of_pycute():
    L = own.Layout
    a = L((8, 6), (6, 1))
    assert own.make_layout([L(4), L(2, 4)]) == own.make_layout(L(*mode) for mode in [(4,), (2, 4)]) == L((4, 2), (1, 4))
    assert own.left_inverse(None) is own.right_inverse(None) is None and own.composition(a, None) == a
    assert own.logical_divide(a, (L(4), None)) == L(((4, 2), 6), ((6, 24), 1))
    assert own.zipped_divide(a, (L(4), L(3))) == own.hier_unzip(own.logical_divide, a, (L(4), L(3)))
    assert own.zipped_divide(a, (L(4), None)) == L(((4, 1), (2, 6)), ((6, 0), (24, 1)))
    assert own.tiled_divide(a, (L(4), L(3))) == L(((4, 3), 2, 2), ((6, 1), 24, 3))
    assert own.zipped_product(L((2, 2)), (L(3), L(4))) == own.hier_unzip(own.logical_product, L((2, 2)), (L(3), L(4)))
    for law in (own.coalesce, own.filter):
        assert law(L(((2, 2), 3), ((1, 2), 0)), (1, 1))[0] == L(4, 1)


def test_integers_and_layouts_have_classes():
    class Own(own.LayoutBase):
        pass

    for kind, value, expected in [(int, 1, True), (float, 1.0, False), (str, "hi", False), (bool, False, False)]:
        assert issubclass(kind, own.Integer) == isinstance(value, own.Integer) == own.is_int(value) == expected
    layout = own.Layout(4)
    assert all(own.is_layout(value) for value in (layout, cm.Swizzle(1, 0, 1) @ layout, Own()))
    assert not own.is_layout((4, 1)) and own.is_tuple((4, 1)) and own.signum(-3) == -1
    assert (own.shiftl(1, 3), own.shiftr(8, 3), own.shiftl(8, -3)) == (8, 1, 1)


def test_a_composition_that_cutlass_computes_wrongly_is_refused_with_the_point():
    # CUTLASS returns (2,3):(6,3), whose value at 2 is 3, and not A(B(2)) = 7.
    a, b = cm.Layout((4, 6, 8), (2, 3, 5)), cm.Layout(6, 3)
    assert str(a @ b) == "(2,3):(6,3)" and (a @ b)(2) == 3 and a(b(2)) == 7
    with cm.domain("strict"), pytest.raises(cm.LayoutError) as caught:
        a @ b
    message = str(caught.value)
    assert all(f" {number}" in message for number in (2, 3, 7)), message


def test_threads_compute_the_same():
    calls = 100_000 if os.environ.get("CUTE_FULL") else 10_000
    a, b = cm.Layout((8, 8), (8, 1)), cm.Layout((4, 4), (1, 8))
    expected, wrong = a @ b, []

    def work():
        for _ in range(calls):
            if a @ b != expected:
                wrong.append(a @ b)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
