// RUN: %opt %s | %opt | FileCheck %s

// Four rows of a box that is one row high.

// CHECK: @t0(!cute_nvgpu.atom.non_exec_2d_gather4_tma_load<sm_100, f16, copy_bits = 4096, tma_gbasis = <"(64,1):(1@1,1@0)">, tma_format = F16_RN>)
func.func private @t0(!cute_nvgpu.atom.non_exec_2d_gather4_tma_load<sm_100, f16, copy_bits = 4096, tma_gbasis = <"(64,1):(1@1,1@0)">, tma_format = F16_RN>)

// CHECK: @t1(!cute_nvgpu.atom.non_exec_2d_gather4_tma_load<sm_100_multicast, f16, copy_bits = 4096, tma_gbasis = <"(64,1):(1@1,1@0)">, tma_format = F16_RN>)
func.func private @t1(!cute_nvgpu.atom.non_exec_2d_gather4_tma_load<sm_100_multicast, f16, copy_bits = 4096, tma_gbasis = <"(64,1):(1@1,1@0)">, tma_format = F16_RN>)

// CHECK: @t2(!cute_nvgpu.atom.non_exec_2d_gather4_tma_load<sm_100_2sm, f16, copy_bits = 4096, tma_gbasis = <"(64,1):(1@1,1@0)">, tma_format = F16_RN>)
func.func private @t2(!cute_nvgpu.atom.non_exec_2d_gather4_tma_load<sm_100_2sm, f16, copy_bits = 4096, tma_gbasis = <"(64,1):(1@1,1@0)">, tma_format = F16_RN>)

// CHECK: @t3(!cute_nvgpu.atom.non_exec_2d_gather4_tma_load<sm_100_2sm_multicast, f16, copy_bits = 4096, tma_gbasis = <"(64,1):(1@1,1@0)">, tma_format = F16_RN>)
func.func private @t3(!cute_nvgpu.atom.non_exec_2d_gather4_tma_load<sm_100_2sm_multicast, f16, copy_bits = 4096, tma_gbasis = <"(64,1):(1@1,1@0)">, tma_format = F16_RN>)
