// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// The operands are what an atom is given at run time.

// BASE-LABEL: @accumulate(
// BASE-SAME: %[[C:.*]]: i1) -> i1
// BASE-NEXT: return %[[C]] : i1
// CHECK-LABEL: @accumulate(
// CHECK: cute.make_atom(%arg0) : (i1) -> !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
func.func @accumulate(%arg0: i1) -> !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss> {
  %0 = cute.make_atom(%arg0) : (i1) -> !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
  return %0 : !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
}

// CHECK-LABEL: @accumulate_and_negate(
// CHECK: cute.make_atom(%arg0, %arg1, %arg2) : (i1, i1, i1) -> !cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
func.func @accumulate_and_negate(%arg0: i1, %arg1: i1, %arg2: i1) -> !cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0> {
  %0 = cute.make_atom(%arg0, %arg1, %arg2) : (i1, i1, i1) -> !cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
  return %0 : !cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
}

// BASE-LABEL: @scales(
// BASE-SAME: -> (i1, i1, i1, i32, i32)
// BASE-NEXT: return %arg0, %arg1, %arg2, %arg3, %arg4 : i1, i1, i1, i32, i32
// CHECK-LABEL: @scales(
// CHECK: cute.make_atom(%arg0, %arg1, %arg2, %arg3, %arg4) : (i1, i1, i1, !cute.ptr<f8E8M0FNU, tmem, align<16>>, !cute.ptr<f8E8M0FNU, tmem, align<16>>) -> !cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>
func.func @scales(%arg0: i1, %arg1: i1, %arg2: i1, %arg3: !cute.ptr<f8E8M0FNU, tmem, align<16>>, %arg4: !cute.ptr<f8E8M0FNU, tmem, align<16>>) -> !cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32> {
  %0 = cute.make_atom(%arg0, %arg1, %arg2, %arg3, %arg4) : (i1, i1, i1, !cute.ptr<f8E8M0FNU, tmem, align<16>>, !cute.ptr<f8E8M0FNU, tmem, align<16>>) -> !cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>
  return %0 : !cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>
}

// Tilings and partitions are the algebra's, whatever the atom.

// CHECK-LABEL: @tiled(
// CHECK: cute.make_tiled_mma(%arg0) : !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
func.func @tiled(%arg0: !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>) -> !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">> {
  %0 = cute.make_tiled_mma(%arg0) : !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
  return %0 : !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
}

// CHECK-LABEL: @tiled_shape(
// CHECK: cute.tiled.mma.partition_shape C(%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !cute.shape<"(128,128)">) -> !cute.shape<"((2,2,16),2,1)">
func.func @tiled_shape(%arg0: !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, %arg1: !cute.shape<"(128,128)">) -> !cute.shape<"((2,2,16),2,1)"> {
  %0 = cute.tiled.mma.partition_shape C (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !cute.shape<"(128,128)">) -> !cute.shape<"((2,2,16),2,1)">
  return %0 : !cute.shape<"((2,2,16),2,1)">
}

// CHECK-LABEL: @pair_shape(
// CHECK: cute.tiled.mma.partition_shape A(%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm100.mma<256x256x16, num_cta = 2, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !cute.shape<"(256,64)">) -> !cute.shape<"((128,16),1,4)">
func.func @pair_shape(%arg0: !cute.tiled_mma<!cute_nvgpu.sm100.mma<256x256x16, num_cta = 2, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, %arg1: !cute.shape<"(256,64)">) -> !cute.shape<"((128,16),1,4)"> {
  %0 = cute.tiled.mma.partition_shape A (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm100.mma<256x256x16, num_cta = 2, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !cute.shape<"(256,64)">) -> !cute.shape<"((128,16),1,4)">
  return %0 : !cute.shape<"((128,16),1,4)">
}

