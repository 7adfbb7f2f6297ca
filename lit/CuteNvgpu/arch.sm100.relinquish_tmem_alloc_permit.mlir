// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_100a},cute-to-base)' | FileCheck %s --check-prefix=BASE

// BASE-LABEL: @relinquish(
// BASE-NEXT: nvvm.tcgen05.relinquish_alloc_permit
// BASE-NEXT: nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}

// CHECK-LABEL: @relinquish(
// CHECK: cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [ cta_1]
// CHECK: cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [cta_2]
func.func @relinquish() {
  cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [cta_1]
  cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [cta_2]
  return
}
