// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: no tcgen05.mma.sp of one CTA has shape m128n128k16 with A f16, B f16, C f32, D f32; there are m64n8k32,
func.func private @f(!cute_nvgpu.sm100.mma_sp<128x128x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), e_type = i8, sparse_metadata_format = tid, frag_kind = ss, c_scale_exp = 0>)

// -----
// CHECK: error: there is no such atom with frag_kind = ts; there are frag_kind = ss
func.func private @f(!cute_nvgpu.sm100.mma_sp<128x128x32, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), e_type = i8, sparse_metadata_format = tid, frag_kind = ts, c_scale_exp = 0>)

// -----
// CHECK: error: metadata are bytes: e_type = i8
func.func private @f(!cute_nvgpu.sm100.mma_sp<128x128x32, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), e_type = i16, sparse_metadata_format = tid, frag_kind = ss, c_scale_exp = 0>)

// -----
// CHECK: error: expected 'e_type'
func.func private @f(!cute_nvgpu.sm100.mma_sp<128x128x32, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), sparse_metadata_format = tid, frag_kind = ss, c_scale_exp = 0>)
