// RUN: %opt %s --pass-pipeline='builtin.module(cute-expand-copy-gemm,cute-lower-atoms{target=sm_100a},cute-to-base,canonicalize,cse)' | FileCheck %s

// Boxes of the TMA. A warp calls a load, and one lane of it issues it; a store is issued by whoever calls it.

!load_desc = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@0,1@1)">, tma_format = F16_RN>
!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,64):(1@0,1@1)">>
!several = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> mcast = true tma_gbasis = <"(64,64):(1@0,1@1)">>
!pair = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 2, g_stride = <"()"> mcast = true tma_gbasis = <"(64,64):(1@0,1@1)">>
!store = !cute_nvgpu.atom.tma_store<f16, copy_bits = 65536, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,64):(1@0,1@1)">>
!reduce = !cute_nvgpu.atom.tma_reduce<f16, copy_bits = 65536, mode = tiled, kind = MAX, g_stride = <"()"> tma_gbasis = <"(64,64):(1@0,1@1)">>
!box = !cute.coord_tensor<"(?,?{i64 div=64})", "((64,64)):((1@0,1@1))">
!boxes = !cute.coord_tensor<"(?,?)", "((64,64),?):((1@0,1@1),64@1)">
!tile = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(4096):(1)">
!tiles = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((4096),?):((1),4096)">
!bar = !cute.ptr<i64, smem>
!desc = !cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<64>>

// Coordinates have 32 bits, and nothing says how to cache. Whatever computes between the copies stays, under one branch.
// CHECK-LABEL: func.func @load(
// CHECK-SAME: %[[D:[^:]+]]: !llvm.ptr, %[[BAR:[^:]+]]: !llvm.ptr<3>, %[[X:[^:]+]]: i32, %[[Y:[^:]+]]: i64, %[[S:[^:]+]]: !llvm.ptr<3>)
// CHECK: %[[ELECTED:.+]] = nvvm.elect.sync -> i1
// CHECK: scf.if %[[ELECTED]] {
// CHECK-NEXT: %[[ROW:.+]] = arith.trunci %[[Y]] : i64 to i32
// CHECK-NEXT: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[S]], %[[D]], %[[BAR]], box[%[[X]], %[[ROW]]] {cute.swizzle = "S<3,4,3>", isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
// CHECK-NEXT: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[S]], %[[D]], %{{.+}}, box[%[[X]], %[[ROW]]] {cute.swizzle = "S<3,4,3>", isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NOT: elect.sync
// CHECK: return
func.func @load(%desc: !load_desc, %bar: !bar, %g: !box, %s: !tile) {
  %atom = cute_nvgpu.atom.make_exec_tma(%desc) : (!load_desc) -> !load
  %a = cute_nvgpu.atom.set_value(%atom, %bar : !bar) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load
  cute.copy(%a, %g, %s) : (!load, !box, !tile)
  %one = cute.make_int_tuple() : () -> !cute.int_tuple<"1">
  %next = cute.add_offset(%bar, %one) : (!bar, !cute.int_tuple<"1">) -> !bar
  %b = cute_nvgpu.atom.set_value(%a, %next : !bar) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load
  cute.copy(%b, %g, %s) : (!load, !box, !tile)
  return
}

// A loop of boxes is under the branch, and a branch of the program on an elected lane takes the copies behind it.
// CHECK-LABEL: func.func @boxes(
// CHECK: %[[ELECTED:.+]] = nvvm.elect.sync -> i1
// CHECK: scf.if %[[ELECTED]] {
// CHECK-NEXT: nvvm.mbarrier.arrive.expect_tx
// CHECK-NEXT: scf.for
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK: }
// CHECK-NEXT: }
// CHECK-NOT: elect.sync
// CHECK: return
func.func @boxes(%desc: !load_desc, %bar: !bar, %g: !boxes, %s: !tiles, %bytes: i32) {
  %b = builtin.unrealized_conversion_cast %bar : !bar to !llvm.ptr<3>
  %e = nvvm.elect.sync -> i1
  scf.if %e {
    nvvm.mbarrier.arrive.expect_tx %b, %bytes : !llvm.ptr<3>, i32
  }
  %atom = cute_nvgpu.atom.make_exec_tma(%desc) : (!load_desc) -> !load
  %a = cute_nvgpu.atom.set_value(%atom, %bar : !bar) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load
  cute.copy(%a, %g, %s) : (!load, !boxes, !tiles)
  return
}

