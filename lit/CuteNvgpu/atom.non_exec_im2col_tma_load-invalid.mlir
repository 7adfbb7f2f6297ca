// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: expected a kind of load: sm_90, sm_90_multicast, sm_100_2sm, sm_100_2sm_multicast
func.func private @f(!cute_nvgpu.atom.non_exec_im2col_tma_load<sm_100, f16, copy_bits = 65536, tma_gbasis = <"(64,64,1,1):(1@0,1@1,1@2,1@3)">, tma_format = F16_RN>)

// -----
// CHECK: error: a box has 3 to 5 modes, but tma_gbasis (64,64):(1@0,1@1) has 2
func.func private @f(!cute_nvgpu.atom.non_exec_im2col_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@0,1@1)">, tma_format = F16_RN>)
