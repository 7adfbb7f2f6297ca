// RUN: %opt %s | %opt | FileCheck %s

// Floats of 8, 6 and 4 bits, each in a byte.

// CHECK: @t0(!cute_nvgpu.SM120.mma<16x8x32, elem_type = (f4E2M1FN, f8E5M2, f32) >)
func.func private @t0(!cute_nvgpu.SM120.mma<16x8x32, elem_type = (f4E2M1FN, f8E5M2, f32) >)
// CHECK: @t1(!cute_nvgpu.SM120.mma<16x8x32, elem_type = (f6E3M2FN, f6E2M3FN, f32) >)
func.func private @t1(!cute_nvgpu.SM120.mma<16x8x32, elem_type = (f6E3M2FN, f6E2M3FN, f32) >)
// CHECK: @t2(!cute_nvgpu.SM120.mma<16x8x32, elem_type = (f8E4M3FN, f8E4M3FN, f16) >)
func.func private @t2(!cute_nvgpu.SM120.mma<16x8x32, elem_type = (f8E4M3FN, f8E4M3FN, f16) >)