// One lane stands here already.
// CHECK-LABEL: func.func @elected(
// CHECK: nvvm.elect.sync
// CHECK-NOT: nvvm.elect.sync
// CHECK: return
func.func @elected(%desc: !load_desc, %bar: !bar, %g: !box, %s: !tile, %also: i1) {
  %e = nvvm.elect.sync -> i1
  %both = arith.andi %e, %also : i1
  scf.if %both {
    %atom = cute_nvgpu.atom.make_exec_tma(%desc) : (!load_desc) -> !load
    %a = cute_nvgpu.atom.set_value(%atom, %bar : !bar) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load
    cute.copy(%a, %g, %s) : (!load, !box, !tile)
  }
  return
}

// An op between two copies has an effect, so they are elected separately.
// CHECK-LABEL: func.func @apart(
// CHECK: nvvm.elect.sync
// CHECK: nvvm.barrier
// CHECK: nvvm.elect.sync
// CHECK: return
func.func @apart(%desc: !load_desc, %bar: !bar, %g: !box, %s: !tile) {
  %atom = cute_nvgpu.atom.make_exec_tma(%desc) : (!load_desc) -> !load
  %a = cute_nvgpu.atom.set_value(%atom, %bar : !bar) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load
  cute.copy(%a, %g, %s) : (!load, !box, !tile)
  nvvm.barrier
  cute.copy(%a, %g, %s) : (!load, !box, !tile)
  return
}

// To several CTAs; a policy of caching, where the program sets one, here by a loop.
// CHECK-LABEL: func.func @several(
// CHECK-SAME: %{{[^:]+}}: !llvm.ptr, %{{[^:]+}}: !llvm.ptr<3>, %[[MASK:[^:]+]]: i16, %{{[^:]+}}: i64,
// CHECK: scf.for {{.*}} iter_args(%[[POLICY:.+]] = %{{.+}}) -> (i64)
// CHECK: %[[TO:.+]] = llvm.inttoptr %{{.+}} : i64 to !llvm.ptr<7>
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[TO]], %{{.+}}, %{{.+}}, box[%{{.+}}, %{{.+}}] multicast_mask = %[[MASK]] l2_cache_hint = %[[POLICY]] {cute.swizzle = "S<3,4,3>"} : !llvm.ptr<7>, !llvm.ptr
func.func @several(%atom: !several, %policy: i64, %g: !box, %s: !tile, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%a = %atom) -> (!several) {
    cute.copy(%a, %g, %s) : (!several, !box, !tile)
    %next = cute_nvgpu.atom.set_value(%a, %policy : i64) {field = #cute_nvgpu.atom_copy_field_tmaload<cache_policy>} : !several
    scf.yield %next : !several
  }
  return
}

