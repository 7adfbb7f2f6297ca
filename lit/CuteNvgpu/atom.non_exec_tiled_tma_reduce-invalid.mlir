// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:65: error: expected a reduction: ADD, MIN, MAX, INC, DEC, AND, OR, XOR
func.func private @f(!cute_nvgpu.atom.non_exec_tiled_tma_reduce<MUL, f32, copy_bits = 262144, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F32_RN>)

// -----
// CHECK: :[[#@LINE+1]]:65: error: copy_bits = 131072 are not those of a box: 8192 elements of 32 bits have 262144
func.func private @f(!cute_nvgpu.atom.non_exec_tiled_tma_reduce<ADD, f32, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F32_RN>)
