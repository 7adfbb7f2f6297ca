// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-expand-copy-gemm)' | FileCheck %s --check-prefix=CALLS

// MMAs of descriptors: a call for each atom of M and N, whose operands are single descriptors.

!wgmma = !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!c = !cute.memref<f32, rmem, align<32>, "((2,2,16),2,1):((1,2,4),64,0)">
!a = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2):(0,512)">
!b = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">

// CHECK-LABEL: @wgmma(
// CHECK: cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<{{.*}}, !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2):(0,512)">, !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">,
// CALLS-LABEL: @wgmma(
// CALLS-COUNT-2: cute.mma_atom_call({{.*}}!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1):(0)">, !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1):(0)">
func.func @wgmma(%mma: !wgmma, %c: !c, %a: !a, %b: !b) {
  cute.gemm(%mma, %c, %a, %b, %c) : (!wgmma, !c, !a, !b, !c)
  return
}

!umma = !cute.tiled_mma<!cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, mn), elem_type = (f16, f16, f32), frag_kind = ts, c_scale_exp = 0>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!sums = !cute.memref<f32, tmem, align<16>, "((128,128),1,1):((65536,1),0,0)">
!left = !cute.memref<f16, tmem, align<1>, "((128,16),1):((131072,1),0)">

// A from tensor memory.
// CHECK-LABEL: @umma(
// CHECK: cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm100.mma<
// CALLS-LABEL: @umma(
// CALLS-COUNT-1: cute.mma_atom_call
func.func @umma(%mma: !umma, %d: !sums, %a: !left, %b: !b) {
  cute.gemm(%mma, %d, %a, %b, %d) : (!umma, !sums, !left, !b, !sums)
  return
}
