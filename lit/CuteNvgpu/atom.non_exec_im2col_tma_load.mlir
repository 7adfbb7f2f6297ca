// RUN: %opt %s | %opt | FileCheck %s

// The kinds of loads are those of boxes.

// CHECK: @t0(!cute_nvgpu.atom.non_exec_im2col_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64,1,1):(1@0,1@1,1@2,1@3)">, tma_format = F16_RN>)
func.func private @t0(!cute_nvgpu.atom.non_exec_im2col_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64,1,1):(1@0,1@1,1@2,1@3)">, tma_format = F16_RN>)

// CHECK: @t1(!cute_nvgpu.atom.non_exec_im2col_tma_load<sm_90_multicast, f16, copy_bits = 65536, tma_gbasis = <"(64,64,1,1):(1@0,1@1,1@2,1@3)">, tma_format = F16_RN>)
func.func private @t1(!cute_nvgpu.atom.non_exec_im2col_tma_load<sm_90_multicast, f16, copy_bits = 65536, tma_gbasis = <"(64,64,1,1):(1@0,1@1,1@2,1@3)">, tma_format = F16_RN>)

// CHECK: @t2(!cute_nvgpu.atom.non_exec_im2col_tma_load<sm_100_2sm, f16, copy_bits = 65536, tma_gbasis = <"(64,64,1,1):(1@0,1@1,1@2,1@3)">, tma_format = F16_RN>)
func.func private @t2(!cute_nvgpu.atom.non_exec_im2col_tma_load<sm_100_2sm, f16, copy_bits = 65536, tma_gbasis = <"(64,64,1,1):(1@0,1@1,1@2,1@3)">, tma_format = F16_RN>)

// CHECK: @t3(!cute_nvgpu.atom.non_exec_im2col_tma_load<sm_100_2sm_multicast, f16, copy_bits = 65536, tma_gbasis = <"(64,64,1,1):(1@0,1@1,1@2,1@3)">, tma_format = F16_RN>)
func.func private @t3(!cute_nvgpu.atom.non_exec_im2col_tma_load<sm_100_2sm_multicast, f16, copy_bits = 65536, tma_gbasis = <"(64,64,1,1):(1@0,1@1,1@2,1@3)">, tma_format = F16_RN>)
