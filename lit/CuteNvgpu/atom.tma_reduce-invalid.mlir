// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:96: error: expected a reduction: ADD, MIN, MAX, INC, DEC, AND, OR, XOR
func.func private @f(!cute_nvgpu.atom.tma_reduce<f32, copy_bits = 262144, mode = tiled, kind = SUB, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>)

// -----
// CHECK: :[[#@LINE+1]]:89: error: expected 'kind'
func.func private @f(!cute_nvgpu.atom.tma_reduce<f32, copy_bits = 262144, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>)

// -----
// CHECK: error: the TMA does not reduce elements of f32 by INC, only elements of u32
func.func private @f(!cute_nvgpu.atom.tma_reduce<f32, copy_bits = 262144, mode = tiled, kind = INC, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>)

// -----
// CHECK: error: the TMA does not reduce elements of f64 by ADD, only elements of u32, s32, u64, f32, f16, bf16
func.func private @f(!cute_nvgpu.atom.tma_reduce<f64, copy_bits = 524288, mode = tiled, kind = ADD, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>)
