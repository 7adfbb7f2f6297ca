// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// The quotient of shapes, rounded up.

// CHECK-LABEL: @scalar(
// CHECK: cute.shape_div(%arg0, %arg1) : (!cute.shape<"12">, !cute.shape<"4">) -> !cute.shape<"3">
// FOLD-LABEL: @scalar(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"3">
// FOLD-NEXT: return
func.func @scalar(%arg0: !cute.shape<"12">, %arg1: !cute.shape<"4">) -> !cute.shape<"3"> {
  %0 = cute.shape_div(%arg0, %arg1) : (!cute.shape<"12">, !cute.shape<"4">) -> !cute.shape<"3">
  return %0 : !cute.shape<"3">
}

// CHECK-LABEL: @smaller(
// CHECK: cute.shape_div(%arg0, %arg1) : (!cute.shape<"4">, !cute.shape<"12">) -> !cute.shape<"1">
// FOLD-LABEL: @smaller(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"1">
// FOLD-NEXT: return
func.func @smaller(%arg0: !cute.shape<"4">, %arg1: !cute.shape<"12">) -> !cute.shape<"1"> {
  %0 = cute.shape_div(%arg0, %arg1) : (!cute.shape<"4">, !cute.shape<"12">) -> !cute.shape<"1">
  return %0 : !cute.shape<"1">
}

// CHECK-LABEL: @tuple(
// CHECK: cute.shape_div(%arg0, %arg1) : (!cute.shape<"(8,10)">, !cute.shape<"(2,5)">) -> !cute.shape<"(4,2)">
// FOLD-LABEL: @tuple(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"(4,2)">
// FOLD-NEXT: return
func.func @tuple(%arg0: !cute.shape<"(8,10)">, %arg1: !cute.shape<"(2,5)">) -> !cute.shape<"(4,2)"> {
  %0 = cute.shape_div(%arg0, %arg1) : (!cute.shape<"(8,10)">, !cute.shape<"(2,5)">) -> !cute.shape<"(4,2)">
  return %0 : !cute.shape<"(4,2)">
}

// An integer divides one mode after another.
// CHECK-LABEL: @fold(
// CHECK: cute.shape_div(%arg0, %arg1) : (!cute.shape<"(4,5,6)">, !cute.shape<"40">) -> !cute.shape<"(1,1,3)">
// FOLD-LABEL: @fold(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"(1,1,3)">
// FOLD-NEXT: return
func.func @fold(%arg0: !cute.shape<"(4,5,6)">, %arg1: !cute.shape<"40">) -> !cute.shape<"(1,1,3)"> {
  %0 = cute.shape_div(%arg0, %arg1) : (!cute.shape<"(4,5,6)">, !cute.shape<"40">) -> !cute.shape<"(1,1,3)">
  return %0 : !cute.shape<"(1,1,3)">
}

// CHECK-LABEL: @by_product(
// CHECK: cute.shape_div(%arg0, %arg1) : (!cute.shape<"64">, !cute.shape<"(4,8)">) -> !cute.shape<"2">
// FOLD-LABEL: @by_product(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"2">
// FOLD-NEXT: return
func.func @by_product(%arg0: !cute.shape<"64">, %arg1: !cute.shape<"(4,8)">) -> !cute.shape<"2"> {
  %0 = cute.shape_div(%arg0, %arg1) : (!cute.shape<"64">, !cute.shape<"(4,8)">) -> !cute.shape<"2">
  return %0 : !cute.shape<"2">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.shape_div(%arg0, %arg1) : (!cute.shape<"(?,10)">, !cute.shape<"(4,?)">) -> !cute.shape<"(?,?)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.shape_div(%arg0, %arg1) : (!cute.shape<"(?,10)">, !cute.shape<"(4,?)">) -> !cute.shape<"(?,?)">
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32) -> (i32, i32)
// BASE: %[[X:.+]] = arith.divsi
// BASE: %[[Y:.+]] = arith.divsi
// BASE: return
func.func @dynamic(%arg0: !cute.shape<"(?,10)">, %arg1: !cute.shape<"(4,?)">) -> !cute.shape<"(?,?)"> {
  %0 = cute.shape_div(%arg0, %arg1) : (!cute.shape<"(?,10)">, !cute.shape<"(4,?)">) -> !cute.shape<"(?,?)">
  return %0 : !cute.shape<"(?,?)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.shape_div(%arg0, %arg1) : (!cute.shape<"(?{i64 div=8},10)">, !cute.shape<"(4,?{i64 div=8})">) -> !cute.shape<"(?{i64 div=2},?{i64})">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.shape_div(%arg0, %arg1) : (!cute.shape<"(?{i64 div=8},10)">, !cute.shape<"(4,?{i64 div=8})">) -> !cute.shape<"(?{i64 div=2},?{i64})">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C3L:.*]] = arith.constant 3 : i64
// BASE-NEXT: %[[C4L:.*]] = arith.constant 4 : i64
// BASE-NEXT: %[[C9L:.*]] = arith.constant 9 : i64
// BASE-NEXT: %[[V0:.*]] = arith.addi %arg0, %[[C3L]] overflow<nsw> : i64
// BASE-NEXT: %[[V1:.*]] = arith.divsi %[[V0]], %[[C4L]] : i64
// BASE-NEXT: %[[V2:.*]] = arith.addi %arg1, %[[C9L]] overflow<nsw> : i64
// BASE-NEXT: %[[V3:.*]] = arith.divsi %[[V2]], %arg1 : i64
// BASE-NEXT: return %[[V1]], %[[V3]] : i64, i64
func.func @wide(%arg0: !cute.shape<"(?{i64 div=8},10)">, %arg1: !cute.shape<"(4,?{i64 div=8})">) -> !cute.shape<"(?{i64 div=2},?{i64})"> {
  %0 = cute.shape_div(%arg0, %arg1) : (!cute.shape<"(?{i64 div=8},10)">, !cute.shape<"(4,?{i64 div=8})">) -> !cute.shape<"(?{i64 div=2},?{i64})">
  return %0 : !cute.shape<"(?{i64 div=2},?{i64})">
}
