// RUN: %opt %s | %opt | FileCheck %s

// Matrices of a warp to shared memory: 8 x 8 of 16 bits, or 16 x 8 of bytes.

// CHECK: @t0(!cute_nvgpu.atom.stsm<f16, mode = <"(8,8)">, num_matrices = 1, n>)
func.func private @t0(!cute_nvgpu.atom.stsm<f16, mode = <"(8,8)">, num_matrices = 1, n>)
// CHECK: @t1(!cute_nvgpu.atom.stsm<f16, mode = <"(8,8)">, num_matrices = 2, t>)
func.func private @t1(!cute_nvgpu.atom.stsm<f16, mode = <"(8,8)">, num_matrices = 2, t>)
// CHECK: @t2(!cute_nvgpu.atom.stsm<bf16, mode = <"(8,8)">, num_matrices = 4, n>)
func.func private @t2(!cute_nvgpu.atom.stsm<bf16, mode = <"(8,8)">, num_matrices = 4, n>)
// CHECK: @t3(!cute_nvgpu.atom.stsm<i8, mode = <"(16,8)">, num_matrices = 4, t>)
func.func private @t3(!cute_nvgpu.atom.stsm<i8, mode = <"(16,8)">, num_matrices = 4, t>)
