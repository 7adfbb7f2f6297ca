// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// The product of all leaves, of the same kind.

// CHECK-LABEL: @int_tuple(
// CHECK: cute.tuple_product(%arg0) : (!cute.int_tuple<"(2,(3,4))">) -> !cute.int_tuple<"24">
// FOLD-LABEL: @int_tuple(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"24">
// FOLD-NEXT: return
func.func @int_tuple(%arg0: !cute.int_tuple<"(2,(3,4))">) -> !cute.int_tuple<"24"> {
  %0 = cute.tuple_product(%arg0) : (!cute.int_tuple<"(2,(3,4))">) -> !cute.int_tuple<"24">
  return %0 : !cute.int_tuple<"24">
}

// CHECK-LABEL: @leaf(
// CHECK: cute.tuple_product(%arg0) : (!cute.int_tuple<"5">) -> !cute.int_tuple<"5">
// FOLD-LABEL: @leaf(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"5">
// FOLD-NEXT: return
func.func @leaf(%arg0: !cute.int_tuple<"5">) -> !cute.int_tuple<"5"> {
  %0 = cute.tuple_product(%arg0) : (!cute.int_tuple<"5">) -> !cute.int_tuple<"5">
  return %0 : !cute.int_tuple<"5">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.tuple_product(%arg0) : (!cute.shape<"(?,(3,?))">) -> !cute.shape<"?{div=3}">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.tuple_product(%arg0) : (!cute.shape<"(?,(3,?))">) -> !cute.shape<"?{div=3}">
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32) -> i32
// BASE: %[[P:.+]] = arith.muli %[[A]], %c3_i32
// BASE-NEXT: %[[Q:.+]] = arith.muli %[[P]], %[[B]]
// BASE-NEXT: return %[[Q]] : i32
func.func @dynamic(%arg0: !cute.shape<"(?,(3,?))">) -> !cute.shape<"?{div=3}"> {
  %0 = cute.tuple_product(%arg0) : (!cute.shape<"(?,(3,?))">) -> !cute.shape<"?{div=3}">
  return %0 : !cute.shape<"?{div=3}">
}

// CHECK-LABEL: @wide(
// CHECK: cute.tuple_product(%arg0) : (!cute.shape<"(?{i64 div=8},(3,?{i64 div=8}))">) -> !cute.shape<"?{i64 div=192}">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.tuple_product(%arg0) : (!cute.shape<"(?{i64 div=8},(3,?{i64 div=8}))">) -> !cute.shape<"?{i64 div=192}">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C3:.*]] = arith.constant 3 : i64
// BASE-NEXT: %[[V0:.*]] = arith.muli %arg0, %[[C3]] overflow<nsw> : i64
// BASE-NEXT: %[[V1:.*]] = arith.muli %[[V0]], %arg1 overflow<nsw> : i64
// BASE-NEXT: return %[[V1]] : i64
func.func @wide(%arg0: !cute.shape<"(?{i64 div=8},(3,?{i64 div=8}))">) -> !cute.shape<"?{i64 div=192}"> {
  %0 = cute.tuple_product(%arg0) : (!cute.shape<"(?{i64 div=8},(3,?{i64 div=8}))">) -> !cute.shape<"?{i64 div=192}">
  return %0 : !cute.shape<"?{i64 div=192}">
}
