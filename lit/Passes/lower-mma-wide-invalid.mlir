// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_100a})'

!bs = !cute_nvgpu.sm100.mma_bs<128x128x96, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, frag_kind = ss, vec_size = 16, arch_promote = sm_103>
!d = !cute.memref<f32, tmem, align<16>, "((128,128)):((65536,1))">
!t = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1):(0)">
func.func @target(%atom: !bs, %d: !d, %a: !t, %b: !t) {
  // expected-error @below {{sm_100a has no SM103_MXF4_ULTRA_SS_VS<e2m1,e2m1,float,ue4m3,128,128,16>; it needs sm_103f, sm_103a}}
  cute.mma_atom_call(%atom, %d, %a, %b, %d) : (!bs, !d, !t, !t, !d) -> ()
  return
}

// -----

// An MMA may read two buffers, so that no step leads from one to the next.
!bs = !cute_nvgpu.sm100.mma_bs<128x128x96, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, frag_kind = ss, vec_size = 16, arch_promote = sm_103>
!a = !cute.memref<f4E2M1FN, smem, align<1024>, S<3,4,3>, "((128,96),1,2):((256,1),0,96)">
func.func @fragment(%atom: !bs, %a: !a) {
  // expected-error @below {{A has no fragment for K = 96: an MMA reads 48 bytes of rows of 128, and so two buffers at once. Make a smem_desc for each MMA, with the next buffer's address in bits 16 to 29 and with bit 52, and a view of it}}
  %f = cute.mma.make_fragment A(%atom, %a) : (!bs, !a) -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,2):(0,0,3)">
  return
}

// -----

!bs = !cute_nvgpu.sm100.mma_bs<128x128x96, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, frag_kind = ss, vec_size = 16, arch_promote = sm_103>
!d = !cute.memref<f32, tmem, align<16>, "((128,128),1,1):((65536,1),0,0)">
!t = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,1):(0,0,0)">
!sf = !cute.memref<f8E4M3FN, tmem, align<16>, "((((32,4),1),(16,6)),1,1):((((262144,4),8388608),(0,1)),0,0)">
func.func @factors(%atom: !bs, %d: !d, %a: !t, %b: !t, %sf: !sf) {
  // expected-error @below {{128 x 6 scales: MN must be a multiple of 32, and K must be 1, 2 or 4; set sf_a and sf_b of the atom to where they begin}}
  cute.gemm(%atom, %d, %a, %sf, %b, %sf, %d) : (!bs, !d, !t, !sf, !t, !sf, !d)
  return
}
