// RUN: %opt %s | %opt | FileCheck %s

// tcgen05.mma.sp with a scale for every 32 or 64 elements along K.

// CHECK: @t0(!cute_nvgpu.sm100.mma_bs_sp<128x128x64, num_cta = 1, ab_major = (k, mn), elem_type = (f8E4M3FN, f8E5M2, f32), sf_type = f8E8M0FNU, sparse_metadata_format = tid, frag_kind = ss, vec_size = 64>)
func.func private @t0(!cute_nvgpu.sm100.mma_bs_sp<128x128x64, num_cta = 1, ab_major = (k, mn), elem_type = (f8E4M3FN, f8E5M2, f32), sf_type = f8E8M0FNU, sparse_metadata_format = tid, frag_kind = ss, vec_size = 64>)
// CHECK: @t1(!cute_nvgpu.sm100.mma_bs_sp<256x64x128, num_cta = 2, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, sparse_metadata_format = tid, frag_kind = ss, vec_size = 32>)
func.func private @t1(!cute_nvgpu.sm100.mma_bs_sp<256x64x128, num_cta = 2, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, sparse_metadata_format = tid, frag_kind = ss, vec_size = 32>)

!atom = !cute_nvgpu.sm100.mma_bs_sp<128x128x128, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, sparse_metadata_format = tid, frag_kind = ss, vec_size = 32>

// CHECK-LABEL: @make
// CHECK: cute.make_atom(%arg0, %arg0, %arg0, %arg1, %arg1, %arg2)
func.func @make(%flag: i1, %sf: !cute.ptr<f8E4M3FN, tmem, align<1>>, %e: !cute.ptr<i8, tmem, align<1>>) -> !atom {
  %atom = cute.make_atom(%flag, %flag, %flag, %sf, %sf, %e) : (i1, i1, i1, !cute.ptr<f8E4M3FN, tmem, align<1>>, !cute.ptr<f8E4M3FN, tmem, align<1>>, !cute.ptr<i8, tmem, align<1>>) -> !atom
  return %atom : !atom
}
