// Ops that descriptions of the dialect have beyond the public CuTe IR: coordinates of threads, partitions of tensors,
// stencils, outer divides, divisibility and fast division. Semantics: crates/cute-algebra.

#ifndef CUTE_WRITEUPS
#define CUTE_WRITEUPS

include "Algebra.td"

defvar ThreadIndex = AnyTypeOf<[I32, I64, Index, Cute_AssumedI32, Cute_AssumedI64, Cute_IntTuple],
                               "i32, i64, index or int_tuple">;

class CoordOfIndex<string m> : Cute_Functional<m> {
  let arguments = (ins ThreadIndex:$index, Cute_Layout:$layout);
  let results = (outs Cute_Coord:$result);
}
def GetFlatCoordOp : CoordOfIndex<"get_flat_coord"> {
  let summary = "the coordinate at which a compact layout has an index, one integer a mode";
}
def GetHierCoordOp : CoordOfIndex<"get_hier_coord"> {
  let summary = "the coordinate at which a compact layout has an index, in the layout's profile";
}

def LocalPartitionOp : Cute_Pure<"local_partition">, Indexes {
  let summary = "what belongs to a thread when a layout of threads is repeated over the input";
  let arguments = (ins Tileable:$input, Cute_Layout:$threads, ThreadIndex:$index, OptionalAttr<Cute_CoordAttr>:$proj);
  let results = (outs Tileable:$result);
  let assemblyFormat = [{
    `(` $input `,` $threads `,` $index (`,` custom<CoordString>($proj)^)? `)` attr-dict `:`
    custom<OperandTypes>(type($input), type($threads), type($index)) custom<ResultTypes>(type($result))
  }];
}
def OuterPartitionOp : Cute_Functional<"outer_partition">, Indexes {
  let summary = "one element of every tile: slice of zipped_divide at a coordinate of the tile";
  let arguments = (ins Tileable:$input, Tiler:$tiler, Cute_Coord:$coord);
  let results = (outs Tileable:$result);
}
def TiledPartitionOp : Cute_Functional<"tiled_partition">, Divides {
  let summary = "((tile), rest..), of which an atom takes the tile: what copy works on, verified as copy is";
  let arguments = (ins AnyType:$atom, Tileable:$input, Tiler:$tiler, Optional<AnyType>:$pred);
  let results = (outs Tileable:$result);
}

def StencilDivideOp : Cute_Functional<"stencil_divide"> {
  let summary = "each mode as (window, out): (w, out):(l*d, t*d), out = 1 + (s - ((w-1)*l + 1)) / t";
  let description = [{Operands: the window a mode, `_` for a mode that stays; then the step t and the dilation l, each 1
    where it is left out.}];
  let arguments = (ins Tileable:$input, Cute_Coord:$window, Variadic<Cute_IntTuple>:$step_and_dilation);
  let results = (outs Tileable:$result);
}
def OuterLogicalDivideOp : Divide<"outer_logical_divide"> {
  let summary = "logical_divide from the last mode";
}
def OuterZippedDivideOp : Divide<"outer_zipped_divide"> {
  let summary = "((rest..), (tile..)) from the last mode";
}
def OuterTiledDivideOp : Divide<"outer_tiled_divide"> {
  let summary = "(rest.., (tile..)) from the last mode";
}
def OuterFlatDivideOp : Divide<"outer_flat_divide"> {
  let summary = "(rest.., tile..) from the last mode";
}

def NullspaceOp : Cute_Functional<"nullspace"> {
  let summary = "the part of the domain that a layout maps to 0: its modes of stride 0";
  let arguments = (ins Cute_Layout:$input);
  let results = (outs Cute_Layout:$result);
}
def MaxCommonLayoutOp : Cute_Functional<"max_common_layout"> {
  let summary = "the longest run that lies contiguously and in one order in both: A(R(i)) = B(R(i)) = i; behind swizzles, no more than what they keep together";
  let arguments = (ins AnyLayout:$lhs, AnyLayout:$rhs);
  let results = (outs Cute_Layout:$result);
}
def MaxCommonVectorOp : Cute_Functional<"max_common_vector"> {
  let summary = "the size of max_common_layout; behind swizzles, no more than what they keep together";
  let arguments = (ins AnyLayout:$lhs, AnyLayout:$rhs);
  let results = (outs Cute_IntTuple:$result);
}
def DomainDistributeOp : Cute_Functional<"domain_distribute"> {
  let summary = "a static count spread over a static shape, first mode first: per mode the gcd with what is left";
  let arguments = (ins Cute_Shape:$shape, Cute_IntTuple:$count);
  let results = (outs Cute_Layout:$result);
}

def AssumeOp : Cute_Op<"assume", [Pure]> {
  let summary = "an integer of which the program promises a divisor";
  let arguments = (ins AnyTypeOf<[I32, I64, Cute_AssumedI32, Cute_AssumedI64], "i32 or i64">:$value);
  let results = (outs AnyTypeOf<[Cute_AssumedI32, Cute_AssumedI64], "!cute.i32 or !cute.i64">:$result);
  let assemblyFormat = "`(` $value `)` attr-dict `:` functional-type(operands, results)";
}
def FastDivmodCreateDivisorOp : Cute_Pure<"fast_divmod.create_divisor">, Emits {
  let summary = "multiplier and shifts of a positive divisor: m = 2^32 (2^l - d) / d + 1, l = ceil(log2 d)";
  let arguments = (ins AnyTypeOf<[I32, Cute_AssumedI32], "i32">:$divisor);
  let results = (outs Cute_FastDivmodDivisor:$result);
  let assemblyFormat = "`(` $divisor `)` attr-dict `:` custom<Mapping>(type($divisor), type($result))";
}
def FastDivmodComputeOp : Cute_PureMany<"fast_divmod.compute">, Emits {
  let summary = "quotient and remainder of an unsigned integer, without a division";
  let arguments = (ins AnyTypeOf<[I32, Cute_AssumedI32], "i32">:$dividend, Cute_FastDivmodDivisor:$divisor);
  let results = (outs AnyTypeOf<[I32]>:$quotient, AnyTypeOf<[I32]>:$remainder);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # foldMany # inference # functional;
}

#endif
