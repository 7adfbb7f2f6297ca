// Accessors: parts of a value.

#ifndef CUTE_ACCESSORS
#define CUTE_ACCESSORS

include "Types.td"

// The types of the public CuTe IR's text: `mapping` says which of them are written without their names.
class Part<string m, Type from, Type to, string mapping = "Mapping"> : Cute_Pure<m> {
  let arguments = (ins from:$input);
  let results = (outs to:$result);
  let assemblyFormat = "`(` $input `)` attr-dict `:` custom<" # mapping # ">(type($input), type($result))";
}
def GetShapeOp : Part<"get_shape", AnyType, Cute_Shape> {
  let summary = "the shape of a layout, composed layout or tile";
  let example = [{
    %shape = cute.get_shape(%layout) : !cute.layout<"(?,64):(?{i64},1)"> -> !cute.shape<"(?,64)">
  }];
  let rules = [
    Rule<"tile-no-underscore", "a tile has no `_`", "a tile with `_` has no shape",
         "take the layouts by `cute.get_layouts_from_tile`">
  ];
}
def GetStrideOp : Part<"get_stride", Cute_Layout, Cute_Stride, "OfLayout"> {
  let summary = "the stride of a layout";
  let description = [{The operand type may be written without `!cute.layout`, and prints so.}];
  let example = [{
    %stride = cute.get_stride(%layout) : <"(?,64):(?{i64 div=8},1)"> -> !cute.stride<"(?{i64 div=8},1)">
  }];
  let rules = [
    Rule<"operand-plain-layout", "the operand is a plain layout", "expected cute.layout, but found ..",
         "take `cute.composed_get_outer` of a composed layout first">
  ];
}
def ComposedGetInnerOp : Part<"composed_get_inner", Cute_ComposedLayout, AnyType, "OfComposed"> {
  let summary = "the swizzle or layout applied last";
  let example = [{
    %swizzle = cute.composed_get_inner(%smem) : <"S<3,4,3> o 0 o (8,64):(64,1)"> -> !cute.swizzle<"S<3,4,3>">
  }];
}
def ComposedGetOffsetOp : Part<"composed_get_offset", Cute_ComposedLayout, Cute_IntTuple, "OfComposed"> {
  let summary = "the offset between the outer layout and the inner function";
  let example = [{
    %offset = cute.composed_get_offset(%smem) : <"S<3,3,3> o ?{div=16} o (8,64):(64,1)"> -> !cute.int_tuple<"?{div=16}">
  }];
}
def ComposedGetOuterOp : Part<"composed_get_outer", Cute_ComposedLayout, Cute_Layout, "OuterOfComposed"> {
  let summary = "the layout applied first";
  let example = [{
    %outer = cute.composed_get_outer(%smem) : <"S<3,4,3> o 0 o (8,64):(64,1)"> -> <"(8,64):(64,1)">
  }];
}
def ToIntTupleOp : Part<"to_int_tuple", TupleLike, Cute_IntTuple> {
  let summary = "the same integers as an int_tuple";
  let example = [{
    %extents = cute.to_int_tuple(%shape) : !cute.shape<"(?,64)"> -> !cute.int_tuple<"(?,64)">
  }];
  let rules = [
    Rule<"operand-integers-only", "the operand has integers only", "operand #0 has a `_`, but integers are required",
         "select the modes without `_` first">,
    Rule<"strides-no-basis", "strides have no basis", "a tuple of integers: 1@0 found where an integer is required",
         "coordinates come from `cute.crd2idx`, not from basis strides">
  ];
}
def ToCoordOp : Part<"to_coord", TupleLike, Cute_Coord> {
  let summary = "the same integers as a coord";
  let example = [{
    %at = cute.to_coord(%index) : !cute.int_tuple<"(?,3)"> -> !cute.coord<"(?,3)">
  }];
  let rules = [
    Rule<"operand-integers-only", "the operand has integers only", "operand #0 has a `_`, but integers are required",
         "select the modes without `_` first">,
    Rule<"strides-no-basis", "strides have no basis", "a tuple of integers: 1@0 found where an integer is required",
         "coordinates come from `cute.crd2idx`, not from basis strides">
  ];
}
def ToShapeOp : Part<"to_shape", TupleLike, Cute_Shape> {
  let summary = "the same integers as a shape";
  let example = [{
    %shape = cute.to_shape(%tiles) : !cute.int_tuple<"(?,4)"> -> !cute.shape<"(?,4)">
  }];
  let rules = [
    Rule<"operand-integers-only", "the operand has integers only", "operand #0 has a `_`, but integers are required",
         "select the modes without `_` first">,
    Rule<"strides-no-basis", "strides have no basis", "a tuple of integers: 1@0 found where an integer is required",
         "coordinates come from `cute.crd2idx`, not from basis strides">
  ];
}
def ToStrideOp : Part<"to_stride", TupleLike, Cute_Stride> {
  let summary = "the same integers as a stride";
  let example = [{
    %stride = cute.to_stride(%steps) : !cute.int_tuple<"(?{i64},1)"> -> !cute.stride<"(?{i64},1)">
  }];
  let rules = [
    Rule<"operand-integers-only", "the operand has integers only", "operand #0 has a `_`, but integers are required",
         "select the modes without `_` first">,
    Rule<"strides-no-basis", "strides have no basis", "a tuple of integers: 1@0 found where an integer is required",
         "coordinates come from `cute.crd2idx`, not from basis strides">
  ];
}

