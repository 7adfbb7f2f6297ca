"""The functions of the algebra, by their names in CuTe. Written by generate.py; do not edit."""

from __future__ import annotations

from ._native import call as _call

__all__ = [
    "add_values", "append", "append_n", "append_to_rank", "append_to_rank_with", "apply", "blocked_product",
    "blocked_product_of_bases", "ceil_div", "coalesce", "coalesce_profile", "coalesce_up_to", "compatible",
    "complement", "complement_in_cosize", "complement_of_bases", "composition", "congruent", "coshape", "cosize",
    "cosize_at", "cover_shape", "crd2crd", "crd2idx", "crd2idx_in_shape", "depth", "dice", "dice_tile", "dice_tuple",
    "domain_distribute", "downcast", "elem_less", "elem_scale", "equivalent", "evenly_divides", "filter",
    "filter_profile", "filter_zeros", "filter_zeros_profile", "flat_divide", "flat_product", "flat_product_of_bases",
    "flatten", "get", "get_1d_coord", "get_flat_coord", "get_hier_coord", "get_layoutA_TV", "get_layoutB_TV",
    "get_layoutC_TV", "get_layoutD_TV", "get_layoutSFA_TV", "get_layoutSFB_TV", "get_layoutS_TV", "group",
    "group_modes", "idx2crd", "increment_coord", "inner_product", "is_compact", "is_contiguous", "is_static", "layout",
    "layoutA_TV", "layoutB_TV", "layoutC_TV", "layoutD_TV", "layoutSFA_TV", "layoutSFB_TV", "layoutS_TV", "layout_eval",
    "left_inverse", "left_inverse_of_bases", "local_partition", "local_partition_projected", "local_tile",
    "local_tile_projected", "logical_divide", "logical_product", "make_composed_layout", "make_cotiled_copy",
    "make_fragment_like", "make_identity_layout", "make_layout", "make_layout_like", "make_layout_right",
    "make_ordered_layout", "make_smem_layout_sfa", "make_smem_layout_sfb", "make_tiled_copy", "make_tiled_copy_A",
    "make_tiled_copy_B", "make_tiled_copy_C", "make_tiled_copy_C_atom", "make_tiled_copy_D", "make_tiled_copy_S",
    "make_tiled_copy_impl", "make_tiled_mma", "make_tmem_layout_sfa", "make_tmem_layout_sfb", "make_tuple",
    "max_alignment", "max_common_layout", "max_common_vector", "nullspace", "offset", "outer", "outer_flat_divide",
    "outer_logical_divide", "outer_partition", "outer_tiled_divide", "outer_zipped_divide", "pad_tuple", "partition_A",
    "partition_B", "partition_C", "partition_D", "partition_S", "partition_SFA", "partition_SFB", "partition_shape_A",
    "partition_shape_B", "partition_shape_C", "partition_shape_SFA", "partition_shape_SFB", "prefix_product", "prepend",
    "prepend_n", "prepend_to_rank", "prepend_to_rank_with", "product", "product_each", "product_of_bases",
    "raked_product", "raked_product_of_bases", "rank", "recast_layout", "replace", "retile", "retile_D", "retile_S",
    "reverse", "right_inverse", "right_inverse_of_bases", "same_image", "select", "sf_atom", "sf_atom_mn", "shape",
    "shape_div", "size", "size_at", "sizes_of_modes", "slice_", "slice_and_offset", "slice_tuple", "sm103_sf_atom",
    "stencil_divide", "stride", "swizzle_apply", "take", "thr_layout_vmnk", "thrfrg_A", "thrfrg_B", "thrfrg_C",
    "thrfrg_SFA", "thrfrg_SFB", "tidfrg_D", "tidfrg_S", "tile_atom_to_shape_SF", "tile_atom_to_shape_SFA",
    "tile_atom_to_shape_SFB", "tile_atom_to_shape_SFD", "tile_atom_to_shape_sf", "tile_atom_to_shape_sfa",
    "tile_atom_to_shape_sfb", "tile_atom_to_shape_sfd", "tile_mnk", "tile_to_shape", "tiled_copy", "tiled_divide",
    "tiled_mma", "tiled_product", "tiled_product_of_bases", "tiles_in", "tuple_add", "tuple_div", "tuple_mod",
    "tuple_mul", "tuple_sub", "unflatten", "upcast", "weakly_compatible", "weakly_congruent", "zipped_divide",
    "zipped_product",
]


def _given(*arguments):
    """The arguments up to the last that is not None, which stands for one that was left out."""
    count = len(arguments)
    while count and arguments[count - 1] is None:
        count -= 1
    return arguments[:count]


def size(layout, mode=None, *more):
    """Number of coordinates: the product of the extents, of the mode at a path if one is given.

    ``size(((2,2),4):((1,4),8))``
    """
    return _call('size', layout, *_given(mode, *more))


size_at = size


def cosize(layout, mode=None, *more):
    """One more than the largest value, of the mode at a path if one is given.

    ``cosize(8:2)``
    """
    return _call('cosize', layout, *_given(mode, *more))


cosize_at = cosize


def coshape(layout):
    """The smallest codomain that holds every value.

    ``coshape((4,3):(1@0,2@1))``
    """
    return _call('coshape', layout)


def product(tuple):
    """Product of all leaves.

    ``product((4,(2,8)))``
    """
    return _call('product', tuple)


