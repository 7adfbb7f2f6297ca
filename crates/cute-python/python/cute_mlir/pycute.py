"""The names of pycute with its signatures, so that its programs run after a change of the import.

>>> from cute_mlir.pycute import *
>>> complement(Layout(4, 2), 16)
Layout((2, 2), (1, 8))

Layouts, tuples and coordinates are computed by the functions of the package; here are the names, the order and the
defaults of their arguments, and tests of types.
"""

from __future__ import annotations

from abc import ABC
from typing import Any, Callable, Iterator

from ._functions import (
    composition,
    cosize,
    elem_scale,
    idx2crd,
    inner_product,
    logical_divide,
    logical_product,
    make_layout,
    prefix_product,
    product,
    shape_div,
    size,
)
from ._functions import coalesce as _coalesce
from ._functions import complement as _complement
from ._functions import crd2crd as _crd2crd
from ._functions import crd2idx as _crd2idx
from ._functions import filter as _filter
from ._functions import left_inverse as _left_inverse
from ._functions import right_inverse as _right_inverse
from ._functions import slice_ as _slice
from ._functions import slice_and_offset as _slice_and_offset
from ._functions import zipped_divide as _zipped_divide
from ._functions import zipped_product as _zipped_product
from ._native import ComposedLayout, Layout, Swizzle

__all__ = [
    "ComposedLayout",
    "Integer",
    "Layout",
    "LayoutBase",
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


class Integer(ABC):
    """The integers: int and its subclasses, but not bool."""

    @classmethod
    def __subclasshook__(cls, other: type) -> bool:
        return issubclass(other, int) and not issubclass(other, bool)


class LayoutBase(ABC):
    """The layouts: plain and composed ones, and classes of a program that extend this one."""


LayoutBase.register(Layout)
LayoutBase.register(ComposedLayout)


def is_int(x: Any) -> bool:
    """Whether it is an integer."""
    return isinstance(x, Integer)


def is_tuple(x: Any) -> bool:
    """Whether it is a tuple."""
    return isinstance(x, tuple)


def is_layout(x: Any) -> bool:
    """Whether it is a layout."""
    return isinstance(x, LayoutBase)


def _leaves(t: Any) -> Iterator[Any]:
    if is_tuple(t):
        for mode in t:
            yield from _leaves(mode)
    else:
        yield t


def flatten(t: Any) -> tuple[Any, ...]:
    """The leaves of a tuple, of any type, as a flat one."""
    return tuple(_leaves(t))


def signum(a: int) -> int:
    """-1, 0 or 1."""
    return (a > 0) - (a < 0)


def tuple_max(a: Any) -> int:
    """The largest leaf."""
    return int(max(_leaves(a)))


def has_none(a: Any) -> bool:
    """Whether a leaf is None."""
    return any(leaf is None for leaf in _leaves(a))


def coalesce(layout: Any, profile: Any = None) -> Layout:
    """The flattest layout that is the same function; at the leaves of a profile."""
    made: Layout = _coalesce(layout, profile)
    return made


def filter(layout: Any, profile: Any = None) -> Layout:
    """The layout without modes of stride 0 and extent 1, coalesced; at the leaves of a profile."""
    made: Layout = _filter(layout, profile)
    return made


def crd2idx(crd: Any, shape: Any, stride: Any = None) -> Any:
    """The index of a coordinate in a shape, or its offset under strides."""
    return _crd2idx(0 if crd is None else crd, shape, stride)


def crd2crd(crd: Any, dst_shape: Any, src_shape: Any = None) -> Any:
    """A coordinate in another shape. Without the shape that it is in, its modes are indices of the new one's."""
    if src_shape is not None:
        return _crd2crd(crd, src_shape, dst_shape)
    if is_tuple(crd) and not is_tuple(dst_shape):
        raise ValueError(f"the coordinate {crd} needs the shape that it is in")
    return idx2crd(crd, dst_shape)


def complement(layout: Any, max_idx: Any = 1) -> Layout:
    """The ordered layout that fills what the layout leaves free, in ``[0, max_idx)``."""
    return _complement(layout, max_idx)


def left_inverse(layout: Any) -> Any:
    """The layout l with l(layout(i)) = i, where the layout is injective; None for None."""
    return None if layout is None else _left_inverse(layout)


def right_inverse(layout: Any) -> Any:
    """A layout r with layout(r(i)) = i, as large as the strides allow; None for None."""
    return None if layout is None else _right_inverse(layout)


_Splitter = Callable[[Any, Any], Any]


def hier_unzip(splitter: _Splitter, layout: Any, tiler: Any) -> Layout:
    """The layout of the first modes of a divide or product, and of the second ones."""
    if tiler is None:
        return make_layout(Layout(1, 0), layout)
    if not is_tuple(tiler):
        made: Layout = splitter(layout, tiler)
        return made
    split = [hier_unzip(splitter, layout[i], of_mode) for i, of_mode in enumerate(tiler)]
    rest = [layout[i] for i in range(len(tiler), len(layout))]
    return make_layout(make_layout([first for first, _ in split]), make_layout([rest for _, rest in split] + rest))


def _zipped(zipped: _Splitter, splitter: _Splitter, layout: Any, tiler: Any) -> Layout:
    """As CuTe C++ has it, or with modes of the tiler that are None, which C++ does not take."""
    made: Layout = hier_unzip(splitter, layout, tiler) if has_none(tiler) else zipped(layout, tiler)
    return made


def _unpacked(zipped: Any) -> Layout:
    return make_layout([zipped[0], *zipped[1]])


def zipped_divide(layout: Any, tiler: Any) -> Layout:
    """The tiles and the rests gathered: ((tile,...),(rest,...))."""
    return _zipped(_zipped_divide, logical_divide, layout, tiler)


def tiled_divide(layout: Any, tiler: Any) -> Layout:
    """The tiles gathered: ((tile,...),rest,...)."""
    return _unpacked(zipped_divide(layout, tiler))


def zipped_product(block: Any, tiler: Any) -> Layout:
    """The blocks and the repetitions gathered."""
    return _zipped(_zipped_product, logical_product, block, tiler)


def tiled_product(block: Any, tiler: Any) -> Layout:
    """The repetitions as modes of their own."""
    return _unpacked(zipped_product(block, tiler))


def slice_(crd: Any, trg: Any) -> Any:
    """The modes of a tuple or layout where the coordinate is None."""
    if crd is None:
        return trg if is_layout(trg) else (trg,)
    return _slice(crd, trg) if has_none(crd) else ()


def slice_and_offset(crd: Any, layout: Any) -> tuple[Layout, Any]:
    """The slice, and the offset of the fixed modes."""
    offset, part = _slice_and_offset(crd, layout)
    return part, offset


def shiftl(a: int, s: int) -> int:
    """``a`` shifted left, or right for a negative ``s``."""
    return a << s if s > 0 else shiftr(a, -s) if s < 0 else a


def shiftr(a: int, s: int) -> int:
    """``a`` shifted right, or left for a negative ``s``."""
    return a >> s if s > 0 else shiftl(a, -s) if s < 0 else a
