// RUN: %opt %s -split-input-file -verify-diagnostics

!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>
func.func @type(%arg0: !load) -> i32 {
  // expected-error @below {{'cute_nvgpu.atom.get_value' op result #0: declared i32 is not a weakening of !cute.ptr<i64, smem>: i32 is not !cute.ptr}}
  %0 = cute_nvgpu.atom.get_value(%arg0 : !load) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : i32
  return %0 : i32
}

// -----

!store = !cute_nvgpu.atom.tma_store<f16, copy_bits = 131072, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>
func.func @field(%arg0: !store) -> !cute.ptr<i64, smem> {
  // expected-error @below {{op !cute_nvgpu.atom.tma_store has no field #cute_nvgpu.atom_copy_field_tmastore<tma_bar>; it has #cute_nvgpu.atom_copy_field_tmastore<tma_descriptor_ptr>, #cute_nvgpu.atom_copy_field_tmastore<cache_policy>, #cute_nvgpu.atom_copy_field_tmastore<g_stride>}}
  %0 = cute_nvgpu.atom.get_value(%arg0 : !store) {field = #cute_nvgpu.atom_copy_field_tmastore<tma_bar>} : !cute.ptr<i64, smem>
  return %0 : !cute.ptr<i64, smem>
}

// -----

!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>
func.func @claim(%arg0: !load) -> !cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<128>> {
  // expected-error @below {{is not a weakening of !cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<64>>: the alignment is 64 bytes, declared 128}}
  %0 = cute_nvgpu.atom.get_value(%arg0 : !load) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_descriptor_ptr>} : !cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<128>>
  return %0 : !cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<128>>
}

// -----

// expected-error @below {{expected valid keyword}}
func.func private @attribute() attributes {field = #cute_nvgpu.atom_mma_field_sm90<1>}
