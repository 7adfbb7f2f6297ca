// Attributes that name fields of the run-time state of atoms.

#ifndef CUTE_ATOM_FIELDS
#define CUTE_ATOM_FIELDS

include "Types.td"

// Which field of an atom's run-time state: `#cute_nvgpu.atom_mma_field_sm90<accum_c>`. The atom says which it has.
class AtomField<string cls, string m, string of, list<Field> fs> : AttrDef<CuteNvgpu_Dialect, cls>, Documented {
  let mnemonic = m;
  let summary = "#cute_nvgpu." # m;
  let description = "A field of the run-time state of " # of # ", for `cute_nvgpu.atom.set_value` and `get_value`.";
  let fields = fs;
  let example = "<" # !head(fs).name # ">";
  let parameters = (ins StringRefParameter<"the field">:$text);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = [{
    ::mlir::Attribute $cppClass::parse(::mlir::AsmParser &p, ::mlir::Type) { return ::cute::parseKeywordAttr<$cppClass>(p); }
    void $cppClass::print(::mlir::AsmPrinter &p) const { p << '<' << getText() << '>'; }
  }];
}
defvar Descriptor = Field<"tma_descriptor_ptr", "the descriptor, `!cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<64>>`">;
defvar HostDescriptor = Field<"tma_desc", "the descriptor, `!cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<64>>`">;
defvar Barrier = Field<"tma_bar", "the barrier that counts the bytes, `!cute.ptr<i64, smem>`">;
defvar Multicast = Field<"mcast_mask", "the CTAs of the cluster that receive the data, one bit each, `i16`">;
defvar CachePolicy = Field<"cache_policy", "a policy of the L2 cache, `i64`">;
defvar Strides = Field<"g_stride", "strides of the tensor, an int_tuple of the structure that the type states">;
defvar Rank = Field<"cta_rank", "the CTA of the cluster that receives the data, `i32`">;
defvar Accumulates = Field<"accum_c", "whether C is added, `i1`; if not, D = A B">;
defvar NegatesA = Field<"neg_a", "whether A is negated, `i1`">;
defvar NegatesB = Field<"neg_b", "whether B is negated, `i1`">;
defvar ScalesA = Field<"sf_a", "the scales of A, a pointer to their type in `tmem`, or in `rmem` for `mma.sync`">;
defvar ScalesB = Field<"sf_b", "the scales of B, likewise">;
defvar DisabledLanes = Field<"disable_output_lane", "the lanes of D that are not written, a bit each: `vector<4xi32>`, or `vector<8xi32>` of a pair of CTAs">;
defvar Metadata = Field<"e", "the metadata of a sparse A, a pointer to `i8` in `tmem`, or in `rmem` for `mma.sync`">;
def CuteNvgpu_BulkLoadField : AtomField<"BulkLoadField", "atom_copy_field_bulkg2s", "bulk copies from gmem to smem",
  [Barrier, Multicast, CachePolicy]>;
def CuteNvgpu_BulkSendField : AtomField<"BulkSendField", "atom_copy_field_bulks2s", "bulk copies to another CTA",
  [Barrier, Rank]>;
def CuteNvgpu_TmaLoadField : AtomField<"TmaLoadField", "atom_copy_field_tmaload", "loads by the TMA",
  [Descriptor, Barrier, Multicast, CachePolicy, Strides]>;
def CuteNvgpu_TmaStoreField : AtomField<"TmaStoreField", "atom_copy_field_tmastore", "stores by the TMA",
  [Descriptor, CachePolicy, Strides]>;
def CuteNvgpu_TmaReduceField : AtomField<"TmaReduceField", "atom_copy_field_tmareduce", "reductions by the TMA",
  [Descriptor, CachePolicy, Strides]>;
def CuteNvgpu_NonExecTmaLoadField : AtomField<"NonExecTmaLoadField", "atom_copy_field_non_exec_tma_load", "descriptors for loads",
  [HostDescriptor]>;
def CuteNvgpu_NonExecTmaStoreField : AtomField<"NonExecTmaStoreField", "atom_copy_field_non_exec_tma_store", "descriptors for stores",
  [HostDescriptor]>;
def CuteNvgpu_NonExecTmaReduceField : AtomField<"NonExecTmaReduceField", "atom_copy_field_non_exec_tma_reduce", "descriptors for reductions",
  [HostDescriptor]>;
def CuteNvgpu_Sm80SparseField : AtomField<"Sm80SparseField", "atom_mma_field_sm80_sparse", "`mma.sp.sync`",
  [Metadata]>;
def CuteNvgpu_Sm90Field : AtomField<"Sm90Field", "atom_mma_field_sm90", "`wgmma`",
  [Accumulates]>;
def CuteNvgpu_Sm100Field : AtomField<"Sm100Field", "atom_mma_field_sm100", "`tcgen05.mma`",
  [Accumulates, NegatesA, NegatesB, DisabledLanes]>;
def CuteNvgpu_Sm100SparseField : AtomField<"Sm100SparseField", "atom_mma_field_sm100_sparse", "`tcgen05.mma.sp`",
  [Accumulates, NegatesA, NegatesB, Metadata]>;
def CuteNvgpu_Sm100ScaledField : AtomField<"Sm100ScaledField", "atom_mma_field_sm100_block_scaled", "`tcgen05.mma` with scales",
  [Accumulates, NegatesA, NegatesB, ScalesA, ScalesB]>;
def CuteNvgpu_Sm100ScaledSparseField : AtomField<"Sm100ScaledSparseField", "atom_mma_field_sm100_block_scaled_sparse", "`tcgen05.mma.sp` with scales",
  [Accumulates, NegatesA, NegatesB, ScalesA, ScalesB, Metadata]>;
def CuteNvgpu_Sm120ScaledField : AtomField<"Sm120ScaledField", "atom_mma_field_sm120_block_scaled", "`mma.sync` with scales",
  [ScalesA, ScalesB]>;

#endif
