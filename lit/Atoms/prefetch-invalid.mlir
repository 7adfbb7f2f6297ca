// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-expand-copy-gemm,cute-lower-atoms{target=sm_90a})'

!load = !cute_nvgpu.atom.tma_load<f32, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(32,128,1):(1@1,1@0,1@2)">>
!boxes = !cute.coord_tensor<"(0,0,?)", "((32,64)):((1@0,1@1))">
func.func @part_of_box(%atom: !load, %src: !boxes) {
  // expected-error @below {{'cute.prefetch' op mode 0 of the source has 2048 elements, not a multiple of the 4096 that one call of the atom copies (131072 b)}}
  cute.prefetch(%atom, %src) : (!load, !boxes)
  return
}

// -----

!load = !cute_nvgpu.atom.tma_load<f32, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(32,128,1):(1@1,1@0,1@2)">>
func.func @no_coordinates(%atom: !load, %src: !cute.memref<f32, gmem, "((32,128)):((1,32))">) {
  // expected-error @below {{'cute.prefetch' op the TMA takes coordinates: the source must be a coord_tensor, but is !cute.memref}}
  cute.prefetch(%atom, %src) : (!load, !cute.memref<f32, gmem, "((32,128)):((1,32))">)
  return
}

// -----

!store = !cute_nvgpu.atom.tma_store<f32, copy_bits = 131072, mode = tiled, g_stride = <"()"> tma_gbasis = <"(32,128,1):(1@1,1@0,1@2)">>
!boxes = !cute.coord_tensor<"(0,0,?)", "((32,128)):((1@0,1@1))">
func.func @store(%atom: !store, %src: !boxes) {
  // expected-error @below {{'cute.prefetch' op !cute_nvgpu.atom.tma_store has no prefetch; !cute_nvgpu.atom.tma_load and !cute_nvgpu.atom.universal_copy have one}}
  cute.prefetch(%atom, %src) : (!store, !boxes)
  return
}

// -----

func.func @space(%atom: !cute_nvgpu.atom.universal_copy<f32>, %src: !cute.memref<f32, smem, "4:1">) {
  // expected-error @below {{'cute.prefetch' op a prefetch loads gmem into L2, but the source lies in smem}}
  cute.prefetch(%atom, %src) : (!cute_nvgpu.atom.universal_copy<f32>, !cute.memref<f32, smem, "4:1">)
  return
}

// -----

func.func @element(%atom: !cute_nvgpu.atom.universal_copy<f32>, %src: !cute.memref<f16, gmem, "4:1">) {
  // expected-error @below {{'cute.prefetch' op the source has elements of f16, but the atom copies f32}}
  cute.prefetch(%atom, %src) : (!cute_nvgpu.atom.universal_copy<f32>, !cute.memref<f16, gmem, "4:1">)
  return
}
