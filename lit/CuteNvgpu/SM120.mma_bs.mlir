// RUN: %opt %s | %opt | FileCheck %s

// mma.sync with a scale for every 16 or 32 elements along K.

// CHECK: @t0(!cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 32, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>)
func.func private @t0(!cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 32, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>)
// CHECK: @t1(!cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 16, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, use_sf_layout_TV = true>)
func.func private @t1(!cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 16, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, use_sf_layout_TV = true>)
// CHECK: @t2(!cute_nvgpu.SM120.mma_bs<16x8x32, vec_size = 32, elem_type = (f8E4M3FN, f6E2M3FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>)
func.func private @t2(!cute_nvgpu.SM120.mma_bs<16x8x32, vec_size = 32, elem_type = (f8E4M3FN, f6E2M3FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>)
// CHECK: @t3(!cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 16, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>)
func.func private @t3(!cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 16, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>)
