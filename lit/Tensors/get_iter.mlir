// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @memref(
// CHECK: cute.get_iter(%arg0) : !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">
// FOLD-LABEL: @memref(
// FOLD-NEXT: {{.*}}cute.get_iter(%arg0) : !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">
// FOLD-NEXT: return
// BASE-LABEL: @memref(
// BASE-NEXT: return %arg0 : !llvm.ptr<1>
func.func @memref(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">) -> !cute.ptr<f32, gmem, align<16>> {
  %0 = cute.get_iter(%arg0) : !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">
  return %0 : !cute.ptr<f32, gmem, align<16>>
}

// CHECK-LABEL: @coord_tensor(
// CHECK: cute.get_iter(%arg0) : !cute.coord_tensor<"(0,?)", "(4,8):(1@0,1@1)">
// FOLD-LABEL: @coord_tensor(
// FOLD-NEXT: {{.*}}cute.get_iter(%arg0) : !cute.coord_tensor<"(0,?)", "(4,8):(1@0,1@1)">
// FOLD-NEXT: return
// BASE-LABEL: @coord_tensor(
// BASE-NEXT: return %arg0 : i32
func.func @coord_tensor(%arg0: !cute.coord_tensor<"(0,?)", "(4,8):(1@0,1@1)">) -> !cute.arith_tuple_iter<"(0,?)"> {
  %0 = cute.get_iter(%arg0) : !cute.coord_tensor<"(0,?)", "(4,8):(1@0,1@1)">
  return %0 : !cute.arith_tuple_iter<"(0,?)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.get_iter(%arg0) : !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(8,1)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.get_iter(%arg0) : !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(8,1)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0 : !llvm.ptr<1>
func.func @wide(%arg0: !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(8,1)">) -> !cute.ptr<f32, gmem, align<16>> {
  %0 = cute.get_iter(%arg0) : !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(8,1)">
  return %0 : !cute.ptr<f32, gmem, align<16>>
}
