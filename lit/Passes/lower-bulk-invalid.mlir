// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-expand-copy-gemm,cute-lower-atoms{target=sm_90a})'

!load = !cute_nvgpu.atom.bulk_copy_g2s<f32 copy_bits = 4096>
!smem = !cute.memref<f32, smem, align<16>, "(128):(1)">
!gmem = !cute.memref<f32, gmem, align<16>, "(128):(1)">
func.func @load(%s: !smem, %g: !gmem) {
  %atom = cute.make_atom() : () -> !load
  // expected-error @below {{'cute.copy_atom_call' op: a bulk copy to shared memory says at a barrier that it is complete, and !cute_nvgpu.atom.bulk_copy_g2s has no field for one: not supported}}
  cute.copy(%atom, %g, %s) : (!load, !gmem, !smem)
  return
}

// -----

!send = !cute_nvgpu.atom.bulk_copy_s2s<f32 copy_bits = 4096>
!smem = !cute.memref<f32, smem, align<16>, "(128):(1)">
func.func @send(%s: !smem, %t: !smem) {
  %atom = cute.make_atom() : () -> !send
  // expected-error @below {{'cute.copy_atom_call' op: a bulk copy to shared memory says at a barrier that it is complete, and !cute_nvgpu.atom.bulk_copy_s2s has no field for one: not supported}}
  cute.copy(%atom, %s, %t) : (!send, !smem, !smem)
  return
}
