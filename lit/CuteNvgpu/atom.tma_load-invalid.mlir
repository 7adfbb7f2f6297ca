// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:80: error: expected a mode of the TMA: tiled
func.func private @f(!cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = im2col, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>)

// -----
// CHECK: :[[#@LINE+1]]:97: error: expected how many CTAs a barrier counts for: 1 or 2
func.func private @f(!cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 3, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>)

// -----
// CHECK: :[[#@LINE+1]]:87: error: expected 'num_cta'
func.func private @f(!cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>)

// -----
// CHECK: :[[#@LINE+1]]:48: error: 131073 b is not a whole number of f16 elements (16 b each)
func.func private @f(!cute_nvgpu.atom.tma_load<f16, copy_bits = 131073, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>)
