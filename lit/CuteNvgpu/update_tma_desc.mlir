// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: not %opt %s --pass-pipeline='builtin.module(cute-to-base)' 2>&1 | FileCheck %s --check-prefix=BASE

// BASE: error: 'cute_nvgpu.update_tma_desc' op: not supported yet

// CHECK-LABEL: @update(
// CHECK: cute_nvgpu.update_tma_desc(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.memref<f16, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, !cute.ptr<i64, smem, align<128>>) -> ()
func.func @update(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, %tensor: !cute.memref<f16, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, %where: !cute.ptr<i64, smem, align<128>>) {
  cute_nvgpu.update_tma_desc(%atom, %tensor, %where) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.memref<f16, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, !cute.ptr<i64, smem, align<128>>) -> ()
  return
}
