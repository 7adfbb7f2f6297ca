// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// The remainder, leaf by leaf.

// CHECK-LABEL: @int_tuple(
// CHECK: cute.tuple_mod(%arg0, %arg1) : (!cute.int_tuple<"(7,(9,-7))">, !cute.int_tuple<"(2,(3,2))">) -> !cute.int_tuple<"(1,(0,-1))">
// FOLD-LABEL: @int_tuple(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"(1,(0,-1))">
// FOLD-NEXT: return
func.func @int_tuple(%arg0: !cute.int_tuple<"(7,(9,-7))">, %arg1: !cute.int_tuple<"(2,(3,2))">) -> !cute.int_tuple<"(1,(0,-1))"> {
  %0 = cute.tuple_mod(%arg0, %arg1) : (!cute.int_tuple<"(7,(9,-7))">, !cute.int_tuple<"(2,(3,2))">) -> !cute.int_tuple<"(1,(0,-1))">
  return %0 : !cute.int_tuple<"(1,(0,-1))">
}

// CHECK-LABEL: @shape(
// CHECK: cute.tuple_mod(%arg0, %arg1) : (!cute.shape<"(6,8)">, !cute.shape<"(2,4)">) -> !cute.shape<"(0,0)">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"(0,0)">
// FOLD-NEXT: return
func.func @shape(%arg0: !cute.shape<"(6,8)">, %arg1: !cute.shape<"(2,4)">) -> !cute.shape<"(0,0)"> {
  %0 = cute.tuple_mod(%arg0, %arg1) : (!cute.shape<"(6,8)">, !cute.shape<"(2,4)">) -> !cute.shape<"(0,0)">
  return %0 : !cute.shape<"(0,0)">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.tuple_mod(%arg0, %arg1) : (!cute.int_tuple<"(?,?)">, !cute.int_tuple<"(3,?)">) -> !cute.int_tuple<"(?,?)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.tuple_mod(%arg0, %arg1) : (!cute.int_tuple<"(?,?)">, !cute.int_tuple<"(3,?)">) -> !cute.int_tuple<"(?,?)">
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32, %[[C:.+]]: i32) -> (i32, i32)
// BASE: %[[X:.+]] = arith.remsi %[[A]], %c3_i32
// BASE: %[[Y:.+]] = arith.remsi %[[B]], %[[C]]
// BASE-NEXT: return %[[X]], %[[Y]]
func.func @dynamic(%arg0: !cute.int_tuple<"(?,?)">, %arg1: !cute.int_tuple<"(3,?)">) -> !cute.int_tuple<"(?,?)"> {
  %0 = cute.tuple_mod(%arg0, %arg1) : (!cute.int_tuple<"(?,?)">, !cute.int_tuple<"(3,?)">) -> !cute.int_tuple<"(?,?)">
  return %0 : !cute.int_tuple<"(?,?)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.tuple_mod(%arg0, %arg1) : (!cute.int_tuple<"(?{i64},?{i64 div=8})">, !cute.int_tuple<"(3,?{i64 div=8})">) -> !cute.int_tuple<"(?{i64},?{i64 div=8})">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.tuple_mod(%arg0, %arg1) : (!cute.int_tuple<"(?{i64},?{i64 div=8})">, !cute.int_tuple<"(3,?{i64 div=8})">) -> !cute.int_tuple<"(?{i64},?{i64 div=8})">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C3:.*]] = arith.constant 3 : i64
// BASE-NEXT: %[[V0:.*]] = arith.remsi %arg0, %[[C3]] : i64
// BASE-NEXT: %[[V1:.*]] = arith.remsi %arg1, %arg2 : i64
// BASE-NEXT: return %[[V0]], %[[V1]] : i64, i64
func.func @wide(%arg0: !cute.int_tuple<"(?{i64},?{i64 div=8})">, %arg1: !cute.int_tuple<"(3,?{i64 div=8})">) -> !cute.int_tuple<"(?{i64},?{i64 div=8})"> {
  %0 = cute.tuple_mod(%arg0, %arg1) : (!cute.int_tuple<"(?{i64},?{i64 div=8})">, !cute.int_tuple<"(3,?{i64 div=8})">) -> !cute.int_tuple<"(?{i64},?{i64 div=8})">
  return %0 : !cute.int_tuple<"(?{i64},?{i64 div=8})">
}
