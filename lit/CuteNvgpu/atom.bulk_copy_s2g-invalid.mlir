// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: expected '>'
func.func private @f(!cute_nvgpu.atom.bulk_copy_s2g<f32 copy_bits = 128 mcast = true>)

// -----
// CHECK: error: expected a positive number of bits
func.func private @f(!cute_nvgpu.atom.bulk_copy_s2g<f32 copy_bits = 0>)
