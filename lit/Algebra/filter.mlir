// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Without modes of stride 0 or extent 1.

// CHECK-LABEL: @layout(
// CHECK: cute.filter(%arg0) : (!cute.layout<"(4,1,8):(0,7,2)">) -> !cute.layout<"8:2">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"8:2">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.layout<"(4,1,8):(0,7,2)">) -> !cute.layout<"8:2"> {
  %0 = cute.filter(%arg0) : (!cute.layout<"(4,1,8):(0,7,2)">) -> !cute.layout<"8:2">
  return %0 : !cute.layout<"8:2">
}

// CHECK-LABEL: @all(
// CHECK: cute.filter(%arg0) : (!cute.layout<"(4,1):(0,3)">) -> !cute.layout<"1:0">
// FOLD-LABEL: @all(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"1:0">
// FOLD-NEXT: return
// BASE-LABEL: @all(
// BASE-NEXT: return
func.func @all(%arg0: !cute.layout<"(4,1):(0,3)">) -> !cute.layout<"1:0"> {
  %0 = cute.filter(%arg0) : (!cute.layout<"(4,1):(0,3)">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}

// CHECK-LABEL: @wide(
// CHECK: cute.filter(%arg0) : (!cute.layout<"(?{i64 div=8},4):(1,0)">) -> !cute.layout<"?{i64 div=8}:1">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.filter(%arg0) : (!cute.layout<"(?{i64 div=8},4):(1,0)">) -> !cute.layout<"?{i64 div=8}:1">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0 : i64
func.func @wide(%arg0: !cute.layout<"(?{i64 div=8},4):(1,0)">) -> !cute.layout<"?{i64 div=8}:1"> {
  %0 = cute.filter(%arg0) : (!cute.layout<"(?{i64 div=8},4):(1,0)">) -> !cute.layout<"?{i64 div=8}:1">
  return %0 : !cute.layout<"?{i64 div=8}:1">
}
