// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// The quotient, leaf by leaf, truncated.

// CHECK-LABEL: @int_tuple(
// CHECK: cute.tuple_div(%arg0, %arg1) : (!cute.int_tuple<"(7,(9,-7))">, !cute.int_tuple<"(2,(3,2))">) -> !cute.int_tuple<"(3,(3,-3))">
// FOLD-LABEL: @int_tuple(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"(3,(3,-3))">
// FOLD-NEXT: return
func.func @int_tuple(%arg0: !cute.int_tuple<"(7,(9,-7))">, %arg1: !cute.int_tuple<"(2,(3,2))">) -> !cute.int_tuple<"(3,(3,-3))"> {
  %0 = cute.tuple_div(%arg0, %arg1) : (!cute.int_tuple<"(7,(9,-7))">, !cute.int_tuple<"(2,(3,2))">) -> !cute.int_tuple<"(3,(3,-3))">
  return %0 : !cute.int_tuple<"(3,(3,-3))">
}

// CHECK-LABEL: @shape(
// CHECK: cute.tuple_div(%arg0, %arg1) : (!cute.shape<"(6,8)">, !cute.shape<"(2,4)">) -> !cute.shape<"(3,2)">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"(3,2)">
// FOLD-NEXT: return
func.func @shape(%arg0: !cute.shape<"(6,8)">, %arg1: !cute.shape<"(2,4)">) -> !cute.shape<"(3,2)"> {
  %0 = cute.tuple_div(%arg0, %arg1) : (!cute.shape<"(6,8)">, !cute.shape<"(2,4)">) -> !cute.shape<"(3,2)">
  return %0 : !cute.shape<"(3,2)">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.tuple_div(%arg0, %arg1) : (!cute.int_tuple<"(?,?)">, !cute.int_tuple<"(3,?)">) -> !cute.int_tuple<"(?,?)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.tuple_div(%arg0, %arg1) : (!cute.int_tuple<"(?,?)">, !cute.int_tuple<"(3,?)">) -> !cute.int_tuple<"(?,?)">
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32, %[[C:.+]]: i32) -> (i32, i32)
// BASE: %[[X:.+]] = arith.divsi %[[A]], %c3_i32
// BASE: %[[Y:.+]] = arith.divsi %[[B]], %[[C]]
// BASE-NEXT: return %[[X]], %[[Y]]
func.func @dynamic(%arg0: !cute.int_tuple<"(?,?)">, %arg1: !cute.int_tuple<"(3,?)">) -> !cute.int_tuple<"(?,?)"> {
  %0 = cute.tuple_div(%arg0, %arg1) : (!cute.int_tuple<"(?,?)">, !cute.int_tuple<"(3,?)">) -> !cute.int_tuple<"(?,?)">
  return %0 : !cute.int_tuple<"(?,?)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.tuple_div(%arg0, %arg1) : (!cute.int_tuple<"(?{i64},?{i64})">, !cute.int_tuple<"(3,?{i64 div=8})">) -> !cute.int_tuple<"(?{i64},?{i64})">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.tuple_div(%arg0, %arg1) : (!cute.int_tuple<"(?{i64},?{i64})">, !cute.int_tuple<"(3,?{i64 div=8})">) -> !cute.int_tuple<"(?{i64},?{i64})">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C3:.*]] = arith.constant 3 : i64
// BASE-NEXT: %[[V0:.*]] = arith.divsi %arg0, %[[C3]] : i64
// BASE-NEXT: %[[V1:.*]] = arith.divsi %arg1, %arg2 : i64
// BASE-NEXT: return %[[V0]], %[[V1]] : i64, i64
func.func @wide(%arg0: !cute.int_tuple<"(?{i64},?{i64})">, %arg1: !cute.int_tuple<"(3,?{i64 div=8})">) -> !cute.int_tuple<"(?{i64},?{i64})"> {
  %0 = cute.tuple_div(%arg0, %arg1) : (!cute.int_tuple<"(?{i64},?{i64})">, !cute.int_tuple<"(3,?{i64 div=8})">) -> !cute.int_tuple<"(?{i64},?{i64})">
  return %0 : !cute.int_tuple<"(?{i64},?{i64})">
}
