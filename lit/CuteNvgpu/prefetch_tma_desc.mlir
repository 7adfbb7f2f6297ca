// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: not %opt %s --pass-pipeline='builtin.module(cute-to-base)' 2>&1 | FileCheck %s --check-prefix=BASE

// BASE: error: 'cute_nvgpu.prefetch_tma_desc' op: not supported yet

// CHECK-LABEL: @prefetch(
// CHECK: cute_nvgpu.prefetch_tma_desc(%arg0) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>) -> ()
func.func @prefetch(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>) {
  cute_nvgpu.prefetch_tma_desc(%atom) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>) -> ()
  return
}
