// RUN: %opt %s --pass-pipeline='builtin.module(cute-expand-copy-gemm,cute-lower-atoms{target=sm_90a},cute-to-base,canonicalize)' | FileCheck %s

// Contiguous elements, by one lane of the warp that comes here.
!smem = !cute.memref<f16, smem, align<16>, "(128):(1)">
!gmem = !cute.memref<f16, gmem, align<16>, "(128):(1)">
!words = !cute.memref<i32, smem, align<16>, "(128):(1)">
!bar = !cute.ptr<i64, smem>

// CHECK-LABEL: func.func @add(
// CHECK-SAME: %[[S:.+]]: !llvm.ptr<3>, %[[G:.+]]: !llvm.ptr<1>)
// CHECK-DAG: %[[BYTES:.+]] = arith.constant 256 : i32
// CHECK: %[[ONE:.+]] = nvvm.elect.sync
// CHECK: scf.if %[[ONE]]
// CHECK-DAG: %[[TO:.+]] = llvm.ptrtoint %[[G]] : !llvm.ptr<1> to i64
// CHECK-DAG: %[[FROM:.+]] = llvm.ptrtoint %[[S]] : !llvm.ptr<3> to i32
// CHECK: llvm.inline_asm has_side_effects "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [$0], [$1], $2;", "l,r,r,~{memory}" %[[TO]], %[[FROM]], %[[BYTES]] : (i64, i32, i32) -> ()
// CHECK: return
!add = !cute_nvgpu.atom.bulk_reduce_s2g<f16 copy_bits = 2048 kind = ADD>
func.func @add(%s: !smem, %g: !gmem) {
  %atom = cute.make_atom() : () -> !add
  cute.copy(%atom, %s, %g) : (!add, !smem, !gmem)
  return
}

// Into the same place in another CTA, whose barrier counts the bytes.
// CHECK-LABEL: func.func @send(
// CHECK-SAME: %[[S:.+]]: !llvm.ptr<3>, %[[T:.+]]: !llvm.ptr<3>, %[[BAR:.+]]: !llvm.ptr<3>, %[[RANK:.+]]: i32)
// CHECK: nvvm.elect.sync
// CHECK-DAG: nvvm.mapa %[[T]], %[[RANK]] : !llvm.ptr<3> -> !llvm.ptr<7>
// CHECK-DAG: nvvm.mapa %[[BAR]], %[[RANK]] : !llvm.ptr<3> -> !llvm.ptr<7>
// CHECK: llvm.inline_asm has_side_effects "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.xor.b32 [$0], [$1], $2, [$3];", "r,r,r,r,~{memory}" %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : (i32, i32, i32, i32) -> ()
!send = !cute_nvgpu.atom.bulk_reduce_s2s<i32 copy_bits = 4096 kind = XOR>
func.func @send(%s: !words, %t: !words, %bar: !bar, %rank: i32) {
  %atom = cute.make_atom() : () -> !send
  %0 = cute_nvgpu.atom.set_value(%atom, %bar : !bar) {field = #cute_nvgpu.atom_copy_field_bulks2s<tma_bar>} : !send
  %1 = cute_nvgpu.atom.set_value(%0, %rank : i32) {field = #cute_nvgpu.atom_copy_field_bulks2s<cta_rank>} : !send
  cute.copy(%1, %s, %t) : (!send, !words, !words)
  return
}
