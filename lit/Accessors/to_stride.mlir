// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The same integers as another kind.

// CHECK-LABEL: @static(
// CHECK: cute.to_stride(%arg0) : !cute.int_tuple<"(4,(2,8))"> -> !cute.stride<"(4,(2,8))">
// FOLD-LABEL: @static(
// FOLD-NEXT: {{.*}}cute.static : !cute.stride<"(4,(2,8))">
// FOLD-NEXT: return
// BASE-LABEL: @static(
// BASE-NEXT: return
func.func @static(%arg0: !cute.int_tuple<"(4,(2,8))">) -> !cute.stride<"(4,(2,8))"> {
  %0 = cute.to_stride(%arg0) : !cute.int_tuple<"(4,(2,8))"> -> !cute.stride<"(4,(2,8))">
  return %0 : !cute.stride<"(4,(2,8))">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.to_stride(%arg0) : !cute.int_tuple<"(?{div=8},?{i64})"> -> !cute.stride<"(?{div=8},?{i64})">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.to_stride(%arg0) : !cute.int_tuple<"(?{div=8},?{i64})"> -> !cute.stride<"(?{div=8},?{i64})">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: return %arg0, %arg1 : i32, i64
func.func @dynamic(%arg0: !cute.int_tuple<"(?{div=8},?{i64})">) -> !cute.stride<"(?{div=8},?{i64})"> {
  %0 = cute.to_stride(%arg0) : !cute.int_tuple<"(?{div=8},?{i64})"> -> !cute.stride<"(?{div=8},?{i64})">
  return %0 : !cute.stride<"(?{div=8},?{i64})">
}
