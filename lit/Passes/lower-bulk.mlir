// RUN: %opt %s --pass-pipeline='builtin.module(cute-expand-copy-gemm,cute-lower-atoms{target=sm_90a},cute-to-base,canonicalize)' | FileCheck %s

// Contiguous bytes, by one lane of the warp that comes here.
!smem = !cute.memref<f32, smem, align<16>, "(128):(1)">
!gmem = !cute.memref<f32, gmem, align<16>, "(128):(1)">
!bar = !cute.ptr<i64, smem>

// CHECK-LABEL: func.func @store(
// CHECK-SAME: %[[S:.+]]: !llvm.ptr<3>, %[[G:.+]]: !llvm.ptr<1>)
// CHECK-DAG: %[[BYTES:.+]] = arith.constant 512 : i32
// CHECK: %[[ONE:.+]] = nvvm.elect.sync
// CHECK: scf.if %[[ONE]]
// CHECK: nvvm.cp.async.bulk.global.shared.cta %[[G]], %[[S]], %[[BYTES]] : <1>, <3>
// CHECK: return
!store = !cute_nvgpu.atom.bulk_copy_s2g<f32 copy_bits = 4096>
func.func @store(%s: !smem, %g: !gmem) {
  %atom = cute.make_atom() : () -> !store
  cute.copy(%atom, %s, %g) : (!store, !smem, !gmem)
  return
}

// The program's own election is kept.
// CHECK-LABEL: func.func @store_elected(
// CHECK: nvvm.elect.sync
// CHECK-NOT: nvvm.elect.sync
// CHECK: return
func.func @store_elected(%s: !smem, %g: !gmem) {
  %one = nvvm.elect.sync -> i1
  scf.if %one {
    %atom = cute.make_atom() : () -> !store
    cute.copy(%atom, %s, %g) : (!store, !smem, !gmem)
  }
  return
}

// CHECK-LABEL: func.func @load(
// CHECK-SAME: %[[S:.+]]: !llvm.ptr<3>, %[[G:.+]]: !llvm.ptr<1>, %[[BAR:.+]]: !llvm.ptr<3>)
// CHECK-DAG: %[[BYTES:.+]] = arith.constant 512 : i32
// CHECK: nvvm.elect.sync
// CHECK: nvvm.cp.async.bulk.shared.cluster.global %[[S]], %[[G]], %[[BAR]], %[[BYTES]] : !llvm.ptr<3>, <1>
!load = !cute_nvgpu.atom.bulk_copy_g2s<f32 copy_bits = 4096>
func.func @load(%s: !smem, %g: !gmem, %bar: !bar) {
  %atom = cute.make_atom() : () -> !load
  %load = cute_nvgpu.atom.set_value(%atom, %bar : !bar) {field = #cute_nvgpu.atom_copy_field_bulkg2s<tma_bar>} : !load
  cute.copy(%load, %g, %s) : (!load, !gmem, !smem)
  return
}

// Two calls, one election.
// CHECK-LABEL: func.func @multicast(
// CHECK-SAME: %[[S:.+]]: !llvm.ptr<3>, %[[G:.+]]: !llvm.ptr<1>, %[[BAR:.+]]: !llvm.ptr<3>, %[[MASK:.+]]: i16, %[[HINT:.+]]: i64)
// CHECK: nvvm.elect.sync
// CHECK-NOT: nvvm.elect.sync
// CHECK: %[[AT:.+]] = llvm.ptrtoint %[[S]]
// CHECK: %[[TO:.+]] = llvm.inttoptr %[[AT]] : i64 to !llvm.ptr<7>
// CHECK: nvvm.cp.async.bulk.shared.cluster.global %[[TO]], %[[G]], %[[BAR]], %{{.+}} multicast_mask = %[[MASK]] l2_cache_hint = %[[HINT]] : !llvm.ptr<7>, <1>
// CHECK: nvvm.cp.async.bulk.shared.cluster.global {{.*}} multicast_mask = %[[MASK]]
// CHECK: return
!multicast = !cute_nvgpu.atom.bulk_copy_g2s<f32 copy_bits = 2048 mcast = true>
!smem2 = !cute.memref<f32, smem, align<16>, "(64,2):(1,64)">
!gmem2 = !cute.memref<f32, gmem, align<16>, "(64,2):(1,64)">
func.func @multicast(%s: !smem2, %g: !gmem2, %bar: !bar, %mask: i16, %hint: i64) {
  %atom = cute.make_atom() : () -> !multicast
  %0 = cute_nvgpu.atom.set_value(%atom, %bar : !bar) {field = #cute_nvgpu.atom_copy_field_bulkg2s<tma_bar>} : !multicast
  %1 = cute_nvgpu.atom.set_value(%0, %mask : i16) {field = #cute_nvgpu.atom_copy_field_bulkg2s<mcast_mask>} : !multicast
  %2 = cute_nvgpu.atom.set_value(%1, %hint : i64) {field = #cute_nvgpu.atom_copy_field_bulkg2s<cache_policy>} : !multicast
  cute.copy(%2, %g, %s) : (!multicast, !gmem2, !smem2)
  return
}

// To the same place in another CTA, whose barrier counts the bytes.
// CHECK-LABEL: func.func @send(
// CHECK-SAME: %[[S:.+]]: !llvm.ptr<3>, %[[T:.+]]: !llvm.ptr<3>, %[[BAR:.+]]: !llvm.ptr<3>, %[[RANK:.+]]: i32)
// CHECK: nvvm.elect.sync
// CHECK-DAG: %[[TO:.+]] = nvvm.mapa %[[T]], %[[RANK]] : !llvm.ptr<3> -> !llvm.ptr<7>
// CHECK-DAG: %[[THERE:.+]] = nvvm.mapa %[[BAR]], %[[RANK]] : !llvm.ptr<3> -> !llvm.ptr<7>
// CHECK: %[[AT:.+]] = llvm.ptrtoint %[[THERE]]
// CHECK: %[[ITS:.+]] = llvm.inttoptr %[[AT]] : i64 to !llvm.ptr<3>
// CHECK: nvvm.cp.async.bulk.shared.cluster.shared.cta %[[TO]], %[[S]], %[[ITS]], %{{.+}} : <7>, <3>
!send = !cute_nvgpu.atom.bulk_copy_s2s<f32 copy_bits = 4096>
func.func @send(%s: !smem, %t: !smem, %bar: !bar, %rank: i32) {
  %atom = cute.make_atom() : () -> !send
  %0 = cute_nvgpu.atom.set_value(%atom, %bar : !bar) {field = #cute_nvgpu.atom_copy_field_bulks2s<tma_bar>} : !send
  %1 = cute_nvgpu.atom.set_value(%0, %rank : i32) {field = #cute_nvgpu.atom_copy_field_bulks2s<cta_rank>} : !send
  cute.copy(%1, %s, %t) : (!send, !smem, !smem)
  return
}
