// RUN: %opt %s | %opt | FileCheck %s

// Bytes of shared memory.

// CHECK: @t0(!cute_nvgpu.atom.bulk_copy_s2s<bf16 copy_bits = 2048>)
func.func private @t0(!cute_nvgpu.atom.bulk_copy_s2s<bf16 copy_bits = 2048>)
