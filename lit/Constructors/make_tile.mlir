// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD

// One operand for each `?` of the result, depth first; what is static takes none.

// CHECK-LABEL: @static(
// CHECK: cute.make_tile() : () -> !cute.tile<"[64:1;_]">
// FOLD-LABEL: @static(
// FOLD-NEXT: {{.*}}cute.static : !cute.tile<"[64:1;_]">
// FOLD-NEXT: return
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
func.func @dynamic(%arg0: i32, %arg1: i32) -> !cute.tile<"[(?,3):(1,?);_]"> {
  %0 = cute.make_tile(%arg0, %arg1) : (i32, i32) -> !cute.tile<"[(?,3):(1,?);_]">
  return %0 : !cute.tile<"[(?,3):(1,?);_]">
}
