// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @count(%arg0: i1) -> !cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0> {
  // expected-error @below {{'cute.make_atom' op expects 3 operands, the run-time state of this atom: accum_c, neg_a, neg_b, found 1 operands}}
  %0 = cute.make_atom(%arg0) : (i1) -> !cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
  return %0 : !cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
}

// -----

!umma = !cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
func.func @lanes(%arg0: i1, %arg1: vector<4xi32>) -> !umma {
  // expected-error @below {{'cute.make_atom' op expects 3 operands, the run-time state of this atom: accum_c, neg_a, neg_b; an atom whose type says `disable_output_lane = true` has that field, too, found 4 operands}}
  %0 = cute.make_atom(%arg0, %arg0, %arg0, %arg1) : (i1, i1, i1, vector<4xi32>) -> !umma
  return %0 : !umma
}

// -----

!umma = !cute_nvgpu.sm100.mma<256x256x16, num_cta = 2, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0, disable_output_lane = true>
func.func @lanes_of_a_pair(%arg0: i1, %arg1: vector<4xi32>) -> !umma {
  // expected-error @below {{'cute.make_atom' op disable_output_lane must be vector<8xi32>, found vector<4xi32>}}
  %0 = cute.make_atom(%arg0, %arg0, %arg0, %arg1) : (i1, i1, i1, vector<4xi32>) -> !umma
  return %0 : !umma
}

// -----

!umma = !cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
func.func @no_lanes(%arg0: !umma, %arg1: vector<4xi32>) -> !umma {
  // expected-error @below {{'cute_nvgpu.atom.set_value' op the type of the atom lacks disable_output_lane; an atom whose type says `disable_output_lane = true` has that field, too}}
  %0 = cute_nvgpu.atom.set_value(%arg0, %arg1 : vector<4xi32>) {field = #cute_nvgpu.atom_mma_field_sm100<disable_output_lane>} : !umma
  return %0 : !umma
}

// -----

func.func @flag(%arg0: i32) -> !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss> {
  // expected-error @below {{'cute.make_atom' op accum_c must be i1, found i32}}
  %0 = cute.make_atom(%arg0) : (i32) -> !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
  return %0 : !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
}

// -----

func.func @pointer(%arg0: i1, %arg1: i1, %arg2: i1, %arg3: i1, %arg4: i1) -> !cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32> {
  // expected-error @below {{'cute.make_atom' op sf_a must be !cute.ptr<f8E8M0FNU, tmem>, found i1}}
  %0 = cute.make_atom(%arg0, %arg1, %arg2, %arg3, %arg4) : (i1, i1, i1, i1, i1) -> !cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>
  return %0 : !cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>
}

// -----

func.func @tma(%arg0: !cute_nvgpu.atom.tma_store<f16, copy_bits = 131072, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,128):(1@1,1@0)">>, %arg1: !cute.memref<f16, smem, align<128>, "((8192,1)):((1,0))">, %arg2: !cute.memref<f16, gmem, align<128>, "((8192,1)):((1,0))">) {
  // expected-error @below {{'cute.copy' op the TMA takes coordinates: the destination must be a coord_tensor, but is !cute.memref}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.tma_store<f16, copy_bits = 131072, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,128):(1@1,1@0)">>, !cute.memref<f16, smem, align<128>, "((8192,1)):((1,0))">, !cute.memref<f16, gmem, align<128>, "((8192,1)):((1,0))">)
  return
}

// -----

func.func @tensor_memory(%arg0: !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x2>, %arg1: !cute.memref<f32, rmem, align<16>, "((64,1)):((1,0))">, %arg2: !cute.memref<f32, rmem, align<16>, "((2,1)):((1,0))">) {
  // expected-error @below {{'cute.copy' op tcgen05.ld copies tmem to rmem, found rmem to rmem; use universal_copy}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x2>, !cute.memref<f32, rmem, align<16>, "((64,1)):((1,0))">, !cute.memref<f32, rmem, align<16>, "((2,1)):((1,0))">)
  return
}
