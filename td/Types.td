// Types of the `cute` dialect. Bodies are parsed and printed in Rust: crates/cute-dialect/src/types.

#ifndef CUTE_TYPES
#define CUTE_TYPES

include "Attributes.td"

// Parts of bodies, and rules of several types.
defvar Leaves = [Field<"128, -1", "a static integer, which exists in the type only">, Field<"?", "an `i32` that is known at run time">,
                 Field<"?{i64}", "an `i64` that is known at run time">,
                 Field<"?{div=8}", "a multiple of 8; of 64 bits, `?{i64 div=8}`">,
                 Field<"(a,b)", "a tuple; `(8)` is a tuple of one mode, `8` is an integer">];
defvar PointerParts = [
    Field<"elem", "the type of the elements: `f16`, `bf16`, `f32`, `tf32`, `f8E4M3FN`, `f4E2M1FN`, `i8`, `i1` and so on">,
    Field<"space", "`gmem` (global), `smem` (shared), `rmem` (registers), `tmem` (tensor memory) or `generic`">,
    Field<"align<N>", "the alignment in bytes, if it is not that of one element">,
    Field<"S<b,m,s>", "a swizzle of byte addresses, which every access through the pointer applies">
  ];
defvar IsSwizzle = Rule<"fields-those-swizzle", "the fields are those of a swizzle", "S<3,4,2> is not a valid swizzle: bits >= 0, base >= 0, |shift| >= bits and base + |shift| + bits <= 32 are required",
         "write, for example, `S<3,4,3>` for rows of 128 bytes">;
defvar HasSpace = Rule<"space-name", "the space has a name", "expected a memory space: gmem, smem, rmem, tmem or generic",
         "write one of the five">;
defvar IsAligned = Rule<"alignment-power-two", "the alignment is a power of two", "alignment must be a positive power of two, in bytes",
         "write 16 for 128-bit accesses">;
defvar HasDivisor = [
    Rule<"divisor-positive", "the divisor is positive", "expected a positive divisor",
         "write 1 or more">,
    Rule<"body-divby-n", "the body is `divby N`", "expected divby and a divisor, such as divby 8",
         "write `divby 8`">
  ];

