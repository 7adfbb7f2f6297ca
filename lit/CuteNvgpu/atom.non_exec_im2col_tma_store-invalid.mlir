// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: copy_bits = 1024 are not those of a box: 4096 elements of 16 bits have 65536
func.func private @f(!cute_nvgpu.atom.non_exec_im2col_tma_store<f16, copy_bits = 1024, tma_gbasis = <"(64,64,1,1):(1@0,1@1,1@2,1@3)">, tma_format = F16_RN>)
