// RUN: %opt %s -split-input-file --pass-pipeline='builtin.module(cute-expand-copy-gemm,cute-expand-ops,cute-lower-atoms{target=sm_103a},cute-to-base,canonicalize)' | FileCheck %s

// tcgen05.mma with K = 96: bit 31 of the instruction descriptor, whose scale factors begin in the
// bytes that the addresses name.

!bs = !cute_nvgpu.sm100.mma_bs<128x128x96, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, frag_kind = ss, vec_size = 16, arch_promote = sm_103>
!d = !cute.memref<f32, tmem, align<16>, "((128,128),1,1):((65536,1),0,0)">
!t = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,1):(0,0,0)">
!p = !cute.ptr<f8E4M3FN, tmem, align<16>>
// CHECK-LABEL: @six_factors(
// CHECK-DAG: %[[FIXED:.*]] = arith.constant -2011167616 : i32
// CHECK-DAG: %[[BITS:.*]] = arith.constant 30 : i32
// CHECK: arith.ori %{{.*}}, %[[FIXED]] : i32
// CHECK-COUNT-2: arith.shrui %arg{{.}}, %[[BITS]] : i32
// CHECK: nvvm.tcgen05.mma.block_scale {{.*}}{blockScale = #nvvm.tcgen05_mma_block_scale<block16>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4nvf4>}
func.func @six_factors(%adds: i1, %neg: i1, %sfa: !p, %sfb: !p, %d: !d, %a: !t, %b: !t) {
  %atom = cute.make_atom(%adds, %neg, %neg, %sfa, %sfb) : (i1, i1, i1, !p, !p) -> !bs
  cute.gemm(%atom, %d, %a, %b, %d) : (!bs, !d, !t, !t, !d)
  return
}

// -----

!bs = !cute_nvgpu.sm100.mma_bs<256x256x96, num_cta = 2, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32, arch_promote = sm_103>
!d = !cute.memref<f32, tmem, align<16>, "((128,256)):((65536,1))">
!t = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1):(0)">
!p = !cute.ptr<f8E8M0FNU, tmem, align<16>>
// CHECK-LABEL: @three_factors_of_a_pair(
// CHECK: nvvm.tcgen05.mma.block_scale {{.*}}{ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.block_scale_kind<mxf4>}
func.func @three_factors_of_a_pair(%adds: i1, %neg: i1, %sfa: !p, %sfb: !p, %d: !d, %a: !t, %b: !t) {
  %atom = cute.make_atom(%adds, %neg, %neg, %sfa, %sfb) : (i1, i1, i1, !p, !p) -> !bs
  cute.mma_atom_call(%atom, %d, %a, %b, %d) : (!bs, !d, !t, !t, !d) -> ()
  return
}
