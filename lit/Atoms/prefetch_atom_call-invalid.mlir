// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_90a})'

func.func @many(%atom: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %src: !cute.memref<f32, gmem, align<16>, "8:1">) {
  // expected-error @below {{'cute.prefetch_atom_call' op the source has 8 elements, one call of the atom takes 4; use cute.prefetch}}
  cute.prefetch_atom_call(%atom, %src) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "8:1">) -> ()
  return
}

// -----

!load = !cute_nvgpu.atom.tma_load<f32, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(32,128,1):(1@1,1@0,1@2)">>
!box = !cute.coord_tensor<"(0,0,?)", "((32,128)):((1@0,1@1))">
func.func @box(%atom: !load, %src: !box) {
  // expected-error @below {{'cute.prefetch_atom_call' op: a prefetch by !cute_nvgpu.atom.tma_load is not supported yet}}
  cute.prefetch_atom_call(%atom, %src) : (!load, !box) -> ()
  return
}