def product_each(shape):
    """The size of every top-level mode.

    ``product_each((4,(2,8)))``
    """
    return _call('product_each', shape)


def rank(x):
    """Number of top-level modes.

    ``rank((4,(2,2)))``
    """
    return _call('rank', x)


def depth(x):
    """Levels of nesting.

    ``depth((4,(2,2)))``
    """
    return _call('depth', x)


def ceil_div(a, b):
    """Quotient rounded up, leaf by leaf; an integer divisor folds through the modes; by a tile, how many tiles cover them.

    ``ceil_div((128,130), (40,64))``
    """
    return _call('ceil_div', a, b)


tiles_in = ceil_div


def shape_div(a, b):
    """CuTe's shape division: one of two leaves must divide the other.

    ``shape_div((4,5,6), 40)``
    """
    return _call('shape_div', a, b)


def max_alignment(layout):
    """The largest n by which upcast is possible.

    ``max_alignment((8,4):(16,1))``
    """
    return _call('max_alignment', layout)


def add_values(a, b):
    """Sum of two values of a codomain, mode by mode; 0 is neutral.

    ``add_values((1,(2,3)), (4,0,5))``
    """
    return _call('add_values', a, b)


tuple_add = add_values


def tuple_sub(a, b):
    """Difference, leaf by leaf.

    ``tuple_sub(((5,8),3), ((1,2),1))``
    """
    return _call('tuple_sub', a, b)


def tuple_mul(a, b):
    """Product, leaf by leaf.

    ``tuple_mul((2,(3,4)), (5,(6,7)))``
    """
    return _call('tuple_mul', a, b)


def tuple_div(a, b):
    """Quotient, truncating, leaf by leaf.

    ``tuple_div((7,(9,-7)), (2,(3,2)))``
    """
    return _call('tuple_div', a, b)


def tuple_mod(a, b):
    """Remainder, leaf by leaf.

    ``tuple_mod((7,(9,-7)), (2,(3,2)))``
    """
    return _call('tuple_mod', a, b)


def increment_coord(coord, shape):
    """The next coordinate, first mode fastest.

    ``increment_coord((3,1), (4,8))``
    """
    return _call('increment_coord', coord, shape)


def sizes_of_modes(tuple):
    """The size of every top-level mode, as a flat tuple.

    ``sizes_of_modes((4,(2,8)))``
    """
    return _call('sizes_of_modes', tuple)


def pad_tuple(tuple, rank, element=None, at_end=None):
    """The tuple padded with 1, or an element, up to a rank; in front if at_end is 0.

    ``pad_tuple((4,8), 4)``
    """
    return _call('pad_tuple', tuple, rank, *_given(element, at_end))


def prefix_product(tuple, init=None):
    """At each leaf, the product of init and all leaves before it.

    ``prefix_product((2,(1,3)))``
    """
    return _call('prefix_product', tuple, *_given(init))


def elem_scale(a, b):
    """Each leaf of a times the size of the corresponding part of b.

    ``elem_scale((2,3), ((2,2),5))``
    """
    return _call('elem_scale', a, b)


def inner_product(a, b):
    """The sum of the products, leaf by leaf.

    ``inner_product((1,(2,3)), (4,(5,6)))``
    """
    return _call('inner_product', a, b)


def congruent(a, b):
    """Whether both have the same profile.

    ``congruent((4,(2,2)), (1,(7,3)))``
    """
    return _call('congruent', a, b)


def weakly_congruent(a, b):
    """Whether a is b with some subtrees replaced by leaves.

    ``weakly_congruent((4,8), (1,(7,3)))``
    """
    return _call('weakly_congruent', a, b)


def compatible(a, b):
    """Whether every coordinate of a is one of b, with equal sizes.

    ``compatible((16,8), ((4,4),8))``
    """
    return _call('compatible', a, b)


def evenly_divides(shape, tiler):
    """Whether the tiler divides the shape without rest.

    ``evenly_divides((128,64), (32,16))``
    """
    return _call('evenly_divides', shape, tiler)


def equivalent(a, b):
    """Whether both are the same function of an integer coordinate.

    ``equivalent((2,(4,1)):(1,(2,7)), 8:1)``
    """
    return _call('equivalent', a, b)


def same_image(a, b):
    """Whether both take the same values, however often.

    ``same_image((4,3):(1,0), 4:1)``
    """
    return _call('same_image', a, b)


def weakly_compatible(a, b):
    """Whether each leaf of a divides the size of the corresponding part of b.

    ``weakly_compatible((4,8), ((4,4),8))``
    """
    return _call('weakly_compatible', a, b)


def elem_less(a, b):
    """Whether every element of a is less than its counterpart in b.

    ``elem_less((3,7), (4,8))``
    """
    return _call('elem_less', a, b)


def is_compact(layout):
    """Whether the values are [0, size), each once.

    ``is_compact((4,8):(8,1))``
    """
    return _call('is_compact', layout)


def is_contiguous(layout):
    """Whether the values are an interval.

    ``is_contiguous((4,3):(1,0))``
    """
    return _call('is_contiguous', layout)


def is_static(layout):
    """Whether every extent and stride is known before run time.

    ``is_static((4,?8):(1,4))``
    """
    return _call('is_static', layout)


def crd2idx(coord, layout, stride=None):
    """The value of a layout at a coordinate, or the position of the coordinate in a shape.

    ``crd2idx((1,2), (4,8):(8,1))``
    """
    return _call('crd2idx', coord, layout, *_given(stride))


