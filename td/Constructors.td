// Constructors: values of the algebra from leaves and from one another.

#ifndef CUTE_CONSTRUCTORS
#define CUTE_CONSTRUCTORS

include "Types.td"

def StaticOp : Cute_Op<"static", [Pure, ConstantLike]> {
  let summary = "the one value of a fully static type";
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let description = [{The type says everything about the value, so the op has no operands. Canonicalization replaces an op whose result type is fully
    static by this one.}];
  let example = [{
    %tiler = cute.static : !cute.tile<"[128:1;64:1]">
  }];
  let rules = [
    Rule<"result-type-no-question-mark-not", "the result type has no `?` and is not an address", "is not a fully static value",
         "give the dynamic leaves to `cute.make_layout`, `cute.make_shape` and so on">
  ];
}

// One operand for each `?` of the result type, depth first.
class FromLeaves<string m, Type kind> : Cute_Op<m, [Pure]> {
  let arguments = (ins Variadic<Leaf>:$leaves);
  let results = (outs kind:$result);
  let assemblyFormat = "`(` $leaves `)` attr-dict `:` custom<ListedTypes>(type($leaves)) custom<DeclaredType>(type($result))";
  let description = [{Operands are machine integers, or values of one leaf. The result type must be written, because the static leaves are only there.}];
  let rules = [
    Rule<"one-operand-per-question-mark-result", "there is one operand per `?` of the result type, depth first; static leaves and `_` take none", "expects 2 leaves, one for each `?` of ..",
         "add or remove operands, or make a leaf of the type static">,
    Rule<"operand-width-question-mark", "an operand has the width of its `?`", "leaf #0 is 64 bits wide, but its slot `?` is 32 bits wide: write `?{i64}`, or truncate first",
         "write `?{i64}` for an `i64`, or truncate or extend the integer first">,
    Rule<"static-operand-value-question-mark", "a static operand is a value of its `?`", "leaf #0 is 4, which is not a value of its slot `?{div=8}`",
         "weaken the divisor in the result type, or make the leaf static">
  ];
}
def MakeIntTupleOp : FromLeaves<"make_int_tuple", Cute_IntTuple> {
  let summary = "an int_tuple from its dynamic leaves";
  let example = [{
    %extents = cute.make_int_tuple(%m, %n) : (i32, !cute.i32<divby 8>) -> !cute.int_tuple<"(?,?{div=8})">
  }];
}
def MakeShapeOp : FromLeaves<"make_shape", Cute_Shape> {
  let summary = "a shape from its dynamic leaves";
  let example = [{
    %shape = cute.make_shape(%m, %n) : (i32, !cute.i32<divby 8>) -> !cute.shape<"(?,(64,?{div=8}))">
  }];
}
def MakeStrideOp : FromLeaves<"make_stride", Cute_Stride> {
  let summary = "a stride from its dynamic leaves";
  let example = [{
    %stride = cute.make_stride(%ld) : (!cute.i64<divby 8>) -> !cute.stride<"(?{i64 div=8},1)">
  }];
}
def MakeCoordOp : FromLeaves<"make_coord", Cute_Coord> {
  let summary = "a coord from its dynamic leaves";
  let example = [{
    %at = cute.make_coord(%bidx, %bidy) : (i32, i32) -> !cute.coord<"(?,?,_)">
  }];
}
def MakeTileOp : FromLeaves<"make_tile", Cute_Tile> {
  let summary = "a tile from its dynamic leaves";
  let example = [{
    %tiler = cute.make_tile(%bm) : (i32) -> !cute.tile<"[?:1;64:1]">
  }];
}

// Operands of one kind; machine integers are leaves of any kind.
def MakeTupleOp : Cute_Functional<"make_tuple"> {
  let summary = "the value whose modes are the operands";
  let arguments = (ins Variadic<AnyType>:$modes);
  let results = (outs AnyType:$result);
  let description = [{Machine integers become leaves of the kind of the other operands, or of an int_tuple if there are no others. Layouts become the modes
    of one layout.}];
  let example = [{
    %shape = cute.make_tuple(%tile, %k) : (!cute.shape<"(128,64)">, i32) -> !cute.shape<"((128,64),?)">
  }];
  let rules = [
    Rule<"operands-one-kind", "the operands are of one kind, or machine integers", "operands must be of one kind: #0 is !cute.shape, but #1 is !cute.coord",
         "convert with `cute.to_shape` and its siblings">,
    Rule<"layout-tile-stands-beside-others-kind", "a layout or tile stands beside others of its kind only", "operands must be of one kind: #1 is !cute.layout, but #0 is i32",
         "make a layout of the integer first">
  ];
}

