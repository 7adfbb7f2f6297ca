// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Fewer facts, where types must meet.

// CHECK-LABEL: @pointer(
// CHECK: cute.derefine(%arg0) : !cute.ptr<f32, gmem, align<16>> to !cute.ptr<f32, gmem>
// FOLD-LABEL: @pointer(
// FOLD-NEXT: {{.*}}cute.derefine(%arg0) : !cute.ptr<f32, gmem, align<16>> to !cute.ptr<f32, gmem>
// FOLD-NEXT: return
// BASE-LABEL: @pointer(
// BASE-NEXT: return %arg0 : !llvm.ptr<1>
func.func @pointer(%arg0: !cute.ptr<f32, gmem, align<16>>) -> !cute.ptr<f32, gmem> {
  %0 = cute.derefine(%arg0) : !cute.ptr<f32, gmem, align<16>> to !cute.ptr<f32, gmem>
  return %0 : !cute.ptr<f32, gmem>
}

// CHECK-LABEL: @layout(
// CHECK: cute.derefine(%arg0) : !cute.layout<"(?{div=8},8):(8,1)"> to !cute.layout<"(?,8):(8,1)">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.derefine(%arg0) : !cute.layout<"(?{div=8},8):(8,1)"> to !cute.layout<"(?,8):(8,1)">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return %arg0 : i32
func.func @layout(%arg0: !cute.layout<"(?{div=8},8):(8,1)">) -> !cute.layout<"(?,8):(8,1)"> {
  %0 = cute.derefine(%arg0) : !cute.layout<"(?{div=8},8):(8,1)"> to !cute.layout<"(?,8):(8,1)">
  return %0 : !cute.layout<"(?,8):(8,1)">
}

// CHECK-LABEL: @int_tuple(
// CHECK: cute.derefine(%arg0) : !cute.int_tuple<"?{div=8}"> to !cute.int_tuple<"?{div=4}">
// FOLD-LABEL: @int_tuple(
// FOLD-NEXT: {{.*}}cute.derefine(%arg0) : !cute.int_tuple<"?{div=8}"> to !cute.int_tuple<"?{div=4}">
// FOLD-NEXT: return
// BASE-LABEL: @int_tuple(
// BASE-NEXT: return %arg0 : i32
func.func @int_tuple(%arg0: !cute.int_tuple<"?{div=8}">) -> !cute.int_tuple<"?{div=4}"> {
  %0 = cute.derefine(%arg0) : !cute.int_tuple<"?{div=8}"> to !cute.int_tuple<"?{div=4}">
  return %0 : !cute.int_tuple<"?{div=4}">
}

// CHECK-LABEL: @wide(
// CHECK: cute.derefine(%arg0) : !cute.layout<"(?{i64 div=8},8):(8,1)"> to !cute.layout<"(?{i64 div=8},8):(8,1)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.derefine(%arg0) : !cute.layout<"(?{i64 div=8},8):(8,1)"> to !cute.layout<"(?{i64 div=8},8):(8,1)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0 : i64
func.func @wide(%arg0: !cute.layout<"(?{i64 div=8},8):(8,1)">) -> !cute.layout<"(?{i64 div=8},8):(8,1)"> {
  %0 = cute.derefine(%arg0) : !cute.layout<"(?{i64 div=8},8):(8,1)"> to !cute.layout<"(?{i64 div=8},8):(8,1)">
  return %0 : !cute.layout<"(?{i64 div=8},8):(8,1)">
}
