// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// One operand for each `?` of the result, depth first; what is static takes none.

// CHECK-LABEL: @static(
// CHECK: cute.make_tile() : () -> !cute.tile<"[64:1;_]">
// FOLD-LABEL: @static(
// FOLD-NEXT: {{.*}}cute.static : !cute.tile<"[64:1;_]">
// FOLD-NEXT: return
// BASE-LABEL: @static(
// BASE-NEXT: return
func.func @static() -> !cute.tile<"[64:1;_]"> {
  %0 = cute.make_tile() : () -> !cute.tile<"[64:1;_]">
  return %0 : !cute.tile<"[64:1;_]">
}

// A single layout has no brackets.
// CHECK-LABEL: @layout(
// CHECK: cute.make_tile() : () -> !cute.tile<"64:1">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.tile<"64:1">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout() -> !cute.tile<"64:1"> {
  %0 = cute.make_tile() : () -> !cute.tile<"64:1">
  return %0 : !cute.tile<"64:1">
}

// Shape before stride.
// CHECK-LABEL: @dynamic(
// CHECK: cute.make_tile(%arg0, %arg1) : (i32, i32) -> !cute.tile<"[(?,3):(1,?);_]">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.make_tile(%arg0, %arg1) : (i32, i32) -> !cute.tile<"[(?,3):(1,?);_]">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: return %arg0, %arg1 : i32, i32
func.func @dynamic(%arg0: i32, %arg1: i32) -> !cute.tile<"[(?,3):(1,?);_]"> {
  %0 = cute.make_tile(%arg0, %arg1) : (i32, i32) -> !cute.tile<"[(?,3):(1,?);_]">
  return %0 : !cute.tile<"[(?,3):(1,?);_]">
}

// CHECK-LABEL: @wide(
// CHECK: cute.make_tile(%arg0, %arg1) : (i64, i64) -> !cute.tile<"[(?{i64},3):(1,?{i64});_]">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.make_tile(%arg0, %arg1) : (i64, i64) -> !cute.tile<"[(?{i64},3):(1,?{i64});_]">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0, %arg1 : i64, i64
func.func @wide(%arg0: i64, %arg1: i64) -> !cute.tile<"[(?{i64},3):(1,?{i64});_]"> {
  %0 = cute.make_tile(%arg0, %arg1) : (i64, i64) -> !cute.tile<"[(?{i64},3):(1,?{i64});_]">
  return %0 : !cute.tile<"[(?{i64},3):(1,?{i64});_]">
}
