// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:47: error: there is no such atom with sf_type = ue8m0, vec_size = 64; there are sf_type = ue8m0, vec_size = 32; sf_type = ue4m3, vec_size = 16; sf_type = ue8m0, vec_size = 16
func.func private @f(!cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 64, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>)

// -----
// CHECK: :[[#@LINE+1]]:47: error: no mma.sync with .block_scale has shape m16n8k16 with A e2m1, B e2m1, C f32, D f32; there are m16n8k32, m16n8k64
func.func private @f(!cute_nvgpu.SM120.mma_bs<16x8x16, vec_size = 32, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>)

// -----
// CHECK: :[[#@LINE+1]]:150: error: use_sf_layout_TV = true is supported
func.func private @f(!cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 32, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = false>)

// -----
// CHECK: :[[#@LINE+1]]:56: error: expected 'vec_size'
func.func private @f(!cute_nvgpu.SM120.mma_bs<16x8x64, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>)
