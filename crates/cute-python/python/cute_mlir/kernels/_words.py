"""Words on layouts and views, copies and MMAs, as in CuTe C++."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._algebra import ComposedLayout, Layout
from . import _ops
from ._trace import current, fail
from ._values import VIEWS, Atom, Dtype, Value, algebra, is_number, spelled, value

Shape = Any


def _tuple_value(kind: str, given: Any) -> Value:
    """A coordinate, shape, stride or int_tuple."""
    if isinstance(given, Value) and not is_number(given):
        return given
    leaves: list[Any] = []
    text = spelled(given, leaves)
    return current().word(kind, leaves, text)  # type: ignore[no-any-return]


def coord(given: Any) -> Value:
    return _tuple_value("coord", given)


def tiler_text(modes: Sequence[Any]) -> str:
    """A tiler from extents, layouts, or None by mode."""
    return f"[{';'.join('_' if mode is None else f'{mode}:1' if isinstance(mode, int) else str(mode) for mode in modes)}]"


def tiler(given: Any) -> Value:
    """A tiler from extents by mode, or from text."""
    if isinstance(given, Value):
        return given
    if isinstance(given, int):
        given = (given,)
    if isinstance(given, tuple):
        if any(isinstance(mode, Value) for mode in given):
            fail("a run-time value is in a static place: the extents of a tile are integers")
        return current().word("tile", [], tiler_text(given))  # type: ignore[no-any-return]
    return current().word("tile", [], given)  # type: ignore[no-any-return]


def layout_of(given: Any) -> Any:
    """A layout: of Python if it is static, otherwise a value."""
    if isinstance(given, (Value, Layout, ComposedLayout)):
        return given
    if isinstance(given, str):
        return ComposedLayout(given) if " o " in given else Layout(given)
    return make_layout(given)


def make_layout(shape: Shape, stride: Shape = None) -> Any:
    """A layout from its shape and stride; compact and column-major without a stride."""
    leaves: list[Any] = []
    for given in (shape, stride):
        if isinstance(given, Value) and not is_number(given):
            leaves.append(given)
        elif given is not None:
            spelled(given, leaves)
    if not leaves:
        return Layout(shape) if stride is None else Layout(shape, stride)
    return _ops.make_layout(_tuple_value("shape", shape), None if stride is None else _tuple_value("stride", stride))


def _of_layouts(name: str, *given: Any) -> Any:
    """An operation of the algebra: by the dialect if an operand is a value, otherwise in Python."""
    if any(isinstance(one, Value) for one in given):
        operands = [one if isinstance(one, Value) else _operand(one) for one in given]
        return algebra(getattr(_ops, name)(*operands))
    import cute_mlir

    return getattr(cute_mlir, name)(*given)


def _operand(given: Any) -> Value:
    if isinstance(given, (int, tuple)):
        return tiler(given)
    if isinstance(given, str):
        given = layout_of(given)
    return value(current(), given)


def composition(a: Any, b: Any) -> Any:
    """``a`` after ``b``: the view or layout ``a`` in the order of ``b``."""
    return _of_layouts("composition", a, b)


def logical_divide(a: Any, tile: Any) -> Any:
    """Each mode as (tile, rest)."""
    return _of_layouts("logical_divide", a, tile)


def zipped_divide(a: Any, tile: Any) -> Any:
    """((tiles), (rests))."""
    return _of_layouts("zipped_divide", a, tile)


def tiled_divide(a: Any, tile: Any) -> Any:
    """((tiles), rest, rest, ..)."""
    return _of_layouts("tiled_divide", a, tile)


def flat_divide(a: Any, tile: Any) -> Any:
    """(tile, tile, .., rest, rest, ..)."""
    return _of_layouts("flat_divide", a, tile)


def stencil_divide(view: Value, window: tuple[int | None, ...]) -> Value:
    """Each mode as (window, out), for the windows of a convolution; None keeps a mode."""
    return _ops.stencil_divide(view, coord(window), [])


def group_modes(a: Any, begin: int, end: int) -> Any:
    """Modes ``begin`` to ``end - 1`` as one mode."""
    return _ops.group_modes(a, begin=begin, end=end)


def size(of: Any, mode: int | Sequence[int] = ()) -> Any:
    """The number of elements, or of those of a mode: an integer of Python if it is static."""
    path = (mode,) if isinstance(mode, int) else tuple(mode)
    if not isinstance(of, Value):
        import cute_mlir

        of = layout_of(of)
        for at in path:
            of = of[at]
        return cute_mlir.size(of)
    made = _ops.size(of, mode=path)
    found = algebra(made)
    return found if not isinstance(found, Value) else _ops.get_scalars(made)


def make_tensor(iterator: Any, layout: Any) -> Value:
    """A view of memory, or of coordinates, from a pointer on."""
    return current().word("view_of", [iterator, layout_of(layout)])  # type: ignore[no-any-return]


def identity(shape: Any) -> Value:
    """The tensor whose elements are their own coordinates: ``make_identity_tensor``. A view gives its shape."""
    if isinstance(shape, Value) and shape.kind in VIEWS:
        shape = _ops.get_shape(_ops.get_layout(shape))
    return _ops.make_identity_tensor(_tuple_value("shape", shape))


def local_tile(view: Value, tile: Any, at: Any, proj: tuple[int | None, ...] | None = None) -> Value:
    """The tile of a view at a coordinate. With ``proj=(1, None, 1)``, only the modes that are 1 there take part."""
    leaves: list[Any] = []
    projection = None if proj is None else f'#cute.coord<"{spelled(proj, leaves)}">'
    return _ops.local_tile(view, tiler(tile), coord(at), proj=projection)


def local_partition(view: Value, layout: Any, at: Any) -> Value:
    """The elements of a view that a thread at a position of a layout of threads has."""
    return _ops.local_partition(view, _operand(layout), coord(at))


def element_or_part(view: Value, at: Any) -> Any:
    trace = view._trace
    if view.kind in ("shape", "int_tuple", "stride", "coord", "layout"):
        if not isinstance(at, int):
            fail(f"a mode of a {view.kind} has a static number")
        if view.kind in ("shape", "layout"):
            return size(view, at)
        mode = _ops.get(view, mode=[at])
        return algebra(mode) if mode._fixed is not None else _ops.get_scalars(mode)
    if view.kind not in VIEWS:
        fail(f"a {view.kind} has no elements that can be indexed")
    leaves: list[Any] = []
    text = spelled(at, leaves)
    where = trace.word("coord", leaves, text)
    if "_" in text or view.kind == "smem_desc_view":
        return _ops.slice(view, where)
    if view.kind == "coord_tensor":
        return _ops.deref_arith_tuple_iter(_ops.slice(view, where).iterator)
    return _ops.memref_load(view, where)


def set_element(view: Value, at: Any, new: Any) -> None:
    trace = view._trace
    leaves: list[Any] = []
    text = spelled(at, leaves)
    if "_" in text:
        return _ops.slice(view, trace.word("coord", leaves, text)).store(new)
    if not isinstance(new, Value):
        new = view.dtype(new)
    _ops.memref_store(view, trace.word("coord", leaves, text), new)


def elem_less(x: Any, y: Any) -> Any:
    """Whether each integer of a coordinate is less than that of another one, or of a shape."""
    if isinstance(y, Value) and y.kind in VIEWS:
        y = _ops.get_shape(_ops.get_layout(y))
    return _ops.elem_less(_tuple_value("int_tuple", x), _tuple_value("shape", y))


def inside(coordinates: Value, shape: Any) -> Value:
    """A predicate for a copy: for each of its calls, whether its first coordinate is inside of a shape or view."""
    trace = current()
    if isinstance(shape, Value) and shape.kind in VIEWS:
        shape = _ops.get_shape(_ops.get_layout(shape))
    return trace.word("inside_of", [coordinates, _tuple_value("shape", shape)])  # type: ignore[no-any-return]


# Memory.


def fragment(dtype: Any, layout: Any, align: int = 16) -> Value:
    """Registers of a thread."""
    return current().word("alloca", [], Dtype.of(dtype).mlir, align, "", layout_of(layout))  # type: ignore[no-any-return]


def fragment_like(view: Value) -> Value:
    """Registers for the elements of a view: ``make_fragment_like``."""
    return current().word("fragment_like", [view])  # type: ignore[no-any-return]


def shared(dtype: Any, layout: Any, align: int = 128, swizzle: str = "", auto: bool = False) -> Value:
    """Shared memory of the block. A swizzle such as ``"S<3,4,3>"`` is one of byte addresses, as the TMA has it.

    With ``auto``, the compiler chooses the layout and its swizzle: the given one states the shape.
    """
    trace = current()
    if auto and swizzle:
        fail("auto chooses the swizzle, too: remove one of the two")
    parts = (Dtype.of(dtype).mlir, align, swizzle, layout_of(layout))
    return trace.word("shared", [], "auto" if auto else trace.memory, *parts)  # type: ignore[no-any-return]


# Copies.


def universal_copy(dtype: Any, bits: int = 0) -> Atom:
    """Plain loads and stores of some bits, or of one element."""
    return Atom("universal", Dtype.of(dtype).mlir, bits)


def cp_async(dtype: Any, bits: int = 128, cache: str = "global") -> Atom:
    """``cp.async`` from global to shared memory; ``cache`` is "global" or "always"."""
    return Atom("cp_async", Dtype.of(dtype).mlir, bits, cache)


def ldmatrix(dtype: Any, matrices: int = 4, transposed: bool = False) -> Atom:
    """``ldmatrix`` of 1, 2 or 4 matrices."""
    return Atom("ldmatrix", Dtype.of(dtype).mlir, matrices, "t" if transposed else "n")


def stmatrix(dtype: Any, matrices: int = 4, transposed: bool = False) -> Atom:
    """``stmatrix`` of 1, 2 or 4 matrices."""
    return Atom("stmatrix", Dtype.of(dtype).mlir, matrices, "t" if transposed else "n")


def make_tiled_copy(atom: Atom, threads: Any, values: Any, auto: bool = False) -> Value:
    """An atom laid over threads, each of which copies values.

    With ``auto``, the compiler chooses which thread copies which elements; the tile and the number of values stay.
    """
    return current().word("tiled_copy", [], _open(auto), layout_of(threads), layout_of(values), *atom.parts)  # type: ignore[no-any-return]


def _open(auto: bool) -> str:
    return "auto" if auto else ""


def make_tiled_copy_tv(atom: Atom, tv: Any, tile: Any, auto: bool = False) -> Value:
    """An atom laid over threads and values by a layout (thread, value) -> position in a tile; ``auto`` as above."""
    tile = f"[{';'.join(f'{n}:1' for n in tile)}]" if isinstance(tile, tuple) else f"[{tile}:1]" if isinstance(tile, int) else tile
    return current().word("tiled_copy_tv", [], _open(auto), layout_of(tv), tile, *atom.parts)  # type: ignore[no-any-return]


def _copy_of(which: str, atom: Atom, mma: Value, auto: bool) -> Value:
    make = {"A": _ops.make_tiled_copy_a, "B": _ops.make_tiled_copy_b, "C": _ops.make_tiled_copy_c}[which]
    return make(current().word("copy_atom", [], *atom.parts), mma, auto_copy=auto)


def make_tiled_copy_A(atom: Atom, mma: Value, auto: bool = False) -> Value:  # noqa: N802
    """A copy with the layout of A of an MMA; with ``auto``, the compiler chooses the atom."""
    return _copy_of("A", atom, mma, auto)


def make_tiled_copy_B(atom: Atom, mma: Value, auto: bool = False) -> Value:  # noqa: N802
    """A copy with the layout of B of an MMA; with ``auto``, the compiler chooses the atom."""
    return _copy_of("B", atom, mma, auto)


def make_tiled_copy_C(atom: Atom, mma: Value, auto: bool = False) -> Value:  # noqa: N802
    """A copy with the layout of C of an MMA; with ``auto``, the compiler chooses the atom."""
    return _copy_of("C", atom, mma, auto)


def partition_S(copy: Value, view: Value, thread: Any) -> Value:  # noqa: N802
    """What a thread reads in a tiled copy."""
    return _ops.tiled_copy_partition_s(copy, view, coord(thread))


def partition_D(copy: Value, view: Value, thread: Any) -> Value:  # noqa: N802
    """What a thread writes in a tiled copy."""
    return _ops.tiled_copy_partition_d(copy, view, coord(thread))


def retile(copy: Value, view: Value) -> Value:
    """A fragment in the order in which a copy takes its values."""
    return _ops.tiled_copy_retile(copy, view)


def copy(by: Any, source: Value, to: Value, pred: Value | None = None) -> None:
    """Copies by a tiled copy or an atom; with ``pred``, only the calls whose predicate is true."""
    _ops.copy(by, source, to, pred)


def load(copy: Value | Atom, view: Value, pred: Value | None = None) -> Value:
    """Registers with the elements of a view, by a tiled copy or an atom; 0 where the predicate excludes them."""
    return current().word("load_fragment", [copy, view] + ([] if pred is None else [pred]))  # type: ignore[no-any-return]


# MMAs.


def _mma(kind: str, shape: tuple[int, int, int], types: tuple[Any, Any, Any], atoms: Any, permutation: Any, majors: tuple[str, str],
         state: list[Any], place: str = "shared", scales: tuple[Any, int] | None = None) -> Value:
    elements = [Dtype.of(one).mlir for one in types]
    if isinstance(atoms, tuple):
        atoms = "({},{},{}):({},{},{})".format(*atoms, *_compact(atoms))
    permutation = "" if permutation is None else tiler_text(permutation)
    return current().word("mma", state, kind, *shape, *elements, *majors, place, atoms, permutation, *scale_parts(scales))  # type: ignore[no-any-return]


def scale_parts(scales: tuple[Any, int] | None) -> tuple[str, int]:
    """The type of the scale factors of an MMA, which may be empty, and the elements of K that share one."""
    if scales is None:
        return "", 0
    if not isinstance(scales, tuple) or len(scales) != 2 or not isinstance(scales[1], int):
        fail(f"scale factors have a type and a number of elements of K that share one, scales=(ck.ue8m0, 32), found {scales!r}")
    return Dtype.of(scales[0]).mlir, scales[1]


def _compact(shape: tuple[int, int, int]) -> list[int]:
    """Strides of a column-major layout; 0 for an extent of 1."""
    strides, step = [], 1
    for extent in shape:
        strides.append(0 if extent == 1 else step)
        step *= extent
    return strides


def mma_sync(
    shape: tuple[int, int, int],
    types: tuple[Any, Any, Any],
    atoms: Any = (1, 1, 1),
    permutation: Any = None,
    scales: tuple[Any, int] | None = None,
) -> Value:
    """``mma.sync`` of warps: shape of an atom, types (A, B, accumulators), atoms along M, N and K, and a tile that they cover.

    ``scales=(ck.ue8m0, 32)`` is the type of scale factors and the elements of K that share one, from sm_120a on.
    """
    return _mma("mma_sync", shape, types, atoms, permutation, ("k", "k"), [], scales=scales)


def fma(types: tuple[Any, Any, Any], atoms: Any, permutation: Any = None) -> Value:
    """Multiplications of single threads. A permutation is as that of ``mma_sync``: an extent, a layout, or None by mode."""
    return _mma("fma", (1, 1, 1), types, atoms, permutation, ("k", "k"), [])


def wgmma(
    shape: tuple[int, int, int], types: tuple[Any, Any, Any], atoms: Any = (1, 1, 1), majors: tuple[str, str] = ("k", "k"), a: str = "shared"
) -> Value:
    """``wgmma`` of warpgroups: shape of an atom, types (A, B, accumulators), warpgroups along M, N and K, majors of A and B.

    ``a="registers"`` takes A from registers.
    """
    if a not in ("shared", "registers"):
        fail(f'A of a wgmma is in "shared" or "registers", not in "{a}"')
    return _mma("wgmma", shape, types, atoms, None, majors, [False], a)


#: What an MMA takes, in the order of the numbers that ops name it by.
_OPERANDS = ("A", "B", "C", "SFA", "SFB")


def _part(which: str, mma: Value, view: Value, thread: Any) -> Value:
    return _ops.tiled_mma_partition(mma, view, coord(thread), operand_id=_OPERANDS.index(which))


def partition_A(mma: Value, view: Value, thread: Any) -> Value:  # noqa: N802
    """A thread's part of A."""
    return _part("A", mma, view, thread)


