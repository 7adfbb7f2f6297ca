// The algebra of layouts. Semantics: crates/cute-algebra.

#ifndef CUTE_ALGEBRA
#define CUTE_ALGEBRA

include "Types.td"

class ModePath<string m, Type result> : Cute_Pure<m> {
  let arguments = (ins AnyType:$input, DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$mode);
  let results = (outs result:$result);
  let assemblyFormat = "`` custom<ModeOf>($mode, $input) attr-dict `:` custom<OperandTypes>(type($input)) custom<ResultTypes>(type($result))";
}
def SizeOp : ModePath<"size", Cute_IntTuple> {
  let summary = "the number of coordinates: the product of the extents";
  let example = [{
    %n = cute.size<[1]> (%layout) : (!cute.layout<"(?,(2,8)):(?{i64},(1,2))">) -> !cute.int_tuple<"16">
  }];
  let rules = [
    Rule<"mode-exists", "the mode exists", "mode (1,5) of the operand does not exist",
         "count modes from 0; a path such as `[1, 0]` goes into a mode">,
    Rule<"product-fits-64-bits", "the product fits 64 bits", "4294967296 * 4294967296 does not fit 64 bits",
         "choose smaller static extents">
  ];
}
def CosizeOp : ModePath<"cosize", Cute_IntTuple> {
  let summary = "one more than the largest index: 1 + sum (s_i - 1) * |d_i|";
  let description = [{It is the number of elements that memory for the layout needs.}];
  let example = [{
    %n = cute.cosize (%smem) : (!cute.layout<"(128,(64,3)):(64,(1,8192))">) -> !cute.int_tuple<"24576">
  }];
  let rules = [
    Rule<"mode-exists", "the mode exists", "mode 3 of the layout does not exist",
         "count modes from 0">,
    Rule<"inner-function-composed-layout-swizzle", "the inner function of a composed layout is a swizzle", "is composed with a layout: its image is not that of the outer layout",
         "take the cosize of the layouts separately">
  ];
}
def CosizeBitsOp : ModePath<"cosize_bits", Cute_IntTuple> {
  let summary = "the bits that the elements of a view span: its cosize times the bits of an element";
  let description = [{
It is the memory that the view needs, whatever the width of its elements: elements of less than 8 bits are packed. The
bits are counted in the width of the cosize, so a view with 32-bit leaves must not span more than 2^31 - 1 bits.
}];
  let example = [{
    %n = cute.cosize_bits (%tile) : (!cute.memref<f16, smem, align<16>, "(128,64):(64,1)">) -> !cute.int_tuple<"131072">
  }];
  let rules = [
    Rule<"mode-exists", "the mode exists", "mode 3 of the layout does not exist",
         "count modes from 0">,
    Rule<"elements-size", "the elements have a size", "!llvm.ptr has no size, so no bits can be counted",
         "recast the iterator to elements with a size">,
    Rule<"inner-function-composed-layout-swizzle", "the inner function of a composed layout is a swizzle", "is composed with a layout: its image is not that of the outer layout",
         "take the cosize of the layouts separately">
  ];
}

