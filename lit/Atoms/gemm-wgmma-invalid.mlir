// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-expand-copy-gemm,cute-lower-atoms{target=sm_100a})'

// wgmma is on sm_90a alone.
!ss = !cute_nvgpu.sm90.mma<64x8x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "1:0">
!c = !cute.memref<f32, rmem, align<16>, "((2,2,1)):((1,2,0))">
func.func @target(%mma: !ss, %c: !c, %a: !desc, %b: !desc) {
  // expected-error @below {{sm_100a has no SM90_64x8x16_F32F16F16_SS; it needs sm_90a}}
  cute.gemm(%mma, %c, %a, %b, %c) : (!ss, !c, !desc, !desc, !c)
  return
}

// -----

// A descriptor of A where the atom takes it from registers.
!rs = !cute_nvgpu.sm90.mma<64x8x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = rs>
!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "1:0">
!c = !cute.memref<f32, rmem, align<16>, "((2,2,1)):((1,2,0))">
func.func @fragment(%mma: !rs, %c: !c, %a: !desc, %b: !desc) {
  // expected-error @below {{'cute.gemm' op mode 0 of A has 1 elements, but one call of the atom uses 8 elements of A per thread}}
  cute.gemm(%mma, %c, %a, %b, %c) : (!rs, !c, !desc, !desc, !c)
  return
}
