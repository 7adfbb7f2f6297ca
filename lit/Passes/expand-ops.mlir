// RUN: %opt %s --pass-pipeline='builtin.module(cute-expand-ops)' | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-expand-ops,cute-to-base,reconcile-unrealized-casts)' | FileCheck %s --check-prefix=BASE

// Static values are folded; an op with a dynamic result is left to cute-to-base.

// CHECK-LABEL: @static
// CHECK-NEXT: %[[S:.*]] = cute.static : !cute.int_tuple<"32">
// CHECK-NEXT: return %[[S]]
// BASE-LABEL: @static() {
// BASE-NEXT: return
func.func @static() -> !cute.int_tuple<"32"> {
  %l = cute.static : !cute.layout<"(4,8):(1,4)">
  %0 = cute.size(%l) : (!cute.layout<"(4,8):(1,4)">) -> !cute.int_tuple<"32">
  return %0 : !cute.int_tuple<"32">
}

// CHECK-LABEL: @dynamic
// CHECK: cute.size (%arg0)
// BASE-LABEL: @dynamic(
// BASE-SAME: %[[N:.*]]: i32) -> i32
// BASE: arith.muli %[[N]]
func.func @dynamic(%l: !cute.layout<"(?,8):(1,32)">) -> !cute.int_tuple<"?{div=8}"> {
  %0 = cute.size(%l) : (!cute.layout<"(?,8):(1,32)">) -> !cute.int_tuple<"?{div=8}">
  return %0 : !cute.int_tuple<"?{div=8}">
}
