// Arithmetic on tuples of integers, and comparisons of values.

#ifndef CUTE_TUPLES
#define CUTE_TUPLES

include "Algebra.td"

defvar Integers = AnyTypeOf<[Cute_IntTuple, Cute_Shape], "int_tuple or shape">;

class OnTuple<string m> : Cute_Functional<m> {
  let arguments = (ins Integers:$input);
  let results = (outs Integers:$result);
  let rules = [
    Rule<"operand-int-tuple-shape", "the operand is an int_tuple or shape", "operand #0 must be int_tuple or shape, but got ..",
         "convert with `cute.to_int_tuple`">
  ];
}
def TupleProductOp : OnTuple<"tuple_product"> {
  let summary = "the product of all leaves";
  let example = [{
    %n = cute.tuple_product(%tiles) : (!cute.int_tuple<"(?,(3,4))">) -> !cute.int_tuple<"?{div=12}">
  }];
}
def TupleProductEachOp : OnTuple<"tuple_product_each"> {
  let summary = "the product of each mode";
  let example = [{
    %per_mode = cute.tuple_product_each(%shape) : (!cute.shape<"(?,(3,4))">) -> !cute.shape<"(?,12)">
  }];
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
  let example = [{
    %at = cute.tuple_add(%first, %step)
      : (!cute.int_tuple<"(?,64)">, !cute.int_tuple<"(8,0)">) -> !cute.int_tuple<"(?,64)">
  }];
  let rules = [
    Rule<"both-operands-one-kind", "both operands are of one kind", "operands must be of one kind, found !cute.int_tuple and !cute.shape",
         "convert one with `cute.to_shape` or `cute.to_int_tuple`">,
    Rule<"where-one-operand-integer", "where one operand has an integer, the other has an integer, unless that integer is 0", "3 and (1,2) cannot be added: a nonzero integer and a tuple have no sum",
         "give both operands the same brackets">
  ];
}
def TupleSubOp : OnTuples<"tuple_sub"> {
  let summary = "the difference, leaf by leaf; 0 is neutral on the right, and modes that only one has are kept";
  let example = [{
    %left = cute.tuple_sub(%extent, %done)
      : (!cute.int_tuple<"(?,64)">, !cute.int_tuple<"(8,0)">) -> !cute.int_tuple<"(?,64)">
  }];
  let rules = [
    Rule<"both-operands-one-kind", "both operands are of one kind", "operands must be of one kind, found !cute.int_tuple and !cute.shape",
         "convert one with `cute.to_shape` or `cute.to_int_tuple`">,
    Rule<"where-one-operand-integer", "where one operand has an integer, the other has an integer; on the right, 0 stands for any", "0 and (1,2) have no difference: ..",
         "give both operands the same brackets">
  ];
}
def TupleMulOp : OnTuples<"tuple_mul"> {
  let summary = "the product, leaf by leaf of congruent tuples";
  let example = [{
    %elements = cute.tuple_mul(%tiles, %tile)
      : (!cute.int_tuple<"(?,4)">, !cute.int_tuple<"(128,64)">) -> !cute.int_tuple<"(?{div=128},256)">
  }];
  let rules = [
    Rule<"both-operands-one-kind", "both operands are of one kind", "operands must be of one kind, found !cute.int_tuple and !cute.shape",
         "convert one with `cute.to_shape` or `cute.to_int_tuple`">,
    Rule<"operands-same-structure", "the operands have the same structure", "the operands: (1,3) and (1,(2,3)) are not congruent",
         "give both operands the same brackets">
  ];
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
  let example = [{
    %tiles = cute.tuple_div(%extents, %tile)
      : (!cute.int_tuple<"(?,256)">, !cute.int_tuple<"(128,64)">) -> !cute.int_tuple<"(?,4)">
  }];
  let rules = [
    Rule<"both-operands-one-kind", "both operands are of one kind", "operands must be of one kind, found !cute.int_tuple and !cute.shape",
         "convert one with `cute.to_shape` or `cute.to_int_tuple`">,
    Rule<"operands-same-structure", "the operands have the same structure", "the operands: (1,3) and (1,(2,3)) are not congruent",
         "give both operands the same brackets">,
    Rule<"no-static-divisor-0", "no static divisor is 0", "3 is divided by zero",
         "test a divisor that can be 0 at run time before the op, whose result is then undefined">
  ];
}
def TupleModOp : DivideTuples<"tuple_mod"> {
  let summary = "the remainder, leaf by leaf of congruent tuples";
  let example = [{
    %ragged = cute.tuple_mod(%extents, %tile)
      : (!cute.int_tuple<"(?,250)">, !cute.int_tuple<"(128,64)">) -> !cute.int_tuple<"(?,58)">
  }];
  let rules = [
    Rule<"both-operands-one-kind", "both operands are of one kind", "operands must be of one kind, found !cute.int_tuple and !cute.shape",
         "convert one with `cute.to_shape` or `cute.to_int_tuple`">,
    Rule<"operands-same-structure", "the operands have the same structure", "the operands: (1,3) and (1,(2,3)) are not congruent",
         "give both operands the same brackets">,
    Rule<"no-static-divisor-0", "no static divisor is 0", "3 is divided by zero",
         "test a divisor that can be 0 at run time before the op, whose result is then undefined">
  ];
}
def CeilDivOp : Division<"ceil_div"> {
  let summary = "the quotient rounded up, by mode; by a tile, how many tiles cover the modes";
  let arguments = (ins Integers:$input, AnyTypeOf<[Cute_IntTuple, Cute_Shape, Cute_Tile], "int_tuple, shape or tile">:$tiler);
  let results = (outs Integers:$result);
  let example = [{
    %grid = cute.ceil_div(%shape, %tiler) : (!cute.shape<"(?,250)">, !cute.tile<"[128:1;64:1]">) -> !cute.shape<"(?,4)">
  }];
  let rules = [
    Rule<"no-static-divisor-0", "no static divisor is 0", "7 is divided by zero",
         "choose a tile of at least one element">,
    Rule<"divisor-no-more-modes-operand", "the divisor has no more modes than the operand", "the divisor: rank 3, expected at most 2",
         "write one divisor per mode">
  ];
}
def ShapeDivOp : Division<"shape_div"> {
  let summary = "the quotient rounded up; of two static leaves, one divides the other";
  let arguments = (ins Cute_Shape:$a, Cute_Shape:$b);
  let results = (outs Cute_Shape:$result);
  let example = [{
    %rest = cute.shape_div(%shape, %tile) : (!cute.shape<"(128,256)">, !cute.shape<"(32,64)">) -> !cute.shape<"(4,4)">
  }];
  let rules = [
    Rule<"two-static-extents", "of two static extents, one divides the other", "7 does not divide, and is not divided by, 3",
         "use `cute.ceil_div` to round up without the rule">,
    Rule<"no-static-divisor-0", "no static divisor is 0", "4 is divided by zero",
         "choose a tile of at least one element">
  ];
}

