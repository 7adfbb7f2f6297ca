// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// L with L(A(i)) = i.

// CHECK-LABEL: @layout(
// CHECK: cute.left_inverse(%arg0) : (!cute.layout<"(4,8):(8,1)">) -> !cute.layout<"(8,4):(4,1)">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(8,4):(4,1)">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.layout<"(4,8):(8,1)">) -> !cute.layout<"(8,4):(4,1)"> {
  %0 = cute.left_inverse(%arg0) : (!cute.layout<"(4,8):(8,1)">) -> !cute.layout<"(8,4):(4,1)">
  return %0 : !cute.layout<"(8,4):(4,1)">
}

// From coordinates back to indices: one inverse for each mode of the codomain.
// CHECK-LABEL: @coordinates(
// CHECK: cute.left_inverse(%arg0) : (!cute.layout<"(4,3):(2@0,1@1)">) -> !cute.layout<"((2,4),3):((0,1),4)">
// FOLD-LABEL: @coordinates(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"((2,4),3):((0,1),4)">
// FOLD-NEXT: return
// BASE-LABEL: @coordinates(
// BASE-NEXT: return
func.func @coordinates(%arg0: !cute.layout<"(4,3):(2@0,1@1)">) -> !cute.layout<"((2,4),3):((0,1),4)"> {
  %0 = cute.left_inverse(%arg0) : (!cute.layout<"(4,3):(2@0,1@1)">) -> !cute.layout<"((2,4),3):((0,1),4)">
  return %0 : !cute.layout<"((2,4),3):((0,1),4)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.left_inverse(%arg0) : (!cute.layout<"(4,?{i64 div=8}):(2,8)">) -> !cute.layout<"(2,4,?{i64 div=8}):(0,1,4)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.left_inverse(%arg0) : (!cute.layout<"(4,?{i64 div=8}):(2,8)">) -> !cute.layout<"(2,4,?{i64 div=8}):(0,1,4)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0 : i64
func.func @wide(%arg0: !cute.layout<"(4,?{i64 div=8}):(2,8)">) -> !cute.layout<"(2,4,?{i64 div=8}):(0,1,4)"> {
  %0 = cute.left_inverse(%arg0) : (!cute.layout<"(4,?{i64 div=8}):(2,8)">) -> !cute.layout<"(2,4,?{i64 div=8}):(0,1,4)">
  return %0 : !cute.layout<"(2,4,?{i64 div=8}):(0,1,4)">
}
