// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: copy_bits = 1024 are not those of four boxes: 256 elements of 16 bits have 4096
func.func private @f(!cute_nvgpu.atom.non_exec_2d_scatter4_tma_store<f16, copy_bits = 1024, tma_gbasis = <"(64,1):(1@1,1@0)">, tma_format = F16_RN>)
