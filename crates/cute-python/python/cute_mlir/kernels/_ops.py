"""The ops of the dialect, one function each. Written by generate_ops.py; do not edit.

Operands are values of a trace, or numbers and layouts of Python, which become constants. Attributes are keywords: integers, or
the text of an attribute of MLIR. ``result`` is the text of a type that is not inferred.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from ._trace import called
from ._values import Value

Operands = list[Any]


def _value(op: str, operands: list[Operands], attributes: dict[str, Optional[str]], results: list[str]) -> Value:
    made: Value = called(op, operands, attributes, results)
    return made


def add_offset(iter: Any, offset: Any) -> Value:
    """``cute.add_offset``: The iterator advanced by an offset, which counts elements for a pointer."""
    return _value("cute.add_offset", [[iter], [offset]], {}, [])


def append_to_rank(input: Any, element: Any, *, rank: int) -> Value:
    """``cute.append_to_rank``: Copies of an element at the end, up to a rank."""
    return _value("cute.append_to_rank", [[input], [element]], {"rank": str(rank)}, [])


def apply_swizzle(iter: Any) -> Value:
    """``cute.apply_swizzle``: The address that an access through a swizzled pointer goes to."""
    return _value("cute.apply_swizzle", [[iter]], {}, [])


def assume(value: Any, *, result: str) -> Value:
    """``cute.assume``: The same integer, which the program promises to be a multiple of the result type's divisor."""
    return _value("cute.assume", [[value]], {}, [result])


def blocked_product(lhs: Any, rhs: Any) -> Value:
    """``cute.blocked_product``: ((block, repetition)..): whole blocks side by side."""
    return _value("cute.blocked_product", [[lhs], [rhs]], {}, [])


def ceil_div(input: Any, tiler: Any) -> Value:
    """``cute.ceil_div``: The quotient rounded up, by mode; by a tile, how many tiles cover the modes."""
    return _value("cute.ceil_div", [[input], [tiler]], {}, [])


def coalesce(input: Any, target_profile: Any = None) -> Value:
    """``cute.coalesce``: The same function with as few modes as possible, mode by mode if a profile is given."""
    return _value("cute.coalesce", [[input], [] if target_profile is None else [target_profile]], {}, [])


def complement(input: Any, cotarget: Any = None) -> Value:
    """``cute.complement``: The layout that fills the part of the cotarget that the input does not cover."""
    return _value("cute.complement", [[input], [] if cotarget is None else [cotarget]], {}, [])


def composed_get_inner(input: Any) -> Value:
    """``cute.composed_get_inner``: The swizzle or layout applied last."""
    return _value("cute.composed_get_inner", [[input]], {}, [])


def composed_get_offset(input: Any) -> Value:
    """``cute.composed_get_offset``: The offset between the outer layout and the inner function."""
    return _value("cute.composed_get_offset", [[input]], {}, [])


def composed_get_outer(input: Any) -> Value:
    """``cute.composed_get_outer``: The layout applied first."""
    return _value("cute.composed_get_outer", [[input]], {}, [])


def composition(lhs: Any, rhs: Any) -> Value:
    """``cute.composition``: C(c) = A(B(c)), by mode where B is a shape or tile."""
    return _value("cute.composition", [[lhs], [rhs]], {}, [])


def copy_atom_call(atom: Any, src: Any, dst: Any, pred: Any = None) -> None:
    """``cute.copy_atom_call``: One call of an atom on views (V)."""
    called("cute.copy_atom_call", [[atom], [src], [dst], [] if pred is None else [pred]], {}, [])


def copy(atom: Any, src: Any, dst: Any, pred: Any = None) -> None:
    """``cute.copy``: Calls the atom for each coordinate of the rest modes; `pred` selects the calls that are executed."""
    called("cute.copy", [[atom], [src], [dst], [] if pred is None else [pred]], {}, [])


def cosize_bits(input: Any, *, mode: Sequence[int] = ()) -> Value:
    """``cute.cosize_bits``: The bits that the elements of a view span: its cosize times the bits of an element."""
    return _value("cute.cosize_bits", [[input]], {"mode": ",".join(map(str, mode))}, [])


def cosize(input: Any, *, mode: Sequence[int] = ()) -> Value:
    """``cute.cosize``: One more than the largest index: 1 + sum (s_i - 1) * |d_i|."""
    return _value("cute.cosize", [[input]], {"mode": ",".join(map(str, mode))}, [])


def crd2idx(coord: Any, layout: Any) -> Value:
    """``cute.crd2idx``: The index of a coordinate, in a shape or under a layout."""
    return _value("cute.crd2idx", [[coord], [layout]], {}, [])


def deref_arith_tuple_iter(iter: Any) -> Value:
    """``cute.deref_arith_tuple_iter``: The coordinate an iterator is at."""
    return _value("cute.deref_arith_tuple_iter", [[iter]], {}, [])


def derefine(input: Any, *, result: str) -> Value:
    """``cute.derefine``: The same value with fewer facts in its type."""
    return _value("cute.derefine", [[input]], {}, [result])


def dice(input: Any, at: Any = None, *, coord: Optional[str] = None) -> Value:
    """``cute.dice``: The modes that a static coordinate fixes; the coordinate is a value or an attribute."""
    return _value("cute.dice", [[input], [] if at is None else [at]], {"coord": coord}, [])


def domain_distribute(shape: Any, count: Any) -> Value:
    """``cute.domain_distribute``: A static count spread over a static shape, first mode first: per mode the gcd with what is left."""
    return _value("cute.domain_distribute", [[shape], [count]], {}, [])


