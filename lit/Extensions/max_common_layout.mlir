// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// R with A(R(i)) = B(R(i)) = i.

// CHECK-LABEL: @fixed(
// CHECK: cute.max_common_layout(%arg0, %arg1) : (!cute.layout<"(4,8):(1,4)">, !cute.layout<"(4,8):(1,16)">) -> !cute.layout<"4:1">
// FOLD-LABEL: @fixed(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"4:1">
// FOLD-NEXT: return
// BASE-LABEL: @fixed(
// BASE-NEXT: return
func.func @fixed(%arg0: !cute.layout<"(4,8):(1,4)">, %arg1: !cute.layout<"(4,8):(1,16)">) -> !cute.layout<"4:1"> {
  %0 = cute.max_common_layout(%arg0, %arg1) : (!cute.layout<"(4,8):(1,4)">, !cute.layout<"(4,8):(1,16)">) -> !cute.layout<"4:1">
  return %0 : !cute.layout<"4:1">
}

// CHECK-LABEL: @same(
// CHECK: cute.max_common_layout(%arg0, %arg1) : (!cute.layout<"(4,8):(8,1)">, !cute.layout<"(4,8):(8,1)">) -> !cute.layout<"(8,4):(4,1)">
// FOLD-LABEL: @same(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(8,4):(4,1)">
// FOLD-NEXT: return
// BASE-LABEL: @same(
// BASE-NEXT: return
func.func @same(%arg0: !cute.layout<"(4,8):(8,1)">, %arg1: !cute.layout<"(4,8):(8,1)">) -> !cute.layout<"(8,4):(4,1)"> {
  %0 = cute.max_common_layout(%arg0, %arg1) : (!cute.layout<"(4,8):(8,1)">, !cute.layout<"(4,8):(8,1)">) -> !cute.layout<"(8,4):(4,1)">
  return %0 : !cute.layout<"(8,4):(4,1)">
}

// CHECK-LABEL: @none(
// CHECK: cute.max_common_layout(%arg0, %arg1) : (!cute.layout<"(4,8):(8,1)">, !cute.layout<"(4,8):(1,4)">) -> !cute.layout<"1:0">
// FOLD-LABEL: @none(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"1:0">
// FOLD-NEXT: return
// BASE-LABEL: @none(
// BASE-NEXT: return
func.func @none(%arg0: !cute.layout<"(4,8):(8,1)">, %arg1: !cute.layout<"(4,8):(1,4)">) -> !cute.layout<"1:0"> {
  %0 = cute.max_common_layout(%arg0, %arg1) : (!cute.layout<"(4,8):(8,1)">, !cute.layout<"(4,8):(1,4)">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}