def Cute_IntTuple : Cute_Type<"IntTuple", "int_tuple"> {
  let description = [{An integer, or a tuple of integers and tuples.}];
  let example = [{<"(4,(?,8))">}];
  let fields = Leaves;
  let rules = [
    Rule<"leaf-integer-question-mark", "a leaf is an integer or `?`", "expected an integer, `?` or `(`, found ..",
         "write `_` in coordinates only, and `@` in strides only">,
    Rule<"brackets-commas-match", "brackets and commas match", "expected `,` or `)`, found ..",
         "correct the text at the column that the message names">,
    Rule<"divisor-positive", "a divisor is positive", "expected a positive divisor, found `0`",
         "write `?` for an unknown divisor">,
    Rule<"width-i32-i64", "a width is `i32` or `i64`", "expected `i64`, `i32` or `div=`, found `i16`",
         "write `?` for 32 bits and `?{i64}` for 64">
  ];
}
def Cute_Shape : Cute_Type<"Shape", "shape"> {
  let description = [{Extents, in the brackets of their modes.}];
  let example = [{<"(128,(?,8))">}];
  let fields = Leaves;
  let rules = [
    Rule<"extents-not-negative", "extents are not negative", "expected a non-negative extent, found `-8`",
         "write strides in a `!cute.stride`">,
    Rule<"text-tuple-alone", "the text is a tuple alone", "expected the end, found `:`",
         "write shape and stride together in a `!cute.layout`">
  ];
}
def Cute_Stride : Cute_Type<"Stride", "stride"> {
  let description = [{Strides, one per extent of a shape in the same brackets. All are integers, or all step along modes or named axes.}];
  let example = [{<"(1,?{i64 div=8})">}];
  let fields = Leaves # [
    Field<"1@0", "one step along mode 0 of a coordinate">,
    Field<"2@1@0", "two steps along mode 1 of mode 0: the last number is the outermost mode">,
    Field<"1/2@0", "half a step, after a recast to wider elements">,
    Field<"4@laneid", "four steps along a named axis; see [Placements](placements.md)">
  ];
  let rules = [
    Rule<"ratio-along-mode", "a ratio is along a mode", "stride: 1/2 is not an integer, and a ratio needs a basis, such as 1/2@0",
         "write whole strides for memory">,
    Rule<"basis-ends-mode-axis", "a basis ends in a mode or an axis", "expected a mode, or the name of an axis, found `)`",
         "write a number or a name after `@`">,
    Rule<"strides-sum", "the strides have a sum", "1@0 and 1@1@0 cannot be added: a nonzero integer and a tuple have no sum",
         "step along leaves of one structure">
  ];
}
def Cute_Coord : Cute_Type<"Coord", "coord"> {
  let description = [{A coordinate: one index per mode, or `_` for a mode that stays open. One integer for a tuple of modes counts all its elements, first
    mode fastest.}];
  let example = [{<"(_,?)">}];
  let fields = Leaves # [Field<"_", "the mode stays open">];
  let rules = [
    Rule<"leaf-integer-question-mark-underscore", "a leaf is an integer, `?` or `_`", "expected an integer, `?` or `(`, found `x`",
         "correct the text at the column that the message names">
  ];
}
def Cute_Layout : Cute_Type<"Layout", "layout"> {
  let description = [{A function from coordinates to indices, `SHAPE:STRIDE`: the sum of index times stride over all modes. See [Layouts](layouts.md).}];
  let example = [{<"(4,(2,8)):(16,(1,2))">}];
  let fields = Leaves # [
    Field<"SHAPE", "positive extents">, Field<"STRIDE", "strides in the same brackets, integers or along modes">
  ];
  let rules = [
    Rule<"shape-stride-same-structure", "shape and stride have the same structure", "shape and stride: (4,8) and (1) are not congruent",
         "write one stride per extent, in the same brackets">,
    Rule<"extents-positive", "extents are positive", "mode 1 of the shape: extent 0 is not positive",
         "skip the work of an empty tensor">,
    Rule<"contents-written-not-rank", "the contents are written, and not a rank", "a rank such as 3 is not a complete type: write its contents in quotes",
         "write shape and stride">
  ];
}
def Cute_Tile : Cute_Type<"Tile", "tile"> {
  let description = [{One tile per mode: a layout in the coordinates of the mode, or `_` for a mode that is not tiled. A tile of one mode has no brackets.}];
  let example = [{<"[128:1;(4,8):(1,4);_]">}];
  let fields = [
    Field<"64:1", "64 neighbours of the mode">, Field<"(4,8):(1,4)", "elements in the order of a layout">,
    Field<"[..;..]", "tiles inside of a mode, or of the whole">, Field<"_", "the whole mode">
  ];
  let rules = [
    Rule<"modes-separated-semicolons", "modes are separated by semicolons", "expected `;` or `]`, found `,8`",
         "write `[4:1;8:1]`">,
    Rule<"mode-layout", "a mode is a layout", "expected `:` and a stride (a tile of several modes is written `[4:1;1024:1]`), found the end",
         "write `64:1` for 64 neighbours">
  ];
}
def Cute_Swizzle : Cute_Type<"Swizzle", "swizzle"> {
  let description = [{A permutation of indices by XOR of bits, `S<bits,base,shift>`. The identity prints as `S<0,4,3>`.}];
  let example = [{<"S<3,4,3>">}];
  let fields = [
    Field<"bits", "the number of bits that change">,
    Field<"base", "the lowest bit that changes: runs of 2**base neighbours stay together">,
    Field<"shift", "where the other bits come from: bit i is replaced by its XOR with bit i + shift">
  ];
  let rules = [
    IsSwizzle
  ];
}
def Cute_ComposedLayout : Cute_Type<"ComposedLayout", "composed_layout"> {
  let description = [{A layout followed by another function, `INNER o OFFSET o OUTER`. The value at a coordinate c is inner(offset + outer(c)).}];
  let example = [{<"S<3,4,3> o 0 o (8,64):(64,1)">}];
  let fields = [
    Field<"INNER", "a swizzle, which takes one integer, or a layout">,
    Field<"OFFSET", "an integer, or a coordinate of the inner layout">, Field<"OUTER", "a layout">
  ];
  let rules = [
    Rule<"three-parts", "there are three parts", "expected `o` and the outer layout, found the end",
         "write the offset, which is often `0`">,
    IsSwizzle,
    Rule<"inner-function-takes-what-comes", "the inner function takes what comes to it", "S<3,4,3> takes one integer: offset (0,0) and the strides of (8,8):(1@0,1@1) must be integers",
         "use an outer layout with integer strides">
  ];
}
def Cute_Ptr : Cute_Type<"Ptr", "ptr"> {
  let description = [{An address in a memory space, with what is known about it: `<elem, space, align<N>, S<b,m,s>>`. All but the space may be left out.}];
  let example = [{<f16, smem, align<128>, S<3,4,3>>}];
  let fields = PointerParts;
  let rules = [
    HasSpace,
    IsAligned,
    IsSwizzle,
    Rule<"tensor-memory-no-swizzle", "tensor memory has no swizzle", "a swizzle permutes bytes; tensor memory is addressed by lanes and columns",
         "leave it out">
  ];
}
def Cute_MemRef : Cute_Type<"MemRef", "memref"> {
  let description = [{A tensor in memory: a pointer and a layout, `<elem, space, align<N>, S<b,m,s>, "LAYOUT">`. A layout with a swizzle permutes elements
    by their index; the swizzle before it permutes bytes by their address.}];
  let example = [{<f16, gmem, align<16>, "(?,64):(?{i64 div=8},1)">}];
  let fields = PointerParts # [Field<"\"LAYOUT\"", "a layout or composed layout with integer strides, in elements">];
  let rules = [
    Rule<"element-type", "there is an element type", "a memref has an element type: write <f32, gmem, ..",
         "write it first">,
    HasSpace,
    IsAligned,
    Rule<"elements-type-mlir", "elements have a type of MLIR", "`half` is not a type of MLIR: write f16",
         "write the name that the message gives">,
    Rule<"strides-integers", "strides are integers", "a memref has integer strides; basis strides make a !cute.coord_tensor",
         "write a `!cute.coord_tensor`">
  ];
}
def Cute_ArithTupleIter : Cute_Type<"ArithTupleIter", "arith_tuple_iter"> {
  let description = [{An iterator over coordinates, which a `!cute.coord_tensor` begins with.}];
  let example = [{<"(0,?)">}];
  let fields = Leaves;
  let rules = [
    Rule<"leaf-integer-question-mark", "a leaf is an integer or `?`", "expected an integer, `?` or `(`, found `_`",
         "write an integer">
  ];
}
def Cute_CoordTensor : Cute_Type<"CoordTensor", "coord_tensor"> {
  let description = [{A tensor whose elements are coordinates: `<"ORIGIN", "LAYOUT">`. Tiled and partitioned like the memory that it stands for, it tells the
    coordinates of elements to predicates and to the TMA.}];
  let example = [{<"(0,?{div=128})", "(128,64):(1@0,1@1)">}];
  let fields = [
    Field<"\"ORIGIN\"", "the coordinate of the first element">,
    Field<"\"LAYOUT\"", "a layout whose strides step along the modes of the origin">
  ];
  let rules = [
    Rule<"each-stride-steps-along-mode-origin", "each stride steps along a mode of the origin", "stride 1@2 of (4,8):(1@0,1@2) steps along no mode of the origin (0,0)",
         "write an origin with that mode">,
    Rule<"strides-basis", "strides have a basis", "stride 1 of (4,8):(1,4) steps along no mode of the origin (0,0)",
         "write `1@0` for mode 0">
  ];
}
def Cute_TiledCopy : Cute_Type<"TiledCopy", "tiled_copy"> {
  let description = [{A copy atom laid over threads and values of a tile: `<ATOM, layout_copy_tv = <"TV">, tiler_mn = <"[..]">>`.}];
  let example = [{<!cute_nvgpu.atom.universal_copy<f16, 128 b>, layout_copy_tv = <"((8,16),8):((128,1),16)">, tiler_mn = <"[16:1;64:1]">>}];
  let fields = [
    Field<"ATOM", "a copy atom">,
    Field<"layout_copy_tv", "a static layout that maps (thread, value) to a position in the tile, first mode fastest">,
    Field<"tiler_mn", "the static tile, of any rank">
  ];
  let rules = [
    Rule<"atom-copy-atom", "the atom is a copy atom", "expected a copy atom type",
         "write the type of the atom first">,
    Rule<"layout-copy-tv-static-rank-2", "`layout_copy_tv` is static, of rank 2", "layout_copy_tv must be a static (thread, value) layout of rank 2, found ..",
         "group the modes of threads and of values">,
    Rule<"tile-static", "the tile is static", "tiler_mn must be static, found [?:1]",
         "write a static tile">
  ];
}
def Cute_TiledMma : Cute_Type<"TiledMma", "tiled_mma"> {
  let description = [{An MMA atom laid over warps: `<ATOM, atom_layout_MNK = <"..">, permutation_MNK = <"[..]">>`.}];
  let example = [{<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>}];
  let fields = [
    Field<"ATOM", "an MMA atom">,
    Field<"atom_layout_MNK", "a static layout that maps the place of an atom along M, N and K to its number">,
    Field<"permutation_MNK", "the tile of each mode, `_` for the atoms' own; may be left out">
  ];
  let rules = [
    Rule<"atom-mma-atom", "the atom is an MMA atom", "expected an MMA atom type",
         "write the type of the atom first">,
    Rule<"atom-layout-mnk-static-rank-3", "`atom_layout_MNK` is static, of rank 3", "atom_layout_MNK must be a static layout of atoms along M, N and K, found ..",
         "write three modes">,
    Rule<"permutation-static", "the permutation is static", "permutation_MNK must be static, found [?:1;_;_]",
         "write static tiles">
  ];
}
def Cute_AssumedI32 : Cute_Type<"AssumedI32", "i32"> {
  let description = [{An `i32` that is a multiple of N. `cute.assume` makes one of an `i32`.}];
  let example = [{<divby 8>}];
  let fields = [Field<"divby N", "the divisor; the body is left out if it is 1">];
  let rules = HasDivisor;
}
def Cute_AssumedI64 : Cute_Type<"AssumedI64", "i64"> {
  let description = [{An `i64` that is a multiple of N. `cute.assume` makes one of an `i64`.}];
  let example = [{<divby 8>}];
  let fields = [Field<"divby N", "the divisor; the body is left out if it is 1">];
  let rules = HasDivisor;
}
def Cute_FastDivmodDivisor : Cute_Type<"FastDivmodDivisor", "fast_divmod_divisor"> {
  let description = [{A divisor with its multiplier and two shifts, by which `cute.fast_divmod.compute` divides without a division.}];
  let example = [{<32>}];
  let fields = [Field<"32", "the bits of dividend and divisor">];
  let rules = [
    Rule<"divisor-32-bits", "the divisor has 32 bits", "expected the width of the divisor: 32",
         "write `<32>`">
  ];
}
def Cute_SparseElem : Cute_Type<"SparseElem", "sparse_elem"> {
  let description = [{A stored element of a sparse operand that represents N logical elements, the rest being zero.}];
  let example = [{<2, f16>}];
  let fields = [Field<"N", "logical elements per stored one">, Field<"elem", "the type of the stored element">];
  let rules = [
    Rule<"number-written-first", "the number is written first", "expected the number of elements that a stored one represents, such as 2",
         "write `<2, f16>`">,
    Rule<"element-size", "the element has a size", "cannot be an element type: it does not have a size",
         "write a type such as `f16`">
  ];
}

