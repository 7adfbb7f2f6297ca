// RUN: %opt %s --pass-pipeline='builtin.module(cute-expand-copy-gemm)' | FileCheck %s

!atom = !cute_nvgpu.atom.universal_copy<f32, 128 b>

// Two calls in mode 0, two in the rest: four calls, written out.
// CHECK-LABEL: func.func @unrolled
func.func @unrolled(%a: !atom, %s: !cute.memref<f32, gmem, align<16>, "(8,2):(1,8)">, %d: !cute.memref<f32, smem, align<16>, "(8,2):(1,8)">) {
  // CHECK-COUNT-4: cute.copy_atom_call({{.*}}!cute.memref<f32, gmem, align<16>, "(4):(1)">, !cute.memref<f32, smem, align<16>, "(4):(1)">)
  // CHECK-NOT: cute.copy
  cute.copy(%a, %s, %d) : (!atom, !cute.memref<f32, gmem, align<16>, "(8,2):(1,8)">, !cute.memref<f32, smem, align<16>, "(8,2):(1,8)">)
  return
}

// A dynamic rest becomes a loop over its size.
// CHECK-LABEL: func.func @looped
func.func @looped(%a: !atom, %s: !cute.memref<f32, gmem, align<16>, "(4,?):(1,4)">, %d: !cute.memref<f32, smem, align<16>, "(4,?):(1,4)">) {
  // CHECK: %[[N:.+]] = cute.size<[1]>
  // CHECK: %[[UB:.+]] = cute.get_scalars (%[[N]])
  // CHECK: scf.for %[[I:.+]] = %{{.+}} to %[[UB]]
  // CHECK:   %[[C:.+]] = cute.make_coord(%[[I]]) : (i32) -> !cute.coord<"(_,?)">
  // CHECK:   cute.slice(%{{.+}}, %[[C]])
  // CHECK:   cute.copy_atom_call
  cute.copy(%a, %s, %d) : (!atom, !cute.memref<f32, gmem, align<16>, "(4,?):(1,4)">, !cute.memref<f32, smem, align<16>, "(4,?):(1,4)">)
  return
}

// Each call has its own element of the predicate.
// CHECK-LABEL: func.func @predicated
func.func @predicated(%a: !atom, %s: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %d: !cute.memref<f32, smem, align<16>, "(4,2):(1,4)">, %p: !cute.memref<i8, rmem, align<32>, "(1,2):(0,1)">) {
  // CHECK: %[[C0:.+]] = cute.make_coord() : () -> !cute.coord<"(0,0)">
  // CHECK: %[[P0:.+]] = cute.memref.load(%{{.+}}, %[[C0]])
  // CHECK: %[[B0:.+]] = arith.cmpi ne, %[[P0]]
  // CHECK: cute.copy_atom_call({{.*}}, %[[B0]])
  // CHECK: !cute.coord<"(0,1)">
  // CHECK: cute.copy_atom_call
  cute.copy(%a, %s, %d, %p) : (!atom, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, smem, align<16>, "(4,2):(1,4)">, !cute.memref<i8, rmem, align<32>, "(1,2):(0,1)">)
  return
}

// A source of one mode fills a destination of two, in order.
// CHECK-LABEL: func.func @one_more_mode
func.func @one_more_mode(%a: !atom, %s: !cute.memref<f32, gmem, align<16>, "16:1">, %d: !cute.memref<f32, smem, align<16>, "(8,2):(1,32)">) {
  // CHECK: cute.make_coord() : () -> !cute.coord<"((_,0))">
  // CHECK: cute.make_coord() : () -> !cute.coord<"((_,0),0)">
  // CHECK: cute.copy_atom_call
  // CHECK: cute.make_coord() : () -> !cute.coord<"((_,3))">
  // CHECK: cute.make_coord() : () -> !cute.coord<"((_,1),1)">
  // CHECK: cute.copy_atom_call
  // CHECK-NOT: cute.copy
  cute.copy(%a, %s, %d) : (!atom, !cute.memref<f32, gmem, align<16>, "16:1">, !cute.memref<f32, smem, align<16>, "(8,2):(1,32)">)
  return
}

// A loop over coordinates, or offsets, beyond 32 bits counts in 64.

// CHECK-LABEL: @far_coordinates(
// CHECK: %[[END:.*]] = arith.constant 8589934592 : i64
// CHECK: scf.for %{{.*}} to %[[END]] step %{{.*}} : i64
func.func @far_coordinates(%src: !cute.memref<f32, gmem, "(1,8589934592):(0,1)">, %dst: !cute.memref<f32, gmem, "(1,8589934592):(0,1)">) {
  %atom = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<f32>
  cute.copy(%atom, %src, %dst) : (!cute_nvgpu.atom.universal_copy<f32>, !cute.memref<f32, gmem, "(1,8589934592):(0,1)">, !cute.memref<f32, gmem, "(1,8589934592):(0,1)">)
  return
}

// CHECK-LABEL: @far_offsets(
// CHECK: %[[END:.*]] = arith.constant 8192 : i64
// CHECK: scf.for %{{.*}} to %[[END]] step %{{.*}} : i64
func.func @far_offsets(%src: !cute.memref<f32, gmem, "(1,8192):(0,1048576)">, %dst: !cute.memref<f32, gmem, "(1,8192):(0,1)">) {
  %atom = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<f32>
  cute.copy(%atom, %src, %dst) : (!cute_nvgpu.atom.universal_copy<f32>, !cute.memref<f32, gmem, "(1,8192):(0,1048576)">, !cute.memref<f32, gmem, "(1,8192):(0,1)">)
  return
}
