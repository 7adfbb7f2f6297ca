// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// The product of each mode, of the same kind; a leaf becomes a tuple.

// CHECK-LABEL: @int_tuple(
// CHECK: cute.tuple_product_each(%arg0) : (!cute.int_tuple<"(2,(3,4))">) -> !cute.int_tuple<"(2,12)">
// FOLD-LABEL: @int_tuple(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"(2,12)">
// FOLD-NEXT: return
func.func @int_tuple(%arg0: !cute.int_tuple<"(2,(3,4))">) -> !cute.int_tuple<"(2,12)"> {
  %0 = cute.tuple_product_each(%arg0) : (!cute.int_tuple<"(2,(3,4))">) -> !cute.int_tuple<"(2,12)">
  return %0 : !cute.int_tuple<"(2,12)">
}

// CHECK-LABEL: @leaf(
// CHECK: cute.tuple_product_each(%arg0) : (!cute.shape<"5">) -> !cute.shape<"(5)">
// FOLD-LABEL: @leaf(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"(5)">
// FOLD-NEXT: return
func.func @leaf(%arg0: !cute.shape<"5">) -> !cute.shape<"(5)"> {
  %0 = cute.tuple_product_each(%arg0) : (!cute.shape<"5">) -> !cute.shape<"(5)">
  return %0 : !cute.shape<"(5)">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.tuple_product_each(%arg0) : (!cute.shape<"(?,(3,?))">) -> !cute.shape<"(?,?{div=3})">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.tuple_product_each(%arg0) : (!cute.shape<"(?,(3,?))">) -> !cute.shape<"(?,?{div=3})">
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32) -> (i32, i32)
// BASE: %[[P:.+]] = arith.muli %{{c3_i32.*}}, %[[B]]
// BASE-NEXT: return %[[A]], %[[P]] : i32, i32
func.func @dynamic(%arg0: !cute.shape<"(?,(3,?))">) -> !cute.shape<"(?,?{div=3})"> {
  %0 = cute.tuple_product_each(%arg0) : (!cute.shape<"(?,(3,?))">) -> !cute.shape<"(?,?{div=3})">
  return %0 : !cute.shape<"(?,?{div=3})">
}

// CHECK-LABEL: @wide(
// CHECK: cute.tuple_product_each(%arg0) : (!cute.shape<"(?{i64 div=8},(3,?{i64 div=8}))">) -> !cute.shape<"(?{i64 div=8},?{i64 div=24})">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.tuple_product_each(%arg0) : (!cute.shape<"(?{i64 div=8},(3,?{i64 div=8}))">) -> !cute.shape<"(?{i64 div=8},?{i64 div=24})">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C3:.*]] = arith.constant 3 : i64
// BASE-NEXT: %[[V0:.*]] = arith.muli %[[C3]], %arg1 overflow<nsw> : i64
// BASE-NEXT: return %arg0, %[[V0]] : i64, i64
func.func @wide(%arg0: !cute.shape<"(?{i64 div=8},(3,?{i64 div=8}))">) -> !cute.shape<"(?{i64 div=8},?{i64 div=24})"> {
  %0 = cute.tuple_product_each(%arg0) : (!cute.shape<"(?{i64 div=8},(3,?{i64 div=8}))">) -> !cute.shape<"(?{i64 div=8},?{i64 div=24})">
  return %0 : !cute.shape<"(?{i64 div=8},?{i64 div=24})">
}
