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
}
def RetrieveTmemPtrOp : OnTmem<"retrieve_tmem_ptr"> {
  let summary = "the pointer to tensor memory whose address lies in smem";
  let arguments = (ins Cute_Ptr:$where);
  let results = (outs Cute_Ptr:$result);
  let assemblyFormat = "`(` $where `)` attr-dict `:` qualified(type($where)) `->` qualified(type($result))";
}
def DeallocTmemOp : OnTmem<"dealloc_tmem"> {
  let summary = "columns of tensor memory, given back";
  let arguments = (ins Cute_Ptr:$first, I32:$columns, UnitAttr:$is_two_cta);
  let assemblyFormat = "`(` $first `,` $columns `)` " # group # "attr-dict `:` qualified(type($first)) `,` type($columns)";
}
def RelinquishTmemAllocPermitOp : OnTmem<"relinquish_tmem_alloc_permit"> {
  let summary = "no more tensor memory is allocated by the CTA";
  let arguments = (ins UnitAttr:$is_two_cta);
  let assemblyFormat = "` `" # group # "attr-dict";
}

def MakeTmemCopyOp : CuteOpBase<CuteNvgpu_Dialect, "atom.make_tmem_copy", [Pure, Inferred]>, TilesAtom {
  let summary = "a copy of tensor memory laid over four warps, each at the same place of its own lanes";
  let arguments = (ins AnyType:$atom, Cute_MemRef:$tensor);
  let results = (outs Cute_TiledCopy:$result);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # foldOne # inference # functional;
}
def MakeS2tCopyOp : CuteOpBase<CuteNvgpu_Dialect, "atom.make_s2t_copy", [Pure, Inferred]>, TilesAtom {
  let summary = "a copy of shared to tensor memory, which a CTA or a pair of them issues";
  let arguments = (ins AnyType:$atom, Cute_MemRef:$tensor);
  let results = (outs Cute_TiledCopy:$result);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # foldOne # inference # functional;
}
def GetCopyS2tSmemDescViewOp : CuteOpBase<CuteNvgpu_Dialect, "atom.get_copy_s2t_smem_desc_view", [Pure]>, Emits {
  let summary = "the descriptors of what a copy of shared to tensor memory reads, for a partition of it";
  let arguments = (ins AnyType:$atom, Cute_MemRef:$source);
  let results = (outs DescView:$result);
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
  let assemblyFormat = "`(` operands `)` attr-dict `:` functional-type(operands, results)";
}

#endif
