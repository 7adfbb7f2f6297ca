// RUN: %opt %s | %opt | FileCheck %s

// tcgen05.mma of one CTA or two: A in shared (ss) or tensor memory (ts).

// CHECK: @t0(!cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>)
func.func private @t0(!cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>)
// CHECK: @t1(!cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, mn), elem_type = (bf16, bf16, f32), frag_kind = ts, c_scale_exp = 0>)
func.func private @t1(!cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, mn), elem_type = (bf16, bf16, f32), frag_kind = ts, c_scale_exp = 0>)
// CHECK: @t2(!cute_nvgpu.sm100.mma<256x256x16, num_cta = 2, ab_major = (mn, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 2>)
func.func private @t2(!cute_nvgpu.sm100.mma<256x256x16, num_cta = 2, ab_major = (mn, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 2>)
// CHECK: @t3(!cute_nvgpu.sm100.mma<64x64x8, num_cta = 1, ab_major = (k, k), elem_type = (tf32, tf32, f32), frag_kind = ss, c_scale_exp = 0>)
func.func private @t3(!cute_nvgpu.sm100.mma<64x64x8, num_cta = 1, ab_major = (k, k), elem_type = (tf32, tf32, f32), frag_kind = ss, c_scale_exp = 0>)
// CHECK: @t4(!cute_nvgpu.sm100.mma<128x128x32, num_cta = 1, ab_major = (k, k), elem_type = (f8E4M3FN, f4E2M1FN, f32), frag_kind = ss, c_scale_exp = 0>)
func.func private @t4(!cute_nvgpu.sm100.mma<128x128x32, num_cta = 1, ab_major = (k, k), elem_type = (f8E4M3FN, f4E2M1FN, f32), frag_kind = ss, c_scale_exp = 0>)
// CHECK: @t5(!cute_nvgpu.sm100.mma<128x128x32, num_cta = 1, ab_major = (k, k), elem_type = (i8, i8, i32), frag_kind = ss, c_scale_exp = 0>)
func.func private @t5(!cute_nvgpu.sm100.mma<128x128x32, num_cta = 1, ab_major = (k, k), elem_type = (i8, i8, i32), frag_kind = ss, c_scale_exp = 0>)
