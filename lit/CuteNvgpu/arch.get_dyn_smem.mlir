// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s

// CHECK-LABEL: @base(
// CHECK: cute_nvgpu.arch.get_dyn_smem() : !cute.ptr<i8, smem, align<1024>>
func.func @base() -> !cute.ptr<i8, smem, align<1024>> {
  %0 = cute_nvgpu.arch.get_dyn_smem() : !cute.ptr<i8, smem, align<1024>>
  return %0 : !cute.ptr<i8, smem, align<1024>>
}
