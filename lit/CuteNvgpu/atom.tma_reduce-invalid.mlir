// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:96: error: expected a reduction: ADD, MIN, MAX, INC, DEC, AND, OR, XOR
func.func private @f(!cute_nvgpu.atom.tma_reduce<f32, copy_bits = 262144, mode = tiled, kind = SUB, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>)

// -----
// CHECK: :[[#@LINE+1]]:89: error: expected 'kind'
func.func private @f(!cute_nvgpu.atom.tma_reduce<f32, copy_bits = 262144, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>)
