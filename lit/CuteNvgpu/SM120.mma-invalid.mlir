// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:44: error: no mma.sync has shape m16n8k64 with A e2m1, B e2m1, C f32, D f32; there are m16n8k32
func.func private @f(!cute_nvgpu.SM120.mma<16x8x64, elem_type = (f4E2M1FN, f4E2M1FN, f32) >)

// -----
// CHECK: :[[#@LINE+1]]:44: error: SM80_16x8x16_F32F16F16F32_TN is an atom of !cute_nvgpu.sm80.mma, not of !cute_nvgpu.SM120.mma
func.func private @f(!cute_nvgpu.SM120.mma<16x8x16, elem_type = (f16, f16, f32) >)

// -----
// CHECK: :[[#@LINE+1]]:44: error: no mma.sync has C bf16 with A e4m3, B e4m3; there are f16, f32
func.func private @f(!cute_nvgpu.SM120.mma<16x8x32, elem_type = (f8E4M3FN, f8E4M3FN, bf16) >)