def elem_less(lhs: Any, rhs: Any) -> Value:
    """``cute.elem_less``: Whether every element is less than its counterpart."""
    return _value("cute.elem_less", [[lhs], [rhs]], {}, [])


def equal(lhs: Any, rhs: Any) -> Value:
    """``cute.equal``: Whether two values of one kind have the same structure and leaves."""
    return _value("cute.equal", [[lhs], [rhs]], {}, [])


def fast_divmod_compute(dividend: Any, divisor: Any) -> Any:
    """``cute.fast_divmod.compute``: Quotient and remainder of an unsigned integer, without a division."""
    return called("cute.fast_divmod.compute", [[dividend], [divisor]], {}, [])


def fast_divmod_create_divisor(divisor: Any) -> Value:
    """``cute.fast_divmod.create_divisor``: Multiplier and shifts of a positive divisor: m = 2^32 (2^l - d) / d + 1, l = ceil(log2 d)."""
    return _value("cute.fast_divmod.create_divisor", [[divisor]], {}, [])


def filter(input: Any) -> Value:
    """``cute.filter``: The coalesced layout without its modes of stride 0 and extent 1: coalesce(filter_zeros(input))."""
    return _value("cute.filter", [[input]], {}, [])


def filter_zeros(input: Any, profile: Any = None) -> Value:
    """``cute.filter_zeros``: Extent 1 for each mode of stride 0, or where a profile is 0."""
    return _value("cute.filter_zeros", [[input], [] if profile is None else [profile]], {}, [])


def flat_divide(input: Any, tiler: Any) -> Value:
    """``cute.flat_divide``: (tile.., rest..)."""
    return _value("cute.flat_divide", [[input], [tiler]], {}, [])


def flat_product(lhs: Any, rhs: Any) -> Value:
    """``cute.flat_product``: (block.., repetitions..)."""
    return _value("cute.flat_product", [[lhs], [rhs]], {}, [])


def flatten(input: Any) -> Value:
    """``cute.flatten``: The same leaves in one level."""
    return _value("cute.flatten", [[input]], {}, [])


def gemm(atom: Any, d: Any, factors: Operands, c: Any) -> None:
    """``cute.gemm``: D = A B + C: the atom over all rest modes, (V,M,K) (V,N,K) -> (V,M,N) and the forms with fewer modes."""
    called("cute.gemm", [[atom], [d], factors, [c]], {}, [])


def get_flat_coord(index: Any, layout: Any) -> Value:
    """``cute.get_flat_coord``: The coordinate that a compact layout maps to an index, with one integer per mode."""
    return _value("cute.get_flat_coord", [[index], [layout]], {}, [])


def get_hier_coord(index: Any, layout: Any) -> Value:
    """``cute.get_hier_coord``: The coordinate that a compact layout maps to an index, in the layout's profile."""
    return _value("cute.get_hier_coord", [[index], [layout]], {}, [])


def get_iter(view: Any) -> Value:
    """``cute.get_iter``: The iterator of a view."""
    return _value("cute.get_iter", [[view]], {}, [])


def get_layout(view: Any) -> Value:
    """``cute.get_layout``: The layout of a view."""
    return _value("cute.get_layout", [[view]], {}, [])


def get_layouts_from_tile(tile: Any) -> Any:
    """``cute.get_layouts_from_tile``: Each layout of a tile, `_` left out."""
    return called("cute.get_layouts_from_tile", [[tile]], {}, [])


def get_leaves(input: Any) -> Any:
    """``cute.get_leaves``: Each leaf as a value of its own."""
    return called("cute.get_leaves", [[input]], {}, [])


def get(input: Any, *, mode: Sequence[int] = ()) -> Value:
    """``cute.get``: The sub-value at a mode path."""
    return _value("cute.get", [[input]], {"mode": ",".join(map(str, mode))}, [])


def get_scalars(input: Any, *, only_dynamic: bool = False) -> Any:
    """``cute.get_scalars``: Each leaf as a machine integer."""
    return called("cute.get_scalars", [[input]], {"only_dynamic": "true" if only_dynamic else None}, [])


def get_shape(input: Any) -> Value:
    """``cute.get_shape``: The shape of a layout, composed layout or tile."""
    return _value("cute.get_shape", [[input]], {}, [])


def get_stride(input: Any) -> Value:
    """``cute.get_stride``: The stride of a layout."""
    return _value("cute.get_stride", [[input]], {}, [])


def group_modes(input: Any, *, begin: int, end: int) -> Value:
    """``cute.group_modes``: Modes [begin, end) as one mode."""
    return _value("cute.group_modes", [[input]], {"begin": str(begin), "end": str(end)}, [])


def idx2crd(index: Any, shape: Any) -> Value:
    """``cute.idx2crd``: The coordinate of an index in a shape, first mode fastest."""
    return _value("cute.idx2crd", [[index], [shape]], {}, [])


def increment_coord(coord: Any, shape: Any) -> Value:
    """``cute.increment_coord``: The next coordinate in a shape, first mode fastest."""
    return _value("cute.increment_coord", [[coord], [shape]], {}, [])


def inttoptr(address: Any, *, result: str) -> Value:
    """``cute.inttoptr``: An address as a pointer."""
    return _value("cute.inttoptr", [[address]], {}, [result])


def kernel_smem_size(*, kernel_name: str, result: str) -> Value:
    """``cute.kernel_smem_size``: The bytes of dynamic shared memory that the allocations of a kernel need."""
    return _value("cute.kernel_smem_size", [], {"kernel_name": kernel_name}, [result])


