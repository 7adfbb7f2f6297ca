// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Compact, in the order of the strides; extents of stride 0 keep it.

// CHECK-LABEL: @order(
// CHECK: cute.make_layout_like(%arg0) : !cute.layout<"(4,8):(16,2)"> -> !cute.layout<"(4,8):(8,1)">
// FOLD-LABEL: @order(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,8):(8,1)">
// FOLD-NEXT: return
// BASE-LABEL: @order(
// BASE-NEXT: return
func.func @order(%arg0: !cute.layout<"(4,8):(16,2)">) -> !cute.layout<"(4,8):(8,1)"> {
  %0 = cute.make_layout_like(%arg0) : !cute.layout<"(4,8):(16,2)"> -> !cute.layout<"(4,8):(8,1)">
  return %0 : !cute.layout<"(4,8):(8,1)">
}

// CHECK-LABEL: @broadcast(
// CHECK: cute.make_layout_like(%arg0) : !cute.layout<"(2,2,2,2):(0,2,4,1)"> -> !cute.layout<"(2,2,2,2):(0,2,4,1)">
// FOLD-LABEL: @broadcast(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(2,2,2,2):(0,2,4,1)">
// FOLD-NEXT: return
// BASE-LABEL: @broadcast(
// BASE-NEXT: return
func.func @broadcast(%arg0: !cute.layout<"(2,2,2,2):(0,2,4,1)">) -> !cute.layout<"(2,2,2,2):(0,2,4,1)"> {
  %0 = cute.make_layout_like(%arg0) : !cute.layout<"(2,2,2,2):(0,2,4,1)"> -> !cute.layout<"(2,2,2,2):(0,2,4,1)">
  return %0 : !cute.layout<"(2,2,2,2):(0,2,4,1)">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.make_layout_like(%arg0) : !cute.layout<"(4,8):(?,2)"> -> !cute.layout<"(4,8):(8,1)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,8):(8,1)">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: return
func.func @dynamic(%arg0: !cute.layout<"(4,8):(?,2)">) -> !cute.layout<"(4,8):(8,1)"> {
  %0 = cute.make_layout_like(%arg0) : !cute.layout<"(4,8):(?,2)"> -> !cute.layout<"(4,8):(8,1)">
  return %0 : !cute.layout<"(4,8):(8,1)">
}

// For a composed layout, the outer layout counts.
// CHECK-LABEL: @swizzle(
// CHECK: cute.make_layout_like(%arg0) : !cute.composed_layout<"S<3,4,3> o 6 o (8,2):(2,16)"> -> !cute.layout<"(8,2):(1,8)">
// FOLD-LABEL: @swizzle(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(8,2):(1,8)">
// FOLD-NEXT: return
// BASE-LABEL: @swizzle(
// BASE-NEXT: return
func.func @swizzle(%arg0: !cute.composed_layout<"S<3,4,3> o 6 o (8,2):(2,16)">) -> !cute.layout<"(8,2):(1,8)"> {
  %0 = cute.make_layout_like(%arg0) : !cute.composed_layout<"S<3,4,3> o 6 o (8,2):(2,16)"> -> !cute.layout<"(8,2):(1,8)">
  return %0 : !cute.layout<"(8,2):(1,8)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.make_layout_like(%arg0) : !cute.layout<"(4,8):(?{i64 div=8},2)"> -> !cute.layout<"(4,8):(8,1)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,8):(8,1)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return
func.func @wide(%arg0: !cute.layout<"(4,8):(?{i64 div=8},2)">) -> !cute.layout<"(4,8):(8,1)"> {
  %0 = cute.make_layout_like(%arg0) : !cute.layout<"(4,8):(?{i64 div=8},2)"> -> !cute.layout<"(4,8):(8,1)">
  return %0 : !cute.layout<"(4,8):(8,1)">
}
