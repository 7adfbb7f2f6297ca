// RUN: %opt %s --pass-pipeline='builtin.module(cse)' | FileCheck %s

// Equal ops are one.
// CHECK-LABEL: @pure(
// CHECK-NEXT: %[[L:.*]] = cute.make_layout(%arg0)
// CHECK-NEXT: %[[S:.*]] = cute.size
// CHECK-NEXT: return %[[S]], %[[S]]
func.func @pure(%s: !cute.shape<"(?,8)">) -> (!cute.int_tuple<"?{div=8}">, !cute.int_tuple<"?{div=8}">) {
  %a = cute.make_layout(%s) : (!cute.shape<"(?,8)">) -> !cute.layout<"(?,8):(1,?)">
  %b = cute.make_layout(%s) : (!cute.shape<"(?,8)">) -> !cute.layout<"(?,8):(1,?)">
  %m = cute.size(%a) : (!cute.layout<"(?,8):(1,?)">) -> !cute.int_tuple<"?{div=8}">
  %n = cute.size(%b) : (!cute.layout<"(?,8):(1,?)">) -> !cute.int_tuple<"?{div=8}">
  return %m, %n : !cute.int_tuple<"?{div=8}">, !cute.int_tuple<"?{div=8}">
}

// Attributes count: another mode is another value.
// CHECK-LABEL: @attribute(
// CHECK: cute.size<[0]>
// CHECK: cute.size<[1]>
func.func @attribute(%l: !cute.layout<"(?,?):(1,?)">) -> (!cute.int_tuple<"?">, !cute.int_tuple<"?">) {
  %m = cute.size<[0]>(%l) : (!cute.layout<"(?,?):(1,?)">) -> !cute.int_tuple<"?">
  %n = cute.size<[1]>(%l) : (!cute.layout<"(?,?):(1,?)">) -> !cute.int_tuple<"?">
  return %m, %n : !cute.int_tuple<"?">, !cute.int_tuple<"?">
}

// Loads are one until somebody writes.
// CHECK-LABEL: @memory(
// CHECK-COUNT-1: cute.memref.load
// CHECK-NEXT:    cute.memref.store
// CHECK-NEXT:    cute.memref.load
// CHECK-NEXT:    return
func.func @memory(%m: !cute.memref<f32, gmem, "8:1">, %c: !cute.coord<"?">, %v: f32) -> (f32, f32, f32) {
  %x = cute.memref.load(%m, %c) : (!cute.memref<f32, gmem, "8:1">, !cute.coord<"?">) -> f32
  %y = cute.memref.load(%m, %c) : (!cute.memref<f32, gmem, "8:1">, !cute.coord<"?">) -> f32
  cute.memref.store(%m, %c, %v) : (!cute.memref<f32, gmem, "8:1">, !cute.coord<"?">, f32) -> ()
  %z = cute.memref.load(%m, %c) : (!cute.memref<f32, gmem, "8:1">, !cute.coord<"?">) -> f32
  return %x, %y, %z : f32, f32, f32
}

// Two allocations are two.
// CHECK-LABEL: @allocations(
// CHECK-COUNT-2: cute.memref.alloca
func.func @allocations() -> (!cute.memref<f32, rmem, "8:1">, !cute.memref<f32, rmem, "8:1">) {
  %a = cute.memref.alloca() : !cute.memref<f32, rmem, "8:1">
  %b = cute.memref.alloca() : !cute.memref<f32, rmem, "8:1">
  return %a, %b : !cute.memref<f32, rmem, "8:1">, !cute.memref<f32, rmem, "8:1">
}
