// RUN: %opt %s --pass-pipeline='builtin.module(cute-expand-copy-gemm,cute-lower-atoms{target=sm_90a},cute-to-base,canonicalize)' | FileCheck %s

// Contiguous bytes to global memory, by the thread that comes here.
// CHECK-LABEL: func.func @store(
// CHECK-SAME: %[[S:.+]]: !llvm.ptr<3>, %[[G:.+]]: !llvm.ptr<1>)
// CHECK-DAG: %[[BYTES:.+]] = arith.constant 512 : i32
// CHECK-NOT: elect.sync
// CHECK: nvvm.cp.async.bulk.global.shared.cta %[[G]], %[[S]], %[[BYTES]] : <1>, <3>
// CHECK: return
!store = !cute_nvgpu.atom.bulk_copy_s2g<f32 copy_bits = 4096>
!smem = !cute.memref<f32, smem, align<16>, "(128):(1)">
!gmem = !cute.memref<f32, gmem, align<16>, "(128):(1)">
func.func @store(%s: !smem, %g: !gmem) {
  %atom = cute.make_atom() : () -> !store
  cute.copy(%atom, %s, %g) : (!store, !smem, !gmem)
  return
}
