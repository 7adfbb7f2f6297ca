// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:47: error: there is no such atom with frag_kind = ss, sf_type = ue4m3, vec_size = 32; there are frag_kind = ss, sf_type = ue8m0, vec_size = 32; frag_kind = ss, sf_type = ue4m3, vec_size = 16; frag_kind = ss, sf_type = ue8m0, vec_size = 16
func.func private @f(!cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, frag_kind = ss, vec_size = 32>)

// -----
// CHECK: :[[#@LINE+1]]:140: error: expected a type of scales: f8E8M0FNU or f8E4M3FN
func.func private @f(!cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f16, frag_kind = ss, vec_size = 16>)

// -----
// CHECK: :[[#@LINE+1]]:47: error: no tcgen05.mma with .block_scale of two CTAs has shape m64n128k64 with A e2m1, B e2m1, C f32, D f32; there are m256n16k32,
func.func private @f(!cute_nvgpu.sm100.mma_bs<64x128x64, num_cta = 2, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>)

// -----
// CHECK: :[[#@LINE+1]]:47: error: no tcgen05.mma with .block_scale of one CTA has A f16; there are e4m3, e5m2, e3m2, e2m3, e2m1
func.func private @f(!cute_nvgpu.sm100.mma_bs<128x128x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>)

// -----
// CHECK: :[[#@LINE+1]]:178: error: expected the elements that share a scale: 16, 32 or, where A is sparse, 64
func.func private @f(!cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 0>)

// -----
// CHECK: :[[#@LINE+1]]:182: error: arch_promote = sm_103 is for K = 96
func.func private @f(!cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32, arch_promote = sm_103>)

// -----
// CHECK: :[[#@LINE+1]]:47: error: no tcgen05.mma with .block_scale of one CTA has majors TT with A e2m1, B e2m1, C f32, D f32, shape m128n128k96; there are TN
func.func private @f(!cute_nvgpu.sm100.mma_bs<128x128x96, num_cta = 1, ab_major = (k, mn), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>)