crd2idx_in_shape = crd2idx


def layout_eval(layout, coord):
    """The value of a layout at a coordinate.

    ``layout_eval((4,8):(8,1), (1,2))``
    """
    return _call('layout_eval', layout, coord)


def idx2crd(index, shape, stride=None):
    """The coordinate of an index in a shape, first mode fastest, or of a value of the layout shape:stride.

    ``idx2crd(6, (4,8))``
    """
    return _call('idx2crd', index, shape, *_given(stride))


def crd2crd(coord, source, target):
    """The coordinate in another shape of the same size.

    ``crd2crd((3,1), (4,2), (2,4))``
    """
    return _call('crd2crd', coord, source, target)


def get_hier_coord(layout, index):
    """The coordinate of a value of a layout, with the profile of its shape.

    ``get_hier_coord(((2,2),4):((1,4),8), 13)``
    """
    return _call('get_hier_coord', layout, index)


def get_flat_coord(layout, index):
    """The coordinate of a value of a layout, one index per mode.

    ``get_flat_coord(((2,2),4):((1,4),8), 13)``
    """
    return _call('get_flat_coord', layout, index)


def get_1d_coord(layout, index):
    """The integer coordinate of a value of a layout.

    ``get_1d_coord((4,8):(8,1), 10)``
    """
    return _call('get_1d_coord', layout, index)


def slice_(coord, layout):
    """The layout of the modes that the coordinate leaves open with _.

    ``slice((2,_), (4,8):(8,1))``
    """
    return _call('slice', coord, layout)


slice_tuple = slice_


def slice_and_offset(coord, layout):
    """The slice, and the offset of the fixed modes.

    ``slice_and_offset((2,_), (4,8):(8,1))``
    """
    return _call('slice_and_offset', coord, layout)


def dice(coord, layout):
    """The modes that the coordinate fixes.

    ``dice((2,_), (4,8):(8,1))``
    """
    return _call('dice', coord, layout)


dice_tuple = dice


dice_tile = dice


def apply(swizzle, offset):
    """The offset with one field of bits XORed into another.

    ``apply(S<3,4,3>, 128)``
    """
    return _call('apply', swizzle, offset)


swizzle_apply = apply


def layout(x):
    """The layout of a slice or a tile; the compact layout of a shape.

    ``layout(slice_and_offset((2,_), (4,8):(8,1)))``
    """
    return _call('layout', x)


def offset(x):
    """The offset of a slice or a tile, or of a composed layout.

    ``offset(slice_and_offset((2,_), (4,8):(8,1)))``
    """
    return _call('offset', x)


def outer(layout):
    """The layout that defines the domain: the outer layout of a composed one.

    ``outer(S<3,4,3> o 0 o (8,64):(64,1))``
    """
    return _call('outer', layout)


def shape(layout):
    """The shape.

    ``shape((4,8):(8,1))``
    """
    return _call('shape', layout)


def stride(layout):
    """The stride.

    ``stride((4,8):(8,1))``
    """
    return _call('stride', layout)


def get(layout, mode=None, *more):
    """The mode at a path, outermost index first.

    ``get(((2,2),4):((1,4),8), 0, 1)``
    """
    return _call('get', layout, *_given(mode, *more))


def make_tuple(mode=None, *more):
    """The arguments as modes of one tuple or layout.

    ``make_tuple(2, (3,4))``
    """
    return _call('make_tuple', *_given(mode, *more))


def group(layout, begin, end):
    """Modes [begin, end) wrapped into one.

    ``group((4,5,6):(1,4,20), 0, 2)``
    """
    return _call('group', layout, begin, end)


group_modes = group


def flatten(layout):
    """All leaves as modes of one flat layout.

    ``flatten((4,(2,2)):(4,(1,2)))``
    """
    return _call('flatten', layout)


def unflatten(layout, profile):
    """The leaves regrouped by a profile.

    ``unflatten((4,2,2):(4,1,2), (0,(0,0)))``
    """
    return _call('unflatten', layout, profile)


def select(layout, mode=None, *more):
    """The modes at the given indices, in that order.

    ``select((4,5,6):(1,4,20), 2, 0)``
    """
    return _call('select', layout, *_given(mode, *more))


def take(layout, begin, end):
    """Modes [begin, end).

    ``take((4,5,6):(1,4,20), 1, 3)``
    """
    return _call('take', layout, begin, end)


def reverse(layout):
    """The top-level modes in reverse.

    ``reverse((4,8):(8,1))``
    """
    return _call('reverse', layout)


def replace(layout, index, mode):
    """The layout with one mode replaced.

    ``replace((4,5):(1,4), 1, 2:8)``
    """
    return _call('replace', layout, index, mode)


def append(layout, mode):
    """The layout with one more mode at the end.

    ``append(4:1, 8:4)``
    """
    return _call('append', layout, mode)


def prepend(layout, mode):
    """The layout with one more mode in front.

    ``prepend(4:1, 8:4)``
    """
    return _call('prepend', layout, mode)


def append_to_rank(layout, rank, mode=None):
    """The layout padded at the end with 1:0, or with the given mode, up to a rank.

    ``append_to_rank(8:2, 3)``
    """
    return _call('append_to_rank', layout, rank, *_given(mode))


append_to_rank_with = append_to_rank


append_n = append_to_rank


