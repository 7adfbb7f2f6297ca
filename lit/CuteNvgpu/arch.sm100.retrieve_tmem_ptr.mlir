// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: not %opt %s --pass-pipeline='builtin.module(cute-to-base)' 2>&1 | FileCheck %s --check-prefix=BASE

// BASE: error: 'cute_nvgpu.arch.sm100.retrieve_tmem_ptr' op: not supported yet

// CHECK-LABEL: @retrieve(
// CHECK: cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%arg0) : !cute.ptr<i32, smem, align<8>> -> !cute.ptr<f32, tmem, align<16>>
func.func @retrieve(%where: !cute.ptr<i32, smem, align<8>>) {
  %0 = cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%where) : !cute.ptr<i32, smem, align<8>> -> !cute.ptr<f32, tmem, align<16>>
  return
}
