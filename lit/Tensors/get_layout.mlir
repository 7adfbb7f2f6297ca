// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @memref(
// CHECK: cute.get_layout(%arg0) : !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">
// FOLD-LABEL: @memref(
// FOLD-NEXT: {{.*}}cute.get_layout(%arg0) : !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">
// FOLD-NEXT: return
func.func @memref(%arg0: !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">) -> !cute.layout<"(?,8):(8,1)"> {
  %0 = cute.get_layout(%arg0) : !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">
  return %0 : !cute.layout<"(?,8):(8,1)">
}

// CHECK-LABEL: @static(
// CHECK: cute.get_layout(%arg0) : !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">
// FOLD-LABEL: @static(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,8):(8,1)">
// FOLD-NEXT: return
func.func @static(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">) -> !cute.layout<"(4,8):(8,1)"> {
  %0 = cute.get_layout(%arg0) : !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">
  return %0 : !cute.layout<"(4,8):(8,1)">
}

// CHECK-LABEL: @composed(
// CHECK: cute.get_layout(%arg0) : !cute.memref<f16, smem, "S<3,4,3> o 0 o (8,64):(64,1)">
// FOLD-LABEL: @composed(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">
// FOLD-NEXT: return
func.func @composed(%arg0: !cute.memref<f16, smem, "S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)"> {
  %0 = cute.get_layout(%arg0) : !cute.memref<f16, smem, "S<3,4,3> o 0 o (8,64):(64,1)">
  return %0 : !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">
}
