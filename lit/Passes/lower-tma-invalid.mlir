// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-expand-copy-gemm,cute-lower-atoms{target=sm_90a})'

!desc = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@0,1@1)">, tma_format = F16_RN>
!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,64):(1@0,1@1)">>
!box = !cute.coord_tensor<"(?,?)", "((64,64)):((1@0,1@1))">
!tile = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(4096):(1)">
func.func @no_barrier(%desc: !desc, %g: !box, %s: !tile) {
  %atom = cute_nvgpu.atom.make_exec_tma(%desc) : (!desc) -> !load
  // expected-error @below {{'cute.copy_atom_call' op: the atom has no tma_bar: a load signals its completion at a barrier; cute_nvgpu.atom.set_value gives it one, with field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>}}
  cute.copy(%atom, %g, %s) : (!load, !box, !tile)
  return
}

// -----

!desc = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90_multicast, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@0,1@1)">, tma_format = F16_RN>
!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> mcast = true tma_gbasis = <"(64,64):(1@0,1@1)">>
!box = !cute.coord_tensor<"(?,?)", "((64,64)):((1@0,1@1))">
!tile = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(4096):(1)">
func.func @no_mask(%desc: !desc, %bar: !cute.ptr<i64, smem>, %g: !box, %s: !tile) {
  %atom = cute_nvgpu.atom.make_exec_tma(%desc) : (!desc) -> !load
  %a = cute_nvgpu.atom.set_value(%atom, %bar : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load
  // expected-error @below {{'cute.copy_atom_call' op: the atom has no mcast_mask: a multicast needs the CTAs of the cluster that receive the box; cute_nvgpu.atom.set_value gives it one, with field = #cute_nvgpu.atom_copy_field_tmaload<mcast_mask>}}
  cute.copy(%a, %g, %s) : (!load, !box, !tile)
  return
}

// -----

!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 2, g_stride = <"()"> tma_gbasis = <"(64,64):(1@0,1@1)">>
!box = !cute.coord_tensor<"(?,?)", "((64,64)):((1@0,1@1))">
!tile = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(4096):(1)">
func.func @target(%atom: !load, %g: !box, %s: !tile) {
  // expected-error @below {{'cute.copy_atom_call' op: sm_90a has no SM100_TMA_2SM_LOAD; it needs sm_100f, sm_100a, sm_103f, sm_103a, sm_110f, sm_110a}}
  cute.copy(%atom, %g, %s) : (!load, !box, !tile)
  return
}

// -----

!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,64):(1@0,1@1)">>
!box = !cute.coord_tensor<"(?,?)", "((64,64)):((1@0,1@1))">
!tile = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(4096):(1)">
func.func @one_thread(%atom: !load, %g: !box, %s: !tile) {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %c0 = arith.constant 0 : i32
  %first = arith.cmpi eq, %tid, %c0 : i32
  scf.if %first {
    // expected-error @below {{'cute.copy_atom_call' op: stands under a condition on the number of a thread, where one lane would wait for its warp: all lanes of a warp call a TMA load, a bulk copy or a tcgen05.mma, and one of them is elected to issue it; make the condition one on the number of the warp}}
    cute.copy(%atom, %g, %s) : (!load, !box, !tile)
  }
  return
}

// -----

!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,64):(1@0,1@1)">>
!box = !cute.coord_tensor<"(?,?)", "((64,64)):((1@0,1@1))">
!tile = !cute.memref<f16, smem, align<64>, S<3,4,3>, "(4096):(1)">
func.func @alignment(%atom: !load, %g: !box, %s: !tile) {
  // expected-error @below {{'cute.copy' op destination (4096):(1): a call of 65536 b needs an address aligned to 128 bytes, but the pointer is only known to be aligned to 64}}
  cute.copy(%atom, %g, %s) : (!load, !box, !tile)
  return
}

// -----

!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,64):(1@0,1@1)">>
!box = !cute.coord_tensor<"(?,?)", "((64,64)):((1@0,1@1))">
!tile = !cute.memref<f16, gmem, align<1024>, "(4096):(1)">
func.func @space(%atom: !load, %g: !box, %s: !tile) {
  // expected-error @below {{'cute.copy' op a TMA load copies coordinates to smem, found coordinates to gmem}}
  cute.copy(%atom, %g, %s) : (!load, !box, !tile)
  return
}

// -----

!load = !cute_nvgpu.atom.tma_load<f4E2M1FN, copy_bits = 32768, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(128,64):(1@1,1@0)">>
!box = !cute.coord_tensor<"(?,?)", "((128,64)):((1@0,1@1))">
!tile = !cute.memref<i8, smem, align<1024>, S<3,4,3>, "(8192):(1)">
func.func @four_bits(%atom: !load, %g: !box, %s: !tile) {
  // expected-error @below {{'cute.copy_atom_call' op: the TMA of sm_90a has no elements of f4E2M1FN; they are on sm_100 and later}}
  cute.copy(%atom, %g, %s) : (!load, !box, !tile)
  return
}
