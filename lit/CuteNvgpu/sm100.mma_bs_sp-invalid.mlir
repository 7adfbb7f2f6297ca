// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: there is no such atom with frag_kind = ss, sf_type = ue8m0, vec_size = 32; there are frag_kind = ss, sf_type = ue4m3, vec_size = 32; frag_kind = ss, sf_type = ue8m0, vec_size = 64
func.func private @f(!cute_nvgpu.sm100.mma_bs_sp<128x128x128, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, sparse_metadata_format = tid, frag_kind = ss, vec_size = 32>)

// -----
// CHECK: error: no tcgen05.mma.sp with .block_scale of two CTAs has shape m128n128k64 with A e4m3, B e4m3, C f32, D f32; there are m256n16k64,
func.func private @f(!cute_nvgpu.sm100.mma_bs_sp<128x128x64, num_cta = 2, ab_major = (k, k), elem_type = (f8E4M3FN, f8E4M3FN, f32), sf_type = f8E8M0FNU, sparse_metadata_format = tid, frag_kind = ss, vec_size = 64>)
