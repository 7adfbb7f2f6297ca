// RUN: %opt %s --split-input-file --verify-diagnostics

!mma = !cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, frag_kind = ss, vec_size = 16>
!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,1):(0,0,0)">
!sums = !cute.memref<f32, tmem, align<16>, "((128,128),1,1):((65536,1),0,0)">
!sf = !cute.memref<f8E4M3FN, tmem, align<16>, "((((32,4),4),(16,4)),1,1):((((262144,4),8388608),(0,1)),0,0)">
!rows = !cute.memref<f8E4M3FN, tmem, align<16>, "((((32,2),4),(16,4)),1,1):((((262144,4),8388608),(0,1)),0,0)">
func.func @rows(%mma: !mma, %d: !sums, %a: !desc, %b: !desc, %sfa: !rows, %sfb: !sf) {
  // expected-error @below {{'cute.gemm' op mode 0 of SFA has the layout (((32,2),4),(16,4)):(((262144,4),8388608),(0,1)), but one call of the atom reads scale factors in the layout (((32,4),4),(16,4)):(((262144,4),8388608),(0,1)): the layout of a tile is that of make_tmem_layout_sfa}}
  cute.gemm(%mma, %d, %a, %sfa, %b, %sfb, %d) : (!mma, !sums, !desc, !rows, !desc, !sf, !sums)
  return
}

// -----

!mma = !cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, frag_kind = ss, vec_size = 16>
!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,1):(0,0,0)">
!sums = !cute.memref<f32, tmem, align<16>, "((128,128),1,1):((65536,1),0,0)">
!sf = !cute.memref<f8E4M3FN, tmem, align<16>, "((((32,4),4),(16,4)),1,1):((((262144,4),8388608),(0,1)),0,0)">
!powers = !cute.memref<f8E8M0FNU, tmem, align<16>, "((((32,4),4),(16,4)),1,1):((((262144,4),8388608),(0,1)),0,0)">
!shared = !cute.memref<f8E4M3FN, smem, align<16>, "((((32,4),4),(16,4)),1,1):((((16,4),0),(0,1)),0,0)">
func.func @elements(%mma: !mma, %d: !sums, %a: !desc, %b: !desc, %sfa: !sf, %sfb: !powers) {
  // expected-error @below {{'cute.gemm' op SFB has elements of f8E8M0FNU, but the scale factors of B are of f8E4M3FN}}
  cute.gemm(%mma, %d, %a, %sfa, %b, %sfb, %d) : (!mma, !sums, !desc, !sf, !desc, !powers, !sums)
  return
}
func.func @space(%mma: !mma, %d: !sums, %a: !desc, %b: !desc, %sfa: !shared, %sfb: !sf) {
  // expected-error @below {{'cute.gemm' op SFA lies in smem, but the atom takes scale factors from tmem}}
  cute.gemm(%mma, %d, %a, %sfa, %b, %sfb, %d) : (!mma, !sums, !desc, !shared, !desc, !sf, !sums)
  return
}
func.func @one(%mma: !mma, %d: !sums, %a: !desc, %b: !desc, %sfa: !sf) {
  // expected-error @below {{'cute.gemm' op expects the atom, D, A, B and C, or the atom, D, A, SFA, B, SFB and C, found 6}}
  cute.gemm(%mma, %d, %a, %sfa, %b, %d) : (!mma, !sums, !desc, !sf, !desc, !sums)
  return
}

// -----

!mma = !cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,1):(0,0,0)">
!sums = !cute.memref<f32, tmem, align<16>, "((128,128),1,1):((65536,1),0,0)">
!sf = !cute.memref<f8E4M3FN, tmem, align<16>, "((((32,4),4),(16,4)),1,1):((((262144,4),8388608),(0,1)),0,0)">
func.func @without(%mma: !mma, %d: !sums, %a: !desc, %b: !desc, %sf: !sf) {
  // expected-error @below {{'cute.gemm' op SM100_MMA_F16BF16_SS<half_t,float,128,128> takes no scale factors; the operands are D, A, B and C}}
  cute.gemm(%mma, %d, %a, %sf, %b, %sf, %d) : (!mma, !sums, !desc, !sf, !desc, !sf, !sums)
  return
}

// -----

// The state of an atom has one address for all calls.
!mma = !cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, frag_kind = ss, vec_size = 16>
!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">
!sums = !cute.memref<f32, tmem, align<16>, "((128,128),1,1):((65536,1),0,0)">
func.func @state(%mma: !mma, %d: !sums, %a: !desc, %b: !desc) {
  // expected-error @below {{'cute.gemm' op mode 2 of A has 4 elements, but the state of SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue4m3,128,128,16> has one sf_a, which is for one call: slice the operands, or pass SFA and SFB after A and B}}
  cute.gemm(%mma, %d, %a, %b, %d) : (!mma, !sums, !desc, !desc, !sums)
  return
}