def layout_eval(coord: Any, layout: Any) -> Value:
    """``cute.layout_eval``: The value of a layout at a coordinate."""
    return _value("cute.layout_eval", [[coord], [layout]], {}, [])


def left_inverse(input: Any) -> Value:
    """``cute.left_inverse``: L with L(A(i)) = i."""
    return _value("cute.left_inverse", [[input]], {}, [])


def local_partition(input: Any, threads: Any, index: Any, *, proj: Optional[str] = None) -> Value:
    """``cute.local_partition``: What belongs to a thread when a layout of threads is repeated over the input."""
    return _value("cute.local_partition", [[input], [threads], [index]], {"proj": proj}, [])


def local_tile(input: Any, tiler: Any, coord: Any, *, proj: Optional[str] = None) -> Value:
    """``cute.local_tile``: The tile at a coordinate of the rest modes: slice of zipped_divide."""
    return _value("cute.local_tile", [[input], [tiler], [coord]], {"proj": proj}, [])


def logical_divide(input: Any, tiler: Any) -> Value:
    """``cute.logical_divide``: Each mode as (tile, rest)."""
    return _value("cute.logical_divide", [[input], [tiler]], {}, [])


def logical_product(lhs: Any, rhs: Any) -> Value:
    """``cute.logical_product``: (block, repetitions), by mode where the tiler is a shape or tile."""
    return _value("cute.logical_product", [[lhs], [rhs]], {}, [])


def make_arith_tuple_iter(tuple: Any) -> Value:
    """``cute.make_arith_tuple_iter``: An iterator over coordinates, at a coordinate."""
    return _value("cute.make_arith_tuple_iter", [[tuple]], {}, [])


def make_atom(state: Operands, *, result: str) -> Value:
    """``cute.make_atom``: An atom; the operands are its run-time state."""
    return _value("cute.make_atom", [state], {}, [result])


def make_composed_layout(inner: Any, offset: Any, outer: Any) -> Value:
    """``cute.make_composed_layout``: Inner o offset o outer."""
    return _value("cute.make_composed_layout", [[inner], [offset], [outer]], {}, [])


def make_coord(leaves: Operands, *, result: str) -> Value:
    """``cute.make_coord``: A coord from its dynamic leaves."""
    return _value("cute.make_coord", [leaves], {}, [result])


def make_fragment_like(like: Any, *, result: str) -> Value:
    """``cute.make_fragment_like``: Registers for the elements of a view, in the order of its strides; of a layout, their layout."""
    return _value("cute.make_fragment_like", [[like]], {}, [result])


def make_identity_layout(shape: Any) -> Value:
    """``cute.make_identity_layout``: The layout of a shape that maps each coordinate to itself."""
    return _value("cute.make_identity_layout", [[shape]], {}, [])


def make_identity_tensor(shape: Any) -> Value:
    """``cute.make_identity_tensor``: The coord_tensor of a shape that holds its own coordinates."""
    return _value("cute.make_identity_tensor", [[shape]], {}, [])


def make_int_tuple(leaves: Operands, *, result: str) -> Value:
    """``cute.make_int_tuple``: An int_tuple from its dynamic leaves."""
    return _value("cute.make_int_tuple", [leaves], {}, [result])


def make_layout_like(src: Any) -> Value:
    """``cute.make_layout_like``: The compact layout with the shape, and the order of strides, of another."""
    return _value("cute.make_layout_like", [[src]], {}, [])


def make_layout(shape: Any, stride: Any = None) -> Value:
    """``cute.make_layout``: A layout from shape and stride; compact column-major without stride."""
    return _value("cute.make_layout", [[shape], [] if stride is None else [stride]], {}, [])


def make_ordered_layout(shape: Any, order: Any) -> Value:
    """``cute.make_ordered_layout``: The compact layout whose modes are filled in a given order, smallest first."""
    return _value("cute.make_ordered_layout", [[shape], [order]], {}, [])


def make_shape(leaves: Operands, *, result: str) -> Value:
    """``cute.make_shape``: A shape from its dynamic leaves."""
    return _value("cute.make_shape", [leaves], {}, [result])


def make_stride(leaves: Operands, *, result: str) -> Value:
    """``cute.make_stride``: A stride from its dynamic leaves."""
    return _value("cute.make_stride", [leaves], {}, [result])


def make_tile(leaves: Operands, *, result: str) -> Value:
    """``cute.make_tile``: A tile from its dynamic leaves."""
    return _value("cute.make_tile", [leaves], {}, [result])


def make_tiled_copy_a(atom: Any, like: Any, *, auto_copy: bool = False) -> Value:
    """``cute.make_tiled_copy_A``: A copy atom laid over threads and values as a tiled MMA has A."""
    return _value("cute.make_tiled_copy_A", [[atom], [like]], {"auto_copy": "true" if auto_copy else None}, [])


def make_tiled_copy_b(atom: Any, like: Any, *, auto_copy: bool = False) -> Value:
    """``cute.make_tiled_copy_B``: A copy atom laid over threads and values as a tiled MMA has B."""
    return _value("cute.make_tiled_copy_B", [[atom], [like]], {"auto_copy": "true" if auto_copy else None}, [])


def make_tiled_copy_c_atom(atom: Any, like: Any) -> Value:
    """``cute.make_tiled_copy_C_atom``: The smallest copy of C with the first values of each thread, as many as the atom takes."""
    return _value("cute.make_tiled_copy_C_atom", [[atom], [like]], {}, [])