// What ops accept.
defvar AnyLayout = AnyTypeOf<[Cute_Layout, Cute_ComposedLayout], "layout or composed layout">;
defvar TupleLike = AnyTypeOf<[Cute_IntTuple, Cute_Shape, Cute_Stride, Cute_Coord], "int_tuple, shape, stride or coord">;
defvar AnyView = AnyTypeOf<[Cute_MemRef, Cute_CoordTensor], "memref or coord_tensor">;
// Types of the other dialect.
class Nvgpu<string cls, string name> : Type<CPred<"::llvm::isa<::cute::" # cls # "Type>($_self)">, name>;
def Desc : Nvgpu<"SmemDesc", "smem_desc">;
def DescView : Nvgpu<"SmemDescView", "smem_desc_view">;
// An iterator and a layout.
defvar Viewed = AnyTypeOf<[Cute_MemRef, Cute_CoordTensor, DescView], "memref, coord_tensor or smem_desc_view">;
defvar AnyIterator = AnyTypeOf<[Cute_Ptr, Cute_ArithTupleIter, Desc], "ptr, arith_tuple_iter or smem_desc">;
defvar Tileable = AnyTypeOf<[Cute_Layout, Cute_ComposedLayout, Cute_MemRef, Cute_CoordTensor],
                            "layout, composed layout, memref or coord_tensor">;
defvar Tiler = AnyTypeOf<[Cute_Layout, Cute_Shape, Cute_Tile], "layout, shape or tile">;
defvar Leaf = AnyTypeOf<[I32, I64, Index, Cute_AssumedI32, Cute_AssumedI64, Cute_IntTuple, Cute_Shape, Cute_Stride, Cute_Coord],
                        "i32, i64, index or a value of rank at most 1">;

#endif
