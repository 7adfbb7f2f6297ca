// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:43: error: no mma.sync has shape m16n8k64 with A e4m3, B e4m3, C f32, D f32; there are m16n8k32, m16n8k16
func.func private @f(!cute_nvgpu.sm89.mma<16x8x64, elem_type = (f8E4M3FN, f8E4M3FN, f32) >)

// -----
// CHECK: :[[#@LINE+1]]:43: error: SM80_16x8x16_F32F16F16F32_TN is an atom of !cute_nvgpu.sm80.mma, not of !cute_nvgpu.sm89.mma
func.func private @f(!cute_nvgpu.sm89.mma<16x8x16, elem_type = (f16, f16, f32) >)

// -----
// CHECK: :[[#@LINE+1]]:43: error: SM120_16x8x32_TN<float_e2m1_t,float_e4m3_t,float> is an atom of !cute_nvgpu.SM120.mma, not of !cute_nvgpu.sm89.mma
func.func private @f(!cute_nvgpu.sm89.mma<16x8x32, elem_type = (f4E2M1FN, f8E4M3FN, f32) >)

// -----
// CHECK: :[[#@LINE+1]]:43: error: no mma.sync has C bf16 with A e4m3, B e4m3; there are f16, f32
func.func private @f(!cute_nvgpu.sm89.mma<16x8x32, elem_type = (f8E4M3FN, f8E4M3FN, bf16) >)
