// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: not %opt %s --pass-pipeline='builtin.module(cute-to-base)' 2>&1 | FileCheck %s --check-prefix=BASE

// BASE: error: 'cute_nvgpu.copy_tma_desc' op: not supported yet

// CHECK-LABEL: @copy(
// CHECK: cute_nvgpu.copy_tma_desc(%arg0, %arg1) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.ptr<i64, smem, align<128>>) -> ()
func.func @copy(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, %where: !cute.ptr<i64, smem, align<128>>) {
  cute_nvgpu.copy_tma_desc(%atom, %where) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.ptr<i64, smem, align<128>>) -> ()
  return
}
