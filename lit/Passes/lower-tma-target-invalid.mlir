// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-expand-copy-gemm,cute-lower-atoms{target=sm_120a})'

!load = !cute_nvgpu.atom.tma_load<f6E2M3FN, copy_bits = 49152, mode = tiled, num_cta = 1, g_stride = <"()"> mcast = true tma_gbasis = <"(128,64):(1@1,1@0)">>
!box = !cute.coord_tensor<"(?,?)", "((128,64)):((1@0,1@1))">
!tile = !cute.memref<i8, smem, align<1024>, S<3,4,3>, "(8192):(1)">
func.func @to_several_ctas(%atom: !load, %g: !box, %s: !tile) {
  // expected-error @below {{'cute.copy_atom_call' op: the TMA of sm_120a loads elements of f6E2M3FN for one CTA only: load them without multicast}}
  cute.copy(%atom, %g, %s) : (!load, !box, !tile)
  return
}

// -----

!load = !cute_nvgpu.atom.tma_load<f6E2M3FN, copy_bits = 49152, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(128,64):(1@1,1@0)">>
!box = !cute.coord_tensor<"(?,?)", "((128,64)):((1@0,1@1))">
!tile = !cute.memref<f6E2M3FN, smem, align<1024>, S<3,4,3>, "(8192):(1)">
func.func @six_bits(%atom: !load, %g: !box, %s: !tile) {
  // expected-error @below {{'cute.copy' op the destination has elements of f6E2M3FN, but the TMA gives each element of f6E2M3FN a byte of shared memory: recast the iterator to i8}}
  cute.copy(%atom, %g, %s) : (!load, !box, !tile)
  return
}
