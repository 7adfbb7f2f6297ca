// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @dynamic(
// CHECK: cute.deref_arith_tuple_iter(%arg0) : (!cute.arith_tuple_iter<"(0,?{div=8})">) -> !cute.int_tuple<"(0,?{div=8})">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.deref_arith_tuple_iter(%arg0) : (!cute.arith_tuple_iter<"(0,?{div=8})">) -> !cute.int_tuple<"(0,?{div=8})">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: return %arg0 : i32
func.func @dynamic(%arg0: !cute.arith_tuple_iter<"(0,?{div=8})">) -> !cute.int_tuple<"(0,?{div=8})"> {
  %0 = cute.deref_arith_tuple_iter(%arg0) : (!cute.arith_tuple_iter<"(0,?{div=8})">) -> !cute.int_tuple<"(0,?{div=8})">
  return %0 : !cute.int_tuple<"(0,?{div=8})">
}

// CHECK-LABEL: @wide(
// CHECK: cute.deref_arith_tuple_iter(%arg0) : (!cute.arith_tuple_iter<"(0,?{i64 div=8})">) -> !cute.int_tuple<"(0,?{i64 div=8})">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.deref_arith_tuple_iter(%arg0) : (!cute.arith_tuple_iter<"(0,?{i64 div=8})">) -> !cute.int_tuple<"(0,?{i64 div=8})">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0 : i64
func.func @wide(%arg0: !cute.arith_tuple_iter<"(0,?{i64 div=8})">) -> !cute.int_tuple<"(0,?{i64 div=8})"> {
  %0 = cute.deref_arith_tuple_iter(%arg0) : (!cute.arith_tuple_iter<"(0,?{i64 div=8})">) -> !cute.int_tuple<"(0,?{i64 div=8})">
  return %0 : !cute.int_tuple<"(0,?{i64 div=8})">
}