class OnCoord<string m, Type second> : Cute_Functional<m> {
  let arguments = (ins Cute_Coord:$coord, second:$layout);
  let results = (outs Cute_IntTuple:$result);
}
def Crd2IdxOp : OnCoord<"crd2idx", AnyTypeOf<[Cute_Shape, Cute_Layout, Cute_ComposedLayout], "shape, layout or composed layout">>, Indexes {
  let summary = "the index of a coordinate, in a shape or under a layout";
  let example = [{
    %offset = cute.crd2idx(%at, %layout)
      : (!cute.coord<"(?,3)">, !cute.layout<"(?,64):(?{i64 div=8},1)">) -> !cute.int_tuple<"?{i64}">
  }];
  let rules = [
    Rule<"coordinate-one-index-per-mode", "the coordinate has one index per mode", "the coordinate: rank 3, expected exactly 2",
         "write one index per mode; one integer alone counts all elements, first mode fastest">,
    Rule<"index-several-modes-mode-them", "an index of several modes is for a mode that has them", "a tuple of rank 2 is given for a mode that has no modes of its own",
         "write one integer for the mode">,
    InDomain
  ];
}
def LayoutEvalOp : OnCoord<"layout_eval", AnyLayout>, Indexes {
  let summary = "the value of a layout at a coordinate";
  let example = [{
    %index = cute.layout_eval(%at, %layout)
      : (!cute.coord<"(1,2)">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"10">
  }];
  let rules = [
    Rule<"strides-count-along-positions", "strides count along positions", "the named axis @laneid, along which a Placement has points, found where ..",
         "use `cute.placement.apply` for named axes">,
    InDomain
  ];
}
def Idx2CrdOp : Cute_Functional<"idx2crd"> {
  let summary = "the coordinate of an index in a shape, first mode fastest";
  let arguments = (ins Cute_IntTuple:$index, Cute_Shape:$shape);
  let results = (outs Cute_Coord:$result);
  let example = [{
    %at = cute.idx2crd(%tid, %shape) : (!cute.int_tuple<"?">, !cute.shape<"(4,32)">) -> !cute.coord<"(?,?)">
  }];
  let rules = [
    Rule<"index-one-integer", "the index is one integer, or one per mode", "the index: rank 3, expected exactly 2",
         "write one index per mode of the shape">,
    InDomain
  ];
}

def SliceOp : Cute_Pure<"slice">, Indexes {
  let summary = "the modes at which the coordinate is `_`; the integers at the other modes advance the iterator of a view";
  let arguments = (ins AnyType:$input, Cute_Coord:$coord);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`(` operands `)` attr-dict `:` type(operands)";
  let example = [{
    %column = cute.slice(%gA, %at) : !cute.memref<f16, gmem, align<16>, "(128,64):(64,1)">, !cute.coord<"(_,?)">
  }];
  let rules = [
    Rule<"coordinate-one-index-underscore-per-mode", "the coordinate has one index or `_` per mode", "mode 1 of the coordinate: rank 3, expected exactly 2",
         "write one index or `_` per mode">,
    InDomain
  ];
}
def DiceOp : Cute_Pure<"dice"> {
  let summary = "the modes that a static coordinate fixes; the coordinate is a value or an attribute";
  let arguments = (ins AnyType:$input, Optional<Cute_Coord>:$at, OptionalAttr<Cute_CoordAttr>:$coord);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    `(` $input `,` ($at^):(custom<CoordString>($coord))? `)` attr-dict `:` custom<Diced>(ref($at), type($input), type($at))
  }];
  let description = [{The integers mark the modes that stay; their values do not matter. It is the counterpart of `cute.slice`.}];
  let example = [{
    %kept = cute.dice(%shape, "(1,_,1)") : !cute.shape<"(128,256,64)">
  }];
  let rules = [
    Rule<"coordinate-one-index-underscore-per-mode", "the coordinate has one index or `_` per mode", "the coordinate: rank 3, expected exactly 2",
         "write `1` for a mode that is kept, `_` for one that is not">,
    Rule<"coordinate-static", "the coordinate is static", "the coordinate (?,1) has a dynamic leaf: it selects the modes to keep, so it must be static",
         "write the modes as constants">,
    Rule<"coordinate-operand-string", "the coordinate is an operand or a string, and not both", "the coordinate is given twice",
         "leave one of them out">
  ];
}
def RecastLayoutOp : Cute_Pure<"recast_layout"> {
  let summary = "the same memory in elements of another width";
  let arguments = (ins I32Attr:$new_type_bits, I32Attr:$old_type_bits, AnyLayout:$src);
  let results = (outs AnyLayout:$dst);
  let assemblyFormat = [{
    `<` $new_type_bits `,` $old_type_bits `>` `(` $src `)` attr-dict `:` custom<Mapping>(type($src), type($dst))
  }];
  let example = [{
    %words = cute.recast_layout<32, 8> (%bytes) : !cute.layout<"(32,4):(1,32)"> -> !cute.layout<"(8,4):(1,8)">
  }];
  let rules = [
    Rule<"both-widths-positive", "both widths are positive", "attribute 'new_type_bits' must be a positive number of bits",
         "write the bits of the new and of the old element type">,
    Rule<"wider-elements-divide-extents-strides", "wider elements divide extents and strides", "mode 1 of the stride: 3 does not divide, and is not divided by, the factor 2",
         "pad the rows to whole elements of the new type">,
    Rule<"narrower-elements-one-mode-stride-1", "for narrower elements, one mode has stride 1", "downcast: no mode of 8:2 has the static stride 1",
         "recast a view whose contiguous mode is static">
  ];
}
def GroupModesOp : Cute_Pure<"group_modes"> {
  let summary = "modes [begin, end) as one mode";
  let arguments = (ins AnyType:$input, I32Attr:$begin, I32Attr:$end);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`` custom<RangeOf>($begin, $end, $input) attr-dict `:` custom<OperandTypes>(type($input)) custom<ResultTypes>(type($result))";
  let example = [{
    %grouped = cute.group_modes<0, 2> (%gA)
      : (!cute.memref<f16, gmem, align<16>, "(8,16,?):(64,1,512)">)
      -> !cute.memref<f16, gmem, align<16>, "((8,16),?):((64,1),512)">
  }];
  let rules = [
    Rule<"begin-end-rank", "begin < end <= rank", "modes [0, 4) of a tuple of rank 3 do not exist: begin < end <= rank is required",
         "count modes from 0; `end` is one past the last">
  ];
}
def FlattenOp : Cute_Functional<"flatten"> {
  let summary = "the same leaves in one level";
  let arguments = (ins AnyType:$input);
  let results = (outs AnyType:$result);
  let example = [{
    %flat = cute.flatten(%layout) : (!cute.layout<"(4,(2,8)):(1,(4,8))">) -> !cute.layout<"(4,2,8):(1,4,8)">
  }];
  let rules = [
    Rule<"operand-modes", "the operand has modes", "operand #0 must be a layout, composed layout, memref or coord_tensor, found !cute.swizzle",
         "pass a tuple, a layout or a view">
  ];
}
def CoalesceOp : Cute_Functional<"coalesce"> {
  let summary = "the same function with as few modes as possible, mode by mode if a profile is given";
  let arguments = (ins Tileable:$input, Optional<Cute_Coord>:$target_profile);
  let results = (outs Tileable:$result);
  let description = [{The result has the same value at every index. The profile says which modes are coalesced separately: `(1,1)` keeps two modes.}];
  let example = [{
    %run = cute.coalesce(%layout) : (!cute.layout<"(2,(1,6)):(1,(6,2))">) -> !cute.layout<"12:1">
  }];
  let rules = [
    Rule<"profile-no-more-modes-layout", "the profile has no more modes than the layout", "the profile: rank 3, expected at most 2",
         "write one entry per mode that is coalesced by itself">
  ];
}
class OnLayout<string m> : Cute_Functional<m> {
  let arguments = (ins Tileable:$input);
  let results = (outs Tileable:$result);
}
def FilterOp : OnLayout<"filter"> {
  let summary = "the coalesced layout without its modes of stride 0 and extent 1: coalesce(filter_zeros(input))";
  let example = [{
    %distinct = cute.filter(%layout) : (!cute.layout<"(4,1,8):(0,7,2)">) -> !cute.layout<"8:2">
  }];
}
def FilterZerosOp : Cute_Functional<"filter_zeros"> {
  let summary = "extent 1 for each mode of stride 0, or where a profile is 0";
  let arguments = (ins Tileable:$input, Optional<AnyTypeOf<[Cute_IntTuple, Cute_Stride], "int_tuple or stride">>:$profile);
  let results = (outs Tileable:$result);
  let description = [{Broadcast modes become modes of one element, so that every element is visited once.}];
  let example = [{
    %ones = cute.filter_zeros(%layout) : (!cute.layout<"(4,(3,8)):(0,(1,0))">) -> !cute.layout<"(1,(3,1)):(0,(1,0))">
  }];
  let rules = [
    Rule<"profile-structure-strides", "the profile has the structure of the strides", "mode 1 of the profile: rank 3, expected exactly 2",
         "write one integer per stride">
  ];
}
def RightInverseOp : OnLayout<"right_inverse"> {
  let summary = "R with A(R(i)) = i";
  let example = [{
    %inverse = cute.right_inverse(%layout) : (!cute.layout<"(4,8):(8,1)">) -> !cute.layout<"(8,4):(4,1)">
  }];
  let rules = [
    Rule<"strides-whole", "strides are whole", "1/2@1 found where a whole multiple of a basis element ..",
         "recast the layout to the wider elements first">,
    Rule<"swizzle-composed-layout-inverse-same-form", "the swizzle of a composed layout has an inverse of the same form", "which are not the fields of a swizzle",
         "take the inverse of the outer layout">
  ];
}
def LeftInverseOp : OnLayout<"left_inverse"> {
  let summary = "L with L(A(i)) = i";
  let example = [{
    %inverse = cute.left_inverse(%layout) : (!cute.layout<"(4,8):(8,1)">) -> !cute.layout<"(8,4):(4,1)">
  }];
  let rules = [
    Rule<"layout-injective", "the layout is injective", "(4,3):(1@0,0) is not injective: ..",
         "remove broadcast modes by `cute.filter`, or set `cute.domain = \"extend\"`">,
    Rule<"strides-static", "strides are static", "stride ? of (4,8):(?,?) is dynamic, but static strides are required",
         "invert a layout whose strides are known">
  ];
}
def ComplementOp : Cute_Functional<"complement"> {
  let summary = "the layout that fills the part of the cotarget that the input does not cover";
  let arguments = (ins Cute_Layout:$input, Optional<AnyTypeOf<[Cute_Shape, Cute_Layout], "shape or layout">>:$cotarget);
  let results = (outs Cute_Layout:$result);
  let example = [{
    %rest = cute.complement(%tile, %cotarget)
      : (!cute.layout<"4:32">, !cute.shape<"256">) -> !cute.layout<"(32,2):(1,128)">
  }];
  let rules = [
    Rule<"layout-injective", "the layout is injective", "(4,4):(1,2) is not injective: stride 2 is less than 4, which the smaller strides already cover",
         "remove overlapping modes first">,
    Rule<"strides-static", "strides are static", "stride ? of (4,8):(?,?) is dynamic, but static strides are required",
         "take the complement of a layout whose strides are known">,
    Rule<"layout-complement-cover-cotarget-exactly", "layout and complement cover the cotarget exactly", "(3,2):(1,4) and its complement 1:0 do not cover 3 in [0, 7); set cute.domain = \"extend\"",
         "choose a cotarget that the layout divides, or set `cute.domain = \"extend\"`">
  ];
}
def CompositionOp : Cute_Functional<"composition"> {
  let summary = "C(c) = A(B(c)), by mode where B is a shape or tile";
  let arguments = (ins Tileable:$lhs, Tiler:$rhs);
  let results = (outs Tileable:$result);
  let example = [{
    %tiled = cute.composition(%layout, %tiler)
      : (!cute.layout<"(16,32):(32,1)">, !cute.tile<"[4:1;8:1]">) -> !cute.layout<"(4,8):(32,1)">
  }];
  let rules = [
    Rule<"strides-right-operand-fall-whole-modes", "the strides of the right operand fall on whole modes of the left", "stride 6 is neither a multiple of, nor less than, extent 4 of mode 0 of the coalesced left operand ..",
         "choose strides and extents that divide those on the left">,
    Rule<"extents-cover-whole-parts-those-modes", "its extents cover whole parts of those modes", "extent 3 is not a multiple of 2, the part that mode 0 of ..",
         "choose an extent that is a multiple of the named part">,
    Rule<"reaches-no-further-left-operand", "it reaches no further than the left operand", "the right operand 5:8 reaches 32, but the left operand of shape 20 has only 20 elements; set cute.domain = \"extend\"",
         "choose a smaller right operand, or set `cute.domain = \"extend\"`">,
    Rule<"tiler-no-more-modes-left-operand", "a tiler has no more modes than the left operand", "the tiler: rank 2, expected at most 1",
         "write one tile per mode, and `_` for a mode that stays">
  ];
}

