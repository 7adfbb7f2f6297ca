// RUN: %opt %s | %opt | FileCheck %s

// The form that the host makes. CuTe DSL 4.3 named a type of elements instead of the format.

// CHECK: @t0(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>)
func.func private @t0(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>)
// CHECK: @t1(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90_multicast, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>)
func.func private @t1(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90_multicast, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>)
// CHECK: @t2(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_100_2sm, bf16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = BF16_RN>)
func.func private @t2(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_100_2sm, bf16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, internal_val_type = bf16>)
// CHECK: @t3(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_100_2sm_multicast, f32, copy_bits = 262144, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = TF32_RN>)
func.func private @t3(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_100_2sm_multicast, f32, copy_bits = 262144, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, internal_val_type = tf32>)
// CHECK: @t4(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, i8, copy_bits = 1024, tma_gbasis = <"(128,1,1):(1@0,1@1@0@1,1@1@1)">, tma_format = U8>)
func.func private @t4(!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, i8, copy_bits = 1024, tma_gbasis = <"(128,1,1):(1@0,1@1@0@1,1@1@1)">>)
