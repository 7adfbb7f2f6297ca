// RUN: %opt %s | %opt | FileCheck %s

// wgmma: A in shared memory (ss) or in registers (rs).

// CHECK: @t0(!cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>)
func.func private @t0(!cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>)
// CHECK: @t1(!cute_nvgpu.sm90.mma<64x256x16, ab_major = (mn, mn), elem_type = (bf16, bf16, f32), frag_kind = ss>)
func.func private @t1(!cute_nvgpu.sm90.mma<64x256x16, ab_major = (mn, mn), elem_type = (bf16, bf16, f32), frag_kind = ss>)
// CHECK: @t2(!cute_nvgpu.sm90.mma<64x8x16, ab_major = (k, mn), elem_type = (f16, f16, f16), frag_kind = rs>)
func.func private @t2(!cute_nvgpu.sm90.mma<64x8x16, ab_major = (k, mn), elem_type = (f16, f16, f16), frag_kind = rs>)
// CHECK: @t3(!cute_nvgpu.sm90.mma<64x64x8, ab_major = (k, k), elem_type = (tf32, tf32, f32), frag_kind = rs>)
func.func private @t3(!cute_nvgpu.sm90.mma<64x64x8, ab_major = (k, k), elem_type = (tf32, tf32, f32), frag_kind = rs>)
// CHECK: @t4(!cute_nvgpu.sm90.mma<64x64x32, ab_major = (k, k), elem_type = (f8E4M3FN, f8E5M2, f32), frag_kind = ss>)
func.func private @t4(!cute_nvgpu.sm90.mma<64x64x32, ab_major = (k, k), elem_type = (f8E4M3FN, f8E5M2, f32), frag_kind = ss>)
// CHECK: @t5(!cute_nvgpu.sm90.mma<64x64x32, ab_major = (k, k), elem_type = (i8, ui8, i32), frag_kind = ss, int_overflow = <satfinite>>)
func.func private @t5(!cute_nvgpu.sm90.mma<64x64x32, ab_major = (k, k), elem_type = (i8, ui8, i32), frag_kind = ss, int_overflow = <satfinite>>)
// CHECK: @n0(!cute_nvgpu.sm90.mma<64x64x32, ab_major = (k, k), elem_type = (f8E4M3FN, f8E5M2, f32), frag_kind = rs, a_neg = true>)
func.func private @n0(!cute_nvgpu.sm90.mma<64x64x32, ab_major = (k, k), elem_type = (f8E4M3FN, f8E5M2, f32), frag_kind = rs, a_neg = true>)
// CHECK: @n1(!cute_nvgpu.sm90.mma<64x64x32, ab_major = (k, k), elem_type = (f8E4M3FN, f8E5M2, f32), frag_kind = rs, b_neg = true>)
func.func private @n1(!cute_nvgpu.sm90.mma<64x64x32, ab_major = (k, k), elem_type = (f8E4M3FN, f8E5M2, f32), frag_kind = rs, b_neg = true>)
// CHECK: @n2(!cute_nvgpu.sm90.mma<64x64x32, ab_major = (k, k), elem_type = (f8E4M3FN, f8E5M2, f32), frag_kind = rs, a_neg = true, b_neg = true>)
func.func private @n2(!cute_nvgpu.sm90.mma<64x64x32, ab_major = (k, k), elem_type = (f8E4M3FN, f8E5M2, f32), frag_kind = rs, a_neg = true, b_neg = true>)
