// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s

// CHECK-LABEL: @static(
// CHECK: cute.memref.alloc_smem() : !cute.memref<f16, smem, align<128>, "S<3,4,3> o 0 o (8,64):(64,1)">
func.func @static() -> !cute.memref<f16, smem, align<128>, "S<3,4,3> o 0 o (8,64):(64,1)"> {
  %0 = cute.memref.alloc_smem() : !cute.memref<f16, smem, align<128>, "S<3,4,3> o 0 o (8,64):(64,1)">
  return %0 : !cute.memref<f16, smem, align<128>, "S<3,4,3> o 0 o (8,64):(64,1)">
}
