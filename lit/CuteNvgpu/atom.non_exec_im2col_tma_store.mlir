// RUN: %opt %s | %opt | FileCheck %s

// Pixels that a filter reaches.

// CHECK: @t0(!cute_nvgpu.atom.non_exec_im2col_tma_store<f16, copy_bits = 65536, tma_gbasis = <"(64,64,1,1):(1@0,1@1,1@2,1@3)">, tma_format = F16_RN>)
func.func private @t0(!cute_nvgpu.atom.non_exec_im2col_tma_store<f16, copy_bits = 65536, tma_gbasis = <"(64,64,1,1):(1@0,1@1,1@2,1@3)">, tma_format = F16_RN>)
