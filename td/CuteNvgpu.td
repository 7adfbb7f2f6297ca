// The `cute_nvgpu` dialect: atoms and architecture ops of NVIDIA GPUs.
include "Types.td"

class CuteNvgpu_Type<string cls, string m> : CuteTypeBase<CuteNvgpu_Dialect, cls, m>;

def CuteNvgpu_UniversalCopy : CuteNvgpu_Type<"UniversalCopy", "atom.universal_copy"> {
  let description = [{a plain load and store of up to 256 bits: `<f32, 128 b>`. The cache hint for L1 is parsed and not compiled}];
}
def CuteNvgpu_SimtAsyncCopy : CuteNvgpu_Type<"SimtAsyncCopy", "atom.simt_async_copy"> {
  let description = [{cp.async from gmem to smem: `<f16, cache = global, 128 b>`}];
}
def CuteNvgpu_Ldsm : CuteNvgpu_Type<"Ldsm", "atom.ldsm"> {
  let description = [{ldmatrix: `<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>`}];
}
def CuteNvgpu_Stsm : CuteNvgpu_Type<"Stsm", "atom.stsm"> {
  let description = [{stmatrix: `<f16, mode = <"(8,8)">, num_matrices = 4, n>`}];
}
def CuteNvgpu_UniversalFma : CuteNvgpu_Type<"UniversalFma", "atom.universal_fma"> {
  let description = [{a multiplication and addition of one thread: `<1x1x1, (f32, f32) -> f32 >`}];
}
def CuteNvgpu_Sm70Mma : CuteNvgpu_Type<"Sm70Mma", "sm70.mma"> {
  let description = [{mma.sync of 8 threads, Volta: `<8x8x4, ab_major = (k, mn), elem_type = (f16, f16, f32) >`}];
}
def CuteNvgpu_Sm75Mma : CuteNvgpu_Type<"Sm75Mma", "sm75.mma"> {
  let description = [{mma.sync, Turing: `<16x8x8, elem_type = (f16, f16, f32) >`}];
}
def CuteNvgpu_Sm80Mma : CuteNvgpu_Type<"Sm80Mma", "sm80.mma"> {
  let description = [{mma.sync, Ampere and later: `<16x8x16, elem_type = (f16, f16, f32) >`}];
}
def CuteNvgpu_Sm89Mma : CuteNvgpu_Type<"Sm89Mma", "sm89.mma"> {
  let description = [{mma.sync on 8-bit floats: `<16x8x32, elem_type = (f8E4M3FN, f8E5M2, f32) >`}];
}
def CuteNvgpu_Sm120Mma : CuteNvgpu_Type<"Sm120Mma", "SM120.mma"> {
  let description = [{mma.sync on floats of 8, 6 and 4 bits: `<16x8x32, elem_type = (f4E2M1FN, f8E5M2, f32) >`}];
}
def CuteNvgpu_Sm90Mma : CuteNvgpu_Type<"Sm90Mma", "sm90.mma"> {
  let description = [{wgmma: `<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>`}];
}
def CuteNvgpu_Sm100Mma : CuteNvgpu_Type<"Sm100Mma", "sm100.mma"> {
  let description = [{tcgen05.mma: `<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>`}];
}
def CuteNvgpu_Sm100MmaBs : CuteNvgpu_Type<"Sm100MmaBs", "sm100.mma_bs"> {
  let description = [{tcgen05.mma with scales: `<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>`}];
}
def CuteNvgpu_Sm120MmaBs : CuteNvgpu_Type<"Sm120MmaBs", "SM120.mma_bs"> {
  let description = [{mma.sync with scales: `<16x8x64, vec_size = 32, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>`}];
}
def CuteNvgpu_Sm80SparseMma : CuteNvgpu_Type<"Sm80SparseMma", "sm80.sparse_mma"> {
  let description = [{mma.sp.sync, half of A stored: `<16x8x32, elem_type = (f16, f16, f32), md_format = tid >`}];
}
def CuteNvgpu_Sm100MmaSp : CuteNvgpu_Type<"Sm100MmaSp", "sm100.mma_sp"> {
  let description = [{tcgen05.mma.sp: `<128x128x32, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), e_type = i8, sparse_metadata_format = tid, frag_kind = ss, c_scale_exp = 0>`}];
}
def CuteNvgpu_Sm100MmaBsSp : CuteNvgpu_Type<"Sm100MmaBsSp", "sm100.mma_bs_sp"> {
  let description = [{tcgen05.mma.sp with scales: `<128x128x128, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, sparse_metadata_format = tid, frag_kind = ss, vec_size = 32>`}];
}
def CuteNvgpu_TmemLoad : CuteNvgpu_Type<"TmemLoad", "atom.tmem_load"> {
  let description = [{tensor memory to registers: `<f32, 32 DP, 32 bit, x64>`}];
}
def CuteNvgpu_TmemStore : CuteNvgpu_Type<"TmemStore", "atom.tmem_store"> {
  let description = [{registers to tensor memory: `<f32, 32 DP, 32 bit, x64>`}];
}
def CuteNvgpu_S2tCopy : CuteNvgpu_Type<"S2tCopy", "atom.s2t_copy"> {
  let description = [{shared to tensor memory: `<f8E8M0FNU, 32 DP, 128 bit, 1 cta, x4>`}];
}
def CuteNvgpu_Sm100S2tCopyV2 : CuteNvgpu_Type<"Sm100S2tCopyV2", "atom.sm100_s2t_copy_v2"> {
  let description = [{shared to tensor memory, in the spelling of newer modules: `<f8E8M0FNU, num_dp = 32, num_bit = 128, num_cta = 1, smem_major = k, broadcast = x4>`}];
}
def CuteNvgpu_NonExecTiledTmaLoad : CuteNvgpu_Type<"NonExecTiledTmaLoad", "atom.non_exec_tiled_tma_load"> {
  let description = [{a descriptor to load boxes: `<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128):(1@1,1@0)">, tma_format = F16_RN>`}];
}
def CuteNvgpu_NonExecTiledTmaStore : CuteNvgpu_Type<"NonExecTiledTmaStore", "atom.non_exec_tiled_tma_store"> {
  let description = [{a descriptor to store boxes: `<f16, copy_bits = 131072, tma_gbasis = <"(64,128):(1@1,1@0)">, tma_format = F16_RN>`}];
}
def CuteNvgpu_NonExecTiledTmaReduce : CuteNvgpu_Type<"NonExecTiledTmaReduce", "atom.non_exec_tiled_tma_reduce"> {
  let description = [{a descriptor to add boxes to memory: `<ADD, f32, copy_bits = 131072, tma_gbasis = <"(32,128):(1@1,1@0)">, tma_format = F32_RN>`}];
}
def CuteNvgpu_NonExecIm2colTmaLoad : CuteNvgpu_Type<"NonExecIm2colTmaLoad", "atom.non_exec_im2col_tma_load"> {
  let description = [{a descriptor to load the pixels that a filter reaches: `<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64,1,1):(1@0,1@1,1@2,1@3)">, tma_format = F16_RN>`}];
}
def CuteNvgpu_NonExecIm2colTmaStore : CuteNvgpu_Type<"NonExecIm2colTmaStore", "atom.non_exec_im2col_tma_store"> {
  let description = [{a descriptor to store the pixels that a filter reaches: `<f16, copy_bits = 65536, tma_gbasis = <"(64,64,1,1):(1@0,1@1,1@2,1@3)">, tma_format = F16_RN>`}];
}
def CuteNvgpu_NonExec2dGather4TmaLoad : CuteNvgpu_Type<"NonExec2dGather4TmaLoad", "atom.non_exec_2d_gather4_tma_load"> {
  let description = [{a descriptor to load four rows, each from anywhere: `<sm_100, f16, copy_bits = 4096, tma_gbasis = <"(64,1):(1@1,1@0)">, tma_format = F16_RN>`}];
}
def CuteNvgpu_NonExec2dScatter4TmaStore : CuteNvgpu_Type<"NonExec2dScatter4TmaStore", "atom.non_exec_2d_scatter4_tma_store"> {
  let description = [{a descriptor to store four rows, each to anywhere: `<f16, copy_bits = 4096, tma_gbasis = <"(64,1):(1@1,1@0)">, tma_format = F16_RN>`}];
}
def CuteNvgpu_BulkCopyG2S : CuteNvgpu_Type<"BulkCopyG2S", "atom.bulk_copy_g2s"> {
  let description = [{cp.async.bulk of contiguous bytes from gmem to smem: `<f32 copy_bits = 4096 mcast = true>`}];
}
def CuteNvgpu_BulkCopyS2G : CuteNvgpu_Type<"BulkCopyS2G", "atom.bulk_copy_s2g"> {
  let description = [{cp.async.bulk of contiguous bytes from smem to gmem: `<f32 copy_bits = 4096>`}];
}
def CuteNvgpu_BulkCopyS2S : CuteNvgpu_Type<"BulkCopyS2S", "atom.bulk_copy_s2s"> {
  let description = [{cp.async.bulk of contiguous bytes from smem to that of another CTA: `<f32 copy_bits = 4096>`}];
}
def CuteNvgpu_TmaLoad : CuteNvgpu_Type<"TmaLoad", "atom.tma_load"> {
  let description = [{cp.async.bulk.tensor to shared memory: `<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128):(1@1,1@0)">>`}];
}
def CuteNvgpu_TmaStore : CuteNvgpu_Type<"TmaStore", "atom.tma_store"> {
  let description = [{cp.async.bulk.tensor to global memory: `<f16, copy_bits = 131072, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,128):(1@1,1@0)">>`}];
}
def CuteNvgpu_TmaReduce : CuteNvgpu_Type<"TmaReduce", "atom.tma_reduce"> {
  let description = [{cp.reduce.async.bulk.tensor: `<f32, copy_bits = 131072, mode = tiled, kind = ADD, g_stride = <"()"> tma_gbasis = <"(32,128):(1@1,1@0)">>`}];
}
def CuteNvgpu_SmemDesc : CuteNvgpu_Type<"SmemDesc", "smem_desc"> {
  let description = [{a descriptor of a matrix in shared memory}];
}
def CuteNvgpu_SmemDescView : CuteNvgpu_Type<"SmemDescView", "smem_desc_view"> {
  let description = [{descriptors, in units of 16 bytes behind the first: `<!cute_nvgpu.smem_desc, "(1,2,4):(0,512,2)">`}];
}
def CuteNvgpu_TmaDescriptorTiled : CuteNvgpu_Type<"TmaDescriptorTiled", "tma_descriptor_tiled"> {
  let description = [{the 128 bytes of a descriptor of a tensor}];
}