// The barrier of a pair is that of its even CTA.
// CHECK-LABEL: func.func @pair(
// CHECK: %[[EVEN:.+]] = llvm.mlir.constant(-16777217 : i64) : i64
// CHECK: %[[BAR:.+]] = llvm.and %{{.+}}, %[[EVEN]] : i64
// CHECK: %[[AT:.+]] = llvm.inttoptr %[[BAR]] : i64 to !llvm.ptr<3>
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.+}}, %{{.+}}, %[[AT]], box[%{{.+}}, %{{.+}}] multicast_mask = %{{.+}} {cute.swizzle = "S<3,4,3>", group = #nvvm.cta_group<cta_2>} : !llvm.ptr<7>, !llvm.ptr
func.func @pair(%desc: !desc, %bar: !bar, %mask: i16, %g: !box, %s: !tile) {
  %zero = arith.constant 0 : i64
  %none = cute.make_int_tuple() : () -> !cute.int_tuple<"()">
  %atom = cute.make_atom(%desc, %bar, %mask, %zero, %none) : (!desc, !bar, i16, i64, !cute.int_tuple<"()">) -> !pair
  cute.copy(%atom, %g, %s) : (!pair, !box, !tile)
  return
}

// CHECK-LABEL: func.func @store(
// CHECK-SAME: %[[D:[^:]+]]: !llvm.ptr, %{{[^:]+}}: i64, %[[X:[^:]+]]: i32, %{{[^:]+}}: i64, %[[S:[^:]+]]: !llvm.ptr<3>)
// CHECK-NOT: elect.sync
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %[[D]], %[[S]], box[%[[X]], %{{.+}}] l2_cache_hint = %{{.+}} {cute.swizzle = "S<3,4,3>"} : !llvm.ptr, <3>
func.func @store(%atom: !store, %g: !box, %s: !tile) {
  cute.copy(%atom, %s, %g) : (!store, !tile, !box)
  return
}

// A whole warp comes here: one lane of it reduces, once.
// CHECK-LABEL: func.func @reduce_of_warp(
// CHECK: scf.if
// CHECK: %[[E:.+]] = nvvm.elect.sync
// CHECK-NEXT: scf.if %[[E]] {
// CHECK: nvvm.cp.async.bulk.tensor.reduce {{.*}}<max>} : !llvm.ptr, <3>
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.cp.async.bulk.commit.group
func.func @reduce_of_warp(%atom: !reduce, %g: !box, %s: !tile, %n: i32) {
  %c0 = arith.constant 0 : i32
  %warp = cute_nvgpu.arch.make_warp_uniform(%n) : i32
  %first = arith.cmpi eq, %warp, %c0 : i32
  nvvm.barrier
  scf.if %first {
    cute.copy(%atom, %s, %g) : (!reduce, !tile, !box)
    nvvm.cp.async.bulk.commit.group
  }
  return
}

// Nothing shows how many lanes come here.
// CHECK-LABEL: func.func @reduce_of_thread(
// CHECK-NOT: elect.sync
// CHECK: return
func.func @reduce_of_thread(%atom: !reduce, %g: !box, %s: !tile, %p: i1) {
  nvvm.barrier
  scf.if %p {
    cute.copy(%atom, %s, %g) : (!reduce, !tile, !box)
  }
  return
}

// CHECK-LABEL: func.func @reduce(
// CHECK: nvvm.cp.async.bulk.tensor.reduce %{{.+}}, %{{.+}}, box[%{{.+}}, %{{.+}}] {{.*}}{cute.swizzle = "S<3,4,3>", redKind = #nvvm.tma_redux_kind<max>} : !llvm.ptr, <3>
func.func @reduce(%atom: !reduce, %g: !box, %s: !tile) {
  cute.copy(%atom, %s, %g) : (!reduce, !tile, !box)
  return
}

// A prefetch is elected like a load, together with it.
// CHECK-LABEL: func.func @prefetch(
// CHECK: nvvm.elect.sync
// CHECK: nvvm.cp.async.bulk.tensor.prefetch %{{.+}}, box[%{{.+}}, %{{.+}}] : !llvm.ptr
// CHECK-NEXT: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK-NOT: nvvm.elect.sync
// CHECK: return
func.func @prefetch(%desc: !load_desc, %bar: !bar, %g: !box, %s: !tile) {
  %atom = cute_nvgpu.atom.make_exec_tma(%desc) : (!load_desc) -> !load
  cute.prefetch(%atom, %g) : (!load, !box)
  %a = cute_nvgpu.atom.set_value(%atom, %bar : !bar) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load
  cute.copy(%a, %g, %s) : (!load, !box, !tile)
  return
}
