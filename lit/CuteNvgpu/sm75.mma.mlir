// RUN: %opt %s | %opt | FileCheck %s

// Turing.

// CHECK: @t0(!cute_nvgpu.sm75.mma<16x8x8, elem_type = (f16, f16, f32) >)
func.func private @t0(!cute_nvgpu.sm75.mma<16x8x8, elem_type = (f16, f16, f32) >)
// CHECK: @t1(!cute_nvgpu.sm75.mma<8x8x16, elem_type = (i8, i8, i32) >)
func.func private @t1(!cute_nvgpu.sm75.mma<8x8x16, elem_type = (i8, i8, i32) >)