def partition_B(mma: Value, view: Value, thread: Any) -> Value:  # noqa: N802
    """A thread's part of B."""
    return _part("B", mma, view, thread)


def partition_C(mma: Value, view: Value, thread: Any) -> Value:  # noqa: N802
    """A thread's part of C."""
    return _part("C", mma, view, thread)


def partition_SFA(mma: Value, view: Value, thread: Any) -> Value:  # noqa: N802
    """A thread's part of the scale factors of A, which lie over the coordinates of the elements: ``((rows), ((32, factors), ..))``."""
    return _part("SFA", mma, view, thread)


def partition_SFB(mma: Value, view: Value, thread: Any) -> Value:  # noqa: N802
    """A thread's part of the scale factors of B, as ``ck.partition_SFA``."""
    return _part("SFB", mma, view, thread)


def _fragment(which: str, mma: Value, like: Any) -> Value:
    trace = current()
    if isinstance(like, tuple):
        shape = trace.word("shape", [], spelled(like, []))
        like = _ops.tiled_mma_partition_shape(mma, shape, operand_id=_OPERANDS.index(which))
    return trace.word("mma_fragment", [mma, like], which)  # type: ignore[no-any-return]


def fragment_A(mma: Value, like: Any) -> Value:  # noqa: N802
    """Registers for a part of A, or for that of a tile of this shape."""
    return _fragment("A", mma, like)


