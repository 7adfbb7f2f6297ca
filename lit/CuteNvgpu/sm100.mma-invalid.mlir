// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:44: error: no tcgen05.mma of one CTA has shape m128n128k8 with A f16, B f16, C f32, D f32; there are m64n8k16, m64n16k16, m64n24k16, m64n32k16, m64n40k16, m64n48k16, m64n56k16, m64n64k16, m64n72k16, m64n80k16, m64n88k16, m64n96k16, m64n104k16, m64n112k16, m64n120k16, m64n128k16, m64n136k16, m64n144k16, m64n152k16, m64n160k16, m64n168k16, m64n176k16, m64n184k16, m64n192k16, m64n200k16, m64n208k16, m64n216k16, m64n224k16, m64n232k16, m64n240k16, m64n248k16, m64n256k16, m128n16k16, m128n32k16, m128n48k16, m128n64k16, m128n80k16, m128n96k16, m128n112k16, m128n128k16, m128n144k16, m128n160k16, m128n176k16, m128n192k16, m128n208k16, m128n224k16, m128n240k16, m128n256k16
func.func private @f(!cute_nvgpu.sm100.mma<128x128x8, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>)

// -----
// CHECK: :[[#@LINE+1]]:44: error: no tcgen05.mma of two CTAs has shape m64n64k16 with A f16, B f16, C f32, D f32; there are m128n16k16, m128n32k16, m128n48k16, m128n64k16, m128n80k16, m128n96k16, m128n112k16, m128n128k16, m128n144k16, m128n160k16, m128n176k16, m128n192k16, m128n208k16, m128n224k16, m128n240k16, m128n256k16, m256n16k16, m256n32k16, m256n48k16, m256n64k16, m256n80k16, m256n96k16, m256n112k16, m256n128k16, m256n144k16, m256n160k16, m256n176k16, m256n192k16, m256n208k16, m256n224k16, m256n240k16, m256n256k16
func.func private @f(!cute_nvgpu.sm100.mma<64x64x16, num_cta = 2, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>)

// -----
// CHECK: :[[#@LINE+1]]:66: error: expected the CTAs of an instruction: 1 or 2
func.func private @f(!cute_nvgpu.sm100.mma<128x128x16, num_cta = 4, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>)

// -----
// CHECK: :[[#@LINE+1]]:44: error: there is no such atom with frag_kind = rs; there are frag_kind = ss; frag_kind = ts
func.func private @f(!cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = rs, c_scale_exp = 0>)

// -----
// CHECK: :[[#@LINE+1]]:147: error: expected an exponent from 0 to 15: C is divided by 2 to that power
func.func private @f(!cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 16>)

// -----
// CHECK: :[[#@LINE+1]]:131: error: expected ','
func.func private @f(!cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>)

// -----
// CHECK: :[[#@LINE+1]]:56: error: expected 'num_cta'
func.func private @f(!cute_nvgpu.sm100.mma<128x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>)
