// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// The difference, leaf by leaf.

// CHECK-LABEL: @int_tuple(
// CHECK: cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"(5,8)">, !cute.int_tuple<"(1,2)">) -> !cute.int_tuple<"(4,6)">
// FOLD-LABEL: @int_tuple(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"(4,6)">
// FOLD-NEXT: return
func.func @int_tuple(%arg0: !cute.int_tuple<"(5,8)">, %arg1: !cute.int_tuple<"(1,2)">) -> !cute.int_tuple<"(4,6)"> {
  %0 = cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"(5,8)">, !cute.int_tuple<"(1,2)">) -> !cute.int_tuple<"(4,6)">
  return %0 : !cute.int_tuple<"(4,6)">
}

// CHECK-LABEL: @shape(
// CHECK: cute.tuple_sub(%arg0, %arg1) : (!cute.shape<"(6,8)">, !cute.shape<"(2,4)">) -> !cute.shape<"(4,4)">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"(4,4)">
// FOLD-NEXT: return
func.func @shape(%arg0: !cute.shape<"(6,8)">, %arg1: !cute.shape<"(2,4)">) -> !cute.shape<"(4,4)"> {
  %0 = cute.tuple_sub(%arg0, %arg1) : (!cute.shape<"(6,8)">, !cute.shape<"(2,4)">) -> !cute.shape<"(4,4)">
  return %0 : !cute.shape<"(4,4)">
}

// Modes that only one has are kept, on either side.
// CHECK-LABEL: @left(
// CHECK: cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"(5,8,3)">, !cute.int_tuple<"(1,2)">) -> !cute.int_tuple<"(4,6,3)">
// FOLD-LABEL: @left(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"(4,6,3)">
// FOLD-NEXT: return
func.func @left(%arg0: !cute.int_tuple<"(5,8,3)">, %arg1: !cute.int_tuple<"(1,2)">) -> !cute.int_tuple<"(4,6,3)"> {
  %0 = cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"(5,8,3)">, !cute.int_tuple<"(1,2)">) -> !cute.int_tuple<"(4,6,3)">
  return %0 : !cute.int_tuple<"(4,6,3)">
}

// CHECK-LABEL: @right(
// CHECK: cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"((5,8),(3,4))">, !cute.int_tuple<"((1,2),(1,1,1))">) -> !cute.int_tuple<"((4,6),(2,3,1))">
// FOLD-LABEL: @right(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"((4,6),(2,3,1))">
// FOLD-NEXT: return
func.func @right(%arg0: !cute.int_tuple<"((5,8),(3,4))">, %arg1: !cute.int_tuple<"((1,2),(1,1,1))">) -> !cute.int_tuple<"((4,6),(2,3,1))"> {
  %0 = cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"((5,8),(3,4))">, !cute.int_tuple<"((1,2),(1,1,1))">) -> !cute.int_tuple<"((4,6),(2,3,1))">
  return %0 : !cute.int_tuple<"((4,6),(2,3,1))">
}

// 0 is neutral on the right.
// CHECK-LABEL: @zero(
// CHECK: cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"(4,(5,6))">, !cute.int_tuple<"0">) -> !cute.int_tuple<"(4,(5,6))">
// FOLD-LABEL: @zero(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"(4,(5,6))">
// FOLD-NEXT: return
func.func @zero(%arg0: !cute.int_tuple<"(4,(5,6))">, %arg1: !cute.int_tuple<"0">) -> !cute.int_tuple<"(4,(5,6))"> {
  %0 = cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"(4,(5,6))">, !cute.int_tuple<"0">) -> !cute.int_tuple<"(4,(5,6))">
  return %0 : !cute.int_tuple<"(4,(5,6))">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"(?,?)">, !cute.int_tuple<"(1,?)">) -> !cute.int_tuple<"(?,?)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"(?,?)">, !cute.int_tuple<"(1,?)">) -> !cute.int_tuple<"(?,?)">
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32, %[[C:.+]]: i32) -> (i32, i32)
// BASE: %[[X:.+]] = arith.subi %[[A]], %c1_i32
// BASE: %[[Y:.+]] = arith.subi %[[B]], %[[C]]
// BASE-NEXT: return %[[X]], %[[Y]]
func.func @dynamic(%arg0: !cute.int_tuple<"(?,?)">, %arg1: !cute.int_tuple<"(1,?)">) -> !cute.int_tuple<"(?,?)"> {
  %0 = cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"(?,?)">, !cute.int_tuple<"(1,?)">) -> !cute.int_tuple<"(?,?)">
  return %0 : !cute.int_tuple<"(?,?)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"(?{i64},?{i64 div=8})">, !cute.int_tuple<"(1,?{i64 div=8})">) -> !cute.int_tuple<"(?{i64},?{i64 div=8})">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"(?{i64},?{i64 div=8})">, !cute.int_tuple<"(1,?{i64 div=8})">) -> !cute.int_tuple<"(?{i64},?{i64 div=8})">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i64
// BASE-NEXT: %[[V0:.*]] = arith.subi %arg0, %[[C1]] overflow<nsw> : i64
// BASE-NEXT: %[[V1:.*]] = arith.subi %arg1, %arg2 overflow<nsw> : i64
// BASE-NEXT: return %[[V0]], %[[V1]] : i64, i64
func.func @wide(%arg0: !cute.int_tuple<"(?{i64},?{i64 div=8})">, %arg1: !cute.int_tuple<"(1,?{i64 div=8})">) -> !cute.int_tuple<"(?{i64},?{i64 div=8})"> {
  %0 = cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"(?{i64},?{i64 div=8})">, !cute.int_tuple<"(1,?{i64 div=8})">) -> !cute.int_tuple<"(?{i64},?{i64 div=8})">
  return %0 : !cute.int_tuple<"(?{i64},?{i64 div=8})">
}
