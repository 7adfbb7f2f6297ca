// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-check-fragments)'

// Two k-blocks that share a byte of their scale factors.
!mma = !cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 32, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>
!a = !cute.memref<f4E2M1FN, rmem, align<32>, "(32,1,2):(1,0,32)">
!b = !cute.memref<f4E2M1FN, rmem, align<16>, "(16,1,2):(1,0,16)">
!sfa = !cute.memref<f8E8M0FNU, rmem, align<8>, "((32,2),1,2):((0,1),0,1)">
!sfb = !cute.memref<f8E8M0FNU, rmem, align<8>, "((32,2),1,2):((0,1),0,2)">
!d = !cute.memref<f32, rmem, align<16>, "(4,1,1):(1,0,0)">
func.func @k_blocks(%mma: !mma, %a: !a, %b: !b, %sfa: !sfa, %sfb: !sfb, %d: !d) {
  // expected-error @below {{'cute.gemm' op SFA has the layout ((32,2),1,2):((0,1),0,1), in which the factors at ((0,1),0,0) and ((0,0),0,1) are the same register: rows and k-blocks need registers of their own; make the fragment by cute.mma.make_fragment SFA}}
  cute.gemm(%mma, %d, %a, %sfa, %b, %sfb, %d) : (!mma, !d, !a, !sfa, !b, !sfb, !d)
  return
}

// -----

// Columns that share a byte with a k-block, in the fragment that slices are taken from.
!mma = !cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 32, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>
!a = !cute.memref<f4E2M1FN, rmem, align<32>, "(32,1):(1,0)">
!b = !cute.memref<f4E2M1FN, rmem, align<16>, "(16,8):(1,16)">
!sfa = !cute.memref<f8E8M0FNU, rmem, align<8>, "((32,2),1):((0,1),0)">
!sfb = !cute.memref<f8E8M0FNU, rmem, align<8>, "((32,2),8,2):((0,1),2,2)">
!sfb_k = !cute.memref<f8E8M0FNU, rmem, align<2>, "((32,2),8):((0,1),2)">
!d = !cute.memref<f32, rmem, align<16>, "(4,1,8):(1,0,4)">
func.func @columns(%mma: !mma, %a: !a, %b: !b, %sfa: !sfa, %sfb: !sfb, %d: !d) {
  %at = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
  %k = cute.slice(%sfb, %at) : !sfb, !cute.coord<"(_,_,1)">
  // expected-error @below {{'cute.gemm' op SFB has the layout ((32,2),8,2):((0,1),2,2), in which the factors at ((0,0),1,0) and ((0,0),0,1) are the same register}}
  cute.gemm(%mma, %d, %a, %sfa, %b, %k, %d) : (!mma, !d, !a, !sfa, !b, !sfb_k, !d)
  return
}

// -----

// All rows may have one factor.
!mma = !cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 32, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>
!a = !cute.memref<f4E2M1FN, rmem, align<32>, "(32,2,2):(1,32,64)">
!b = !cute.memref<f4E2M1FN, rmem, align<16>, "(16,1,2):(1,0,16)">
!sfa = !cute.memref<f8E8M0FNU, rmem, align<8>, "((32,2),2,2):((0,1),0,2)">
!sfb = !cute.memref<f8E8M0FNU, rmem, align<8>, "((32,2),1,2):((0,1),0,2)">
!d = !cute.memref<f32, rmem, align<16>, "(4,2,1):(1,4,0)">
func.func @one_factor(%mma: !mma, %a: !a, %b: !b, %sfa: !sfa, %sfb: !sfb, %d: !d) {
  cute.gemm(%mma, %d, %a, %sfa, %b, %sfb, %d) : (!mma, !d, !a, !sfa, !b, !sfb, !d)
  return
}

// -----

// The fragment of SFB as SFA.
!mma = !cute.tiled_mma<!cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 32, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!a = !cute.memref<f4E2M1FN, rmem, align<32>, "(32,1,2):(1,0,32)">
!b = !cute.memref<f4E2M1FN, rmem, align<16>, "(16,1,2):(1,0,16)">
!sf = !cute.memref<f8E8M0FNU, rmem, align<2>, "((32,2),1,2):((0,1),0,2)">
!d = !cute.memref<f32, rmem, align<16>, "(4,1,1):(1,0,0)">
func.func @fragment(%mma: !mma, %a: !a, %b: !b, %d: !d) {
  %shape = cute.static : !cute.shape<"((32,2),1,2)">
  %sfa = cute.mma.make_fragment SFA(%mma, %shape) : (!mma, !cute.shape<"((32,2),1,2)">) -> !sf
  // expected-note @below {{the fragment is made here}}
  %sfb = cute.mma.make_fragment SFB(%mma, %shape) : (!mma, !cute.shape<"((32,2),1,2)">) -> !sf
  // expected-error @below {{'cute.gemm' op SFA is given the fragment of SFB: exchange them, or make that of SFA by cute.mma.make_fragment SFA, from a partition SFA}}
  cute.gemm(%mma, %d, %a, %sfb, %b, %sfa, %d) : (!mma, !d, !a, !sf, !b, !sf, !d)
  return
}
