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
}
def CosizeOp : ModePath<"cosize", Cute_IntTuple> {
  let summary = "one more than the largest index: 1 + sum (s_i - 1) * |d_i|";
}

class OnCoord<string m, Type second> : Cute_Functional<m> {
  let arguments = (ins Cute_Coord:$coord, second:$layout);
  let results = (outs Cute_IntTuple:$result);
}
def Crd2IdxOp : OnCoord<"crd2idx", AnyTypeOf<[Cute_Shape, Cute_Layout, Cute_ComposedLayout], "shape, layout or composed layout">>, Indexes {
  let summary = "the index of a coordinate, in a shape or under a layout";
}
def LayoutEvalOp : OnCoord<"layout_eval", AnyLayout>, Indexes {
  let summary = "the value of a layout at a coordinate";
}
def Idx2CrdOp : Cute_Functional<"idx2crd"> {
  let summary = "the coordinate of an index in a shape, first mode fastest";
  let arguments = (ins Cute_IntTuple:$index, Cute_Shape:$shape);
  let results = (outs Cute_Coord:$result);
}

def SliceOp : Cute_Pure<"slice">, Indexes {
  let summary = "the modes that `_` leaves open; of a view, the others move its iterator";
  let arguments = (ins AnyType:$input, Cute_Coord:$coord);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`(` operands `)` attr-dict `:` type(operands)";
}
def DiceOp : Cute_Pure<"dice"> {
  let summary = "the modes that a static coordinate fixes; the coordinate is a value or an attribute";
  let arguments = (ins AnyType:$input, Optional<Cute_Coord>:$at, OptionalAttr<Cute_CoordAttr>:$coord);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    `(` $input `,` ($at^):(custom<CoordString>($coord))? `)` attr-dict `:` custom<Diced>(ref($at), type($input), type($at))
  }];
}
def RecastLayoutOp : Cute_Pure<"recast_layout"> {
  let summary = "the same memory in elements of another width";
  let arguments = (ins I32Attr:$new_type_bits, I32Attr:$old_type_bits, AnyLayout:$src);
  let results = (outs AnyLayout:$dst);
  let assemblyFormat = [{
    `<` $new_type_bits `,` $old_type_bits `>` `(` $src `)` attr-dict `:` custom<Mapping>(type($src), type($dst))
  }];
}
def GroupModesOp : Cute_Pure<"group_modes"> {
  let summary = "modes [begin, end) as one mode";
  let arguments = (ins AnyType:$input, I32Attr:$begin, I32Attr:$end);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`` custom<RangeOf>($begin, $end, $input) attr-dict `:` custom<OperandTypes>(type($input)) custom<ResultTypes>(type($result))";
}
def FlattenOp : Cute_Functional<"flatten"> {
  let summary = "the same leaves in one level";
  let arguments = (ins AnyType:$input);
  let results = (outs AnyType:$result);
}
def CoalesceOp : Cute_Functional<"coalesce"> {
  let summary = "the same function with as few modes as can be, by mode where a profile is given";
  let arguments = (ins Tileable:$input, Optional<Cute_Coord>:$target_profile);
  let results = (outs Tileable:$result);
}
class OnLayout<string m> : Cute_Functional<m> {
  let arguments = (ins Tileable:$input);
  let results = (outs Tileable:$result);
}
def FilterOp : OnLayout<"filter"> {
  let summary = "the layout without modes of stride 0 or extent 1";
}
def FilterZerosOp : Cute_Functional<"filter_zeros"> {
  let summary = "extent 1 for each mode of stride 0, or where a profile is 0";
  let arguments = (ins Tileable:$input, Optional<AnyTypeOf<[Cute_IntTuple, Cute_Stride], "int_tuple or stride">>:$profile);
  let results = (outs Tileable:$result);
}
def RightInverseOp : OnLayout<"right_inverse"> {
  let summary = "R with A(R(i)) = i";
}
def LeftInverseOp : OnLayout<"left_inverse"> {
  let summary = "L with L(A(i)) = i";
}
def ComplementOp : Cute_Functional<"complement"> {
  let summary = "the layout that fills what another leaves of the cotarget";
  let arguments = (ins Cute_Layout:$input, Optional<AnyTypeOf<[Cute_Shape, Cute_Layout], "shape or layout">>:$cotarget);
  let results = (outs Cute_Layout:$result);
}
def CompositionOp : Cute_Functional<"composition"> {
  let summary = "C(c) = A(B(c)), by mode where B is a shape or tile";
  let arguments = (ins Tileable:$lhs, Tiler:$rhs);
  let results = (outs Tileable:$result);
}

class Divide<string m> : Cute_Functional<m>, Divides {
  let arguments = (ins Tileable:$input, Tiler:$tiler);
  let results = (outs Tileable:$result);
}
def LogicalDivideOp : Divide<"logical_divide"> {
  let summary = "each mode as (tile, rest)";
}
def ZippedDivideOp : Divide<"zipped_divide"> {
  let summary = "((tile..), (rest..))";
}
def TiledDivideOp : Divide<"tiled_divide"> {
  let summary = "((tile..), rest..)";
}
def FlatDivideOp : Divide<"flat_divide"> {
  let summary = "(tile.., rest..)";
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
}
def ElemLessOp : Cute_Functional<"elem_less">, Emits {
  let summary = "whether every element is less than its counterpart";
  let arguments = (ins TupleLike:$lhs, TupleLike:$rhs);
  let results = (outs AnyTypeOf<[I1]>:$result);
}

#endif
