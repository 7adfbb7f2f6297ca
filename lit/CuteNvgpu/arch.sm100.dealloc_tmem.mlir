// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: not %opt %s --pass-pipeline='builtin.module(cute-to-base)' 2>&1 | FileCheck %s --check-prefix=BASE

// BASE: error: 'cute_nvgpu.arch.sm100.dealloc_tmem' op: not supported yet

// CHECK-LABEL: @dealloc(
// CHECK: cute_nvgpu.arch.sm100.dealloc_tmem(%arg0, %arg1) [ cta_1] : !cute.ptr<f32, tmem, align<16>>, i32
// CHECK: cute_nvgpu.arch.sm100.dealloc_tmem(%arg0, %arg1) [cta_2] : !cute.ptr<f32, tmem, align<16>>, i32
func.func @dealloc(%first: !cute.ptr<f32, tmem, align<16>>, %columns: i32) {
  cute_nvgpu.arch.sm100.dealloc_tmem(%first, %columns) [cta_1] : !cute.ptr<f32, tmem, align<16>>, i32
  cute_nvgpu.arch.sm100.dealloc_tmem(%first, %columns) [cta_2] : !cute.ptr<f32, tmem, align<16>>, i32
  return
}