// Which field of an atom's run-time state: `#cute_nvgpu.atom_mma_field_sm90<accum_c>`. The atom says which it has.
class AtomField<string cls, string m> : AttrDef<CuteNvgpu_Dialect, cls> {
  let mnemonic = m;
  let parameters = (ins StringRefParameter<"the field">:$name);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = [{
    ::mlir::Attribute $cppClass::parse(::mlir::AsmParser &p, ::mlir::Type) { return ::cute::parseKeywordAttr<$cppClass>(p); }
    void $cppClass::print(::mlir::AsmPrinter &p) const { p << '<' << getName() << '>'; }
  }];
}
foreach f = [["BulkLoadField", "copy_field_bulkg2s"],
             ["BulkSendField", "copy_field_bulks2s"],
             ["TmaLoadField", "copy_field_tmaload"],
             ["TmaStoreField", "copy_field_tmastore"],
             ["TmaReduceField", "copy_field_tmareduce"],
             ["NonExecTmaLoadField", "copy_field_non_exec_tma_load"],
             ["NonExecTmaStoreField", "copy_field_non_exec_tma_store"],
             ["NonExecTmaReduceField", "copy_field_non_exec_tma_reduce"],
             ["Sm80SparseField", "mma_field_sm80_sparse"],
             ["Sm90Field", "mma_field_sm90"],
             ["Sm100Field", "mma_field_sm100"],
             ["Sm100SparseField", "mma_field_sm100_sparse"],
             ["Sm100ScaledField", "mma_field_sm100_block_scaled"],
             ["Sm100ScaledSparseField", "mma_field_sm100_block_scaled_sparse"],
             ["Sm120ScaledField", "mma_field_sm120_block_scaled"]] in
  def CuteNvgpu_#f[0] : AtomField<f[0], "atom_"#f[1]>;