def prepend_to_rank(layout, rank, mode=None):
    """The layout padded in front with 1:0, or with the given mode, up to a rank.

    ``prepend_to_rank(8:2, 3)``
    """
    return _call('prepend_to_rank', layout, rank, *_given(mode))


prepend_to_rank_with = prepend_to_rank


prepend_n = prepend_to_rank


def make_layout(shape, stride=None, *more):
    """Shape:stride, compact column-major without a stride; for layouts, or a tuple of them, the layout with these modes.

    ``make_layout((4,1,2))``
    """
    return _call('make_layout', shape, *_given(stride, *more))


def make_layout_right(shape):
    """The compact row-major layout.

    ``make_layout_right((4,1,2))``
    """
    return _call('make_layout_right', shape)


def make_ordered_layout(shape, order):
    """The compact layout whose modes are filled in the given order, smallest first.

    ``make_ordered_layout((2,3,4), (2,0,1))``
    """
    return _call('make_ordered_layout', shape, order)


def make_layout_like(layout):
    """The compact layout of the same shape, modes in the order of the strides.

    ``make_layout_like((4,8,2):(128,2,0))``
    """
    return _call('make_layout_like', layout)


def make_fragment_like(layout):
    """The compact layout for a register fragment: mode 0 column-major, the others in order of stride.

    ``make_fragment_like((4,4,4):(3,16,4))``
    """
    return _call('make_fragment_like', layout)


def make_identity_layout(shape):
    """The layout that maps every coordinate to itself.

    ``make_identity_layout((4,(2,3)))``
    """
    return _call('make_identity_layout', shape)


def domain_distribute(shape, count):
    """A layout of about count elements spread over the shape, first mode first.

    ``domain_distribute((15,14), 6)``
    """
    return _call('domain_distribute', shape, count)


def coalesce(layout, target_profile=None):
    """The flattest layout that is the same function; at the leaves of a profile.

    ``coalesce((2,(1,6)):(1,(6,2)))``
    """
    return _call('coalesce', layout, *_given(target_profile))


coalesce_profile = coalesce


def coalesce_up_to(layout, most):
    """Coalesce from the first mode on, into modes of at most that many elements, as in a box of the TMA.

    ``coalesce_up_to((16,16,2):(1,16,256), 256)``
    """
    return _call('coalesce_up_to', layout, most)


def filter(layout, target_profile=None):
    """Without stride-0 modes and extents 1: coalesce(filter_zeros(layout)).

    ``filter((4,3):(1,0))``
    """
    return _call('filter', layout, *_given(target_profile))


filter_profile = filter


def filter_zeros(layout, target_profile=None):
    """With extent 1 wherever the stride, or the profile, is 0.

    ``filter_zeros((4,(3,2)):(1,(0,4)))``
    """
    return _call('filter_zeros', layout, *_given(target_profile))


filter_zeros_profile = filter_zeros


def composition(a, b):
    """A o b, the layout with (a o b)(c) = a(b(c)); a shape or tile composes mode by mode.

    ``composition((20):(2), (5,4):(4,1))``
    """
    return _call('composition', a, b)


def make_composed_layout(inner, offset, outer):
    """Inner o offset o outer, the layout whose value at c is inner(offset + outer(c)).

    ``make_composed_layout(S<3,4,3>, 0, (8,64):(64,1))``
    """
    return _call('make_composed_layout', inner, offset, outer)


def complement(layout, cotarget=None):
    """The ordered layout that fills what another leaves free, in [0, size(cotarget)).

    ``complement(4:32, 256)``
    """
    return _call('complement', layout, *_given(cotarget))


complement_in_cosize = complement


def right_inverse(layout):
    """A layout r with layout(r(i)) = i, as large as the strides allow.

    ``right_inverse((4,8):(8,1))``
    """
    return _call('right_inverse', layout)


def left_inverse(layout):
    """The quasi-inverse q with layout(q(layout(i))) = layout(i): where the layout is injective, q(layout(i)) = i; of modes with equal strides all but one are lost, which the strict domain reports.

    ``left_inverse((4,8):(8,1))``
    """
    return _call('left_inverse', layout)


def max_common_vector(a, b):
    """The number of elements that lie contiguously and in the same order in both.

    ``max_common_vector((4,8):(1,4), (4,8):(1,16))``
    """
    return _call('max_common_vector', a, b)


def max_common_layout(a, b):
    """The layout of the elements that lie contiguously and in the same order in both.

    ``max_common_layout((4,8):(1,4), (4,8):(1,16))``
    """
    return _call('max_common_layout', a, b)


def nullspace(layout):
    """The domain on which a layout is 0: its stride-0 modes.

    ``nullspace((2,4,4,4):(0,2,0,8))``
    """
    return _call('nullspace', layout)


def right_inverse_of_bases(layout):
    """The layout r on the codomain with layout(r(c)) = c.

    ``right_inverse_of_bases((4,3):(1@1,1@0))``
    """
    return _call('right_inverse_of_bases', layout)


def left_inverse_of_bases(layout):
    """The layout l on the codomain with l(layout(i)) = i.

    ``left_inverse_of_bases((4,3):(1@1,1@0))``
    """
    return _call('left_inverse_of_bases', layout)


def complement_of_bases(layout):
    """The part of the reached box that a layout leaves free.

    ``complement_of_bases((4,3):(2@0,1@1))``
    """
    return _call('complement_of_bases', layout)


