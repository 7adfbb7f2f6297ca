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
}
def GetStrideOp : Part<"get_stride", Cute_Layout, Cute_Stride, "OfLayout"> {
  let summary = "the stride of a layout";
}
def ComposedGetInnerOp : Part<"composed_get_inner", Cute_ComposedLayout, AnyType, "OfComposed"> {
  let summary = "the swizzle or layout applied last";
}
def ComposedGetOffsetOp : Part<"composed_get_offset", Cute_ComposedLayout, Cute_IntTuple, "OfComposed"> {
  let summary = "the offset between the two";
}
def ComposedGetOuterOp : Part<"composed_get_outer", Cute_ComposedLayout, Cute_Layout, "OuterOfComposed"> {
  let summary = "the layout applied first";
}
def ToIntTupleOp : Part<"to_int_tuple", TupleLike, Cute_IntTuple> {
  let summary = "the same integers as an int_tuple";
}
def ToCoordOp : Part<"to_coord", TupleLike, Cute_Coord> {
  let summary = "the same integers as a coord";
}
def ToShapeOp : Part<"to_shape", TupleLike, Cute_Shape> {
  let summary = "the same integers as a shape";
}
def ToStrideOp : Part<"to_stride", TupleLike, Cute_Stride> {
  let summary = "the same integers as a stride";
}

def GetOp : Cute_Pure<"get"> {
  let summary = "the sub-value at a mode path";
  let arguments = (ins AnyType:$input, DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$mode);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`` custom<ModeOf>($mode, $input) attr-dict `:` custom<Mapping>(type($input), type($result))";
}

def SelectOp : Cute_Pure<"select"> {
  let summary = "the top-level modes at some indices, as a tuple";
  let arguments = (ins AnyType:$input, DenseI32ArrayAttr:$mode);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`<` $mode `>` `(` $input `)` attr-dict `:` custom<Mapping>(type($input), type($result))";
}
def GetLayoutsFromTileOp : Cute_PureMany<"get_layouts_from_tile"> {
  let summary = "each layout of a tile, `_` left out";
  let arguments = (ins Cute_Tile:$tile);
  let results = (outs Variadic<Cute_Layout>:$layouts);
  let assemblyFormat = "`(` $tile `)` attr-dict `:` type($tile)";
}

def GetLeavesOp : Cute_PureMany<"get_leaves"> {
  let summary = "each leaf as a value of its own";
  let arguments = (ins AnyType:$input);
  let results = (outs Variadic<AnyType>:$leaves);
  let assemblyFormat = "`(` $input `)` attr-dict `:` type($input)";
}
def GetScalarsOp : Cute_PureMany<"get_scalars"> {
  let summary = "each leaf as a machine integer";
  let arguments = (ins AnyType:$input, UnitAttr:$only_dynamic);
  let results = (outs Variadic<AnySignlessInteger>:$scalars);
  let assemblyFormat = "(`<` `{` `only_dynamic` `}` `>` $only_dynamic^)? `(` $input `)` attr-dict `:` type($input)";
}

#endif
