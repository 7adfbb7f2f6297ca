// RUN: %opt %s | %opt | FileCheck %s

// tcgen05.ld: lanes (data paths), bits of a lane, repeats.

// CHECK: @t0(!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x64>)
func.func private @t0(!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x64>)
// CHECK: @t1(!cute_nvgpu.atom.tmem_load<f32, 16 DP, 256 bit, x4>)
func.func private @t1(!cute_nvgpu.atom.tmem_load<f32, 16 DP, 256 bit, x4>)
// CHECK: @t2(!cute_nvgpu.atom.tmem_load<f16, 16 DP, 128 bit, x1, pack16b>)
func.func private @t2(!cute_nvgpu.atom.tmem_load<f16, 16 DP, 128 bit, x1, pack16b>)
