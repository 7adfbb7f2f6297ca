// RUN: %opt %s | %opt | FileCheck %s

// Elements of shared memory.

// CHECK: @t0(!cute_nvgpu.atom.bulk_reduce_s2g<bf16 copy_bits = 2048 kind = ADD>)
func.func private @t0(!cute_nvgpu.atom.bulk_reduce_s2g<bf16 copy_bits = 2048 kind = ADD>)
// CHECK: @t1(!cute_nvgpu.atom.bulk_reduce_s2g<si64 copy_bits = 128 kind = MIN>)
func.func private @t1(!cute_nvgpu.atom.bulk_reduce_s2g<si64 copy_bits = 128 kind = MIN>)
// CHECK: @t2(!cute_nvgpu.atom.bulk_reduce_s2g<f64 copy_bits = 128 kind = ADD>)
func.func private @t2(!cute_nvgpu.atom.bulk_reduce_s2g<f64 copy_bits = 128 kind = ADD>)