def product_of_bases(block, tiler):
    """A layout of coordinates repeated: (block, repetitions).

    ``product_of_bases((4,3):(1@0,1@1), (2,5):(1,2))``
    """
    return _call('product_of_bases', block, tiler)


def tiled_product_of_bases(block, tiler):
    """The repetitions as modes of their own.

    ``tiled_product_of_bases((4,3):(1@0,1@1), (2,5):(1,2))``
    """
    return _call('tiled_product_of_bases', block, tiler)


def flat_product_of_bases(block, tiler):
    """Blocks and repetitions as modes of their own.

    ``flat_product_of_bases((4,3):(1@0,1@1), (2,5):(1,2))``
    """
    return _call('flat_product_of_bases', block, tiler)


def blocked_product_of_bases(block, tiler):
    """Mode i is (block_i, repetition_i).

    ``blocked_product_of_bases((4,3):(1@0,1@1), (2,5):(1,2))``
    """
    return _call('blocked_product_of_bases', block, tiler)


def raked_product_of_bases(block, tiler):
    """Mode i is (repetition_i, block_i).

    ``raked_product_of_bases((4,3):(1@0,1@1), (2,5):(1,2))``
    """
    return _call('raked_product_of_bases', block, tiler)


def logical_divide(layout, tiler):
    """Every tiled mode split into (tile, rest).

    ``logical_divide((16,8):(8,1), (4,2))``
    """
    return _call('logical_divide', layout, tiler)


def zipped_divide(layout, tiler):
    """The tiles and the rests gathered: ((tile,...),(rest,...)).

    ``zipped_divide((16,8):(8,1), (4,2))``
    """
    return _call('zipped_divide', layout, tiler)


def tiled_divide(layout, tiler):
    """The tiles gathered: ((tile,...),rest,...).

    ``tiled_divide((16,8):(8,1), (4,2))``
    """
    return _call('tiled_divide', layout, tiler)


def flat_divide(layout, tiler):
    """Nothing gathered: (tile,...,rest,...).

    ``flat_divide((16,8):(8,1), (4,2))``
    """
    return _call('flat_divide', layout, tiler)


def outer_logical_divide(layout, tiler):
    """Logical_divide from the last mode: reverse(logical_divide(reverse(a), reverse(t))).

    ``outer_logical_divide((16,8):(8,1), [2])``
    """
    return _call('outer_logical_divide', layout, tiler)


def outer_zipped_divide(layout, tiler):
    """Zipped_divide from the last mode: the rests in mode 0, the tiles in mode 1.

    ``outer_zipped_divide((16,8):(8,1), [2])``
    """
    return _call('outer_zipped_divide', layout, tiler)


def outer_tiled_divide(layout, tiler):
    """Tiled_divide from the last mode: the tiles in the last mode.

    ``outer_tiled_divide((16,8):(8,1), [2])``
    """
    return _call('outer_tiled_divide', layout, tiler)


def outer_flat_divide(layout, tiler):
    """Flat_divide from the last mode: the rests, then the tiles.

    ``outer_flat_divide((16,8):(8,1), [2])``
    """
    return _call('outer_flat_divide', layout, tiler)


def stencil_divide(layout, window, step=None, dilation=None):
    """Overlapping windows: each mode as (window, positions); _ leaves a mode whole.

    ``stencil_divide(8:1, 3)``
    """
    return _call('stencil_divide', layout, window, *_given(step, dilation))


def logical_product(layout, tiler):
    """A layout repeated: (layout, where the copies lie).

    ``logical_product((2,2):(1,2), 6:1)``
    """
    return _call('logical_product', layout, tiler)


def zipped_product(layout, tiler):
    """The blocks and the repetitions gathered.

    ``zipped_product((2,2):(1,2), [3:1;4:1])``
    """
    return _call('zipped_product', layout, tiler)


def tiled_product(layout, tiler):
    """The repetitions as modes of their own.

    ``tiled_product((2,2):(1,2), [3:1;4:1])``
    """
    return _call('tiled_product', layout, tiler)


def flat_product(layout, tiler):
    """Blocks and repetitions as modes of their own.

    ``flat_product((2,2):(1,2), [3:1;4:1])``
    """
    return _call('flat_product', layout, tiler)


def blocked_product(block, tiler):
    """Every element of the tiler replaced by a block: mode i is (block_i, tiler_i).

    ``blocked_product((2,5):(5,1), (3,4):(1,3))``
    """
    return _call('blocked_product', block, tiler)


def raked_product(block, tiler):
    """Blocks interleaved over the tiler: mode i is (tiler_i, block_i).

    ``raked_product((2,5):(5,1), (3,4):(1,3))``
    """
    return _call('raked_product', block, tiler)


def tile_to_shape(block, target, order=None):
    """The block repeated until it has the target's shape.

    ``tile_to_shape((8,4):(4,1), (16,16))``
    """
    return _call('tile_to_shape', block, target, *_given(order))


def cover_shape(block, target, order=None):
    """Tile_to_shape for blocks that need not divide the target: rounded up in every mode.

    ``cover_shape((3,3):(1,3), (5,8))``
    """
    return _call('cover_shape', block, target, *_given(order))


def local_tile(layout, tiler, coord, projection=None):
    """One tile of a layout; _ in the projection drops a mode of tiler and coordinate.

    ``local_tile((64,32):(32,1), (16,8), (1,2))``
    """
    return _call('local_tile', layout, tiler, coord, *_given(projection))


