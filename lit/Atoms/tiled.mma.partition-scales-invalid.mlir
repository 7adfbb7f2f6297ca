// RUN: %opt %s -split-input-file -verify-diagnostics

!umma = !cute.tiled_mma<!cute_nvgpu.sm100.mma_bs<128x128x32, num_cta = 1, ab_major = (k, k), elem_type = (f8E4M3FN, f8E4M3FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!smem = !cute.memref<f8E8M0FNU, smem, align<128>, "(((32,4),1),((32,1),4,1)):(((16,4),0),((0,0),1,0))">
func.func @tensor_memory(%mma: !umma, %smem: !smem, %t: !cute.coord<"0">) {
  // expected-error @below {{has no scale factors in registers, so SFA has no partition: copy them to tensor memory, and make a view of the layout of make_tmem_layout_sfa or make_tmem_layout_sfb}}
  %a = cute.tiled.mma.partition SFA(%mma, %smem, %t) : (!umma, !smem, !cute.coord<"0">)
  return
}

// -----

!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!smem = !cute.memref<f8E8M0FNU, smem, align<128>, "(16,16):(16,1)">
func.func @unscaled(%mma: !mma, %smem: !smem, %t: !cute.coord<"0">) {
  // expected-error @below {{has no scale factors in registers, so SFB has no partition: it takes none}}
  %a = cute.tiled.mma.partition SFB(%mma, %smem, %t) : (!mma, !smem, !cute.coord<"0">)
  return
}

// -----

!mma = !cute.tiled_mma<!cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 16, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, use_sf_layout_TV = true>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!part = !cute.memref<f8E4M3FN, smem, align<16>, "(64,2,2):(1,64,128)">
!regs = !cute.memref<f8E4M3FN, rmem, align<16>, "(64,2,2):(1,64,128)">
func.func @a_factor_for_each_element(%mma: !mma, %part: !part) {
  // expected-error @below {{mode 0 of SFA is 64:1, but elements share scale factors as (16,4):(0,1) in one call of the atom}}
  %a = cute.mma.make_fragment SFA(%mma, %part) : (!mma, !part) -> !regs
  return
}

// -----

!mma = !cute.tiled_mma<!cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 16, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, use_sf_layout_TV = true>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!part = !cute.memref<f8E4M3FN, smem, align<16>, "((16,2),2,2):((0,1),64,128)">
!regs = !cute.memref<f8E4M3FN, rmem, align<16>, "((16,2),2,2):((0,1),64,128)">
func.func @half_a_call(%mma: !mma, %part: !part) {
  // expected-error @below {{SFA must be partitioned as (V, rest..) of rank 3 or more, where V has 64 elements, found ((16,2),2,2)}}
  %a = cute.mma.make_fragment SFA(%mma, %part) : (!mma, !part) -> !regs
  return
}
