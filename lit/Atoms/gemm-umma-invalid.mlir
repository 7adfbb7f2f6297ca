// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-expand-copy-gemm,cute-lower-atoms{target=sm_103a})'

// tcgen05.mma of integers is not on every GPU of the family.
!i8 = !cute_nvgpu.sm100.mma<128x256x32, num_cta = 1, ab_major = (k, k), elem_type = (i8, i8, i32), frag_kind = ss, c_scale_exp = 0>
!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "1:0">
!sums = !cute.memref<i32, tmem, align<16>, "((128,256)):((65536,1))">
func.func @target(%mma: !i8, %d: !sums, %a: !desc, %b: !desc) {
  // expected-error @below {{sm_103a has no SM100_MMA_S8_SS<s8,s32,128,256>; it needs sm_100a, sm_110a}}
  cute.gemm(%mma, %d, %a, %b, %d) : (!i8, !sums, !desc, !desc, !sums)
  return
}

// -----

// The accumulators are added to where they are.
!ss = !cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "1:0">
!sums = !cute.memref<f32, tmem, align<16>, "((128,256)):((65536,1))">
func.func @elsewhere(%mma: !ss, %d: !sums, %a: !desc, %b: !desc, %c: !sums) {
  // expected-error @below {{tcgen05.mma accumulates in place: C must be the same view as D}}
  cute.gemm(%mma, %d, %a, %b, %c) : (!ss, !sums, !desc, !desc, !sums)
  return
}

// -----

// One thread of a number cannot elect a lane of its warp.
!ss = !cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "1:0">
!sums = !cute.memref<f32, tmem, align<16>, "((128,256)):((65536,1))">
func.func @numbered(%mma: !ss, %d: !sums, %a: !desc, %b: !desc) {
  %zero = arith.constant 0 : i32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %first = arith.cmpi eq, %t, %zero : i32
  scf.if %first {
    // expected-error @below {{stands under a condition on the number of a thread, where one lane would wait for its warp}}
    cute.gemm(%mma, %d, %a, %b, %d) : (!ss, !sums, !desc, !desc, !sums)
  }
  return
}
