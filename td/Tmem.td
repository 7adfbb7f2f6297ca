// Tensor memory of Blackwell: who has which columns of it.

#ifndef CUTE_TMEM
#define CUTE_TMEM

include "Types.td"

class OnTmem<string m> : CuteOpBase<CuteNvgpu_Dialect, "arch.sm100." # m, [MemoryEffects<[MemRead, MemWrite]>]> {
  // A warp, or one warp in each of a pair of CTAs.
  string group = "`[` (`cta_2` $is_two_cta^) : (`cta_1`)? `]` ";
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
}
def AllocTmemOp : OnTmem<"alloc_tmem"> {
  let summary = "columns of tensor memory, whose address is written to smem";
  let arguments = (ins I32:$columns, Cute_Ptr:$where, UnitAttr:$is_two_cta);
  let assemblyFormat = "`(` $columns `,` $where `)` " # group # "attr-dict `:` type($columns) `,` qualified(type($where))";
  let description = [{One warp executes it, or one warp in each CTA of a pair with `[cta_2]`. It waits until columns are free.}];
  let example = [{
    cute_nvgpu.arch.sm100.alloc_tmem(%columns, %where) [cta_1] : i32, !cute.ptr<i32, smem, align<8>>
  }];
  let rules = [
    Rule<"address-written-i32-smem", "the address is written to an `i32` in smem", "the address of tensor memory is kept in an i32 in smem, but the pointer is to i32 in gmem",
         "allocate a word of shared memory">,
    Rule<"number-columns-power-two-32-512", "the number of columns is a power of two from 32 to 512", "96 columns cannot be allocated: it takes a power of two from 32 to 512",
         "round up">
  ];
}
def RetrieveTmemPtrOp : OnTmem<"retrieve_tmem_ptr"> {
  let summary = "the pointer to tensor memory whose address lies in smem";
  let arguments = (ins Cute_Ptr:$where);
  let results = (outs Cute_Ptr:$result);
  let assemblyFormat = "`(` $where `)` attr-dict `:` qualified(type($where)) `->` qualified(type($result))";
  let description = [{A barrier must be between the allocation and this op.}];
  let example = [{
    %tmem = cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%where)
      : !cute.ptr<i32, smem, align<8>> -> !cute.ptr<f32, tmem, align<16>>
  }];
  let rules = [
    Rule<"address-lies-i32-smem", "the address lies in an `i32` in smem", "the address of tensor memory is kept in an i32 in smem, but the pointer is to i64 in smem",
         "pass the word that `alloc_tmem` wrote">,
    Rule<"result-lies-tmem", "the result lies in `tmem`", "a pointer to tmem is expected, found one to smem",
         "write `tmem` in the type">
  ];
}
def DeallocTmemOp : OnTmem<"dealloc_tmem"> {
  let summary = "columns of tensor memory, freed";
  let arguments = (ins Cute_Ptr:$first, I32:$columns, UnitAttr:$is_two_cta);
  let assemblyFormat = "`(` $first `,` $columns `)` " # group # "attr-dict `:` qualified(type($first)) `,` type($columns)";
  let example = [{
    cute_nvgpu.arch.sm100.dealloc_tmem(%tmem, %columns) [cta_1] : !cute.ptr<f32, tmem, align<16>>, i32
  }];
  let rules = [
    Rule<"operand-points-tensor-memory", "the operand points to tensor memory", "a pointer to tmem is expected, found one to smem",
         "pass the result of `retrieve_tmem_ptr`">,
    Rule<"number-columns-allocation", "the number of columns is that of the allocation", "1024 columns cannot be allocated: it takes a power of two from 32 to 512",
         "pass the same number">
  ];
}
def RelinquishTmemAllocPermitOp : OnTmem<"relinquish_tmem_alloc_permit"> {
  let summary = "gives up the CTA's right to allocate tensor memory";
  let arguments = (ins UnitAttr:$is_two_cta);
  let assemblyFormat = "` `" # group # "attr-dict";
  let example = [{
    cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [cta_1]
  }];
  let rules = [
    Rule<"group-cta-1-cta-2", "the group is `cta_1` or `cta_2`", "expected 'cta_1'",
         "write `[cta_1]`, or `[cta_2]` for a pair">
  ];
}

