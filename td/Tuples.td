// Arithmetic on tuples of integers, and comparisons of values.

#ifndef CUTE_TUPLES
#define CUTE_TUPLES

include "Algebra.td"

defvar Integers = AnyTypeOf<[Cute_IntTuple, Cute_Shape], "int_tuple or shape">;

class OnTuple<string m> : Cute_Functional<m> {
  let arguments = (ins Integers:$input);
  let results = (outs Integers:$result);
}
def TupleProductOp : OnTuple<"tuple_product"> {
  let summary = "the product of all leaves";
}
def TupleProductEachOp : OnTuple<"tuple_product_each"> {
  let summary = "the product of each mode";
}

class OlderOnTuple<string m, string current, string name> : Older<m, current, name> {
  let arguments = (ins Integers:$input);
  let results = (outs Integers:$result);
}
def OlderTupleProductOp : OlderOnTuple<"tuple.product", "TupleProductOp", "tuple_product">;
def OlderTupleProductEachOp : OlderOnTuple<"tuple.product_each", "TupleProductEachOp", "tuple_product_each">;

class OnTuples<string m> : Cute_Functional<m> {
  let arguments = (ins Integers:$lhs, Integers:$rhs);
  let results = (outs Integers:$result);
}
def TupleAddOp : OnTuples<"tuple_add"> {
  let summary = "the sum, leaf by leaf; 0 is neutral, and modes that only one has are kept";
}
def TupleSubOp : OnTuples<"tuple_sub"> {
  let summary = "the difference, leaf by leaf; 0 is neutral on the right, and modes that only one has are kept";
}
def TupleMulOp : OnTuples<"tuple_mul"> {
  let summary = "the product, leaf by leaf of congruent tuples";
}

// A division is not speculated: a run-time divisor may be 0.
class Division<string m> : Cute_Op<m, [NoMemoryEffect, Inferred]> {
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # foldOne # inference # functional;
}
class DivideTuples<string m> : Division<m> {
  let arguments = (ins Integers:$lhs, Integers:$rhs);
  let results = (outs Integers:$result);
}
def TupleDivOp : DivideTuples<"tuple_div"> {
  let summary = "the quotient, truncated, leaf by leaf of congruent tuples";
}
def TupleModOp : DivideTuples<"tuple_mod"> {
  let summary = "the remainder, leaf by leaf of congruent tuples";
}
def CeilDivOp : Division<"ceil_div"> {
  let summary = "the quotient rounded up, by mode; by a tile, how many tiles cover the modes";
  let arguments = (ins Integers:$input, AnyTypeOf<[Cute_IntTuple, Cute_Shape, Cute_Tile], "int_tuple, shape or tile">:$tiler);
  let results = (outs Integers:$result);
}
def ShapeDivOp : Division<"shape_div"> {
  let summary = "the quotient rounded up; of two static leaves, one divides the other";
  let arguments = (ins Cute_Shape:$a, Cute_Shape:$b);
  let results = (outs Cute_Shape:$result);
}

def EqualOp : Cute_Functional<"equal">, Emits {
  let summary = "whether two values of one kind have the same structure and leaves";
  let arguments = (ins AnyType:$lhs, AnyType:$rhs);
  let results = (outs AnyTypeOf<[I1]>:$result);
}

def IncrementCoordOp : Cute_Functional<"increment_coord"> {
  let summary = "the next coordinate in a shape, first mode fastest";
  let arguments = (ins Cute_Coord:$coord, Cute_Shape:$shape);
  let results = (outs Cute_Coord:$result);
}

// CuTe DSL writes `rank = 3 : si32`.
def Rank : AnyAttrOf<[I32Attr, SI32Attr]>;
class ToRank<string m> : Cute_Pure<m> {
  let arguments = (ins Rank:$rank, AnyType:$input, AnyType:$element);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`<` custom<Rank>($rank) `>` `(` $input `,` $element `)` attr-dict `:` type($input) `,` type($element)";
}
def AppendToRankOp : ToRank<"append_to_rank"> {
  let summary = "copies of an element at the end, up to a rank";
}
def PrependToRankOp : ToRank<"prepend_to_rank"> {
  let summary = "copies of an element in front, up to a rank";
}

#endif
