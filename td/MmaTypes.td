// Types of MMA atoms. Their bodies are parsed and printed in Rust: crates/cute-dialect/src/atom/mma.

#ifndef CUTE_MMA_TYPES
#define CUTE_MMA_TYPES

include "CopyTypes.td"

// Parts of bodies, and rules of several types.
defvar Extents = Field<"MxNxK", "the extents of one instruction">;
defvar Majors = Field<"ab_major = (A, B)", "the contiguous mode of A and of B: `k` or `mn`">;
defvar ElementTypes = Field<"elem_type = (A, B, C)", "the types of A, of B, and of C and D">;
defvar Saturation = Field<"int_overflow = <satfinite>", "integer accumulators saturate; `<wrapped>`, the default, is not printed">;
defvar BitOperation = Field<"binary_op = <xor_popc>", "for elements of one bit: `xor_popc` or `and_popc`">;
defvar Ctas = Field<"num_cta", "1, or 2 for an instruction of a pair of CTAs">;
defvar ScaleExponent = Field<"c_scale_exp", "C is divided by 2 to this power, 0 to 15">;
defvar LaneMask = Field<"disable_output_lane = true", "printed if the run-time state has a bit for each lane of D that is not written">;
defvar ScaleType = Field<"sf_type", "the type of the scales: `f8E8M0FNU` or `f8E4M3FN`">;
defvar ScaleVector = Field<"vec_size", "how many elements along K share a scale: 16, 32 or, for a sparse A, 64">;
defvar Promotion = Field<"arch_promote = sm_103", "printed for K = 96, which only sm_103a and sm_103f have">;
defvar FragKind = Field<"frag_kind", "`ss` for A and B in shared memory, `ts` for A in tensor memory">;
defvar MetadataFormat = Field<"sparse_metadata_format = tid", "the order of the metadata of a sparse A; the only one">;
defvar MmaExists = Rule<"instruction-exists", "the instruction exists", "no mma.sync has shape ..; there are ..",
         "write a shape or type that the message lists">;
defvar IsOfGeneration = Rule<"instruction-generation", "the instruction is of this generation", "is an atom of !cute_nvgpu.sm80.mma, not of ..",
         "write the type that the message names">;