def MakeTmemCopyOp : CuteOpBase<CuteNvgpu_Dialect, "atom.make_tmem_copy", [Pure, Inferred]>, TilesAtom {
  let summary = "a copy atom for tensor memory laid over four warps; each warp accesses the same position within its own 32 lanes";
  let arguments = (ins AnyType:$atom, Cute_MemRef:$tensor);
  let results = (outs Cute_TiledCopy:$result);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # foldOne # inference # functional;
  let description = [{In tensor memory of 32-bit elements, lanes have stride 65536 and columns stride 1.}];
  let example = [{
    %load = cute_nvgpu.atom.make_tmem_copy(%atom, %accumulators)
      : (!cute_nvgpu.atom.tmem_load<f32, 16 DP, 256 bit, x8>, !cute.memref<f32, tmem, align<16>, "(128,64):(65536,1)">)
  }];
  let rules = [
    Rule<"tensor-lies-tensor-memory", "the tensor lies in tensor memory", "the tensor must lie in tmem, found smem",
         "pass the view of tensor memory">,
    Rule<"elements-those-atom", "the elements are those of the atom", "the tensor has elements of f16, but the atom copies f32",
         "take an atom of these elements">,
    Rule<"atom-copies-tensor-memory", "the atom copies tensor memory", "operand #0 must be a copy of tensor memory, such as !cute_nvgpu.atom.tmem_load, found ..",
         "use `cute.make_tiled_copy` for other atoms">,
    Rule<"layout-static-plain", "the layout is static and plain", "the tensor must have a static plain layout, found (128,?):(65536,1)",
         "slice the tensor to one tile">,
    Rule<"tensor-fits-128-lanes-512-columns", "the tensor fits 128 lanes of 512 columns", "reaches lane 127 and column 1023, but tensor memory has 128 lanes of 512 columns",
         "use a smaller tile">
  ];
}
def MakeS2tCopyOp : CuteOpBase<CuteNvgpu_Dialect, "atom.make_s2t_copy", [Pure, Inferred]>, TilesAtom {
  let summary = "a copy of shared to tensor memory, which a CTA or a pair of them issues";
  let arguments = (ins AnyType:$atom, Cute_MemRef:$tensor);
  let results = (outs Cute_TiledCopy:$result);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # foldOne # inference # functional;
  let example = [{
    %copy = cute_nvgpu.atom.make_s2t_copy(%atom, %scales)
      : (!cute_nvgpu.atom.s2t_copy<f8E8M0FNU, 32 DP, 128 bit, 1 cta, x4>, !cute.memref<f8E8M0FNU, tmem, align<16>, "(((32,4),4),1,4):(((262144,4),8388608),0,1)">)
  }];
  let rules = [
    Rule<"tensor-lies-tensor-memory", "the tensor lies in tensor memory", "the tensor must lie in tmem, found smem",
         "pass the view of tensor memory">,
    Rule<"atom-copies-shared-tensor-memory", "the atom copies shared to tensor memory", "operand #0 must be a copy of shared to tensor memory, such as !cute_nvgpu.atom.s2t_copy",
         "take an `s2t_copy`">
  ];
}
def GetCopyS2tSmemDescViewOp : CuteOpBase<CuteNvgpu_Dialect, "atom.get_copy_s2t_smem_desc_view", [Pure]>, Emits {
  let summary = "the descriptors of what a copy of shared to tensor memory reads, for a partition of it";
  let arguments = (ins AnyType:$atom, Cute_MemRef:$source);
  let results = (outs DescView:$result);
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
  let assemblyFormat = "`(` $atom `,` $source `)` attr-dict `:` custom<OperandTypes>(type($atom), type($source)) custom<DeclaredType>(type($result))";
  let example = [{
    %descs = cute_nvgpu.atom.get_copy_s2t_smem_desc_view(%atom, %part)
      : (!cute_nvgpu.atom.s2t_copy<f16, 128 DP, 256 bit, 1 cta>, !cute.memref<f16, smem, align<128>, "(((8,16),(8,2))):(((8,64),(1,1024)))">)
      -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(((8,16),(1,2))):(((1,8),(1,128)))">
  }];
  let rules = [
    Rule<"source-lies-shared-memory", "the source lies in shared memory", "tcgen05.cp reads shared memory, but the source is in gmem",
         "pass the partition of shared memory">,
    Rule<"mode-0-holds-values-one-call", "mode 0 holds the values of one call", "the source must be partitioned as (V, rest..), where V has the 1024 elements of a call, found ..",
         "partition it by the tiled copy">,
    Rule<"layout-made-blocks-swizzle", "its layout is made of blocks of the swizzle", "is not made of blocks ..",
         "lay it out by `cute.tile_to_shape` of the block that the message names">
  ];
}

#endif
