// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_90a})'

func.func @many(%atom: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %src: !cute.memref<f32, gmem, align<16>, "8:1">) {
  // expected-error @below {{'cute.prefetch_atom_call' op the source has 8 elements, but one call of the atom takes 4; use cute.prefetch}}
  cute.prefetch_atom_call(%atom, %src) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "8:1">) -> ()
  return
}