def make_tiled_copy_c(atom: Any, like: Any, *, auto_copy: bool = False) -> Value:
    """``cute.make_tiled_copy_C``: A copy atom laid over threads and values as a tiled MMA has C."""
    return _value("cute.make_tiled_copy_C", [[atom], [like]], {"auto_copy": "true" if auto_copy else None}, [])


def make_tiled_copy_d(atom: Any, like: Any) -> Value:
    """``cute.make_tiled_copy_D``: Another copy atom on the thread-value layout of the destination of a tiled copy."""
    return _value("cute.make_tiled_copy_D", [[atom], [like]], {}, [])


def make_tiled_copy(atom: Any, *, auto_copy: bool = False, result: str) -> Value:
    """``cute.make_tiled_copy``: A copy atom laid over threads and values, as the result type says."""
    return _value("cute.make_tiled_copy", [[atom]], {"auto_copy": "true" if auto_copy else None}, [result])


def make_tiled_copy_s(atom: Any, like: Any) -> Value:
    """``cute.make_tiled_copy_S``: Another copy atom on the thread-value layout of the source of a tiled copy."""
    return _value("cute.make_tiled_copy_S", [[atom], [like]], {}, [])


def make_tiled_mma(atom: Any, *, result: str) -> Value:
    """``cute.make_tiled_mma``: An MMA atom laid over threads, as the result type says."""
    return _value("cute.make_tiled_mma", [[atom]], {}, [result])


def make_tuple(modes: Operands) -> Value:
    """``cute.make_tuple``: The value whose modes are the operands."""
    return _value("cute.make_tuple", [modes], {}, [])


def make_view(iter: Any, layout: Any = None, *, auto_layout: bool = False, placement: Optional[str] = None, result: str) -> Value:
    """``cute.make_view``: Iterator and layout as a view; the layout may be left out where it is static."""
    return _value("cute.make_view", [[iter], [] if layout is None else [layout]], {"auto_layout": "true" if auto_layout else None, "placement": placement}, [result])


def max_common_layout(lhs: Any, rhs: Any) -> Value:
    """``cute.max_common_layout``: R, the longest contiguous run in the same order in both: A(R(i)) = B(R(i)) = i; limited to the elements that swizzles keep together."""
    return _value("cute.max_common_layout", [[lhs], [rhs]], {}, [])


def max_common_vector(lhs: Any, rhs: Any) -> Value:
    """``cute.max_common_vector``: The size of max_common_layout, limited to the elements that swizzles keep together."""
    return _value("cute.max_common_vector", [[lhs], [rhs]], {}, [])


def memref_alloc_smem(
    layout: Any = None, *, auto_swizzle: bool = False, auto_layout: bool = False, placement: Optional[str] = None, result: str,
) -> Value:
    """``cute.memref.alloc_smem``: Static shared memory of the block."""
    return _value("cute.memref.alloc_smem", [[] if layout is None else [layout]], {"auto_swizzle": "true" if auto_swizzle else None, "auto_layout": "true" if auto_layout else None, "placement": placement}, [result])


def memref_alloca(layout: Any = None, *, placement: Optional[str] = None, result: str) -> Value:
    """``cute.memref.alloca``: A register fragment of the thread, or memory of the block."""
    return _value("cute.memref.alloca", [[] if layout is None else [layout]], {"placement": placement}, [result])


def memref_load(memref: Any, coord: Any) -> Value:
    """``cute.memref.load``: The element at a coordinate."""
    return _value("cute.memref.load", [[memref], [coord]], {}, [])


def memref_load_vec(memref: Any) -> Value:
    """``cute.memref.load_vec``: All elements of a static view, in the order of its coordinates."""
    return _value("cute.memref.load_vec", [[memref]], {}, [])


def memref_store(memref: Any, coord: Any, value: Any) -> None:
    """``cute.memref.store``: A new element at a coordinate."""
    called("cute.memref.store", [[memref], [coord], [value]], {}, [])


def memref_store_vec(value: Any, memref: Any) -> None:
    """``cute.memref.store_vec``: All elements of a static view, in the order of its coordinates."""
    called("cute.memref.store_vec", [[value], [memref]], {}, [])


def mma_atom_call(atom: Any, d: Any, factors: Operands, c: Any) -> None:
    """``cute.mma_atom_call``: One call of an atom on fragments (V)."""
    called("cute.mma_atom_call", [[atom], [d], factors, [c]], {}, [])


def mma_make_fragment(tiled_mma: Any, like: Any, *, operand_id: int, result: str) -> Value:
    """``cute.mma.make_fragment``: What an MMA takes of a partition or its shape: registers, descriptors of shared memory, or tensor memory."""
    return _value("cute.mma.make_fragment", [[tiled_mma], [like]], {"operand_id": str(operand_id)}, [result])


def nullspace(input: Any) -> Value:
    """``cute.nullspace``: The part of the domain that a layout maps to 0: its modes of stride 0."""
    return _value("cute.nullspace", [[input]], {}, [])


def outer_flat_divide(input: Any, tiler: Any) -> Value:
    """``cute.outer_flat_divide``: (rest.., tile..) from the last mode."""
    return _value("cute.outer_flat_divide", [[input], [tiler]], {}, [])


def outer_logical_divide(input: Any, tiler: Any) -> Value:
    """``cute.outer_logical_divide``: Logical_divide from the last mode."""
    return _value("cute.outer_logical_divide", [[input], [tiler]], {}, [])


def outer_partition(input: Any, tiler: Any, coord: Any) -> Value:
    """``cute.outer_partition``: One element of every tile: slice of zipped_divide at a coordinate of the tile."""
    return _value("cute.outer_partition", [[input], [tiler], [coord]], {}, [])


