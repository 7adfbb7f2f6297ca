"""What a type checker knows about results: test_types.py runs mypy --strict on this file, which nothing executes.

An integer is `int | Any`, since one that is known at run time only is a `cm.Int`; shapes and values of a basis are Any.
"""

from typing import Any

from typing_extensions import assert_type

import cute_mlir as cm
from cute_mlir import pycute

A = cm.Layout((4, 8), (8, 1))
B: cm.Layout | cm.ComposedLayout = cm.Swizzle(3, 4, 3) @ A

assert_type(A @ cm.Layout(4), cm.Layout)
assert_type(A @ (cm.Layout(4), None), cm.Layout)
assert_type(cm.composition(A, (2, 2)), cm.Layout)
assert_type(cm.compose((4, 8), 2), cm.Layout)
assert_type(cm.composition(cm.Swizzle(3, 4, 3), A), cm.ComposedLayout)
assert_type(cm.composition("S<3,4,3> o 0 o 8:1", A), cm.Layout | cm.ComposedLayout)
assert_type(cm.coalesce(cm.Swizzle(3, 4, 3) @ A), cm.Layout | cm.ComposedLayout)
assert_type(cm.make_composed_layout(cm.Swizzle(3, 4, 3), 0, A), cm.ComposedLayout)
assert_type(cm.logical_divide(A, tiler=(cm.Layout(2), cm.Layout(4))), cm.Layout)
assert_type(cm.complement(A, 64), cm.Layout)
assert_type(cm.make_layout((4, 8), stride=(8, 1)), cm.Layout)
assert_type(cm.size(A), int | Any)
assert_type(A.size(), int | Any)
assert_type(cm.rank(A), int)
assert_type(A(2, 3), int | Any)
assert_type(A(2, None), cm.Layout)
assert_type(A[0], cm.Layout)
assert_type([mode.size() for mode in A], list[int | Any])
assert_type(cm.get(A, 0), cm.Layout)
assert_type(cm.compatible((4, 8), 32), bool | None)
assert_type(cm.slice_and_offset((2, None), A)[1], cm.Layout)
assert_type(cm.local_tile(A, (2, 2), (0, 0))[1], cm.Layout)
assert_type(cm.make_layout_tv((4, 8), (2, 2))[1], cm.Layout)
assert_type(cm.make_tiled_copy(cm.atoms["UniversalCopy<uint128_t>"], 16, (32, 4), (1, 8)), cm.TiledCopy)
assert_type(cm.compositions([A], [A]), list[cm.Layout])
assert_type(cm.prove("k.ptx", 1, ["{n}"]).size, int | None)
assert_type(pycute.zipped_divide(A, (2, None)), cm.Layout)

A.size().shape  # type: ignore[union-attr]  # an integer has none
cm.composition(A, A).sizes()  # type: ignore[attr-defined]
cm.coalesce(layout=A, profil=1)  # type: ignore[call-overload]
