// Constructors: values of the algebra from leaves and from one another.

#ifndef CUTE_CONSTRUCTORS
#define CUTE_CONSTRUCTORS

include "Types.td"

def StaticOp : Cute_Op<"static", [Pure, ConstantLike]> {
  let summary = "the one value of a fully static type";
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

// One operand for each `?` of the result type, depth first.
class FromLeaves<string m, Type kind> : Cute_Op<m, [Pure]> {
  let arguments = (ins Variadic<Leaf>:$leaves);
  let results = (outs kind:$result);
  let assemblyFormat = "`(` $leaves `)` attr-dict `:` functional-type($leaves, $result)";
}
def MakeIntTupleOp : FromLeaves<"make_int_tuple", Cute_IntTuple> {
  let summary = "an int_tuple from its dynamic leaves";
}
def MakeShapeOp : FromLeaves<"make_shape", Cute_Shape> {
  let summary = "a shape from its dynamic leaves";
}
def MakeStrideOp : FromLeaves<"make_stride", Cute_Stride> {
  let summary = "a stride from its dynamic leaves";
}
def MakeCoordOp : FromLeaves<"make_coord", Cute_Coord> {
  let summary = "a coord from its dynamic leaves";
}
def MakeTileOp : FromLeaves<"make_tile", Cute_Tile> {
  let summary = "a tile from its dynamic leaves";
}

// Operands of one kind; machine integers are leaves of any kind.
def MakeTupleOp : Cute_Functional<"make_tuple"> {
  let summary = "the value whose modes are the operands";
  let arguments = (ins Variadic<AnyType>:$modes);
  let results = (outs AnyType:$result);
}

def MakeLayoutOp : Cute_Pure<"make_layout"> {
  let summary = "a layout from shape and stride; compact column-major without stride";
  let arguments = (ins Cute_Shape:$shape, Optional<Cute_Stride>:$stride, Segments:$operandSegmentSizes);
  let results = (outs Cute_Layout:$layout);
  let assemblyFormat = "`(` $shape (`,` $stride^)? `)` `` custom<Segments>($operandSegmentSizes) attr-dict `:` custom<MadeLayout>(ref($stride), type($shape), type($stride), type($layout))";
}
def MakeComposedLayoutOp : Cute_Pure<"make_composed_layout"> {
  let summary = "inner o offset o outer";
  let arguments = (ins AnyTypeOf<[Cute_Swizzle, Cute_Layout], "swizzle or layout">:$inner, Cute_IntTuple:$offset, Cute_Layout:$outer);
  let results = (outs Cute_ComposedLayout:$result);
  let assemblyFormat = [{
    `(` $inner `,` $offset `,` $outer `)` attr-dict `:`
    custom<MadeComposed>(type($inner), type($offset), type($outer), type($result))
  }];
}
def MakeLayoutLikeOp : Cute_Pure<"make_layout_like"> {
  let summary = "the compact layout with the shape, and the order of strides, of another";
  let arguments = (ins AnyLayout:$src);
  let results = (outs Cute_Layout:$result);
  let assemblyFormat = "`(` $src `)` attr-dict `:` custom<Mapping>(type($src), type($result))";
}
def MakeOrderedLayoutOp : Cute_Functional<"make_ordered_layout"> {
  let summary = "the compact layout whose modes are filled in a given order, smallest first";
  let arguments = (ins Cute_Shape:$shape, Cute_IntTuple:$order);
  let results = (outs Cute_Layout:$layout);
}
def MakeIdentityLayoutOp : Cute_Pure<"make_identity_layout"> {
  let summary = "the layout of a shape that maps each coordinate to itself";
  let arguments = (ins Cute_Shape:$shape);
  let results = (outs Cute_Layout:$result);
  let assemblyFormat = "`(` $shape `)` attr-dict `:` custom<MadeOfShape>(type($shape), type($result))";
}
def MakeIdentityTensorOp : Cute_Pure<"make_identity_tensor"> {
  let summary = "the coord_tensor of a shape that holds its own coordinates";
  let arguments = (ins Cute_Shape:$shape);
  let results = (outs Cute_CoordTensor:$result);
  let assemblyFormat = "`(` $shape `)` attr-dict `:` custom<MadeOfShape>(type($shape), type($result))";
}

#endif