local_tile_projected = local_tile


def outer_partition(layout, tiler, coord):
    """The elements at one coordinate of every tile.

    ``outer_partition((64,32):(32,1), (16,8), (1,2))``
    """
    return _call('outer_partition', layout, tiler, coord)


def local_partition(layout, threads, index, projection=None):
    """The elements of one thread of a thread layout; _ in the projection drops a mode of it.

    ``local_partition((64,32):(32,1), (16,8):(8,1), 10)``
    """
    return _call('local_partition', layout, threads, index, *_given(projection))


local_partition_projected = local_partition


def upcast(layout, n):
    """The layout for elements n times as wide.

    ``upcast((16,8):(8,1), 4)``
    """
    return _call('upcast', layout, n)


def downcast(layout, n):
    """The layout for elements n times as narrow.

    ``downcast((16,8):(8,1), 4)``
    """
    return _call('downcast', layout, n)


def recast_layout(layout, old_bits, new_bits):
    """The layout in elements of new_bits of a layout in elements of old_bits; CuTe DSL's order (new_bits, old_bits, layout) is taken too.

    ``recast_layout((16,8):(8,1), 16, 32)``
    """
    return _call('recast_layout', layout, old_bits, new_bits)


def tiled_mma(atom, atom_layout=None, permutation=None):
    """An MMA atom at each place of a layout (m,n,k), on tiles of M, N and K that are permuted first.

    ``tiled_mma(UniversalFMA<f32,f32,f32,f32>, (16,16,1):(16,1,0), [(16,4):(4,1);(16,4):(4,1);_])``
    """
    return _call('tiled_mma', atom, *_given(atom_layout, permutation))


make_tiled_mma = tiled_mma


def thr_layout_vmnk(mma):
    """(thread within the atom, m, n, k) to the index of a thread.

    ``thr_layout_vmnk(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)))``
    """
    return _call('thr_layout_vmnk', mma)


def tile_mnk(mma):
    """The extents of M, N and K that all threads process at once.

    ``tile_mnk(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)))``
    """
    return _call('tile_mnk', mma)


def layoutA_TV(mma):
    """(thread, value) to the index in the tile of A.

    ``layoutA_TV(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)))``
    """
    return _call('layoutA_TV', mma)


get_layoutA_TV = layoutA_TV


def layoutB_TV(mma):
    """(thread, value) to the index in the tile of B.

    ``layoutB_TV(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)))``
    """
    return _call('layoutB_TV', mma)


get_layoutB_TV = layoutB_TV


def layoutC_TV(mma):
    """(thread, value) to the index in the tile of C.

    ``layoutC_TV(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)))``
    """
    return _call('layoutC_TV', mma)


get_layoutC_TV = layoutC_TV


def thrfrg_A(mma, tensor):
    """A tensor (M,K,..) as ((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK,..))).

    ``thrfrg_A(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), (64,32):(32,1))``
    """
    return _call('thrfrg_A', mma, tensor)


def thrfrg_B(mma, tensor):
    """A tensor (N,K,..) as ((ThrV,(ThrN,ThrK)),(FrgV,(RestN,RestK,..))).

    ``thrfrg_B(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), (64,32):(32,1))``
    """
    return _call('thrfrg_B', mma, tensor)


def thrfrg_C(mma, tensor):
    """A tensor (M,N,..) as ((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN,..))).

    ``thrfrg_C(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), (64,64):(64,1))``
    """
    return _call('thrfrg_C', mma, tensor)


def partition_A(mma, tensor, thread):
    """A thread's part of a tensor (M,K,..): the atom's values, then the tiles.

    ``partition_A(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), (64,32):(32,1), 5)``
    """
    return _call('partition_A', mma, tensor, thread)


def partition_B(mma, tensor, thread):
    """A thread's part of a tensor (N,K,..): the atom's values, then the tiles.

    ``partition_B(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), (64,32):(32,1), 5)``
    """
    return _call('partition_B', mma, tensor, thread)


def partition_C(mma, tensor, thread):
    """A thread's part of a tensor (M,N,..): the atom's values, then the tiles.

    ``partition_C(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), (64,64):(64,1), 5)``
    """
    return _call('partition_C', mma, tensor, thread)


def partition_shape_A(mma, shape):
    """The shape of a thread's part of a tensor (M,K,..).

    ``partition_shape_A(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), (64,64))``
    """
    return _call('partition_shape_A', mma, shape)


def partition_shape_B(mma, shape):
    """The shape of a thread's part of a tensor (N,K,..).

    ``partition_shape_B(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), (64,64))``
    """
    return _call('partition_shape_B', mma, shape)


def partition_shape_C(mma, shape):
    """The shape of a thread's part of a tensor (M,N,..).

    ``partition_shape_C(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), (64,64))``
    """
    return _call('partition_shape_C', mma, shape)


def tiled_copy(atom, value_bits, layout_tv, tiler):
    """A copy atom on a layout from (thread, value) to the column-major index in a tile.

    ``tiled_copy(UniversalCopy<uint128_t>, 16, ((4,32),8):((256,1),32), (32,32))``
    """
    return _call('tiled_copy', atom, value_bits, layout_tv, tiler)


make_tiled_copy_impl = tiled_copy