def MakeLayoutOp : Cute_Pure<"make_layout"> {
  let summary = "a layout from shape and stride; compact column-major without stride";
  let arguments = (ins Cute_Shape:$shape, Optional<Cute_Stride>:$stride, Segments:$operandSegmentSizes);
  let results = (outs Cute_Layout:$layout);
  let assemblyFormat = "`(` $shape (`,` $stride^)? `)` `` custom<Segments>($operandSegmentSizes) attr-dict `:` custom<MadeLayout>(ref($stride), type($shape), type($stride), type($layout))";
  let example = [{
    %layout = cute.make_layout(%shape, %stride)
      : (!cute.shape<"(?,64)">, !cute.stride<"(?{i64 div=8},1)">) -> !cute.layout<"(?,64):(?{i64 div=8},1)">
  }];
  let rules = [
    Rule<"shape-stride-same-structure", "shape and stride have the same structure", "mode (1,1) of shape and stride: (8,3) and 8 are not congruent",
         "write one stride per extent, in the same brackets">,
    Rule<"every-extent-positive", "every extent is positive", "mode 1 of the shape: extent 0 is not positive",
         "skip the work of an empty tensor before its layout is made">
  ];
}
def MakeComposedLayoutOp : Cute_Pure<"make_composed_layout"> {
  let summary = "inner o offset o outer";
  let arguments = (ins AnyTypeOf<[Cute_Swizzle, Cute_Layout], "swizzle or layout">:$inner, Cute_IntTuple:$offset, Cute_Layout:$outer);
  let results = (outs Cute_ComposedLayout:$result);
  let assemblyFormat = [{
    `(` $inner `,` $offset `,` $outer `)` attr-dict `:`
    custom<MadeComposed>(type($inner), type($offset), type($outer), type($result))
  }];
  let description = [{The value at a coordinate c is inner(offset + outer(c)). Shared-memory layouts of CuTe have this form, with a swizzle as the inner
    function.}];
  let example = [{
    %smem = cute.make_composed_layout(%swizzle, %zero, %outer)
      : (!cute.swizzle<"S<3,4,3>">, !cute.int_tuple<"0">, !cute.layout<"(8,64):(64,1)">)
      -> !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">
  }];
  let rules = [
    Rule<"inner-function-takes-what-outer-layout", "the inner function takes what the outer layout and the offset give: one integer for a swizzle, a coordinate for a layout", "S<3,4,3> takes one integer: offset (0,0) and the strides of ..",
         "use an outer layout with integer strides and an integer offset">
  ];
}
def MakeLayoutLikeOp : Cute_Pure<"make_layout_like"> {
  let summary = "the compact layout with the shape, and the order of strides, of another";
  let arguments = (ins AnyLayout:$src);
  let results = (outs Cute_Layout:$result);
  let assemblyFormat = "`(` $src `)` attr-dict `:` custom<Mapping>(type($src), type($result))";
  let example = [{
    %compact = cute.make_layout_like(%strided) : !cute.layout<"(4,8):(16,2)"> -> !cute.layout<"(4,8):(8,1)">
  }];
  let rules = [
    Rule<"strides-integers", "the strides are integers", "1@0 found where an integer is required",
         "a coord_tensor has no order in memory; take the layout of the memory">,
    Rule<"inner-function-composed-layout-swizzle", "the inner function of a composed layout is a swizzle", "only a swizzle keeps the order of strides",
         "use the outer layout">
  ];
}
def MakeOrderedLayoutOp : Cute_Functional<"make_ordered_layout"> {
  let summary = "the compact layout whose modes are filled in a given order, smallest first";
  let arguments = (ins Cute_Shape:$shape, Cute_IntTuple:$order);
  let results = (outs Cute_Layout:$layout);
  let example = [{
    %rowMajor = cute.make_ordered_layout(%shape, %order)
      : (!cute.shape<"(128,64)">, !cute.int_tuple<"(1,0)">) -> !cute.layout<"(128,64):(64,1)">
  }];
  let rules = [
    Rule<"order-one-integer-per-mode", "the order has one integer per mode", "the order: rank 3, expected exactly 2",
         "write one integer per mode of the shape">,
    Rule<"order-static", "the order is static", "the order (0,?) is dynamic: strides follow from it, so it must be static",
         "write the order as a constant">
  ];
}
def MakeIdentityLayoutOp : Cute_Pure<"make_identity_layout"> {
  let summary = "the layout of a shape that maps each coordinate to itself";
  let arguments = (ins Cute_Shape:$shape);
  let results = (outs Cute_Layout:$result);
  let assemblyFormat = "`(` $shape `)` attr-dict `:` custom<MadeOfShape>(type($shape), type($result))";
  let description = [{The strides are basis elements: `1@0` steps along mode 0, and `1@1@0` along mode 1 of mode 0 (the last number is the outermost mode).}];
  let example = [{
    %coords = cute.make_identity_layout(%shape)
      : !cute.shape<"(?,(2,8))"> -> !cute.layout<"(?,(2,8)):(1@0,(1@0@1,1@1@1))">
  }];
}
def MakeIdentityTensorOp : Cute_Pure<"make_identity_tensor"> {
  let summary = "the coord_tensor of a shape that holds its own coordinates";
  let arguments = (ins Cute_Shape:$shape);
  let results = (outs Cute_CoordTensor:$result);
  let assemblyFormat = "`(` $shape `)` attr-dict `:` custom<MadeOfShape>(type($shape), type($result))";
  let description = [{Partitioned like a tensor, it tells a thread the coordinates of its elements, which predicates compare with the extents.}];
  let example = [{
    %cC = cute.make_identity_tensor(%shapeC) : !cute.shape<"(?,?)"> -> !cute.coord_tensor<"(0,0)", "(?,?):(1@0,1@1)">
  }];
}

#endif
