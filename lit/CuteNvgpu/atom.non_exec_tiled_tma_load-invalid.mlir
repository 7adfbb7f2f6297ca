// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:63: error: expected a kind of load: sm_90, sm_90_multicast, sm_100_2sm, sm_100_2sm_multicast
func.func private @f(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_80, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>)

// -----
// CHECK: :[[#@LINE+1]]:63: error: copy_bits = 65536 are not those of a box: 8192 elements of 16 bits have 131072
func.func private @f(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>)

// -----
// CHECK: :[[#@LINE+1]]:63: error: tma_format = F32_RN has 32 bits, but an element f16 has 16
func.func private @f(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F32_RN>)

// -----
// CHECK: :[[#@LINE+1]]:151: error: expected a format of elements: U8, U16, U32, S32, U64, S64, F16_RN, F32_RN, F64_RN, BF16_RN, F32_FTZ_RN, TF32_RN, TF32_FTZ_RN, U4, U4_UNPACK_U8, U6_UNPACK_U8
func.func private @f(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16>)

// -----
// CHECK: :[[#@LINE+1]]:63: error: tma_gbasis must map a static box to modes, such as (64,128):(1@1,1@0), found (64,128):(1,64)
func.func private @f(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128):(1,64)">>)

// -----
// CHECK: :[[#@LINE+1]]:63: error: tma_gbasis must map a static box to modes, such as (64,128):(1@1,1@0), found (64,?):(1@1,1@0)
func.func private @f(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,?):(1@1,1@0)">>)

// -----
// CHECK: :[[#@LINE+1]]:63: error: a box has 1 to 256 elements per mode, but mode 1 of tma_gbasis (16,512):(1@1,1@0) has 512
func.func private @f(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(16,512):(1@1,1@0)">>)

// -----
// CHECK: :[[#@LINE+1]]:63: error: a box has 1 to 5 modes, but tma_gbasis (32,1,1,1,1,1):(1@0,1@1,1@2,1@3,1@4,1@5) has 6
func.func private @f(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 512, tma_gbasis = <"(32,1,1,1,1,1):(1@0,1@1,1@2,1@3,1@4,1@5)">>)

// -----
// CHECK: :[[#@LINE+1]]:75: error: expected 'copy_bits'
func.func private @f(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>)
