// RUN: %opt %s | %opt | FileCheck %s

// tcgen05.mma with a scale for every 16 or 32 elements along K.

// CHECK: @t0(!cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>)
func.func private @t0(!cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>)
// CHECK: @t1(!cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, frag_kind = ss, vec_size = 16>)
func.func private @t1(!cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, frag_kind = ss, vec_size = 16>)
// CHECK: @t2(!cute_nvgpu.sm100.mma_bs<128x64x32, num_cta = 1, ab_major = (k, mn), elem_type = (f8E4M3FN, f8E5M2, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>)
func.func private @t2(!cute_nvgpu.sm100.mma_bs<128x64x32, num_cta = 1, ab_major = (k, mn), elem_type = (f8E4M3FN, f8E5M2, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>)
// For a pair of CTAs, M counts the rows of both.
// CHECK: @t3(!cute_nvgpu.sm100.mma_bs<256x128x64, num_cta = 2, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>)
func.func private @t3(!cute_nvgpu.sm100.mma_bs<256x128x64, num_cta = 2, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>)
// CHECK: @t4(!cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 16>)
func.func private @t4(!cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 16>)
// K = 96 is that of sm_103a, which the type says.
// CHECK: @t5(!cute_nvgpu.sm100.mma_bs<128x128x96, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32, arch_promote = sm_103>)
func.func private @t5(!cute_nvgpu.sm100.mma_bs<128x128x96, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32, arch_promote = sm_103>)
// CHECK: @t6(!cute_nvgpu.sm100.mma_bs<256x192x96, num_cta = 2, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, frag_kind = ss, vec_size = 16, arch_promote = sm_103>)
func.func private @t6(!cute_nvgpu.sm100.mma_bs<256x192x96, num_cta = 2, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, frag_kind = ss, vec_size = 16>)
