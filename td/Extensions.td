// Ops that descriptions of the dialect have beyond the public CuTe IR: coordinates of threads, partitions of tensors,
// stencils, outer divides, divisibility and fast division. Semantics: crates/cute-algebra.

#ifndef CUTE_EXTENSIONS
#define CUTE_EXTENSIONS

include "Algebra.td"

defvar ThreadIndex = AnyTypeOf<[I32, I64, Index, Cute_AssumedI32, Cute_AssumedI64, Cute_IntTuple],
                               "i32, i64, index or int_tuple">;

class CoordOfIndex<string m> : Cute_Functional<m> {
  let arguments = (ins ThreadIndex:$index, Cute_Layout:$layout);
  let results = (outs Cute_Coord:$result);
}
def GetFlatCoordOp : CoordOfIndex<"get_flat_coord"> {
  let summary = "the coordinate that a compact layout maps to an index, with one integer per mode";
  let example = [{
    %at = cute.get_flat_coord(%tid, %threads) : (i32, !cute.layout<"(4,(2,4)):(8,(4,1))">) -> !cute.coord<"(?,?)">
  }];
  let rules = [
    Rule<"index-one-integer", "the index is one integer", "operand #0 `(1,2)` must be one integer",
         "pass the number of the thread">,
    Rule<"static-index-one-layout", "a static index is one that the layout has", "(4,8):(2,8) has 2, not 3, at (1,0); set cute.domain = \"extend\"",
         "pass an index that the layout has">
  ];
}
def GetHierCoordOp : CoordOfIndex<"get_hier_coord"> {
  let summary = "the coordinate that a compact layout maps to an index, in the layout's profile";
  let example = [{
    %at = cute.get_hier_coord(%tid, %threads) : (i32, !cute.layout<"(4,(2,4)):(8,(4,1))">) -> !cute.coord<"(?,(?,?))">
  }];
  let rules = [
    Rule<"index-one-integer", "the index is one integer", "operand #0 `(1,2)` must be one integer",
         "pass the number of the thread">,
    Rule<"static-index-one-layout", "a static index is one that the layout has", "(4,8):(2,8) has 2, not 3, at (1,0); set cute.domain = \"extend\"",
         "pass an index that the layout has">
  ];
}

def LocalPartitionOp : Cute_Pure<"local_partition">, Indexes {
  let summary = "what belongs to a thread when a layout of threads is repeated over the input";
  let arguments = (ins Tileable:$input, Cute_Layout:$threads, ThreadIndex:$index, OptionalAttr<Cute_CoordAttr>:$proj);
  let results = (outs Tileable:$result);
  let assemblyFormat = [{
    `(` $input `,` $threads `,` $index (`,` custom<CoordString>($proj)^)? `)` attr-dict `:`
    custom<OperandTypes>(type($input), type($threads), type($index)) custom<ResultTypes>(type($result))
  }];
  let example = [{
    %mine = cute.local_partition(%gA, %threads, %tid)
      : (!cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.layout<"(8,4):(4,1)">, i32)
      -> !cute.memref<f32, gmem, "(8,8):(256,4)">
  }];
  let rules = [
    Rule<"layout-threads-static-shape", "the layout of threads has a static shape", "operand #1: the layout of threads (?,2):(2,1) must have a static shape",
         "write the block size as constants">,
    Rule<"static-index-one-threads", "a static index is one of the threads", "coordinate: all modes: index 6 is outside [0, 6); set cute.domain = \"extend\"",
         "pass the number of a thread of the layout">,
    Rule<"layout-threads-no-more-modes-input", "the layout of threads has no more modes than the input", "the tiler: rank 2, expected at most 1",
         "write one mode per mode of the input">
  ];
}
def OuterPartitionOp : Cute_Functional<"outer_partition">, Indexes {
  let summary = "one element of every tile: slice of zipped_divide at a coordinate of the tile";
  let arguments = (ins Tileable:$input, Tiler:$tiler, Cute_Coord:$coord);
  let results = (outs Tileable:$result);
  let example = [{
    %mine = cute.outer_partition(%gA, %tiler, %at)
      : (!cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.tile<"[8:1;4:1]">, !cute.coord<"(?,?)">)
      -> !cute.memref<f32, gmem, "(8,8):(256,4)">
  }];
  let rules = [
    Rule<"coordinate-one-index-per-mode-tiler", "the coordinate has one index per mode of the tiler", "the tile coordinate: rank 3, expected at most 2",
         "write one index per mode">,
    Rule<"static-index-lies-tile", "a static index lies in the tile", "coordinate: mode 1: index 4 is outside [0, 4); set cute.domain = \"extend\"",
         "correct the index">
  ];
}
def TiledPartitionOp : Cute_Functional<"tiled_partition">, Divides {
  let summary = "tiled_divide for a copy: ((tile), rest..), where calls of the atom copy the tile; verified like the operands of `copy`";
  let arguments = (ins AnyType:$atom, Tileable:$input, Tiler:$tiler, Optional<AnyType>:$pred);
  let results = (outs Tileable:$result);
  let example = [{
    %calls = cute.tiled_partition(%atom, %gA, %tiler)
      : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.shape<"(1,4)">)
      -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
  }];
  let rules = [
    Rule<"tiler-no-more-modes-input", "the tiler has no more modes than the input", "the tiler has rank 3, but the layout has rank 2",
         "write one tile per mode">,
    Rule<"tile-divides-input", "the tile divides the input", "tile 4 of mode 1 does not divide its extent 30; set cute.domain = \"extend\" for a partial last tile",
         "choose another tile, or set `cute.domain = \"extend\"`">,
    Rule<"tile-holds-whole-calls-atom", "the tile holds whole calls of the atom", "mode 0 of the source has 2 elements, not a multiple of the 4 that one call of the atom copies (128 b)",
         "make the tile larger">,
    Rule<"predicate-memref-i8-i1", "the predicate is a memref of `i8` or `i1`", "pred must be a CuteMemRefType of i8 or i1, found f32",
         "allocate it by `cute.memref.alloca`">
  ];
}

