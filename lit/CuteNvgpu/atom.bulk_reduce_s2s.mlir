// RUN: %opt %s | %opt | FileCheck %s

// Elements of shared memory.

// CHECK: @t0(!cute_nvgpu.atom.bulk_reduce_s2s<i32 copy_bits = 2048 kind = XOR>)
func.func private @t0(!cute_nvgpu.atom.bulk_reduce_s2s<i32 copy_bits = 2048 kind = XOR>)
