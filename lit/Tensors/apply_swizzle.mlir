// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @pointer(
// CHECK: cute.apply_swizzle(%arg0) : (!cute.ptr<f16, smem, align<128>, S<3,4,3>>) -> !cute.ptr<f16, smem, align<16>, S<3,4,3>>
// FOLD-LABEL: @pointer(
// FOLD-NEXT: {{.*}}cute.apply_swizzle(%arg0) : (!cute.ptr<f16, smem, align<128>, S<3,4,3>>) -> !cute.ptr<f16, smem, align<16>, S<3,4,3>>
// FOLD-NEXT: return
func.func @pointer(%arg0: !cute.ptr<f16, smem, align<128>, S<3,4,3>>) -> !cute.ptr<f16, smem, align<16>, S<3,4,3>> {
  %0 = cute.apply_swizzle(%arg0) : (!cute.ptr<f16, smem, align<128>, S<3,4,3>>) -> !cute.ptr<f16, smem, align<16>, S<3,4,3>>
  return %0 : !cute.ptr<f16, smem, align<16>, S<3,4,3>>
}
