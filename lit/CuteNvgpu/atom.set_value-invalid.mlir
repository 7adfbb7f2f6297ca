// RUN: %opt %s -split-input-file -verify-diagnostics

!wgmma = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
func.func @type(%arg0: !wgmma, %arg1: i32) -> !wgmma {
  // expected-error @below {{'cute_nvgpu.atom.set_value' op accum_c must be i1, found i32}}
  %0 = cute_nvgpu.atom.set_value(%arg0, %arg1 : i32) {field = #cute_nvgpu.atom_mma_field_sm90<accum_c>} : !wgmma
  return %0 : !wgmma
}

// -----

!wgmma = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
func.func @field(%arg0: !wgmma, %arg1: i1) -> !wgmma {
  // expected-error @below {{'cute_nvgpu.atom.set_value' op !cute_nvgpu.sm90.mma has no field #cute_nvgpu.atom_mma_field_sm90<neg_a>; it has #cute_nvgpu.atom_mma_field_sm90<accum_c>}}
  %0 = cute_nvgpu.atom.set_value(%arg0, %arg1 : i1) {field = #cute_nvgpu.atom_mma_field_sm90<neg_a>} : !wgmma
  return %0 : !wgmma
}

// -----

// Another atom's field of the same name.
!mma = !cute.tiled_mma<!cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
func.func @family(%arg0: !mma, %arg1: i1) -> !mma {
  // expected-error @below {{op !cute.tiled_mma has no field #cute_nvgpu.atom_mma_field_sm90<accum_c>; it has #cute_nvgpu.atom_mma_field_sm100<accum_c>, #cute_nvgpu.atom_mma_field_sm100<neg_a>, #cute_nvgpu.atom_mma_field_sm100<neg_b>}}
  %0 = cute_nvgpu.atom.set_value(%arg0, %arg1 : i1) {field = #cute_nvgpu.atom_mma_field_sm90<accum_c>} : !mma
  return %0 : !mma
}

// -----

!atom = !cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
func.func @lanes(%arg0: !atom, %arg1: vector<4xi32>) -> !atom {
  // expected-error @below {{'cute_nvgpu.atom.set_value' op the type of the atom lacks disable_output_lane; an atom whose type says `disable_output_lane = true` has that field, too}}
  %0 = cute_nvgpu.atom.set_value(%arg0, %arg1 : vector<4xi32>) {field = #cute_nvgpu.atom_mma_field_sm100<disable_output_lane>} : !atom
  return %0 : !atom
}

// -----

!fma = !cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >
func.func @none(%arg0: !fma, %arg1: i1) -> !fma {
  // expected-error @below {{'cute_nvgpu.atom.set_value' op !cute_nvgpu.atom.universal_fma has no run-time state}}
  %0 = cute_nvgpu.atom.set_value(%arg0, %arg1 : i1) {field = #cute_nvgpu.atom_mma_field_sm90<accum_c>} : !fma
  return %0 : !fma
}

// -----

func.func @no_atom(%arg0: i32, %arg1: i1) -> i32 {
  // expected-error @below {{'cute_nvgpu.atom.set_value' op i32 has no run-time state}}
  %0 = cute_nvgpu.atom.set_value(%arg0, %arg1 : i1) {field = #cute_nvgpu.atom_mma_field_sm90<accum_c>} : i32
  return %0 : i32
}

// -----

!wgmma = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
func.func @no_field(%arg0: !wgmma, %arg1: i1) -> !wgmma {
  // expected-error @below {{'cute_nvgpu.atom.set_value' op attribute 'field' must be a field of an atom, such as #cute_nvgpu.atom_mma_field_sm90<accum_c>}}
  %0 = cute_nvgpu.atom.set_value(%arg0, %arg1 : i1) {field = 1 : i32} : !wgmma
  return %0 : !wgmma
}

// -----

!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>
func.func @space(%arg0: !load, %arg1: !cute.ptr<i64, gmem>) -> !load {
  // expected-error @below {{op tma_bar must be !cute.ptr<i64, smem>, found !cute.ptr<i64, gmem>: the memory space is gmem, declared smem}}
  %0 = cute_nvgpu.atom.set_value(%arg0, %arg1 : !cute.ptr<i64, gmem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load
  return %0 : !load
}

// -----

!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>
func.func @alignment(%arg0: !load, %arg1: !cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<16>>) -> !load {
  // expected-error @below {{op tma_descriptor_ptr must be !cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<64>>, found !cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<16>>: the alignment is 16 bytes, declared 64}}
  %0 = cute_nvgpu.atom.set_value(%arg0, %arg1 : !cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<16>>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_descriptor_ptr>} : !load
  return %0 : !load
}

// -----

!store = !cute_nvgpu.atom.tma_store<f16, copy_bits = 65536, mode = tiled, g_stride = <"(?{i64 div=8})"> tma_gbasis = <"(32,128,1):(1@1,1@0,1@2)">>
func.func @divisor(%arg0: !store, %arg1: !cute.int_tuple<"(?{i64 div=4})">) -> !store {
  // expected-error @below {{op g_stride must be !cute.int_tuple<"(?{i64 div=8})">, found !cute.int_tuple<"(?{i64 div=4})">: mode 0 is `?{i64 div=4}`, declared `?{i64 div=8}`: the divisor is more than what is known}}
  %0 = cute_nvgpu.atom.set_value(%arg0, %arg1 : !cute.int_tuple<"(?{i64 div=4})">) {field = #cute_nvgpu.atom_copy_field_tmastore<g_stride>} : !store
  return %0 : !store
}