def CuteNvgpu_UniversalFma : CuteNvgpu_Type<"UniversalFma", "atom.universal_fma"> {
  let description = [{One multiplication and addition of a thread, for any arithmetic type.}];
  let example = [{<1x1x1, (f32, f32) -> f32 >}];
  let fields = [Field<"1x1x1", "the only shape">, Field<"(A, B) -> C", "the types of A, of B, and of C and D">];
  let rules = [
    Rule<"shape-1x1x1", "the shape is 1x1x1", "an fma of one thread has shape 1x1x1, not 2x1x1",
         "write `1x1x1`">,
    Rule<"all-types-one", "all types are one", "an fma of one thread has one type of numbers, not (f16, f16) -> f32",
         "convert the elements">
  ];
}
def CuteNvgpu_Sm70Mma : CuteNvgpu_Type<"Sm70Mma", "sm70.mma"> {
  let description = [{`mma.sync` of Volta, by 8 threads, with all operands in registers.}];
  let example = [{<8x8x4, ab_major = (k, mn), elem_type = (f16, f16, f32) >}];
  let fields = [Extents, Majors, ElementTypes, Saturation, BitOperation];
  let rules = [
    MmaExists,
    Rule<"major-name", "the major has a name", "expected the mode that lies contiguous: k, mn",
         "write `k` or `mn`">
  ];
}
def CuteNvgpu_Sm75Mma : CuteNvgpu_Type<"Sm75Mma", "sm75.mma"> {
  let description = [{`mma.sync` of Turing, by a warp, with all operands in registers.}];
  let example = [{<16x8x8, elem_type = (f16, f16, f32) >}];
  let fields = [Extents, ElementTypes, Saturation, BitOperation];
  let rules = [
    MmaExists,
    IsOfGeneration
  ];
}
def CuteNvgpu_Sm80Mma : CuteNvgpu_Type<"Sm80Mma", "sm80.mma"> {
  let description = [{`mma.sync` of Ampere and later, by a warp, with all operands in registers.}];
  let example = [{<16x8x16, elem_type = (f16, f16, f32) >}];
  let fields = [Extents, ElementTypes, Saturation, BitOperation];
  let rules = [
    Rule<"instruction-exists", "the instruction exists", "no mma.sync has shape m16n8k32 with A f16, B f16, C f32, D f32; there are ..",
         "write a shape or type that the message lists">,
    Rule<"elements-matrices", "elements are of matrices", "i3 cannot be the type of matrix elements",
         "write a type that the instruction has">
  ];
}
def CuteNvgpu_Sm89Mma : CuteNvgpu_Type<"Sm89Mma", "sm89.mma"> {
  let description = [{`mma.sync` of Ada and later, on floats of 8 bits, by a warp, with all operands in registers.}];
  let example = [{<16x8x32, elem_type = (f8E4M3FN, f8E5M2, f32) >}];
  let fields = [Extents, ElementTypes, Saturation, BitOperation];
  let rules = [
    MmaExists,
    IsOfGeneration
  ];
}
def CuteNvgpu_Sm120Mma : CuteNvgpu_Type<"Sm120Mma", "SM120.mma"> {
  let description = [{`mma.sync` of Blackwell of the `sm_120` family, on floats of 8, 6 and 4 bits, by a warp, with all operands in registers.}];
  let example = [{<16x8x32, elem_type = (f4E2M1FN, f8E5M2, f32) >}];
  let fields = [Extents, ElementTypes, Saturation, BitOperation];
  let rules = [
    MmaExists,
    IsOfGeneration
  ];
}
def CuteNvgpu_Sm90Mma : CuteNvgpu_Type<"Sm90Mma", "sm90.mma"> {
  let description = [{`wgmma.mma_async` of Hopper, by a warpgroup. C and D are in registers, B in shared memory, and A in either.}];
  let example = [{<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>}];
  let fields = [
    Extents, Majors, ElementTypes, Field<"frag_kind", "`ss` for A and B in shared memory, `rs` for A in registers">,
    Saturation, BitOperation, Field<"a_neg = true, b_neg = true", "A or B is negated; left out if not">
  ];
  let rules = [
    Rule<"instruction-exists", "the instruction exists", "no wgmma has shape m64n128k32 with A f16, B f16, C f32, D f32; there are ..",
         "write a shape that the message lists">,
    Rule<"lies-where-instruction-reads", "A lies where the instruction reads it", "there is no such atom with frag_kind = rs; there are frag_kind = ss",
         "write `frag_kind = ss`, or `ab_major = (k, ..)` for A in registers">,
    Rule<"floats-8-bits-contiguous-along-k", "floats of 8 bits are contiguous along K", "no wgmma has majors NN with A e4m3, B e5m2, C f32, D f32, shape m64n64k32; there are TN",
         "lay A and B out along K">
  ];
}
def CuteNvgpu_Sm100Mma : CuteNvgpu_Type<"Sm100Mma", "sm100.mma"> {
  let description = [{`tcgen05.mma` of Blackwell. C and D are in tensor memory, B in shared memory, and A in either. One lane of one warp issues it.}];
  let example = [{<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>}];
  let fields = [Extents, Ctas, Majors, ElementTypes, FragKind, ScaleExponent, LaneMask];
  let rules = [
    Rule<"instruction-exists", "the instruction exists", "no tcgen05.mma of one CTA has shape m128n128k8 with A f16, B f16, C f32, D f32; there are ..",
         "write a shape that the message lists">,
    Rule<"lies-where-instruction-reads", "A lies where the instruction reads it", "there is no such atom with frag_kind = rs; there are frag_kind = ss; frag_kind = ts",
         "write `ss` or `ts`">,
    Rule<"num-cta-1-2", "`num_cta` is 1 or 2", "expected the CTAs of an instruction: 1 or 2",
         "write 1 or 2">
  ];
}
def CuteNvgpu_Sm100MmaBs : CuteNvgpu_Type<"Sm100MmaBs", "sm100.mma_bs"> {
  let description = [{`tcgen05.mma` with scales (`.block_scale`). The scales of A and B are in tensor memory. With K = 96 an MMA may read two buffers of A and of
B: `cute.mma.make_fragment` refuses it, and each descriptor names the next buffer's address in bits 16 to 29, with bit 52.}];
  let example = [{<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>}];
  let fields = [Extents, Ctas, Majors, ElementTypes, ScaleType, FragKind, ScaleVector, Promotion];
  let rules = [
    Rule<"instruction-exists", "the instruction exists", "there is no such atom with frag_kind = ss, sf_type = ue4m3, vec_size = 32; there are ..",
         "write a shape, type or vector size that the message lists">,
    Rule<"arch-promote-k-96", "`arch_promote` is for K = 96", "arch_promote = sm_103 is for K = 96",
         "leave it out">,
    Rule<"scales-type-their-own", "scales have a type of their own", "expected a type of scales: f8E8M0FNU or f8E4M3FN",
         "write one of the two">
  ];
}
def CuteNvgpu_Sm120MmaBs : CuteNvgpu_Type<"Sm120MmaBs", "SM120.mma_bs"> {
  let description = [{`mma.sync` with scales, of Blackwell of the `sm_120` family. The scales are in registers.}];
  let example = [{<16x8x64, vec_size = 32, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>}];
  let fields = [
    Extents, ScaleVector, ElementTypes, ScaleType,
    Field<"use_sf_layout_TV = true", "scales are partitioned by the layouts of the instruction; the only value">
  ];
  let rules = [
    Rule<"instruction-exists", "the instruction exists", "there is no such atom with sf_type = ue8m0, vec_size = 64; there are ..",
         "write a shape, type or vector size that the message lists">,
    Rule<"scales-use-layouts-instruction", "scales use the layouts of the instruction", "use_sf_layout_TV = true is supported",
         "write `true`">
  ];
}
def CuteNvgpu_Sm80SparseMma : CuteNvgpu_Type<"Sm80SparseMma", "sm80.sparse_mma">, NotCompiled {
  let description = [{`mma.sp.sync` of Ampere and later: of each four elements of A along K, two are stored.}];
  let example = [{<16x8x32, elem_type = (f16, f16, f32), md_format = tid >}];
  let fields = [
    Extents, ElementTypes, Field<"md_format = tid", "the order of the metadata; the only one">, Saturation,
    BitOperation
  ];
  let rules = [
    Rule<"instruction-exists", "the instruction exists", "no mma.sp.sync has shape m16n8k8 with A f16, B f16, C f32, D f32; there are ..",
         "write a shape, type or vector size that the message lists">,
    Rule<"order-metadata-known", "the order of the metadata is known", "expected an order of metadata: tid",
         "write `tid`">
  ];
}
def CuteNvgpu_Sm100MmaSp : CuteNvgpu_Type<"Sm100MmaSp", "sm100.mma_sp">, NotCompiled {
  let description = [{`tcgen05.mma.sp` of Blackwell: a sparse A. The metadata are in tensor memory.}];
  let example = [{<128x128x32, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), e_type = i8, sparse_metadata_format = tid, frag_kind = ss, c_scale_exp = 0>}];
  let fields = [
    Extents, Ctas, Majors, ElementTypes, Field<"e_type = i8", "the type of the metadata; the only one">,
    MetadataFormat, FragKind, ScaleExponent
  ];
  let rules = [
    Rule<"instruction-exists", "the instruction exists", "no tcgen05.mma.sp of one CTA has shape m128n128k16 with A f16, B f16, C f32, D f32; there are ..",
         "write a shape, type or vector size that the message lists">,
    Rule<"metadata-bytes", "metadata are bytes", "metadata are bytes: e_type = i8",
         "write `i8`">
  ];
}
def CuteNvgpu_Sm100MmaBsSp : CuteNvgpu_Type<"Sm100MmaBsSp", "sm100.mma_bs_sp">, NotCompiled {
  let description = [{`tcgen05.mma.sp` with scales. Scales and metadata are in tensor memory.}];
  let example = [{<128x128x128, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, sparse_metadata_format = tid, frag_kind = ss, vec_size = 32>}];
  let fields = [Extents, Ctas, Majors, ElementTypes, ScaleType, MetadataFormat, FragKind, ScaleVector];
  let rules = [
    Rule<"instruction-exists", "the instruction exists", "there is no such atom with frag_kind = ss, sf_type = ue8m0, vec_size = 32; there are ..",
         "write a shape, type or vector size that the message lists">
  ];
}

#endif
