// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:43: error: no mma.sync has shape m16n8k32 with A f16, B f16, C f32, D f32; there are m8n8k4, m16n8k8, m16n8k16
func.func private @f(!cute_nvgpu.sm80.mma<16x8x32, elem_type = (f16, f16, f32) >)

// -----
// CHECK: :[[#@LINE+1]]:43: error: no mma.sync has B bf16 with A f16; there are f16
func.func private @f(!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, bf16, f32) >)

// -----
// CHECK: :[[#@LINE+1]]:43: error: no mma.sync has C f16 with A bf16, B bf16; there are f32
func.func private @f(!cute_nvgpu.sm80.mma<16x8x16, elem_type = (bf16, bf16, f16) >)

// -----
// CHECK: :[[#@LINE+1]]:43: error: no mma.sync has A f32; there are f16, s8, bf16, tf32, f64, u8, s4, u4, u1, e4m3, e5m2, e3m2, e2m3, e2m1
func.func private @f(!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f32, f32, f32) >)

// -----
// CHECK: :[[#@LINE+1]]:43: error: i3 cannot be the type of matrix elements
func.func private @f(!cute_nvgpu.sm80.mma<16x8x16, elem_type = (i3, i3, i32) >)

// -----
// CHECK: :[[#@LINE+1]]:43: error: vector<2xf16> cannot be the type of matrix elements
func.func private @f(!cute_nvgpu.sm80.mma<16x8x16, elem_type = (vector<2xf16>, f16, f32) >)

// -----
// CHECK: :[[#@LINE+1]]:43: error: SM89_16x8x32_F32E4M3E4M3F32_TN is an atom of !cute_nvgpu.sm89.mma, not of !cute_nvgpu.sm80.mma
func.func private @f(!cute_nvgpu.sm80.mma<16x8x32, elem_type = (f8E4M3FN, f8E4M3FN, f32) >)

// -----
// CHECK: :[[#@LINE+1]]:43: error: no mma.sync has operation multiply and add with .satfinite with A f16, B f16, C f32, D f32, shape m16n8k16, majors TN; there are multiply and add
func.func private @f(!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) int_overflow = <satfinite>>)

// -----
// CHECK: :[[#@LINE+1]]:94: error: expected an operation: wrapped, satfinite
func.func private @f(!cute_nvgpu.sm80.mma<16x8x32, elem_type = (i8, i8, i32) int_overflow = <clamp>>)

// -----
// CHECK: :[[#@LINE+1]]:79: error: expected int_overflow or binary_op
func.func private @f(!cute_nvgpu.sm80.mma<16x8x32, elem_type = (i8, i8, i32), saturate>)

// -----
// CHECK: :[[#@LINE+1]]:43: error: expected 3 extents, found 2
func.func private @f(!cute_nvgpu.sm80.mma<16x8, elem_type = (f16, f16, f32) >)

// -----
// CHECK: :[[#@LINE+1]]:43: error: no MMA has shape 16x8x99999999999
func.func private @f(!cute_nvgpu.sm80.mma<16x8x99999999999, elem_type = (f16, f16, f32) >)
