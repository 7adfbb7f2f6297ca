// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @static(
// CHECK: cute.memref.alloc_smem() : !cute.memref<f16, smem, align<128>, "S<3,4,3> o 0 o (8,64):(64,1)">
// BASE-LABEL: @static(
// BASE-NEXT: %[[V0:.*]] = llvm.mlir.addressof @cute_smem_0 : !llvm.ptr<3>
// BASE-NEXT: return %[[V0]] : !llvm.ptr<3>
func.func @static() -> !cute.memref<f16, smem, align<128>, "S<3,4,3> o 0 o (8,64):(64,1)"> {
  %0 = cute.memref.alloc_smem() : !cute.memref<f16, smem, align<128>, "S<3,4,3> o 0 o (8,64):(64,1)">
  return %0 : !cute.memref<f16, smem, align<128>, "S<3,4,3> o 0 o (8,64):(64,1)">
}