def make_tiled_copy(atom, value_bits, thr_layout, val_layout=None):
    """Threads laid out as thr_layout, each with neighbouring values laid out as val_layout.

    ``make_tiled_copy(UniversalCopy<uint128_t>, 16, (32,4):(4,1), (1,8))``
    """
    return _call('make_tiled_copy', atom, value_bits, thr_layout, *_given(val_layout))


def make_cotiled_copy(atom, value_bits, atom_tv, data):
    """Threads and values as offsets into data: the tile is what they reach.

    ``make_cotiled_copy(UniversalCopy<uint32_t>, 16, (32,2):(2,1), (128,32):(1,128))``
    """
    return _call('make_cotiled_copy', atom, value_bits, atom_tv, data)


def make_tiled_copy_A(atom, value_bits, mma):
    """The tiled copy of the parts of the matrix that a tiled MMA's threads hold.

    ``make_tiled_copy_A(SM75_U32x2_LDSM_N, 16, tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), [32;32;16]))``
    """
    return _call('make_tiled_copy_A', atom, value_bits, mma)


def make_tiled_copy_B(atom, value_bits, mma):
    """The tiled copy of the parts of the matrix that a tiled MMA's threads hold.

    ``make_tiled_copy_B(SM75_U32x2_LDSM_N, 16, tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), [32;32;16]))``
    """
    return _call('make_tiled_copy_B', atom, value_bits, mma)


def make_tiled_copy_C(atom, value_bits, mma):
    """The tiled copy of the parts of the matrix that a tiled MMA's threads hold.

    ``make_tiled_copy_C(SM75_U32x2_LDSM_N, 16, tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), [32;32;16]))``
    """
    return _call('make_tiled_copy_C', atom, value_bits, mma)


def make_tiled_copy_C_atom(atom, value_bits, mma):
    """The smallest copy of C with the first values of each thread, as many as the atom takes.

    ``make_tiled_copy_C_atom(SM90_U32x2_STSM_N, 16, tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), [32;32;16]))``
    """
    return _call('make_tiled_copy_C_atom', atom, value_bits, mma)


def make_tiled_copy_S(atom, value_bits, other):
    """Another atom on the thread-value layout of the source of a copy.

    ``make_tiled_copy_S(UniversalCopy<uint16_t>, 16, make_tiled_copy(UniversalCopy<uint128_t>, 16, (32,4):(4,1), (1,8)))``
    """
    return _call('make_tiled_copy_S', atom, value_bits, other)


def make_tiled_copy_D(atom, value_bits, other):
    """Another atom on the thread-value layout of the destination of a copy.

    ``make_tiled_copy_D(UniversalCopy<uint16_t>, 16, make_tiled_copy(UniversalCopy<uint128_t>, 16, (32,4):(4,1), (1,8)))``
    """
    return _call('make_tiled_copy_D', atom, value_bits, other)


def layoutS_TV(copy):
    """(thread, value) of this side to the index in the tile.

    ``layoutS_TV(make_tiled_copy(UniversalCopy<uint128_t>, 16, (32,4):(4,1), (1,8)))``
    """
    return _call('layoutS_TV', copy)


get_layoutS_TV = layoutS_TV


def layoutD_TV(copy):
    """(thread, value) of this side to the index in the tile.

    ``layoutD_TV(make_tiled_copy(UniversalCopy<uint128_t>, 16, (32,4):(4,1), (1,8)))``
    """
    return _call('layoutD_TV', copy)


get_layoutD_TV = layoutD_TV


def tidfrg_S(copy, tensor):
    """A tensor (M,N,..) as (Thr,(FrgV,FrgX),(RestM,RestN,..)).

    ``tidfrg_S(make_tiled_copy(UniversalCopy<uint128_t>, 16, (32,4):(4,1), (1,8)), (64,64):(64,1))``
    """
    return _call('tidfrg_S', copy, tensor)


def tidfrg_D(copy, tensor):
    """A tensor (M,N,..) as (Thr,(FrgV,FrgX),(RestM,RestN,..)).

    ``tidfrg_D(make_tiled_copy(UniversalCopy<uint128_t>, 16, (32,4):(4,1), (1,8)), (64,64):(64,1))``
    """
    return _call('tidfrg_D', copy, tensor)


def partition_S(copy, tensor, thread):
    """A thread's part of a tensor (M,N,..): ((FrgV,FrgX),RestM,RestN,..).

    ``partition_S(make_tiled_copy(UniversalCopy<uint128_t>, 16, (32,4):(4,1), (1,8)), (64,64):(64,1), 5)``
    """
    return _call('partition_S', copy, tensor, thread)


def partition_D(copy, tensor, thread):
    """A thread's part of a tensor (M,N,..): ((FrgV,FrgX),RestM,RestN,..).

    ``partition_D(make_tiled_copy(UniversalCopy<uint128_t>, 16, (32,4):(4,1), (1,8)), (64,64):(64,1), 5)``
    """
    return _call('partition_D', copy, tensor, thread)


def retile(copy, fragment):
    """A fragment (V,rests...) of another tiling of the tile, in the order in which the copy takes it.

    ``retile(make_tiled_copy_A(SM75_U32x4_LDSM_N, 16, tiled_mma(SM80_16x8x16_F32F16F16F32_TN)), (8,2,2))``
    """
    return _call('retile', copy, fragment)


retile_S = retile


retile_D = retile


def sf_atom(vector):
    """The block of 128 rows of four factors, over rows and K; each factor is for vector elements.

    ``sf_atom(16)``
    """
    return _call('sf_atom', vector)