def StencilDivideOp : Cute_Functional<"stencil_divide"> {
  let summary = "each mode as (window, out): (w, out):(l*d, t*d), out = 1 + (s - ((w-1)*l + 1)) / t";
  let arguments = (ins Tileable:$input, Cute_Coord:$window, Variadic<Cute_IntTuple>:$step_and_dilation);
  let results = (outs Tileable:$result);
  let description = [{Operands: the window per mode, `_` for a mode that stays; then the step t and the dilation l, which are 1 by default.}];
  let example = [{
    %windows = cute.stencil_divide(%image, %window, %step)
      : (!cute.layout<"(16,32):(1,16)">, !cute.coord<"(3,5)">, !cute.int_tuple<"(1,2)">)
      -> !cute.layout<"((3,14),(5,14)):((1,1),(16,32))">
  }];
  let rules = [
    Rule<"window-fits-mode", "the window fits in its mode", "mode 1: a window of 5 with dilation 1 spans 5 elements, but the mode has 4",
         "pad the mode, or choose a smaller window">,
    Rule<"windows-steps-dilations-positive", "windows, steps and dilations are positive", "mode 1: step -1 is not positive",
         "write positive integers">,
    Rule<"each-mode-window-one-run", "each mode with a window is one run", "(4,4):(1,8) is not one extent and one stride, even coalesced",
         "apply it to a plain tensor, before tiling">,
    Rule<"most-four-operands", "there are at most four operands", "expects at most 4 operands: input, window, step and dilation, found 5 operands",
         "remove operands">
  ];
}
def OuterLogicalDivideOp : Divide<"outer_logical_divide"> {
  let summary = "logical_divide from the last mode";
  let example = [{
    %blocks = cute.outer_logical_divide(%layout, %tiler)
      : (!cute.layout<"(3,8,16):(128,16,1)">, !cute.shape<"(2,4)">)
      -> !cute.layout<"(3,(2,4),(4,4)):(128,(16,32),(1,4))">
  }];
  let rules = [
    Rule<"tiler-no-more-modes-input", "the tiler has no more modes than the input", "the tiler: rank 2, expected at most 1",
         "write one tile per mode, and `_` for a mode that stays">,
    Rule<"tiles-cover-last-modes-exactly", "the tiles cover the last modes exactly", "mode 1: tiles of 8 in 20 elements cover 24; set cute.domain = \"extend\"",
         "choose a tile that divides the extent, or set `cute.domain = \"extend\"` for partial tiles, which the kernel then predicates">
  ];
}
def OuterZippedDivideOp : Divide<"outer_zipped_divide"> {
  let summary = "((rest..), (tile..)) from the last mode";
  let example = [{
    %tiles = cute.outer_zipped_divide(%layout, %tiler)
      : (!cute.layout<"(3,8,16):(128,16,1)">, !cute.shape<"(2,4)">)
      -> !cute.layout<"((4,4,3),(4,2)):((4,32,128),(1,16))">
  }];
  let rules = [
    Rule<"tiler-no-more-modes-input", "the tiler has no more modes than the input", "the tiler: rank 2, expected at most 1",
         "write one tile per mode, and `_` for a mode that stays">,
    Rule<"tiles-cover-last-modes-exactly", "the tiles cover the last modes exactly", "mode 1: tiles of 8 in 20 elements cover 24; set cute.domain = \"extend\"",
         "choose a tile that divides the extent, or set `cute.domain = \"extend\"` for partial tiles, which the kernel then predicates">
  ];
}
def OuterTiledDivideOp : Divide<"outer_tiled_divide"> {
  let summary = "(rest.., (tile..)) from the last mode";
  let example = [{
    %tiles = cute.outer_tiled_divide(%layout, %tiler)
      : (!cute.layout<"(3,8,16):(128,16,1)">, !cute.shape<"(2,4)">) -> !cute.layout<"(3,4,4,(4,2)):(128,32,4,(1,16))">
  }];
  let rules = [
    Rule<"tiler-no-more-modes-input", "the tiler has no more modes than the input", "the tiler: rank 2, expected at most 1",
         "write one tile per mode, and `_` for a mode that stays">,
    Rule<"tiles-cover-last-modes-exactly", "the tiles cover the last modes exactly", "mode 1: tiles of 8 in 20 elements cover 24; set cute.domain = \"extend\"",
         "choose a tile that divides the extent, or set `cute.domain = \"extend\"` for partial tiles, which the kernel then predicates">
  ];
}
def OuterFlatDivideOp : Divide<"outer_flat_divide"> {
  let summary = "(rest.., tile..) from the last mode";
  let example = [{
    %tiles = cute.outer_flat_divide(%layout, %tiler)
      : (!cute.layout<"(3,8,16):(128,16,1)">, !cute.shape<"(2,4)">) -> !cute.layout<"(3,4,4,2,4):(128,32,4,16,1)">
  }];
  let rules = [
    Rule<"tiler-no-more-modes-input", "the tiler has no more modes than the input", "the tiler: rank 2, expected at most 1",
         "write one tile per mode, and `_` for a mode that stays">,
    Rule<"tiles-cover-last-modes-exactly", "the tiles cover the last modes exactly", "mode 1: tiles of 8 in 20 elements cover 24; set cute.domain = \"extend\"",
         "choose a tile that divides the extent, or set `cute.domain = \"extend\"` for partial tiles, which the kernel then predicates">
  ];
}