def outer_tiled_divide(input: Any, tiler: Any) -> Value:
    """``cute.outer_tiled_divide``: (rest.., (tile..)) from the last mode."""
    return _value("cute.outer_tiled_divide", [[input], [tiler]], {}, [])


def outer_zipped_divide(input: Any, tiler: Any) -> Value:
    """``cute.outer_zipped_divide``: ((rest..), (tile..)) from the last mode."""
    return _value("cute.outer_zipped_divide", [[input], [tiler]], {}, [])


def placement_apply(coord: Any, shape: Any, *, placement: str, copy: Optional[str] = None) -> Value:
    """``cute.placement.apply``: The position of the element at a coordinate of a shape: one integer per axis, in the order of the axis names."""
    return _value("cute.placement.apply", [[coord], [shape]], {"placement": placement, "copy": copy}, [])


def placement_convert(src: Any, dst: Any, *, from_: Optional[str] = None, to: Optional[str] = None) -> None:
    """``cute.placement.convert``: The elements of a fragment in another placement, moved between registers of a warp or block."""
    called("cute.placement.convert", [[src], [dst]], {"from": from_, "to": to}, [])


def prefetch_atom_call(atom: Any, src: Any) -> None:
    """``cute.prefetch_atom_call``: Prefetches to L2 what one call of the atom would read."""
    called("cute.prefetch_atom_call", [[atom], [src]], {}, [])


def prefetch(atom: Any, src: Any) -> None:
    """``cute.prefetch``: Prefetches to L2 what the atom would read, for each coordinate of the rest modes."""
    called("cute.prefetch", [[atom], [src]], {}, [])


def prepend_to_rank(input: Any, element: Any, *, rank: int) -> Value:
    """``cute.prepend_to_rank``: Copies of an element in front, up to a rank."""
    return _value("cute.prepend_to_rank", [[input], [element]], {"rank": str(rank)}, [])


def print(values: Operands, *, fmt: Optional[str] = None) -> None:
    """``cute.print``: Values as text on the standard output, in place of each `{}` of the format."""
    called("cute.print", [values], {"fmt": fmt}, [])


def print_view(view: Any, *, is_signed: Optional[str] = None, verbose: Optional[str] = None) -> None:
    """``cute.print_view``: Every element of a view as text on the standard output."""
    called("cute.print_view", [[view]], {"is_signed": is_signed, "verbose": verbose}, [])


def ptrtoint(iter: Any, *, result: str) -> Value:
    """``cute.ptrtoint``: The address of a pointer; an i32 holds only addresses of shared or tensor memory."""
    return _value("cute.ptrtoint", [[iter]], {}, [result])


def raked_product(lhs: Any, rhs: Any) -> Value:
    """``cute.raked_product``: ((repetition, block)..): blocks interleaved."""
    return _value("cute.raked_product", [[lhs], [rhs]], {}, [])


def recast_iter(iter: Any, *, result: str) -> Value:
    """``cute.recast_iter``: The same address with another element type, or swizzle."""
    return _value("cute.recast_iter", [[iter]], {}, [result])


def recast_layout(src: Any, *, new_type_bits: int, old_type_bits: int) -> Value:
    """``cute.recast_layout``: The same memory in elements of another width."""
    return _value("cute.recast_layout", [[src]], {"new_type_bits": str(new_type_bits), "old_type_bits": str(old_type_bits)}, [])


def right_inverse(input: Any) -> Value:
    """``cute.right_inverse``: R with A(R(i)) = i."""
    return _value("cute.right_inverse", [[input]], {}, [])


def select(input: Any, *, mode: Sequence[int] = ()) -> Value:
    """``cute.select``: The top-level modes at some indices, as a tuple."""
    return _value("cute.select", [[input]], {"mode": ",".join(map(str, mode))}, [])


def shape_div(a: Any, b: Any) -> Value:
    """``cute.shape_div``: The quotient rounded up; of two static leaves, one divides the other."""
    return _value("cute.shape_div", [[a], [b]], {}, [])


def size(input: Any, *, mode: Sequence[int] = ()) -> Value:
    """``cute.size``: The number of coordinates: the product of the extents."""
    return _value("cute.size", [[input]], {"mode": ",".join(map(str, mode))}, [])


def slice(input: Any, coord: Any) -> Value:
    """``cute.slice``: The modes at which the coordinate is `_`; the integers at the other modes advance the iterator of a view."""
    return _value("cute.slice", [[input], [coord]], {}, [])


def smem_partition_size(*, partition_id: int, cumulative: Optional[str] = None, result: str) -> Value:
    """``cute.smem_partition_size``: The bytes that the kernel around the op allocates in a partition of its dynamic shared memory."""
    return _value("cute.smem_partition_size", [], {"partition_id": str(partition_id), "cumulative": cumulative}, [result])


def static(*, result: str) -> Value:
    """``cute.static``: The one value of a fully static type."""
    return _value("cute.static", [], {}, [result])


def stencil_divide(input: Any, window: Any, step_and_dilation: Operands) -> Value:
    """``cute.stencil_divide``: Each mode as (window, out): (w, out):(l*d, t*d), out = 1 + (s - ((w-1)*l + 1)) / t."""
    return _value("cute.stencil_divide", [[input], [window], step_and_dilation], {}, [])


def tile_to_shape(input: Any, shape: Any, order: Any = None) -> Value:
    """``cute.tile_to_shape``: A block repeated until it covers a shape; `order` says which mode is repeated first."""
    return _value("cute.tile_to_shape", [[input], [shape], [] if order is None else [order]], {}, [])


