// RUN: %opt %s | %opt | FileCheck %s

// Four rows of a box that is one row high.

// CHECK: @t0(!cute_nvgpu.atom.non_exec_2d_scatter4_tma_store<f16, copy_bits = 4096, tma_gbasis = <"(64,1):(1@1,1@0)">, tma_format = F16_RN>)
func.func private @t0(!cute_nvgpu.atom.non_exec_2d_scatter4_tma_store<f16, copy_bits = 4096, tma_gbasis = <"(64,1):(1@1,1@0)">, tma_format = F16_RN>)
