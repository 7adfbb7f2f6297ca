// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:88: error: expected 'g_stride'
func.func private @f(!cute_nvgpu.atom.tma_store<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>)

// -----
// CHECK: :[[#@LINE+1]]:49: error: 8 b is not a whole number of f16 elements (16 b each)
func.func private @f(!cute_nvgpu.atom.tma_store<f16, copy_bits = 8, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>)