def GetOp : Cute_Pure<"get"> {
  let summary = "the sub-value at a mode path";
  let arguments = (ins AnyType:$input, DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$mode);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`` custom<ModeOf>($mode, $input) attr-dict `:` custom<Mapping>(type($input), type($result))";
  let description = [{The mode path is a list of indices, outermost first. Without one, the result is the operand.}];
  let example = [{
    %n = cute.get<[1, 0]> (%shape) : !cute.shape<"(128,(?,3))"> -> !cute.shape<"?">
  }];
  let rules = [
    Rule<"mode-exists", "the mode exists", "mode (1,5) of the operand does not exist",
         "count modes from 0; a path such as `[1, 0]` goes into a mode">,
    Rule<"path-no-negative-numbers", "the path has no negative numbers", "attribute 'mode' must be a list of non-negative integers",
         "count modes from 0">
  ];
}

def SelectOp : Cute_Pure<"select"> {
  let summary = "the top-level modes at some indices, as a tuple";
  let arguments = (ins AnyType:$input, DenseI32ArrayAttr:$mode);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`<` $mode `>` `(` $input `)` attr-dict `:` custom<Mapping>(type($input), type($result))";
  let example = [{
    %kn = cute.select<[2, 1]> (%mnk) : !cute.shape<"(128,256,64)"> -> !cute.shape<"(64,256)">
  }];
  let rules = [
    Rule<"modes-exist", "the modes exist", "mode 5 of the tuple does not exist",
         "count top-level modes from 0">
  ];
}
def GetLayoutsFromTileOp : Cute_PureMany<"get_layouts_from_tile"> {
  let summary = "each layout of a tile, `_` left out";
  let arguments = (ins Cute_Tile:$tile);
  let results = (outs Variadic<Cute_Layout>:$layouts);
  let assemblyFormat = "`(` $tile `)` attr-dict `:` type($tile)";
  let description = [{The number of results is the number of layouts in the tile.}];
  let example = [{
    %m, %n = cute.get_layouts_from_tile(%tiler) : !cute.tile<"[(4,8):(1,4);64:1]">
  }];
  let rules = [
    Rule<"tile-least-one-layout", "the tile has at least one layout", "the tile [_;_] has no layout, only `_`",
         "remove the op; there is nothing to take">
  ];
}

def GetLeavesOp : Cute_PureMany<"get_leaves"> {
  let summary = "each leaf as a value of its own";
  let arguments = (ins AnyType:$input);
  let results = (outs Variadic<AnyType>:$leaves);
  let assemblyFormat = "`(` $input `)` attr-dict `:` type($input)";
  let description = [{Each result has the kind of the operand, and one leaf.}];
  let example = [{
    %m, %n, %k = cute.get_leaves(%shape) : !cute.shape<"(?,(64,?))">
  }];
  let rules = [
    Rule<"operand-tuple-tile", "the operand is a tuple or a tile", "operand #0 must be an int_tuple, shape, stride, coord or tile, found !cute.layout",
         "take `cute.get_shape` or `cute.get_stride` of a layout first">,
    Rule<"one-result-per-leaf", "there is one result per leaf", "has 1 results, but computes 2 from its operands",
         "bind as many results as the type has leaves">
  ];
}
def GetScalarsOp : Cute_PureMany<"get_scalars"> {
  let summary = "each leaf as a machine integer";
  let arguments = (ins AnyType:$input, UnitAttr:$only_dynamic);
  let results = (outs Variadic<AnySignlessInteger>:$scalars);
  let assemblyFormat = "(`<` `{` `only_dynamic` `}` `>` $only_dynamic^)? `(` $input `)` attr-dict `:` type($input)";
  let description = [{A static leaf becomes a constant of 32 bits where it fits, else of 64. With `only_dynamic`, static leaves have no result.}];
  let example = [{
    %m, %k = cute.get_scalars<{only_dynamic}>(%shape) : !cute.shape<"(?,(64,?{i64}))">
  }];
  let rules = [
    Rule<"operand-no-underscore", "the operand has no `_`", "`_` is not an integer",
         "select the modes without `_` first">,
    Rule<"one-result-per-leaf", "there is one result per leaf, or per `?` with `only_dynamic`", "has 1 results, but computes 2 from its operands",
         "bind as many results as there are leaves">
  ];
}

#endif