def NullspaceOp : Cute_Functional<"nullspace"> {
  let summary = "the part of the domain that a layout maps to 0: its modes of stride 0";
  let arguments = (ins Cute_Layout:$input);
  let results = (outs Cute_Layout:$result);
  let example = [{
    %broadcast = cute.nullspace(%layout) : (!cute.layout<"(2,4,4,4):(0,2,0,8)">) -> !cute.layout<"(2,4):(1,8)">
  }];
}
def MaxCommonLayoutOp : Cute_Functional<"max_common_layout"> {
  let summary = "R, the longest contiguous run in the same order in both: A(R(i)) = B(R(i)) = i; limited to the elements that swizzles keep together";
  let arguments = (ins AnyLayout:$lhs, AnyLayout:$rhs);
  let results = (outs Cute_Layout:$result);
  let description = [{A vector copy between the two moves at most this run in one instruction. Behind swizzles, it is what they keep together.}];
  let example = [{
    %run = cute.max_common_layout(%gmem, %smem)
      : (!cute.layout<"(4,8):(1,4)">, !cute.layout<"(4,8):(1,16)">) -> !cute.layout<"4:1">
  }];
  let rules = [
    Rule<"strides-integers", "the strides are integers", "right_inverse: 1@0 found where an integer is required",
         "take the layouts of the memory">
  ];
}
def MaxCommonVectorOp : Cute_Functional<"max_common_vector"> {
  let summary = "the size of max_common_layout, limited to the elements that swizzles keep together";
  let arguments = (ins AnyLayout:$lhs, AnyLayout:$rhs);
  let results = (outs Cute_IntTuple:$result);
  let example = [{
    %elements = cute.max_common_vector(%gmem, %smem)
      : (!cute.layout<"(4,8):(1,4)">, !cute.layout<"(4,8):(1,16)">) -> !cute.int_tuple<"4">
  }];
  let rules = [
    Rule<"both-layouts-run", "both layouts have the run", "max_common_layout: the run 32:1 reaches index 31, but 4:1 has 4 elements; set cute.domain = \"extend\"",
         "compare layouts of the same elements">
  ];
}
def DomainDistributeOp : Cute_Functional<"domain_distribute"> {
  let summary = "a static count spread over a static shape, first mode first: per mode the gcd with what is left";
  let arguments = (ins Cute_Shape:$shape, Cute_IntTuple:$count);
  let results = (outs Cute_Layout:$result);
  let example = [{
    %vector = cute.domain_distribute(%shape, %count)
      : (!cute.shape<"(15,14)">, !cute.int_tuple<"6">) -> !cute.layout<"(3,2):(1,15)">
  }];
  let rules = [
    Rule<"count-static", "the count is static", "operand #1: the count must be static, but is ?",
         "write the count as a constant">,
    Rule<"shape-static", "the shape is static", "extent ? is dynamic, but a static value is required",
         "cut a static tile first">,
    Rule<"count-positive", "the count is positive", "count 0 is not positive",
         "ask for at least one element">
  ];
}

