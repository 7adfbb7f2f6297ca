// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_120a})'

// ptxas knows powers of two per 16 elements from CUDA 13.1 on.
!bs = !cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 16, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>
!d = !cute.memref<f32, rmem, align<16>, "4:1">
!a = !cute.memref<f4E2M1FN, rmem, align<16>, "32:1">
!b = !cute.memref<f4E2M1FN, rmem, align<16>, "16:1">
!sf = !cute.memref<f8E8M0FNU, rmem, align<4>, "((16,4)):((0,1))">
func.func @powers_per_16(%atom: !bs, %d: !d, %a: !a, %b: !b, %sfa: !sf, %sfb: !sf) {
  // expected-error @below {{SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue8m0,16>, which is mma.sync with .scale_vec::4X and .ue8m0, is not supported: ptxas 13.0 rejects it}}
  cute.mma_atom_call(%atom, %d, %a, %sfa, %b, %sfb, %d) : (!bs, !d, !a, !sf, !b, !sf, !d) -> ()
  return
}

// -----

!bs = !cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 32, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>
!d = !cute.memref<f32, rmem, align<16>, "4:1">
!a = !cute.memref<f4E2M1FN, rmem, align<16>, "32:1">
!b = !cute.memref<f4E2M1FN, rmem, align<16>, "16:1">
!sf = !cute.memref<f8E8M0FNU, rmem, align<4>, "((32,2)):((0,4))">
func.func @apart(%atom: !bs, %d: !d, %a: !a, %b: !b, %sfa: !sf, %sfb: !sf) {
  // expected-error @below {{mode 0 of SFA has the layout (32,2):(0,4), but one call of the atom reads scale factors in the layout (32,2):(0,1): all elements of a block share a factor}}
  cute.mma_atom_call(%atom, %d, %a, %sfa, %b, %sfb, %d) : (!bs, !d, !a, !sf, !b, !sf, !d) -> ()
  return
}

// -----

!bs = !cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 32, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>
!d = !cute.memref<f32, rmem, align<16>, "4:1">
!a = !cute.memref<f4E2M1FN, rmem, align<16>, "32:1">
!b = !cute.memref<f4E2M1FN, rmem, align<16>, "16:1">
!sf = !cute.memref<f8E8M0FNU, tmem, align<4>, "((32,2)):((0,1))">
func.func @in_tensor_memory(%atom: !bs, %d: !d, %a: !a, %b: !b, %sfa: !sf, %sfb: !sf) {
  // expected-error @below {{SFA lies in tmem, but the atom takes scale factors from rmem}}
  cute.mma_atom_call(%atom, %d, %a, %sfa, %b, %sfb, %d) : (!bs, !d, !a, !sf, !b, !sf, !d) -> ()
  return
}

// -----

// The verifier refuses factors of another type.
!bs = !cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 16, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, use_sf_layout_TV = true>
!d = !cute.memref<f32, rmem, align<16>, "4:1">
!a = !cute.memref<f4E2M1FN, rmem, align<16>, "32:1">
!b = !cute.memref<f4E2M1FN, rmem, align<16>, "16:1">
!sf = !cute.memref<f8E8M0FNU, rmem, align<4>, "((16,4)):((0,1))">
func.func @other_type(%atom: !bs, %d: !d, %a: !a, %b: !b, %sfa: !sf, %sfb: !sf) {
  // expected-error @below {{SFA has elements of f8E8M0FNU, but the scale factors of A are of f8E4M3FN}}
  cute.mma_atom_call(%atom, %d, %a, %sfa, %b, %sfb, %d) : (!bs, !d, !a, !sf, !b, !sf, !d) -> ()
  return
}
