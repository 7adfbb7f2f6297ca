// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:64: error: expected a type of elements, such as f16, bf16, f32, f8E4M3FN, i8 or i1
func.func private @f(!cute_nvgpu.atom.non_exec_tiled_tma_store<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>)

// -----
// CHECK: :[[#@LINE+1]]:64: error: 1 b is not a whole number of f16 elements (16 b each)
func.func private @f(!cute_nvgpu.atom.non_exec_tiled_tma_store<f16, copy_bits = 1, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>)