def AssumeOp : Cute_Op<"assume", [Pure]> {
  let summary = "the same integer, which the program promises to be a multiple of the result type's divisor";
  let arguments = (ins AnyTypeOf<[I32, I64, Cute_AssumedI32, Cute_AssumedI64], "i32 or i64">:$value);
  let results = (outs AnyTypeOf<[Cute_AssumedI32, Cute_AssumedI64], "!cute.i32 or !cute.i64">:$result);
  let assemblyFormat = "`(` $value `)` attr-dict `:` custom<OperandTypes>(type($value)) custom<DeclaredType>(type($result))";
  let description = [{A wrong promise is undefined behaviour, unless `runtime-checks` is on, which traps.}];
  let example = [{
    %n8 = cute.assume(%n) : (i32) -> !cute.i32<divby 8>
  }];
  let rules = [
    Rule<"widths-same", "the widths are the same", "i32 cannot be assumed to be !cute.i64<divby 8>: the widths differ",
         "extend the integer first">
  ];
}
def FastDivmodCreateDivisorOp : Cute_Pure<"fast_divmod.create_divisor">, Emits {
  let summary = "multiplier and shifts of a positive divisor: m = 2^32 (2^l - d) / d + 1, l = ceil(log2 d)";
  let arguments = (ins AnyTypeOf<[I32, Cute_AssumedI32], "i32">:$divisor);
  let results = (outs Cute_FastDivmodDivisor:$result);
  let assemblyFormat = "`(` $divisor `)` attr-dict `:` custom<Mapping>(type($divisor), type($result))";
  let example = [{
    %by = cute.fast_divmod.create_divisor(%n) : i32 -> !cute.fast_divmod_divisor<32>
  }];
  let rules = [
    Rule<"divisor-32-bits", "the divisor has 32 bits", "operand #0 must be i32, but got 'i64'",
         "truncate it where it fits">
  ];
}
def FastDivmodComputeOp : Cute_PureMany<"fast_divmod.compute">, Emits {
  let summary = "quotient and remainder of an unsigned integer, without a division";
  let arguments = (ins AnyTypeOf<[I32, Cute_AssumedI32], "i32">:$dividend, Cute_FastDivmodDivisor:$divisor);
  let results = (outs AnyTypeOf<[I32]>:$quotient, AnyTypeOf<[I32]>:$remainder);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # foldMany # inference # functional;
  let example = [{
    %quotient, %remainder = cute.fast_divmod.compute(%index, %by) : (i32, !cute.fast_divmod_divisor<32>) -> (i32, i32)
  }];
  let rules = [
    Rule<"dividend-32-bits", "the dividend has 32 bits", "operand #0 must be i32, but got 'i64'",
         "truncate it where it fits">
  ];
}

#endif
