// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Per mode the greatest common divisor with what is left of the count.

// CHECK-LABEL: @fixed(
// CHECK: cute.domain_distribute(%arg0, %arg1) : (!cute.shape<"(15,14)">, !cute.int_tuple<"6">) -> !cute.layout<"(3,2):(1,15)">
// FOLD-LABEL: @fixed(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(3,2):(1,15)">
// FOLD-NEXT: return
// BASE-LABEL: @fixed(
// BASE-NEXT: return
func.func @fixed(%arg0: !cute.shape<"(15,14)">, %arg1: !cute.int_tuple<"6">) -> !cute.layout<"(3,2):(1,15)"> {
  %0 = cute.domain_distribute(%arg0, %arg1) : (!cute.shape<"(15,14)">, !cute.int_tuple<"6">) -> !cute.layout<"(3,2):(1,15)">
  return %0 : !cute.layout<"(3,2):(1,15)">
}
