// RUN: %opt %s | %opt | FileCheck %s

// tcgen05.st.

// CHECK: @t0(!cute_nvgpu.atom.tmem_store<f32, 32 DP, 32 bit, x2>)
func.func private @t0(!cute_nvgpu.atom.tmem_store<f32, 32 DP, 32 bit, x2>)
// CHECK: @t1(!cute_nvgpu.atom.tmem_store<bf16, 16 DP, 128 bit, x16>)
func.func private @t1(!cute_nvgpu.atom.tmem_store<bf16, 16 DP, 128 bit, x16>)
// CHECK: @t2(!cute_nvgpu.atom.tmem_store<f16, 32 DP, 32 bit, x8, expand16b>)
func.func private @t2(!cute_nvgpu.atom.tmem_store<f16, 32 DP, 32 bit, x8, expand16b>)
