// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// The quotient rounded up.

// CHECK-LABEL: @scalar(
// CHECK: cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"7">, !cute.int_tuple<"3">) -> !cute.int_tuple<"3">
// FOLD-LABEL: @scalar(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"3">
// FOLD-NEXT: return
func.func @scalar(%arg0: !cute.int_tuple<"7">, %arg1: !cute.int_tuple<"3">) -> !cute.int_tuple<"3"> {
  %0 = cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"7">, !cute.int_tuple<"3">) -> !cute.int_tuple<"3">
  return %0 : !cute.int_tuple<"3">
}

// By mode; modes past the divisor are kept.
// CHECK-LABEL: @tuple(
// CHECK: cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"(8,10,6)">, !cute.int_tuple<"(3,4)">) -> !cute.int_tuple<"(3,3,6)">
// FOLD-LABEL: @tuple(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"(3,3,6)">
// FOLD-NEXT: return
func.func @tuple(%arg0: !cute.int_tuple<"(8,10,6)">, %arg1: !cute.int_tuple<"(3,4)">) -> !cute.int_tuple<"(3,3,6)"> {
  %0 = cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"(8,10,6)">, !cute.int_tuple<"(3,4)">) -> !cute.int_tuple<"(3,3,6)">
  return %0 : !cute.int_tuple<"(3,3,6)">
}

// An integer divides one mode after another.
// CHECK-LABEL: @fold(
// CHECK: cute.ceil_div(%arg0, %arg1) : (!cute.shape<"(4,5,6)">, !cute.int_tuple<"40">) -> !cute.shape<"(1,1,3)">
// FOLD-LABEL: @fold(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"(1,1,3)">
// FOLD-NEXT: return
func.func @fold(%arg0: !cute.shape<"(4,5,6)">, %arg1: !cute.int_tuple<"40">) -> !cute.shape<"(1,1,3)"> {
  %0 = cute.ceil_div(%arg0, %arg1) : (!cute.shape<"(4,5,6)">, !cute.int_tuple<"40">) -> !cute.shape<"(1,1,3)">
  return %0 : !cute.shape<"(1,1,3)">
}

// CHECK-LABEL: @by_product(
// CHECK: cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"130">, !cute.shape<"(4,8)">) -> !cute.int_tuple<"5">
// FOLD-LABEL: @by_product(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"5">
// FOLD-NEXT: return
func.func @by_product(%arg0: !cute.int_tuple<"130">, %arg1: !cute.shape<"(4,8)">) -> !cute.int_tuple<"5"> {
  %0 = cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"130">, !cute.shape<"(4,8)">) -> !cute.int_tuple<"5">
  return %0 : !cute.int_tuple<"5">
}

// By a tile: how many tiles cover the modes.
// CHECK-LABEL: @tile(
// CHECK: cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"(130,256,4)">, !cute.tile<"[128:1;64:1]">) -> !cute.int_tuple<"(2,4,4)">
// FOLD-LABEL: @tile(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"(2,4,4)">
// FOLD-NEXT: return
func.func @tile(%arg0: !cute.int_tuple<"(130,256,4)">, %arg1: !cute.tile<"[128:1;64:1]">) -> !cute.int_tuple<"(2,4,4)"> {
  %0 = cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"(130,256,4)">, !cute.tile<"[128:1;64:1]">) -> !cute.int_tuple<"(2,4,4)">
  return %0 : !cute.int_tuple<"(2,4,4)">
}