def sf_atom_mn(vector):
    """Sf_atom over K and rows, for factors along M or N.

    ``sf_atom_mn(32)``
    """
    return _call('sf_atom_mn', vector)


def sm103_sf_atom(vector):
    """The block of factors for MMAs with K = 96.

    ``sm103_sf_atom(16)``
    """
    return _call('sm103_sf_atom', vector)


def tile_atom_to_shape_sf(shape, vector):
    """The factors of a matrix (rows,K) or (rows,K,L) in global memory.

    ``tile_atom_to_shape_sf((256,512,2), 16)``
    """
    return _call('tile_atom_to_shape_sf', shape, vector)


tile_atom_to_shape_SF = tile_atom_to_shape_sf


def tile_atom_to_shape_sfa(problem, vector):
    """The factors of A for a problem (M,N,K) or (M,N,K,L).

    ``tile_atom_to_shape_sfa((256,128,512,2), 16)``
    """
    return _call('tile_atom_to_shape_sfa', problem, vector)


tile_atom_to_shape_SFA = tile_atom_to_shape_sfa


def tile_atom_to_shape_sfb(problem, vector):
    """The factors of B for a problem (M,N,K) or (M,N,K,L).

    ``tile_atom_to_shape_sfb((256,128,512,2), 16)``
    """
    return _call('tile_atom_to_shape_sfb', problem, vector)


tile_atom_to_shape_SFB = tile_atom_to_shape_sfb


def tile_atom_to_shape_sfd(problem, vector):
    """The factors along N that an epilogue makes of D for a problem (M,N,K,L).

    ``tile_atom_to_shape_sfd((256,128,512,2), 16)``
    """
    return _call('tile_atom_to_shape_sfd', problem, vector)


tile_atom_to_shape_SFD = tile_atom_to_shape_sfd


def make_smem_layout_sfa(atom, tile):
    """The factors of A in shared memory, in bytes, for the tile (M,N,K) of a CTA or a pair.

    ``make_smem_layout_sfa(SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue8m0,128,256,32>, (128,256,256))``
    """
    return _call('make_smem_layout_sfa', atom, tile)


def make_smem_layout_sfb(atom, tile):
    """The factors of B in shared memory, in bytes, for the tile (M,N,K) of a CTA or a pair.

    ``make_smem_layout_sfb(SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue8m0,128,256,32>, (128,256,256))``
    """
    return _call('make_smem_layout_sfb', atom, tile)


def make_tmem_layout_sfa(atom, tile):
    """The factors of A in tensor memory, in bytes, four per column; a lane is 262144.

    ``make_tmem_layout_sfa(SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue8m0,128,256,32>, (128,256,256))``
    """
    return _call('make_tmem_layout_sfa', atom, tile)


def make_tmem_layout_sfb(atom, tile):
    """The factors of B in tensor memory, in bytes, four per column; a lane is 262144.

    ``make_tmem_layout_sfb(SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue8m0,128,256,32>, (128,256,256))``
    """
    return _call('make_tmem_layout_sfb', atom, tile)


def layoutSFA_TV(mma):
    """(thread, element) to the index in the tile (M,K) whose factors the thread has.

    ``layoutSFA_TV(tiled_mma(SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>, (2,2,1)))``
    """
    return _call('layoutSFA_TV', mma)


get_layoutSFA_TV = layoutSFA_TV


def layoutSFB_TV(mma):
    """(thread, element) to the index in the tile (N,K) whose factors the thread has.

    ``layoutSFB_TV(tiled_mma(SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>, (2,2,1)))``
    """
    return _call('layoutSFB_TV', mma)


get_layoutSFB_TV = layoutSFB_TV


def thrfrg_SFA(mma, tensor):
    """The factors (M,K) of A as ((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK,..))).

    ``thrfrg_SFA(tiled_mma(SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>, (2,2,1)), sf_atom(16))``
    """
    return _call('thrfrg_SFA', mma, tensor)


def thrfrg_SFB(mma, tensor):
    """The factors (N,K) of B as ((ThrV,(ThrN,ThrK)),(FrgV,(RestN,RestK,..))).

    ``thrfrg_SFB(tiled_mma(SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>, (2,2,1)), sf_atom(16))``
    """
    return _call('thrfrg_SFB', mma, tensor)


def partition_SFA(mma, tensor, thread):
    """A thread's part of the factors (M,K) of A.

    ``partition_SFA(tiled_mma(SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>, (2,2,1)), sf_atom(16), 5)``
    """
    return _call('partition_SFA', mma, tensor, thread)


def partition_SFB(mma, tensor, thread):
    """A thread's part of the factors (N,K) of B.

    ``partition_SFB(tiled_mma(SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>, (2,2,1)), sf_atom(16), 5)``
    """
    return _call('partition_SFB', mma, tensor, thread)


def partition_shape_SFA(mma, shape):
    """The shape of a thread's part of the factors (M,K) of A.

    ``partition_shape_SFA(tiled_mma(SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>, (2,2,1)), (64,64))``
    """
    return _call('partition_shape_SFA', mma, shape)


def partition_shape_SFB(mma, shape):
    """The shape of a thread's part of the factors (N,K) of B.

    ``partition_shape_SFB(tiled_mma(SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>, (2,2,1)), (64,64))``
    """
    return _call('partition_shape_SFB', mma, shape)
