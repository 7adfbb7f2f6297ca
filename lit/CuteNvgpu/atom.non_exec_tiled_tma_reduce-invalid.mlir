// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:65: error: expected a reduction: ADD, MIN, MAX, INC, DEC, AND, OR, XOR
func.func private @f(!cute_nvgpu.atom.non_exec_tiled_tma_reduce<MUL, f32, copy_bits = 262144, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F32_RN>)

// -----
// CHECK: :[[#@LINE+1]]:65: error: copy_bits = 131072 are not those of a box: 8192 elements of 32 bits have 262144
func.func private @f(!cute_nvgpu.atom.non_exec_tiled_tma_reduce<ADD, f32, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F32_RN>)

// -----
// CHECK: error: the TMA does not reduce elements of f32 by AND, only elements of u32, s32, u64, s64
func.func private @f(!cute_nvgpu.atom.non_exec_tiled_tma_reduce<AND, f32, copy_bits = 262144, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F32_RN>)

// -----
// The format counts, too.
// CHECK: error: the TMA does not reduce elements of s32 by DEC, only elements of u32
func.func private @f(!cute_nvgpu.atom.non_exec_tiled_tma_reduce<DEC, i32, copy_bits = 262144, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = S32>)
