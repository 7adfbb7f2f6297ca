// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// Machine integers make an int_tuple.
// CHECK-LABEL: @integers(
// CHECK: cute.make_tuple(%arg0, %arg1, %arg2) : (i32, i64, !cute.i32<divby 8>) -> !cute.int_tuple<"(?,?{i64},?{div=8})">
// BASE-LABEL: func.func @integers(
// BASE-SAME: %[[A:.+]]: i32, %[[B:.+]]: i64, %[[C:.+]]: i32) -> (i32, i64, i32)
// BASE-NEXT: return %[[A]], %[[B]], %[[C]]
func.func @integers(%arg0: i32, %arg1: i64, %arg2: !cute.i32<divby 8>) -> !cute.int_tuple<"(?,?{i64},?{div=8})"> {
  %0 = cute.make_tuple(%arg0, %arg1, %arg2) : (i32, i64, !cute.i32<divby 8>) -> !cute.int_tuple<"(?,?{i64},?{div=8})">
  return %0 : !cute.int_tuple<"(?,?{i64},?{div=8})">
}

// Operands keep their structure; an integer among them is a leaf.
// CHECK-LABEL: @nested(
// CHECK: cute.make_tuple(%arg0, %arg1, %arg2) : (!cute.shape<"(4,?)">, i32, !cute.shape<"8">) -> !cute.shape<"((4,?),?,8)">
// BASE-LABEL: func.func @nested(
// BASE-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32) -> (i32, i32)
// BASE-NEXT: return %[[A]], %[[B]]
func.func @nested(%arg0: !cute.shape<"(4,?)">, %arg1: i32, %arg2: !cute.shape<"8">) -> !cute.shape<"((4,?),?,8)"> {
  %0 = cute.make_tuple(%arg0, %arg1, %arg2) : (!cute.shape<"(4,?)">, i32, !cute.shape<"8">) -> !cute.shape<"((4,?),?,8)">
  return %0 : !cute.shape<"((4,?),?,8)">
}

// CHECK-LABEL: @static(
// CHECK: cute.make_tuple(%arg0, %arg1) : (!cute.int_tuple<"(2,3)">, !cute.int_tuple<"4">) -> !cute.int_tuple<"((2,3),4)">
// FOLD-LABEL: @static(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"((2,3),4)">
func.func @static(%arg0: !cute.int_tuple<"(2,3)">, %arg1: !cute.int_tuple<"4">) -> !cute.int_tuple<"((2,3),4)"> {
  %0 = cute.make_tuple(%arg0, %arg1) : (!cute.int_tuple<"(2,3)">, !cute.int_tuple<"4">) -> !cute.int_tuple<"((2,3),4)">
  return %0 : !cute.int_tuple<"((2,3),4)">
}

// CHECK-LABEL: @coord(
// CHECK: cute.make_tuple(%arg0, %arg1) : (!cute.coord<"_">, i32) -> !cute.coord<"(_,?)">
func.func @coord(%arg0: !cute.coord<"_">, %arg1: i32) -> !cute.coord<"(_,?)"> {
  %0 = cute.make_tuple(%arg0, %arg1) : (!cute.coord<"_">, i32) -> !cute.coord<"(_,?)">
  return %0 : !cute.coord<"(_,?)">
}

// CHECK-LABEL: @stride(
// CHECK: cute.make_tuple(%arg0, %arg1) : (!cute.stride<"(1,?)">, i64) -> !cute.stride<"((1,?),?{i64})">
func.func @stride(%arg0: !cute.stride<"(1,?)">, %arg1: i64) -> !cute.stride<"((1,?),?{i64})"> {
  %0 = cute.make_tuple(%arg0, %arg1) : (!cute.stride<"(1,?)">, i64) -> !cute.stride<"((1,?),?{i64})">
  return %0 : !cute.stride<"((1,?),?{i64})">
}

// CHECK-LABEL: @tile(
// CHECK: cute.make_tuple(%arg0, %arg1) : (!cute.tile<"4:1">, !cute.tile<"[8:2;_]">) -> !cute.tile<"[4:1;[8:2;_]]">
func.func @tile(%arg0: !cute.tile<"4:1">, %arg1: !cute.tile<"[8:2;_]">) -> !cute.tile<"[4:1;[8:2;_]]"> {
  %0 = cute.make_tuple(%arg0, %arg1) : (!cute.tile<"4:1">, !cute.tile<"[8:2;_]">) -> !cute.tile<"[4:1;[8:2;_]]">
  return %0 : !cute.tile<"[4:1;[8:2;_]]">
}

// Shapes before strides, as in every layout.
// CHECK-LABEL: @layout(
// CHECK: cute.make_tuple(%arg0, %arg1) : (!cute.layout<"(4,?):(1,?)">, !cute.layout<"?:8">) -> !cute.layout<"((4,?),?):((1,?),8)">
// BASE-LABEL: func.func @layout(
// BASE-SAME: %[[S:.+]]: i32, %[[D:.+]]: i32, %[[T:.+]]: i32) -> (i32, i32, i32)
// BASE-NEXT: return %[[S]], %[[T]], %[[D]]
func.func @layout(%arg0: !cute.layout<"(4,?):(1,?)">, %arg1: !cute.layout<"?:8">) -> !cute.layout<"((4,?),?):((1,?),8)"> {
  %0 = cute.make_tuple(%arg0, %arg1) : (!cute.layout<"(4,?):(1,?)">, !cute.layout<"?:8">) -> !cute.layout<"((4,?),?):((1,?),8)">
  return %0 : !cute.layout<"((4,?),?):((1,?),8)">
}

// CHECK-LABEL: @empty(
// CHECK: cute.make_tuple() : () -> !cute.int_tuple<"()">
func.func @empty() -> !cute.int_tuple<"()"> {
  %0 = cute.make_tuple() : () -> !cute.int_tuple<"()">
  return %0 : !cute.int_tuple<"()">
}