// A layout covers all modes.
// CHECK-LABEL: @tile_layout(
// CHECK: cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"(8,16)">, !cute.tile<"((4,8)):((1,4))">) -> !cute.int_tuple<"4">
// FOLD-LABEL: @tile_layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"4">
// FOLD-NEXT: return
func.func @tile_layout(%arg0: !cute.int_tuple<"(8,16)">, %arg1: !cute.tile<"((4,8)):((1,4))">) -> !cute.int_tuple<"4"> {
  %0 = cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"(8,16)">, !cute.tile<"((4,8)):((1,4))">) -> !cute.int_tuple<"4">
  return %0 : !cute.int_tuple<"4">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"(?,?{div=8},?)">, !cute.tile<"[128:1;128:1;1:0]">) -> !cute.int_tuple<"(?,?,?)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"(?,?{div=8},?)">, !cute.tile<"[128:1;128:1;1:0]">) -> !cute.int_tuple<"(?,?,?)">
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32, %[[C:.+]]: i32) -> (i32, i32, i32)
// BASE: %[[X:.+]] = arith.addi %[[A]], %{{.+}}
// BASE: %[[Y:.+]] = arith.divsi %[[X]], %c128_i32
// BASE: %[[Z:.+]] = arith.divsi %{{.+}}, %c128_i32
// BASE: return %[[Y]], %[[Z]], %[[C]]
func.func @dynamic(%arg0: !cute.int_tuple<"(?,?{div=8},?)">, %arg1: !cute.tile<"[128:1;128:1;1:0]">) -> !cute.int_tuple<"(?,?,?)"> {
  %0 = cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"(?,?{div=8},?)">, !cute.tile<"[128:1;128:1;1:0]">) -> !cute.int_tuple<"(?,?,?)">
  return %0 : !cute.int_tuple<"(?,?,?)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"(?{i64 div=8},?{i64 div=8},?{i64 div=8})">, !cute.tile<"[128:1;128:1;1:0]">) -> !cute.int_tuple<"(?{i64},?{i64},?{i64 div=8})">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"(?{i64 div=8},?{i64 div=8},?{i64 div=8})">, !cute.tile<"[128:1;128:1;1:0]">) -> !cute.int_tuple<"(?{i64},?{i64},?{i64 div=8})">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C127L:.*]] = arith.constant 127 : i64
// BASE-NEXT: %[[C128L:.*]] = arith.constant 128 : i64
// BASE-NEXT: %[[V0:.*]] = arith.addi %arg0, %[[C127L]] overflow<nsw> : i64
// BASE-NEXT: %[[V1:.*]] = arith.divsi %[[V0]], %[[C128L]] : i64
// BASE-NEXT: %[[V2:.*]] = arith.addi %arg1, %[[C127L]] overflow<nsw> : i64
// BASE-NEXT: %[[V3:.*]] = arith.divsi %[[V2]], %[[C128L]] : i64
// BASE-NEXT: return %[[V1]], %[[V3]], %arg2 : i64, i64, i64
func.func @wide(%arg0: !cute.int_tuple<"(?{i64 div=8},?{i64 div=8},?{i64 div=8})">, %arg1: !cute.tile<"[128:1;128:1;1:0]">) -> !cute.int_tuple<"(?{i64},?{i64},?{i64 div=8})"> {
  %0 = cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"(?{i64 div=8},?{i64 div=8},?{i64 div=8})">, !cute.tile<"[128:1;128:1;1:0]">) -> !cute.int_tuple<"(?{i64},?{i64},?{i64 div=8})">
  return %0 : !cute.int_tuple<"(?{i64},?{i64},?{i64 div=8})">
}

// Nothing takes no tiles.
// CHECK-LABEL: @nothing(
// CHECK: cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"0">, !cute.tile<"8:1">) -> !cute.int_tuple<"0">
func.func @nothing(%arg0: !cute.int_tuple<"0">, %arg1: !cute.tile<"8:1">) -> !cute.int_tuple<"0"> {
  %0 = cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"0">, !cute.tile<"8:1">) -> !cute.int_tuple<"0">
  return %0 : !cute.int_tuple<"0">
}

// CHECK-LABEL: @dynamic_layout(
// CHECK: cute.ceil_div(%arg0, %arg1) : (!cute.shape<"(?,?)">, !cute.tile<"(4,8):(1,4)">) -> !cute.shape<"?">
// BASE-LABEL: func.func @dynamic_layout(
// BASE-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32) -> i32
// BASE: arith.muli
// BASE-NOT: minsi
// BASE: return
func.func @dynamic_layout(%arg0: !cute.shape<"(?,?)">, %arg1: !cute.tile<"(4,8):(1,4)">) -> !cute.shape<"?"> {
  %0 = cute.ceil_div(%arg0, %arg1) : (!cute.shape<"(?,?)">, !cute.tile<"(4,8):(1,4)">) -> !cute.shape<"?">
  return %0 : !cute.shape<"?">
}

// As C++ has it: without regard to the modes of what a divide would compose with.
// CHECK-LABEL: @modes_of_the_shape(
// CHECK: cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"(16,20)">, !cute.tile<"3:1">) -> !cute.int_tuple<"120">
func.func @modes_of_the_shape(%arg0: !cute.int_tuple<"(16,20)">, %arg1: !cute.tile<"3:1">) -> !cute.int_tuple<"120"> {
  %0 = cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"(16,20)">, !cute.tile<"3:1">) -> !cute.int_tuple<"120">
  return %0 : !cute.int_tuple<"120">
}
