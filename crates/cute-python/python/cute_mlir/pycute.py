"""The names of pycute with its signatures, so that its programs run after a change of the import.

>>> from cute_mlir.pycute import *
>>> complement(Layout(4, 2), 16)
Layout((2, 2), (1, 8))
"""

from __future__ import annotations

from typing import Any

from ._functions import (
    coalesce,
    composition,
    cosize,
    filter,
    left_inverse,
    logical_divide,
    logical_product,
    make_layout,
    right_inverse,
    size,
    slice_and_offset,
    tiled_divide,
    tiled_product,
    zipped_divide,
    zipped_product,
)
from ._functions import complement as _complement
from ._functions import crd2idx as _crd2idx
from ._functions import idx2crd as _idx2crd
from ._functions import shape_div as _shape_div
from ._native import ComposedLayout, Layout, Swizzle

__all__ = [
    "ComposedLayout",
    "Layout",
    "Swizzle",
    "coalesce",
    "complement",
    "composition",
    "cosize",
    "crd2crd",
    "crd2idx",
    "elem_scale",
    "filter",
    "flatten",
    "has_none",
    "hier_unzip",
    "idx2crd",
    "inner_product",
    "is_int",
    "is_layout",
    "is_tuple",
    "left_inverse",
    "logical_divide",
    "logical_product",
    "make_layout",
    "prefix_product",
    "product",
    "right_inverse",
    "shape_div",
    "shiftl",
    "shiftr",
    "signum",
    "size",
    "slice_",
    "slice_and_offset",
    "tiled_divide",
    "tiled_product",
    "tuple_max",
    "zipped_divide",
    "zipped_product",
]


def is_int(x: Any) -> bool:
    """Whether it is an integer."""
    return hasattr(x, "__index__")


def is_tuple(x: Any) -> bool:
    """Whether it is a tuple."""
    return isinstance(x, tuple)


def is_layout(x: Any) -> bool:
    """Whether it is a layout."""
    return isinstance(x, (Layout, ComposedLayout))


def flatten(t: Any) -> tuple[Any, ...]:
    """The leaves of a tuple, as a flat one."""
    if is_tuple(t):
        return tuple(leaf for mode in t for leaf in flatten(mode))
    return (t,)


def signum(a: int) -> int:
    """-1, 0 or 1."""
    return (a > 0) - (a < 0)


def product(a: Any) -> int:
    """The product of the leaves."""
    total = 1
    for leaf in flatten(a):
        total *= leaf
    return total


def inner_product(a: Any, b: Any) -> int:
    """The sum of the products of the leaves."""
    left, right = flatten(a), flatten(b)
    if len(left) != len(right):
        raise ValueError(f"{a} and {b} do not have the same number of leaves")
    return int(sum(x * y for x, y in zip(left, right)))


def tuple_max(a: Any) -> int:
    """The largest leaf."""
    return int(max(flatten(a)))


def elem_scale(a: Any, b: Any) -> Any:
    """Each leaf of ``a`` times the size of the mode of ``b`` at its place."""
    if is_tuple(a):
        if not is_tuple(b) or len(a) != len(b):
            raise ValueError(f"{a} and {b} do not have the same modes")
        return tuple(elem_scale(x, y) for x, y in zip(a, b))
    return a * product(b)


def shape_div(a: Any, b: Any) -> Any:
    """The shape ``a`` divided by ``b``, first mode first."""
    return _shape_div(a, b)


def prefix_product(a: Any, init: Any = 1) -> Any:
    """The compact column-major strides of a shape."""
    if is_tuple(a):
        if is_tuple(init):
            if len(a) != len(init):
                raise ValueError(f"{a} and {init} do not have the same modes")
            return tuple(prefix_product(x, i) for x, i in zip(a, init))
        strides = []
        for mode in a:
            strides.append(prefix_product(mode, init))
            init *= product(mode)
        return tuple(strides)
    if is_tuple(init):
        raise ValueError(f"{a} is an integer, but {init} a tuple")
    return init


def idx2crd(idx: Any, shape: Any, stride: Any = None) -> Any:
    """The coordinate of an index in a shape."""
    if stride is None:
        return _idx2crd(idx, shape)
    if is_tuple(shape):
        if not is_tuple(stride) or len(shape) != len(stride):
            raise ValueError(f"{shape} and {stride} do not have the same modes")
        if is_tuple(idx):
            return tuple(idx2crd(i, s, d) for i, s, d in zip(idx, shape, stride))
        return tuple(idx2crd(idx, s, d) for s, d in zip(shape, stride))
    return (idx // stride) % shape


def crd2idx(crd: Any, shape: Any, stride: Any = None) -> Any:
    """The index of a coordinate in a shape, or its offset under strides."""
    return _crd2idx(0 if crd is None else crd, Layout(shape, prefix_product(shape) if stride is None else stride))


def crd2crd(crd: Any, dst_shape: Any, src_shape: Any = None) -> Any:
    """A coordinate in another shape."""
    if is_tuple(crd):
        if is_tuple(dst_shape):
            if len(crd) != len(dst_shape):
                raise ValueError(f"{crd} and {dst_shape} do not have the same modes")
            return tuple(crd2crd(x, y) for x, y in zip(crd, dst_shape))
        return crd2idx(crd, src_shape if src_shape is not None else _like(crd))
    if is_tuple(dst_shape):
        return idx2crd(crd, dst_shape)
    if not 0 <= crd < dst_shape:
        raise ValueError(f"{crd} is not in {dst_shape}")
    return crd


def _like(crd: Any) -> Any:
    raise ValueError(f"the coordinate {crd} needs the shape that it is in")


def complement(layout: Any, max_idx: int = 1) -> Any:
    """The ordered layout that fills what the layout leaves free, in ``[0, max_idx)``."""
    return _complement(layout, max_idx)


def hier_unzip(splitter: Any, layout: Any, tiler: Any) -> Any:
    """The layout of the first modes of a divide or product, and of the second ones."""
    if is_tuple(tiler):
        split = make_layout(
            *(hier_unzip(splitter, layout[i], tiler[i]) for i in range(len(tiler))),
        )
        rest = [layout[i] for i in range(len(tiler), len(layout))]
        return make_layout(
            make_layout(*(split[i][0] for i in range(len(tiler)))),
            make_layout(*[split[i][1] for i in range(len(tiler))], *rest),
        )
    return splitter(layout, tiler)


def has_none(a: Any) -> bool:
    """Whether a leaf is None."""
    return any(leaf is None for leaf in flatten(a))


def slice_(crd: Any, trg: Any) -> Any:
    """The modes of a tuple or layout where the coordinate is None."""
    if is_layout(trg):
        return trg(crd)[1] if isinstance(trg(crd), tuple) else trg(crd)
    if is_tuple(crd):
        if not is_tuple(trg) or len(crd) != len(trg):
            raise ValueError(f"{crd} and {trg} do not have the same modes")
        modes: list[Any] = []
        for c, s in zip(crd, trg):
            kept = slice_(c, s)
            modes.extend(kept if is_tuple(kept) else (kept,))
        return tuple(modes)
    return trg if crd is None else ()


def shiftl(a: int, s: int) -> int:
    """``a`` shifted left, or right for a negative ``s``."""
    return a << s if s > 0 else shiftr(a, -s) if s < 0 else a


def shiftr(a: int, s: int) -> int:
    """``a`` shifted right, or left for a negative ``s``."""
    return a >> s if s > 0 else shiftl(a, -s) if s < 0 else a
