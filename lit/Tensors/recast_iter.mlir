// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The same address, seen otherwise.

// CHECK-LABEL: @element(
// CHECK: cute.recast_iter(%arg0) : !cute.ptr<f32, gmem, align<16>> to !cute.ptr<i8, gmem, align<16>>
// FOLD-LABEL: @element(
// FOLD-NEXT: {{.*}}cute.recast_iter(%arg0) : !cute.ptr<f32, gmem, align<16>> to !cute.ptr<i8, gmem, align<16>>
// FOLD-NEXT: return
// BASE-LABEL: @element(
// BASE-NEXT: return %arg0 : !llvm.ptr<1>
func.func @element(%arg0: !cute.ptr<f32, gmem, align<16>>) -> !cute.ptr<i8, gmem, align<16>> {
  %0 = cute.recast_iter(%arg0) : !cute.ptr<f32, gmem, align<16>> to !cute.ptr<i8, gmem, align<16>>
  return %0 : !cute.ptr<i8, gmem, align<16>>
}

// CHECK-LABEL: @attach_swizzle(
// CHECK: cute.recast_iter(%arg0) : !cute.ptr<f16, smem, align<128>> to !cute.ptr<f16, smem, align<128>, S<3,4,3>>
// FOLD-LABEL: @attach_swizzle(
// FOLD-NEXT: {{.*}}cute.recast_iter(%arg0) : !cute.ptr<f16, smem, align<128>> to !cute.ptr<f16, smem, align<128>, S<3,4,3>>
// FOLD-NEXT: return
// BASE-LABEL: @attach_swizzle(
// BASE-NEXT: return %arg0 : !llvm.ptr<3>
func.func @attach_swizzle(%arg0: !cute.ptr<f16, smem, align<128>>) -> !cute.ptr<f16, smem, align<128>, S<3,4,3>> {
  %0 = cute.recast_iter(%arg0) : !cute.ptr<f16, smem, align<128>> to !cute.ptr<f16, smem, align<128>, S<3,4,3>>
  return %0 : !cute.ptr<f16, smem, align<128>, S<3,4,3>>
}

// CHECK-LABEL: @untyped(
// CHECK: cute.recast_iter(%arg0) : !cute.ptr<i8, smem, align<128>> to !cute.ptr<smem, align<128>>
// FOLD-LABEL: @untyped(
// FOLD-NEXT: {{.*}}cute.recast_iter(%arg0) : !cute.ptr<i8, smem, align<128>> to !cute.ptr<smem, align<128>>
// FOLD-NEXT: return
// BASE-LABEL: @untyped(
// BASE-NEXT: return %arg0 : !llvm.ptr<3>
func.func @untyped(%arg0: !cute.ptr<i8, smem, align<128>>) -> !cute.ptr<smem, align<128>> {
  %0 = cute.recast_iter(%arg0) : !cute.ptr<i8, smem, align<128>> to !cute.ptr<smem, align<128>>
  return %0 : !cute.ptr<smem, align<128>>
}