class Divide<string m> : Cute_Functional<m>, Divides {
  let arguments = (ins Tileable:$input, Tiler:$tiler);
  let results = (outs Tileable:$result);
  let rules = [
    Rule<"tiler-no-more-modes-input", "the tiler has no more modes than the input", "the tiler: rank 2, expected at most 1",
         "write one tile per mode, and `_` for a mode that stays">,
    Rule<"tiles-cover-input-exactly", "the tiles cover the input exactly", "tiles of 4:2 in 20 elements cover 24; set cute.domain = \"extend\"",
         "choose a tile that divides the extent, or set `cute.domain = \"extend\"` for partial tiles, which the kernel then predicates">
  ];
}
def LogicalDivideOp : Divide<"logical_divide"> {
  let summary = "each mode as (tile, rest)";
  let example = [{
    %blocks = cute.logical_divide(%gA, %tiler)
      : (!cute.memref<f16, gmem, align<16>, "(256,128):(128,1)">, !cute.tile<"[64:1;32:1]">)
      -> !cute.memref<f16, gmem, align<16>, "((64,4),(32,4)):((128,8192),(1,32))">
  }];
}
def ZippedDivideOp : Divide<"zipped_divide"> {
  let summary = "((tile..), (rest..))";
  let example = [{
    %tiles = cute.zipped_divide(%gA, %tiler)
      : (!cute.memref<f16, gmem, align<16>, "(256,128):(128,1)">, !cute.tile<"[64:1;32:1]">)
      -> !cute.memref<f16, gmem, align<16>, "((64,32),(4,4)):((128,1),(8192,32))">
  }];
}
def TiledDivideOp : Divide<"tiled_divide"> {
  let summary = "((tile..), rest..)";
  let example = [{
    %tiles = cute.tiled_divide(%gA, %tiler)
      : (!cute.memref<f16, gmem, align<16>, "(256,128):(128,1)">, !cute.tile<"[64:1;32:1]">)
      -> !cute.memref<f16, gmem, align<16>, "((64,32),4,4):((128,1),8192,32)">
  }];
}
def FlatDivideOp : Divide<"flat_divide"> {
  let summary = "(tile.., rest..)";
  let example = [{
    %tiles = cute.flat_divide(%gA, %tiler)
      : (!cute.memref<f16, gmem, align<16>, "(256,128):(128,1)">, !cute.tile<"[64:1;32:1]">)
      -> !cute.memref<f16, gmem, align<16>, "(64,32,4,4):(128,1,8192,32)">
  }];
}
def LocalTileOp : Cute_Pure<"local_tile">, Indexes {
  let summary = "the tile at a coordinate of the rest modes: slice of zipped_divide";
  let arguments = (ins Tileable:$input, Tiler:$tiler, Cute_Coord:$coord, OptionalAttr<Cute_CoordAttr>:$proj,
                       Segments:$operandSegmentSizes);
  let results = (outs Tileable:$result);
  let assemblyFormat = [{
    `(` $input `,` $tiler `,` $coord (`,` custom<CoordString>($proj)^)? `)`
    `` custom<Segments>($operandSegmentSizes) attr-dict `:`
    custom<OperandTypes>(type($input), type($tiler), type($coord)) custom<ResultTypes>(type($result))
  }];
  let description = [{A partial last tile is accepted: its type has the whole tile, and the kernel predicates what lies outside. The projection drops modes of
    tiler and coordinate: a GEMM has one tiler (M,N,K), and A takes `"(1,_,1)"` of it.}];
  let example = [{
    %gA_k = cute.local_tile(%gA, %cta_tiler, %at, "(1,_,1)")
      : (!cute.memref<f16, gmem, align<16>, "(256,512):(512,1)">, !cute.tile<"[128:1;128:1;64:1]">, !cute.coord<"(?,?,_)">)
      -> !cute.memref<f16, gmem, align<16>, "(128,64,8):(512,1,64)">
  }];
  let rules = [
    Rule<"coordinate-one-index-underscore-per-mode", "the coordinate has one index or `_` per mode of the tiler", "the tile coordinate: rank 3, expected at most 2",
         "write one index or `_` per mode of the tiler, before the projection">,
    Rule<"projection-one-entry-per-mode-tiler", "the projection has one entry per mode of the tiler", "the projection has rank 2, but the tiler [64:1;8:1;32:1] has rank 3; give both the same number of modes",
         "write `1` for a mode that the tensor has, `_` for one that it does not have">,
    Rule<"each-static-index-tile-mode", "each static index is a tile of its mode", "coordinate: mode 0: index 2 is outside [0, 2); set cute.domain = \"extend\"",
         "correct the index">,
    Rule<"tile-takes-whole-modes-inside-mode", "a tile takes whole modes inside a mode of the layout", "partition: mode 1: the result is not a(b(c))",
         "choose a tile that ends where a mode inside the layout ends">
  ];
}
def ElemLessOp : Cute_Functional<"elem_less">, Emits {
  let summary = "whether every element is less than its counterpart";
  let arguments = (ins TupleLike:$lhs, TupleLike:$rhs);
  let results = (outs AnyTypeOf<[I1]>:$result);
  let example = [{
    %inside = cute.elem_less(%at, %shape) : (!cute.coord<"(?,?)">, !cute.shape<"(?,64)">) -> i1
  }];
  let rules = [
    Rule<"both-same-structure", "both have the same structure", "operands (3,4) and (3,4,5) are not congruent",
         "select the modes that are compared">,
    Rule<"no-underscore", "there is no `_`", "operand #0 has a `_`, but integers are required",
         "compare the coordinate before modes are left open">
  ];
}

#endif
