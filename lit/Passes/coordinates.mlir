// A module for the simulator has a mark of each address that is made of run-time coordinates: the op, the mode of each coordinate,
// then the coordinates and the extents that they must be below.
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s

!m = !cute.memref<f32, gmem, "(?,8):(8,1)">
!smem = !cute.memref<f32, smem, "(4,8):(8,1)">
!row = !cute.memref<f32, gmem, "(?,8):(0,1)">

module attributes {cute.simulated} {
  // The rest of mode 1 is one tile: its coordinate is in no offset.
  // CHECK-LABEL: func.func @tile
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<1>, %[[M:.*]]: i32, %[[I:.*]]: i32
  // CHECK: %[[TILES:.*]] = arith.divsi
  // CHECK: llvm.inline_asm {cute.coordinates = "cute.local_tile;0;1"} "", "=l,0,r,r,r,r" %{{.*}}, %[[I]], %[[TILES]], %[[I]], %{{.*}} : (!llvm.ptr<1>, i32, i32, i32, i32) -> !llvm.ptr<1>
  func.func @tile(%x: !m, %i: i32) -> !cute.memref<f32, gmem, "(4,8):(8,1)"> {
    %by = cute.static : !cute.tile<"[4:1;8:1]">
    %at = cute.make_coord(%i, %i) : (i32, i32) -> !cute.coord<"(?,?)">
    %tile = cute.local_tile(%x, %by, %at) : (!m, !cute.tile<"[4:1;8:1]">, !cute.coord<"(?,?)">) -> !cute.memref<f32, gmem, "(4,8):(8,1)">
    return %tile : !cute.memref<f32, gmem, "(4,8):(8,1)">
  }

  // Static coordinates are checked by the verifier.
  // CHECK-LABEL: func.func @element
  // CHECK: llvm.inline_asm {cute.coordinates = "cute.memref.load;0"} "", "=l,0,r,r"
  func.func @element(%x: !smem, %i: i32) -> f32 {
    %at = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,1)">
    %v = cute.memref.load(%x, %at) : (!smem, !cute.coord<"(?,1)">) -> f32
    return %v : f32
  }

  // A mode that repeats its elements has no tile beyond its extent, and neither has a layout that goes on.
  // CHECK-LABEL: func.func @repeated
  // CHECK-NOT: cute.coordinates
  func.func @repeated(%x: !row, %i: i32) -> !cute.memref<f32, gmem, "(4,8):(0,1)"> {
    %by = cute.static : !cute.tile<"[4:1;8:1]">
    %at = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,0)">
    %tile = cute.local_tile(%x, %by, %at) : (!row, !cute.tile<"[4:1;8:1]">, !cute.coord<"(?,0)">) -> !cute.memref<f32, gmem, "(4,8):(0,1)">
    return %tile : !cute.memref<f32, gmem, "(4,8):(0,1)">
  }
  func.func @extended(%x: !smem, %i: i32) -> f32 attributes {cute.domain = "extend"} {
    %at = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,1)">
    %v = cute.memref.load(%x, %at) : (!smem, !cute.coord<"(?,1)">) -> f32
    return %v : f32
  }
}
