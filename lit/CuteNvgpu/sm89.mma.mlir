// RUN: %opt %s | %opt | FileCheck %s

// Floats of 8 bits.

// CHECK: @t0(!cute_nvgpu.sm89.mma<16x8x32, elem_type = (f8E4M3FN, f8E4M3FN, f32) >)
func.func private @t0(!cute_nvgpu.sm89.mma<16x8x32, elem_type = (f8E4M3FN, f8E4M3FN, f32) >)
// CHECK: @t1(!cute_nvgpu.sm89.mma<16x8x32, elem_type = (f8E4M3FN, f8E5M2, f32) >)
func.func private @t1(!cute_nvgpu.sm89.mma<16x8x32, elem_type = (f8E4M3FN, f8E5M2, f32) >)
// CHECK: @t2(!cute_nvgpu.sm89.mma<16x8x32, elem_type = (f8E5M2, f8E5M2, f16) >)
func.func private @t2(!cute_nvgpu.sm89.mma<16x8x32, elem_type = (f8E5M2, f8E5M2, f16) >)
// CHECK: @t3(!cute_nvgpu.sm89.mma<16x8x16, elem_type = (f8E4M3FN, f8E5M2, f32) >)
func.func private @t3(!cute_nvgpu.sm89.mma<16x8x16, elem_type = (f8E4M3FN, f8E5M2, f32) >)
