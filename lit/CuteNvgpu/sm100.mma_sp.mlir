// RUN: %opt %s | %opt | FileCheck %s

// tcgen05.mma.sp: half of A is stored, the metadata lie in tensor memory.

// CHECK: @t0(!cute_nvgpu.sm100.mma_sp<128x128x32, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), e_type = i8, sparse_metadata_format = tid, frag_kind = ss, c_scale_exp = 0>)
func.func private @t0(!cute_nvgpu.sm100.mma_sp<128x128x32, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), e_type = i8, sparse_metadata_format = tid, frag_kind = ss, c_scale_exp = 0>)
// CHECK: @t1(!cute_nvgpu.sm100.mma_sp<256x64x64, num_cta = 2, ab_major = (mn, k), elem_type = (f8E4M3FN, f8E5M2, f32), e_type = i8, sparse_metadata_format = tid, frag_kind = ss, c_scale_exp = 0>)
func.func private @t1(!cute_nvgpu.sm100.mma_sp<256x64x64, num_cta = 2, ab_major = (mn, k), elem_type = (f8E4M3FN, f8E5M2, f32), e_type = i8, sparse_metadata_format = tid, frag_kind = ss, c_scale_exp = 0>)
// CHECK: @t2(!cute_nvgpu.sm100.mma_sp<64x8x16, num_cta = 1, ab_major = (k, k), elem_type = (tf32, tf32, f32), e_type = i8, sparse_metadata_format = tid, frag_kind = ss, c_scale_exp = 0>)
func.func private @t2(!cute_nvgpu.sm100.mma_sp<64x8x16, num_cta = 1, ab_major = (k, k), elem_type = (tf32, tf32, f32), e_type = i8, sparse_metadata_format = tid, frag_kind = ss, c_scale_exp = 0>)

!atom = !cute_nvgpu.sm100.mma_sp<256x128x32, num_cta = 2, ab_major = (k, k), elem_type = (f16, f16, f32), e_type = i8, sparse_metadata_format = tid, frag_kind = ss, c_scale_exp = 0>
!tiled = !cute.tiled_mma<!atom, atom_layout_MNK = <"(1,1,1):(0,0,0)">>

// CHECK-LABEL: @tile
// CHECK: cute.make_atom(%arg0, %arg0, %arg0, %arg1) : (i1, i1, i1, !cute.ptr<i8, tmem, align<4>>) -> !cute_nvgpu.sm100.mma_sp
// CHECK: atom.set_value
// CHECK-SAME: #cute_nvgpu.atom_mma_field_sm100_sparse<e>
func.func @tile(%flag: i1, %e: !cute.ptr<i8, tmem, align<4>>, %f: !cute.ptr<i8, tmem, align<1>>, %mk: !cute.shape<"(256,64)">) -> (!tiled, !cute.shape<"((128,32),1,2)">) {
  %atom = cute.make_atom(%flag, %flag, %flag, %e) : (i1, i1, i1, !cute.ptr<i8, tmem, align<4>>) -> !atom
  %mma = cute.make_tiled_mma(%atom) : !tiled
  %shape = cute.tiled.mma.partition_shape A (%mma, %mk) : (!tiled, !cute.shape<"(256,64)">) -> !cute.shape<"((128,32),1,2)">
  %moved = cute_nvgpu.atom.set_value(%mma, %f : !cute.ptr<i8, tmem, align<1>>) {field = #cute_nvgpu.atom_mma_field_sm100_sparse<e>} : !tiled
  return %moved, %shape : !tiled, !cute.shape<"((128,32),1,2)">
}
