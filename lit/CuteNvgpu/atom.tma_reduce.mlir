// RUN: %opt %s | %opt | FileCheck %s

// CHECK: @t0(!cute_nvgpu.atom.tma_reduce<f32, copy_bits = 262144, mode = tiled, kind = ADD, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>)
func.func private @t0(!cute_nvgpu.atom.tma_reduce<f32, copy_bits = 262144, mode = tiled, kind = ADD, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>)