def fragment_B(mma: Value, like: Any) -> Value:  # noqa: N802
    """Registers for a part of B, or for that of a tile of this shape."""
    return _fragment("B", mma, like)


def fragment_C(mma: Value, like: Any) -> Value:  # noqa: N802
    """Registers for a part of C, or for that of a tile of this shape."""
    return _fragment("C", mma, like)


def fragment_SFA(mma: Value, part: Value) -> Value:  # noqa: N802
    """Registers for a part of the scale factors of A; elements that share a factor share its register."""
    return _fragment("SFA", mma, part)


def fragment_SFB(mma: Value, part: Value) -> Value:  # noqa: N802
    """Registers for a part of the scale factors of B."""
    return _fragment("SFB", mma, part)


def _descriptors(which: str, mma: Value, part: Value) -> Value:
    word = "umma_descriptors" if "sm100" in mma.type else "mma_descriptors"
    return current().word(word, [mma, part], which)  # type: ignore[no-any-return]


def descriptors_A(mma: Value, part: Value) -> Value:  # noqa: N802
    """Descriptors of A in shared memory: of a warpgroup's part for wgmma, and of all that the CTA has for UMMA, (rows, k, stages)."""
    return _descriptors("A", mma, part)


def descriptors_B(mma: Value, part: Value) -> Value:  # noqa: N802
    """Descriptors of B in shared memory, as ``ck.descriptors_A``. Of a pair of CTAs, each has half of the rows of B."""
    return _descriptors("B", mma, part)


def gemm(mma: Value, d: Value, a: Value, b: Value, c: Value, accumulate: Any = None, scales: tuple[Value, Value] | None = None) -> None:
    """``d = a b + c``. ``accumulate`` says whether a wgmma or UMMA adds to its accumulators, or overwrites them.

    ``scales`` are the scale factors of A and of B of this call, for an MMA that has some.
    """
    if accumulate is not None:
        mma = current().word("accumulating", [mma, accumulate])
    _ops.gemm(mma, d, [a, b] if scales is None else [a, scales[0], b, scales[1]], c)