def AtomSetValueOp : CuteOpBase<CuteNvgpu_Dialect, "atom.set_value", [Pure, Inferred]>, CarriesState {
  let summary = "the atom, bare or tiled, with another value in a field of its run-time state";
  let arguments = (ins AnyType:$atom, AnyType:$value, AnyAttr:$field);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`(` $atom `,` $value `:` type($value) `)` attr-dict `:` custom<SameType>(type($atom), type($result))";
  let extraClassDefinition = trampolines # foldOne # inference;
  let description = [{The atom is a value: the op returns a new one, and the old one stays as it was.}];
  let example = [{
    %load = cute_nvgpu.atom.set_value(%exec, %bar : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>}
      : !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>
  }];
  let rules = [
    Rule<"the atom has the field", "!cute_nvgpu.sm90.mma has no field #cute_nvgpu.atom_mma_field_sm90<neg_a>; it has #cute_nvgpu.atom_mma_field_sm90<accum_c>",
         "name one of the fields that the message lists">,
    Rule<"the value has the type of the field", "accum_c must be i1, found i32",
         "convert the value">,
    Rule<"the atom has run-time state", "!cute_nvgpu.atom.universal_fma has no run-time state",
         "remove the op">
  ];
}
def AtomGetValueOp : CuteOpBase<CuteNvgpu_Dialect, "atom.get_value", [Pure]>, Emits {
  let summary = "the value of a field of an atom's run-time state";
  let arguments = (ins AnyType:$atom, AnyAttr:$field);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`(` $atom `:` type($atom) `)` attr-dict `:` type($result)";
  let example = [{
    %accumulate = cute_nvgpu.atom.get_value(%atom : !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>) {field = #cute_nvgpu.atom_mma_field_sm90<accum_c>}
      : i1
  }];
  let rules = [
    Rule<"the atom has the field", "!cute_nvgpu.atom.tma_store has no field #cute_nvgpu.atom_copy_field_tmastore<tma_bar>; it has ..",
         "name one of the fields that the message lists">
  ];
}

def GetDynSmemOp : CuteOpBase<CuteNvgpu_Dialect, "arch.get_dyn_smem", [Pure]>, MakesMemory {
  let summary = "the base of the block's dynamic shared memory";
  let results = (outs Cute_Ptr:$result);
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
  let assemblyFormat = "`(` `)` attr-dict `:` qualified(type($result))";
  let description = [{The launch decides the size. The type promises an alignment, which the code generator requests.}];
  let example = [{
    %smem = cute_nvgpu.arch.get_dyn_smem() : !cute.ptr<i8, smem, align<1024>>
  }];
  let rules = [
    Rule<"the result lies in `smem`", "the result must be a !cute.ptr in smem",
         "write `smem` in the type">
  ];
}
def GetDynSmemSizeOp : CuteOpBase<CuteNvgpu_Dialect, "arch.get_dyn_smem_size", [Pure]>, Emits {
  let summary = "the bytes of the block's dynamic shared memory, as its launch gives them";
  let results = (outs AnyTypeOf<[I32]>:$result);
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
  let assemblyFormat = "`(` `)` attr-dict `:` type($result)";
  let example = [{
    %bytes = cute_nvgpu.arch.get_dyn_smem_size() : i32
  }];
}
def MakeWarpUniformOp : CuteOpBase<CuteNvgpu_Dialect, "arch.make_warp_uniform", [Pure, AllTypesMatch<["value", "result"]>]>, Emits {
  let summary = "the value of the warp's first lane, for all its lanes";
  let arguments = (ins I32:$value);
  let results = (outs I32:$result);
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
  let assemblyFormat = "`(` $value `)` attr-dict `:` type($value)";
  let description = [{The result is the same in all lanes, and the code generator may keep it in a uniform register. Every lane of the warp must execute the op.}];
  let example = [{
    %warp = cute_nvgpu.arch.make_warp_uniform(%warp_of_thread) : i32
  }];
}

include "Tma.td"
include "Tmem.td"
