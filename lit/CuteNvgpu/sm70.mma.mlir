// RUN: %opt %s | %opt | FileCheck %s

// Volta: the majors of A and B are part of the instruction.

// CHECK: @t0(!cute_nvgpu.sm70.mma<8x8x4, ab_major = (k, k), elem_type = (f16, f16, f32) >)
func.func private @t0(!cute_nvgpu.sm70.mma<8x8x4, ab_major = (k, k), elem_type = (f16, f16, f32) >)
// CHECK: @t1(!cute_nvgpu.sm70.mma<8x8x4, ab_major = (k, mn), elem_type = (f16, f16, f16) >)
func.func private @t1(!cute_nvgpu.sm70.mma<8x8x4, ab_major = (k, mn), elem_type = (f16, f16, f16) >)
// CHECK: @t2(!cute_nvgpu.sm70.mma<8x8x4, ab_major = (mn, k), elem_type = (f16, f16, f32) >)
func.func private @t2(!cute_nvgpu.sm70.mma<8x8x4, ab_major = (mn, k), elem_type = (f16, f16, f32) >)
// CHECK: @t3(!cute_nvgpu.sm70.mma<8x8x4, ab_major = (mn, mn), elem_type = (f16, f16, f32) >)
func.func private @t3(!cute_nvgpu.sm70.mma<8x8x4, ab_major = (mn, mn), elem_type = (f16, f16, f32) >)
