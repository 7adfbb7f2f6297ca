// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @dynamic(
// CHECK: cute.make_arith_tuple_iter(%arg0) : (!cute.int_tuple<"(0,?{div=8})">) -> !cute.arith_tuple_iter<"(0,?{div=8})">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.make_arith_tuple_iter(%arg0) : (!cute.int_tuple<"(0,?{div=8})">) -> !cute.arith_tuple_iter<"(0,?{div=8})">
// FOLD-NEXT: return
func.func @dynamic(%arg0: !cute.int_tuple<"(0,?{div=8})">) -> !cute.arith_tuple_iter<"(0,?{div=8})"> {
  %0 = cute.make_arith_tuple_iter(%arg0) : (!cute.int_tuple<"(0,?{div=8})">) -> !cute.arith_tuple_iter<"(0,?{div=8})">
  return %0 : !cute.arith_tuple_iter<"(0,?{div=8})">
}
