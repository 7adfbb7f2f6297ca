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

// Registers have no addresses: a loop that indexes them is unrolled, if it has few iterations and no annotation.
// CHECK-LABEL: func.func @turns(
func.func @turns(%f: !cute.memref<f32, rmem, align<32>, "(64):(1)">, %g: !cute.memref<f32, gmem, "(64):(1)">, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c64 = arith.constant 64 : i32
  // CHECK: scf.for
  // CHECK: } {loop_annotation = #[[FULL:.+]]}
  scf.for %i = %c0 to %c64 step %c2 : i32 {
    %next = arith.addi %i, %c1 : i32
    %at = cute.make_coord(%next) : (i32) -> !cute.coord<"?">
    %x = cute.memref.load(%f, %at) : (!cute.memref<f32, rmem, align<32>, "(64):(1)">, !cute.coord<"?">) -> f32
    cute.memref.store(%g, %at, %x) : (!cute.memref<f32, gmem, "(64):(1)">, !cute.coord<"?">, f32) -> ()
  }
  // A fixed register, in each iteration.
  // CHECK: scf.for
  // CHECK: }{{$}}
  scf.for %i = %c0 to %c64 step %c2 : i32 {
    %zero = cute.static : !cute.coord<"0">
    %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %x = cute.memref.load(%f, %zero) : (!cute.memref<f32, rmem, align<32>, "(64):(1)">, !cute.coord<"0">) -> f32
    cute.memref.store(%g, %at, %x) : (!cute.memref<f32, gmem, "(64):(1)">, !cute.coord<"?">, f32) -> ()
  }
  // An unknown number of iterations.
  // CHECK: scf.for
  // CHECK: }{{$}}
  scf.for %i = %c0 to %n step %c1 : i32 {
    %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %x = cute.memref.load(%f, %at) : (!cute.memref<f32, rmem, align<32>, "(64):(1)">, !cute.coord<"?">) -> f32
    cute.memref.store(%g, %at, %x) : (!cute.memref<f32, gmem, "(64):(1)">, !cute.coord<"?">, f32) -> ()
  }
  // The attribute in the program is kept.
  // CHECK: scf.for
  // CHECK: } {loop_annotation = #[[KEPT:.+]]}
  scf.for %i = %c0 to %c64 step %c1 : i32 {
    %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %x = cute.memref.load(%f, %at) : (!cute.memref<f32, rmem, align<32>, "(64):(1)">, !cute.coord<"?">) -> f32
    cute.memref.store(%g, %at, %x) : (!cute.memref<f32, gmem, "(64):(1)">, !cute.coord<"?">, f32) -> ()
  } {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
  return
}