def EqualOp : Cute_Functional<"equal">, Emits {
  let summary = "whether two values of one kind have the same structure and leaves";
  let arguments = (ins AnyType:$lhs, AnyType:$rhs);
  let results = (outs AnyTypeOf<[I1]>:$result);
  let description = [{Values of different structure are not equal, which is known before run time.}];
  let example = [{
    %same = cute.equal(%shapeA, %shapeB) : (!cute.shape<"(?,64)">, !cute.shape<"(?,64)">) -> i1
  }];
  let rules = [
    Rule<"both-operands-one-kind", "both operands are of one kind", "operands must be of one kind, found !cute.int_tuple and !cute.shape",
         "convert one with `cute.to_shape` or `cute.to_int_tuple`">,
    Rule<"operands-tuples-layouts", "the operands are tuples or layouts", "operand #0 must be an int_tuple, shape, stride, coord or layout, found !cute.tile",
         "compare the shapes or layouts of tiles">
  ];
}

def IncrementCoordOp : Cute_Functional<"increment_coord"> {
  let summary = "the next coordinate in a shape, first mode fastest";
  let arguments = (ins Cute_Coord:$coord, Cute_Shape:$shape);
  let results = (outs Cute_Coord:$result);
  let example = [{
    %next = cute.increment_coord(%at, %shape) : (!cute.coord<"(?,?)">, !cute.shape<"(4,?)">) -> !cute.coord<"(?,?)">
  }];
  let rules = [
    Rule<"coordinate-shape-same-structure", "coordinate and shape have the same structure", "coordinate and shape: (1,2,3) and (4,8) are not congruent",
         "write one index per extent">,
    Rule<"coordinate-no-underscore", "the coordinate has no `_`", "the coordinate (1,_) has a `_`, but no coordinate comes after it",
         "count over the modes that are indexed">
  ];
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
  let example = [{
    %batched = cute.append_to_rank<3> (%layout, %one) : !cute.layout<"(128,64):(64,1)">, !cute.layout<"1:0">
  }];
  let rules = [
    Rule<"rank-positive", "the rank is positive", "attribute 'rank' must be a positive integer",
         "write the number of modes of the result">,
    Rule<"element-kind-operand", "the element is of the kind of the operand", "the element must be of the kind of the operand, found !cute.int_tuple for !cute.shape",
         "convert the element">
  ];
}
def PrependToRankOp : ToRank<"prepend_to_rank"> {
  let summary = "copies of an element in front, up to a rank";
  let example = [{
    %padded = cute.prepend_to_rank<3> (%shape, %one) : !cute.shape<"(128,64)">, !cute.shape<"1">
  }];
  let rules = [
    Rule<"rank-positive", "the rank is positive", "attribute 'rank' must be a positive integer",
         "write the number of modes of the result">,
    Rule<"element-kind-operand", "the element is of the kind of the operand", "the element must be of the kind of the operand, found !cute.int_tuple for !cute.shape",
         "convert the element">
  ];
}

#endif