def tiled_copy_partition_d(tiled_copy: Any, view: Any, thread: Any) -> Value:
    """``cute.tiled.copy.partition_D``: What a thread writes: (V, rest..)."""
    return _value("cute.tiled.copy.partition_D", [[tiled_copy], [view], [thread]], {}, [])


def tiled_copy_partition_s(tiled_copy: Any, view: Any, thread: Any) -> Value:
    """``cute.tiled.copy.partition_S``: What a thread reads: (V, rest..)."""
    return _value("cute.tiled.copy.partition_S", [[tiled_copy], [view], [thread]], {}, [])


def tiled_copy_retile(tiled_copy: Any, fragment: Any) -> Value:
    """``cute.tiled.copy.retile``: A fragment of another tiling in the order in which the copy takes its values."""
    return _value("cute.tiled.copy.retile", [[tiled_copy], [fragment]], {}, [])


def tiled_divide(input: Any, tiler: Any) -> Value:
    """``cute.tiled_divide``: ((tile..), rest..)."""
    return _value("cute.tiled_divide", [[input], [tiler]], {}, [])


def tiled_mma_partition(tiled_mma: Any, view: Any, thread: Any, *, operand_id: int) -> Value:
    """``cute.tiled.mma.partition``: What a thread has of a matrix: (V, rest..)."""
    return _value("cute.tiled.mma.partition", [[tiled_mma], [view], [thread]], {"operand_id": str(operand_id)}, [])


def tiled_mma_partition_shape(tiled_mma: Any, shape: Any, *, operand_id: int) -> Value:
    """``cute.tiled.mma.partition_shape``: The shape of what a thread has of a matrix of some shape."""
    return _value("cute.tiled.mma.partition_shape", [[tiled_mma], [shape]], {"operand_id": str(operand_id)}, [])


def tiled_partition(atom: Any, input: Any, tiler: Any, pred: Any = None) -> Value:
    """``cute.tiled_partition``: Tiled_divide for a copy: ((tile), rest..), where calls of the atom copy the tile; verified like the operands of `copy`."""
    return _value("cute.tiled_partition", [[atom], [input], [tiler], [] if pred is None else [pred]], {}, [])


def tiled_product(lhs: Any, rhs: Any) -> Value:
    """``cute.tiled_product``: ((block..), repetitions..)."""
    return _value("cute.tiled_product", [[lhs], [rhs]], {}, [])


def to_coord(input: Any) -> Value:
    """``cute.to_coord``: The same integers as a coord."""
    return _value("cute.to_coord", [[input]], {}, [])


def to_int_tuple(input: Any) -> Value:
    """``cute.to_int_tuple``: The same integers as an int_tuple."""
    return _value("cute.to_int_tuple", [[input]], {}, [])


def to_shape(input: Any) -> Value:
    """``cute.to_shape``: The same integers as a shape."""
    return _value("cute.to_shape", [[input]], {}, [])


def to_stride(input: Any) -> Value:
    """``cute.to_stride``: The same integers as a stride."""
    return _value("cute.to_stride", [[input]], {}, [])


def tuple_add(lhs: Any, rhs: Any) -> Value:
    """``cute.tuple_add``: The sum, leaf by leaf; 0 is neutral, and modes that only one has are kept."""
    return _value("cute.tuple_add", [[lhs], [rhs]], {}, [])


def tuple_div(lhs: Any, rhs: Any) -> Value:
    """``cute.tuple_div``: The quotient, truncated, leaf by leaf of congruent tuples."""
    return _value("cute.tuple_div", [[lhs], [rhs]], {}, [])


def tuple_mod(lhs: Any, rhs: Any) -> Value:
    """``cute.tuple_mod``: The remainder, leaf by leaf of congruent tuples."""
    return _value("cute.tuple_mod", [[lhs], [rhs]], {}, [])


def tuple_mul(lhs: Any, rhs: Any) -> Value:
    """``cute.tuple_mul``: The product, leaf by leaf of congruent tuples."""
    return _value("cute.tuple_mul", [[lhs], [rhs]], {}, [])


def tuple_product_each(input: Any) -> Value:
    """``cute.tuple_product_each``: The product of each mode."""
    return _value("cute.tuple_product_each", [[input]], {}, [])


def tuple_product(input: Any) -> Value:
    """``cute.tuple_product``: The product of all leaves."""
    return _value("cute.tuple_product", [[input]], {}, [])


def tuple_sub(lhs: Any, rhs: Any) -> Value:
    """``cute.tuple_sub``: The difference, leaf by leaf; 0 is neutral on the right, and modes that only one has are kept."""
    return _value("cute.tuple_sub", [[lhs], [rhs]], {}, [])


def zipped_divide(input: Any, tiler: Any) -> Value:
    """``cute.zipped_divide``: ((tile..), (rest..))."""
    return _value("cute.zipped_divide", [[input], [tiler]], {}, [])


def zipped_product(lhs: Any, rhs: Any) -> Value:
    """``cute.zipped_product``: ((block..), (repetitions..))."""
    return _value("cute.zipped_product", [[lhs], [rhs]], {}, [])


def nvgpu_arch_sm100_alloc_tmem(columns: Any, where: Any, *, is_two_cta: bool = False) -> None:
    """``cute_nvgpu.arch.sm100.alloc_tmem``: Columns of tensor memory, whose address is written to smem."""
    called("cute_nvgpu.arch.sm100.alloc_tmem", [[columns], [where]], {"is_two_cta": "true" if is_two_cta else None}, [])


