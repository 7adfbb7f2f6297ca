// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:62: error: expected the mode that lies contiguous: k, mn
func.func private @f(!cute_nvgpu.sm70.mma<8x8x4, ab_major = (n, k), elem_type = (f16, f16, f32) >)

// -----
// CHECK: :[[#@LINE+1]]:50: error: expected 'ab_major'
func.func private @f(!cute_nvgpu.sm70.mma<8x8x4, elem_type = (f16, f16, f32) >)

// -----
// CHECK: :[[#@LINE+1]]:43: error: no mma.sync has shape m16n8k4 with A f16, B f16, C f32, D f32; there are m8n8k4, m16n8k8, m16n8k16
func.func private @f(!cute_nvgpu.sm70.mma<16x8x4, ab_major = (k, k), elem_type = (f16, f16, f32) >)

// -----
// CHECK: :[[#@LINE+1]]:43: error: SM75_16x8x8_F32F16F16F32_TN is an atom of !cute_nvgpu.sm75.mma, not of !cute_nvgpu.sm70.mma
func.func private @f(!cute_nvgpu.sm70.mma<16x8x8, ab_major = (k, k), elem_type = (f16, f16, f32) >)

// -----
// CHECK: :[[#@LINE+1]]:43: error: no mma.sync has A f32; there are f16, s8, bf16, tf32, f64, u8, s4, u4, u1, e4m3, e5m2, e3m2, e2m3, e2m1
func.func private @f(!cute_nvgpu.sm70.mma<8x8x4, ab_major = (k, k), elem_type = (f32, f16, f32) >)
