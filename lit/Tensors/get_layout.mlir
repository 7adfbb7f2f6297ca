// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @memref(
// CHECK: cute.get_layout(%arg0) : !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">
// FOLD-LABEL: @memref(
// FOLD-NEXT: {{.*}}cute.get_layout(%arg0) : !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">
// FOLD-NEXT: return
// BASE-LABEL: @memref(
// BASE-NEXT: return %arg1 : i32
func.func @memref(%arg0: !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">) -> !cute.layout<"(?,8):(8,1)"> {
  %0 = cute.get_layout(%arg0) : !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">
  return %0 : !cute.layout<"(?,8):(8,1)">
}

// CHECK-LABEL: @static(
// CHECK: cute.get_layout(%arg0) : !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">
// FOLD-LABEL: @static(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,8):(8,1)">
// FOLD-NEXT: return
// BASE-LABEL: @static(
// BASE-NEXT: return
func.func @static(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">) -> !cute.layout<"(4,8):(8,1)"> {
  %0 = cute.get_layout(%arg0) : !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">
  return %0 : !cute.layout<"(4,8):(8,1)">
}

// CHECK-LABEL: @composed(
// CHECK: cute.get_layout(%arg0) : !cute.memref<f16, smem, "S<3,4,3> o 0 o (8,64):(64,1)">
// FOLD-LABEL: @composed(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">
// FOLD-NEXT: return
// BASE-LABEL: @composed(
// BASE-NEXT: return
func.func @composed(%arg0: !cute.memref<f16, smem, "S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)"> {
  %0 = cute.get_layout(%arg0) : !cute.memref<f16, smem, "S<3,4,3> o 0 o (8,64):(64,1)">
  return %0 : !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.get_layout(%arg0) : !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(8,1)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.get_layout(%arg0) : !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(8,1)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg1 : i64
func.func @wide(%arg0: !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(8,1)">) -> !cute.layout<"(?{i64 div=8},8):(8,1)"> {
  %0 = cute.get_layout(%arg0) : !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(8,1)">
  return %0 : !cute.layout<"(?{i64 div=8},8):(8,1)">
}
