// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @memref(
// CHECK: cute.get_iter(%arg0) : !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">
// FOLD-LABEL: @memref(
// FOLD-NEXT: {{.*}}cute.get_iter(%arg0) : !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">
// FOLD-NEXT: return
func.func @memref(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">) -> !cute.ptr<f32, gmem, align<16>> {
  %0 = cute.get_iter(%arg0) : !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">
  return %0 : !cute.ptr<f32, gmem, align<16>>
}

// CHECK-LABEL: @coord_tensor(
// CHECK: cute.get_iter(%arg0) : !cute.coord_tensor<"(0,?)", "(4,8):(1@0,1@1)">
// FOLD-LABEL: @coord_tensor(
// FOLD-NEXT: {{.*}}cute.get_iter(%arg0) : !cute.coord_tensor<"(0,?)", "(4,8):(1@0,1@1)">
// FOLD-NEXT: return
func.func @coord_tensor(%arg0: !cute.coord_tensor<"(0,?)", "(4,8):(1@0,1@1)">) -> !cute.arith_tuple_iter<"(0,?)"> {
  %0 = cute.get_iter(%arg0) : !cute.coord_tensor<"(0,?)", "(4,8):(1@0,1@1)">
  return %0 : !cute.arith_tuple_iter<"(0,?)">
}
