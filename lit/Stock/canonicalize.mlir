// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s

// MLIR's own passes understand the dialect, in any tool: they fold, merge and remove its ops.

// A chain of ops on static values is one constant.
// CHECK-LABEL: @chain(
// CHECK-NEXT: %[[V:.*]] = cute.static : !cute.layout<"((2,4),(2,4)):((1,2),(64,128))">
// CHECK-NEXT: return %[[V]]
func.func @chain() -> !cute.layout<"((2,4),(2,4)):((1,2),(64,128))"> {
  %shape = cute.make_shape() : () -> !cute.shape<"(64,64)">
  %layout = cute.make_layout(%shape) : (!cute.shape<"(64,64)">) -> !cute.layout<"(64,64):(1,64)">
  %tile = cute.make_tile() : () -> !cute.tile<"[8:1;8:1]">
  %part = cute.composition(%layout, %tile) : (!cute.layout<"(64,64):(1,64)">, !cute.tile<"[8:1;8:1]">) -> !cute.layout<"(8,8):(1,64)">
  %two = cute.make_shape() : () -> !cute.shape<"(2,2)">
  %tiled = cute.logical_divide(%part, %two) : (!cute.layout<"(8,8):(1,64)">, !cute.shape<"(2,2)">) -> !cute.layout<"((2,4),(2,4)):((1,2),(64,128))">
  return %tiled : !cute.layout<"((2,4),(2,4)):((1,2),(64,128))">
}

// Where a leaf is dynamic only what is static folds.
// CHECK-LABEL: @mixed(
// CHECK-NEXT: %[[TILE:.*]] = cute.static : !cute.tile<"[8:1;8:1]">
// CHECK-NEXT: cute.composition(%arg0, %[[TILE]])
func.func @mixed(%layout: !cute.layout<"(64,64):(?,1)">) -> !cute.layout<"(8,8):(?,1)"> {
  %tile = cute.make_tile() : () -> !cute.tile<"[8:1;8:1]">
  %part = cute.composition(%layout, %tile) : (!cute.layout<"(64,64):(?,1)">, !cute.tile<"[8:1;8:1]">) -> !cute.layout<"(8,8):(?,1)">
  return %part : !cute.layout<"(8,8):(?,1)">
}

// A static number of a dynamic layout is a constant.
// CHECK-LABEL: @scalar(
// CHECK-NEXT: %[[C:.*]] = arith.constant 64 : i32
// CHECK-NEXT: return %[[C]]
func.func @scalar(%layout: !cute.layout<"(64,64):(?,1)">) -> i32 {
  %size = cute.size<[0]>(%layout) : (!cute.layout<"(64,64):(?,1)">) -> !cute.int_tuple<"64">
  %n = cute.get_scalars(%size) : !cute.int_tuple<"64">
  return %n : i32
}

// Unused ops are removed, including unused loads; a write stays.
// CHECK-LABEL: @unused(
// CHECK-NOT:   cute.composition
// CHECK-NOT:   cute.memref.load
// CHECK:       cute.memref.store
// CHECK-NEXT:  return
func.func @unused(%layout: !cute.layout<"(?,8):(8,1)">, %m: !cute.memref<f32, gmem, "8:1">, %c: !cute.coord<"?">, %v: f32) {
  %tile = cute.make_tile() : () -> !cute.tile<"[_;4:1]">
  %part = cute.composition(%layout, %tile) : (!cute.layout<"(?,8):(8,1)">, !cute.tile<"[_;4:1]">) -> !cute.layout<"(?,4):(8,1)">
  %x = cute.memref.load(%m, %c) : (!cute.memref<f32, gmem, "8:1">, !cute.coord<"?">) -> f32
  cute.memref.store(%m, %c, %v) : (!cute.memref<f32, gmem, "8:1">, !cute.coord<"?">, f32) -> ()
  return
}