def nvgpu_atom_get_value(atom: Any, *, field: str, result: str) -> Value:
    """``cute_nvgpu.atom.get_value``: The value of a field of an atom's run-time state."""
    return _value("cute_nvgpu.atom.get_value", [[atom]], {"field": field}, [result])


def nvgpu_atom_set_value(atom: Any, value: Any, *, field: str) -> Value:
    """``cute_nvgpu.atom.set_value``: The atom, bare or tiled, with another value in a field of its run-time state."""
    return _value("cute_nvgpu.atom.set_value", [[atom], [value]], {"field": field}, [])


def nvgpu_copy_tma_desc(descriptor: Any, where: Any) -> None:
    """``cute_nvgpu.copy_tma_desc``: The 128 bytes of the descriptor, copied to memory."""
    called("cute_nvgpu.copy_tma_desc", [[descriptor], [where]], {}, [])


def nvgpu_arch_sm100_dealloc_tmem(first: Any, columns: Any, *, is_two_cta: bool = False) -> None:
    """``cute_nvgpu.arch.sm100.dealloc_tmem``: Columns of tensor memory, freed."""
    called("cute_nvgpu.arch.sm100.dealloc_tmem", [[first], [columns]], {"is_two_cta": "true" if is_two_cta else None}, [])


def nvgpu_atom_get_copy_s2t_smem_desc_view(atom: Any, source: Any, *, result: str) -> Value:
    """``cute_nvgpu.atom.get_copy_s2t_smem_desc_view``: The descriptors of what a copy of shared to tensor memory reads, for a partition of it."""
    return _value("cute_nvgpu.atom.get_copy_s2t_smem_desc_view", [[atom], [source]], {}, [result])


def nvgpu_arch_get_dyn_smem(*, result: str) -> Value:
    """``cute_nvgpu.arch.get_dyn_smem``: The base of the block's dynamic shared memory."""
    return _value("cute_nvgpu.arch.get_dyn_smem", [], {}, [result])


def nvgpu_arch_get_dyn_smem_size(*, result: str) -> Value:
    """``cute_nvgpu.arch.get_dyn_smem_size``: The bytes of the block's dynamic shared memory, as its launch gives them."""
    return _value("cute_nvgpu.arch.get_dyn_smem_size", [], {}, [result])


def nvgpu_atom_make_exec_tma(descriptor: Any) -> Value:
    """``cute_nvgpu.atom.make_exec_tma``: The atom that copies by a descriptor; its barrier and mask are set later."""
    return _value("cute_nvgpu.atom.make_exec_tma", [[descriptor]], {}, [])


def nvgpu_atom_make_non_exec_tiled_tma_load(
    tensor: Any, memory: Any, values: Any, *, kind: str, num_multicast: int, internal_type: Optional[str] = None, tma_format: Optional[str] = None,
) -> Any:
    """``cute_nvgpu.atom.make_non_exec_tiled_tma_load``: A descriptor to load boxes of a tensor, and the tensor of its coordinates."""
    return called("cute_nvgpu.atom.make_non_exec_tiled_tma_load", [[tensor], [memory], [values]], {"kind": kind, "num_multicast": str(num_multicast), "internal_type": internal_type, "tma_format": tma_format}, [])


def nvgpu_atom_make_non_exec_tiled_tma_reduce(
    tensor: Any, memory: Any, values: Any, *, kind: str, internal_type: Optional[str] = None, tma_format: Optional[str] = None,
) -> Any:
    """``cute_nvgpu.atom.make_non_exec_tiled_tma_reduce``: A descriptor to reduce boxes into a tensor, and the tensor of its coordinates."""
    return called("cute_nvgpu.atom.make_non_exec_tiled_tma_reduce", [[tensor], [memory], [values]], {"kind": kind, "internal_type": internal_type, "tma_format": tma_format}, [])


def nvgpu_atom_make_non_exec_tiled_tma_store(
    tensor: Any, memory: Any, values: Any, *, internal_type: Optional[str] = None, tma_format: Optional[str] = None,
) -> Any:
    """``cute_nvgpu.atom.make_non_exec_tiled_tma_store``: A descriptor to store boxes of a tensor, and the tensor of its coordinates."""
    return called("cute_nvgpu.atom.make_non_exec_tiled_tma_store", [[tensor], [memory], [values]], {"internal_type": internal_type, "tma_format": tma_format}, [])


def nvgpu_atom_make_s2t_copy(atom: Any, tensor: Any) -> Value:
    """``cute_nvgpu.atom.make_s2t_copy``: A copy of shared to tensor memory, which a CTA or a pair of them issues."""
    return _value("cute_nvgpu.atom.make_s2t_copy", [[atom], [tensor]], {}, [])


def nvgpu_atom_make_tmem_copy(atom: Any, tensor: Any) -> Value:
    """``cute_nvgpu.atom.make_tmem_copy``: A copy atom for tensor memory laid over four warps; each warp accesses the same position within its own 32 lanes."""
    return _value("cute_nvgpu.atom.make_tmem_copy", [[atom], [tensor]], {}, [])


def nvgpu_arch_make_warp_uniform(value: Any, *, result: str) -> Value:
    """``cute_nvgpu.arch.make_warp_uniform``: The value of the warp's first lane, for all its lanes."""
    return _value("cute_nvgpu.arch.make_warp_uniform", [[value]], {}, [result])


def nvgpu_prefetch_tma_desc(descriptor: Any) -> None:
    """``cute_nvgpu.prefetch_tma_desc``: The descriptor, prefetched into the cache of descriptors."""
    called("cute_nvgpu.prefetch_tma_desc", [[descriptor]], {}, [])


