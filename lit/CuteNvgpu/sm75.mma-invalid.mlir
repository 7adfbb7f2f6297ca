// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:43: error: SM80_16x8x16_F32F16F16F32_TN is an atom of !cute_nvgpu.sm80.mma, not of !cute_nvgpu.sm75.mma
func.func private @f(!cute_nvgpu.sm75.mma<16x8x16, elem_type = (f16, f16, f32) >)

// -----
// CHECK: :[[#@LINE+1]]:43: error: SM80_16x8x8_F32BF16BF16F32_TN is an atom of !cute_nvgpu.sm80.mma, not of !cute_nvgpu.sm75.mma
func.func private @f(!cute_nvgpu.sm75.mma<16x8x8, elem_type = (bf16, bf16, f32) >)

// -----
// CHECK: :[[#@LINE+1]]:72: error: expected ','
func.func private @f(!cute_nvgpu.sm75.mma<16x8x8, elem_type = (f16, f16) >)
