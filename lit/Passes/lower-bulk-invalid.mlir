// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-expand-copy-gemm,cute-lower-atoms{target=sm_90a})'

!load = !cute_nvgpu.atom.bulk_copy_g2s<f32 copy_bits = 4096>
!smem = !cute.memref<f32, smem, align<16>, "(128):(1)">
!gmem = !cute.memref<f32, gmem, align<16>, "(128):(1)">
func.func @load(%s: !smem, %g: !gmem) {
  %atom = cute.make_atom() : () -> !load
  // expected-error @below {{'cute.copy_atom_call' op: the atom has no tma_bar: a bulk copy to shared memory signals its completion at a barrier; cute_nvgpu.atom.set_value gives it one, with field = #cute_nvgpu.atom_copy_field_bulkg2s<tma_bar>}}
  cute.copy(%atom, %g, %s) : (!load, !gmem, !smem)
  return
}

// -----

!load = !cute_nvgpu.atom.bulk_copy_g2s<f32 copy_bits = 4096 mcast = true>
!smem = !cute.memref<f32, smem, align<16>, "(128):(1)">
!gmem = !cute.memref<f32, gmem, align<16>, "(128):(1)">
func.func @multicast(%s: !smem, %g: !gmem, %bar: !cute.ptr<i64, smem>) {
  %atom = cute.make_atom() : () -> !load
  %load = cute_nvgpu.atom.set_value(%atom, %bar : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_bulkg2s<tma_bar>} : !load
  // expected-error @below {{'cute.copy_atom_call' op: the atom has no mcast_mask: a multicast needs the CTAs of the cluster that receive the bytes}}
  cute.copy(%load, %g, %s) : (!load, !gmem, !smem)
  return
}

// -----

!send = !cute_nvgpu.atom.bulk_copy_s2s<f32 copy_bits = 4096>
!smem = !cute.memref<f32, smem, align<16>, "(128):(1)">
func.func @send(%s: !smem, %t: !smem, %bar: !cute.ptr<i64, smem>) {
  %atom = cute.make_atom() : () -> !send
  %send = cute_nvgpu.atom.set_value(%atom, %bar : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_bulks2s<tma_bar>} : !send
  // expected-error @below {{'cute.copy_atom_call' op: the atom has no cta_rank: a copy to another CTA needs the CTA of the cluster that receives the bytes}}
  cute.copy(%send, %s, %t) : (!send, !smem, !smem)
  return
}

// -----

!load = !cute_nvgpu.atom.bulk_copy_g2s<f32 copy_bits = 4096>
!smem = !cute.memref<f32, smem, align<16>, "(128):(1)">
!gmem = !cute.memref<f32, gmem, align<16>, "(128):(1)">
func.func @of_one_thread(%s: !smem, %g: !gmem, %bar: !cute.ptr<i64, smem>) {
  %zero = arith.constant 0 : i32
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %first = arith.cmpi eq, %thread, %zero : i32
  scf.if %first {
    %atom = cute.make_atom() : () -> !load
    %load = cute_nvgpu.atom.set_value(%atom, %bar : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_bulkg2s<tma_bar>} : !load
    // expected-error @below {{stands under a condition on the number of a thread}}
    cute.copy(%load, %g, %s) : (!load, !gmem, !smem)
  }
  return
}
