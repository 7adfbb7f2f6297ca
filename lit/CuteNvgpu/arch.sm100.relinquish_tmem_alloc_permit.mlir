// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: not %opt %s --pass-pipeline='builtin.module(cute-to-base)' 2>&1 | FileCheck %s --check-prefix=BASE

// BASE: error: 'cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit' op: not supported yet

// CHECK-LABEL: @relinquish(
// CHECK: cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [ cta_1]
// CHECK: cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [cta_2]
func.func @relinquish() {
  cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [cta_1]
  cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [cta_2]
  return
}
