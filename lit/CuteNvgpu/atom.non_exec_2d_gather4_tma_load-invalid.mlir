// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: expected a kind of load: sm_100, sm_100_multicast, sm_100_2sm, sm_100_2sm_multicast
func.func private @f(!cute_nvgpu.atom.non_exec_2d_gather4_tma_load<sm_90, f16, copy_bits = 4096, tma_gbasis = <"(64,1):(1@1,1@0)">, tma_format = F16_RN>)

// -----
// CHECK: error: copy_bits = 1024 are not those of four boxes: 256 elements of 16 bits have 4096
func.func private @f(!cute_nvgpu.atom.non_exec_2d_gather4_tma_load<sm_100, f16, copy_bits = 1024, tma_gbasis = <"(64,1):(1@1,1@0)">, tma_format = F16_RN>)

// -----
// CHECK: error: a box has 2 modes, but tma_gbasis (64,64,1,1):(1@0,1@1,1@2,1@3) has 4
func.func private @f(!cute_nvgpu.atom.non_exec_2d_gather4_tma_load<sm_100, f16, copy_bits = 4096, tma_gbasis = <"(64,64,1,1):(1@0,1@1,1@2,1@3)">, tma_format = F16_RN>)