def nvgpu_arch_sm100_relinquish_tmem_alloc_permit(*, is_two_cta: bool = False) -> None:
    """``cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit``: Gives up the CTA's right to allocate tensor memory."""
    called("cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit", [], {"is_two_cta": "true" if is_two_cta else None}, [])


def nvgpu_arch_sm100_retrieve_tmem_ptr(where: Any, *, result: str) -> Value:
    """``cute_nvgpu.arch.sm100.retrieve_tmem_ptr``: The pointer to tensor memory whose address lies in smem."""
    return _value("cute_nvgpu.arch.sm100.retrieve_tmem_ptr", [[where]], {}, [result])


def nvgpu_atom_tma_partition(atom: Any, cta: Any, ctas: Any, memory: Any, coordinates: Any) -> Any:
    """``cute_nvgpu.atom.tma_partition``: Tiles in smem and their coordinates as views of boxes, ((box,boxes),rest..), which begin at the part that this CTA loads."""
    return called("cute_nvgpu.atom.tma_partition", [[atom], [cta], [ctas], [memory], [coordinates]], {}, [])


def nvgpu_update_tma_desc(descriptor: Any, tensor: Any, where: Any) -> None:
    """``cute_nvgpu.update_tma_desc``: Address, extents and strides of a copy of the descriptor, replaced by those of a tensor."""
    called("cute_nvgpu.update_tma_desc", [[descriptor], [tensor], [where]], {}, [])


def cuda_cast(input: Any, *, result: str) -> Value:
    """``cuda.cast``: Converts a result of the driver to an `i32`, or an `i64` to a stream."""
    return _value("cuda.cast", [[input]], {}, [result])


def cuda_launch_cfg_cluster_dim(cfg: Any, x: Any, y: Any, z: Any) -> None:
    """``cuda.launch_cfg.cluster_dim``: Sets the blocks of a cluster."""
    called("cuda.launch_cfg.cluster_dim", [[cfg], [x], [y], [z]], {}, [])


def cuda_launch_cfg_launch_completion_event(cfg: Any, event: Any, flags: Any) -> None:
    """``cuda.launch_cfg.launch_completion_event``: Sets an event that is recorded when all blocks have begun."""
    called("cuda.launch_cfg.launch_completion_event", [[cfg], [event], [flags]], {}, [])


def cuda_launch_cfg_cooperative(cfg: Any, value: Any) -> None:
    """``cuda.launch_cfg.cooperative``: Sets whether all blocks must be resident at once: 0 or 1."""
    called("cuda.launch_cfg.cooperative", [[cfg], [value]], {}, [])


def cuda_launch_cfg_create(
    block_x: Any, block_y: Any, block_z: Any, dynamic_smem_bytes: Any, grid_x: Any, grid_y: Any, grid_z: Any, stream: Any, *, max_num_attrs: int, cfg: str,
) -> Value:
    """``cuda.launch_cfg.create``: The sizes and the stream of a launch."""
    return _value("cuda.launch_cfg.create", [[block_x], [block_y], [block_z], [dynamic_smem_bytes], [grid_x], [grid_y], [grid_z], [stream]], {"maxNumAttrs": str(max_num_attrs)}, [cfg])


def cuda_launch_cfg_preferred_cluster_dim(cfg: Any, x: Any, y: Any, z: Any) -> None:
    """``cuda.launch_cfg.preferred_cluster_dim``: Sets the blocks of a cluster that the device takes where it can."""
    called("cuda.launch_cfg.preferred_cluster_dim", [[cfg], [x], [y], [z]], {}, [])


def cuda_launch_cfg_programmatic_event(cfg: Any, event: Any, flags: Any, trigger_at_block_start: Any) -> None:
    """``cuda.launch_cfg.programmatic_event``: Sets an event that is recorded when all blocks have let their dependents begin."""
    called("cuda.launch_cfg.programmatic_event", [[cfg], [event], [flags], [trigger_at_block_start]], {}, [])


def cuda_launch_cfg_programmatic_stream_serialization_allowed(cfg: Any, value: Any) -> None:
    """``cuda.launch_cfg.programmatic_stream_serialization_allowed``: Sets whether the kernel may start before the one in front of it in the stream has ended: 0 or 1."""
    called("cuda.launch_cfg.programmatic_stream_serialization_allowed", [[cfg], [value]], {}, [])


def cuda_launch_ex(cfg: Any, args: Operands, *, callee: str, assume_kernel_attr: Optional[str] = None, result: str) -> Value:
    """``cuda.launch_ex``: Launches a kernel."""
    return _value("cuda.launch_ex", [[cfg], args], {"callee": callee, "assume_kernel_attr": assume_kernel_attr}, [result])


def cuda_return_if_error(code: Any) -> None:
    """``cuda.return_if_error``: Returns from the host function with this code unless it is 0."""
    called("cuda.return_if_error", [[code]], {}, [])


def cuda_return() -> None:
    """``cuda.return``: The end of a kernel."""
    called("cuda.return", [], {}, [])


def cuda_tensor_map(
    address: Any, extents: Operands, strides: Operands, *, box_shape: Sequence[int] = (), element: str, swizzle: str, map_: str,
) -> Value:
    """``cuda.tensor_map``: A descriptor by which the TMA moves boxes of a tensor."""
    return _value("cuda.tensor_map", [[address], extents, strides], {"box_shape": ",".join(map(str, box_shape)), "element": element, "swizzle": swizzle}, [map_])
