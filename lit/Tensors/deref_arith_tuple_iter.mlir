// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @dynamic(
// CHECK: cute.deref_arith_tuple_iter(%arg0) : (!cute.arith_tuple_iter<"(0,?{div=8})">) -> !cute.int_tuple<"(0,?{div=8})">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.deref_arith_tuple_iter(%arg0) : (!cute.arith_tuple_iter<"(0,?{div=8})">) -> !cute.int_tuple<"(0,?{div=8})">
// FOLD-NEXT: return
func.func @dynamic(%arg0: !cute.arith_tuple_iter<"(0,?{div=8})">) -> !cute.int_tuple<"(0,?{div=8})"> {
  %0 = cute.deref_arith_tuple_iter(%arg0) : (!cute.arith_tuple_iter<"(0,?{div=8})">) -> !cute.int_tuple<"(0,?{div=8})">
  return %0 : !cute.int_tuple<"(0,?{div=8})">
}
