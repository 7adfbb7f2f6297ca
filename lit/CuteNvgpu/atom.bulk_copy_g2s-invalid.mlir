// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: cp.async.bulk copies multiples of 16 bytes, but copy_bits = 64 is not such a multiple
func.func private @f(!cute_nvgpu.atom.bulk_copy_g2s<f32 copy_bits = 64>)

// -----
// CHECK: error: expected 'copy_bits'; a !cute_nvgpu.atom.bulk_copy_g2s is written <f32 copy_bits = 4096 mcast = true>
func.func private @f(!cute_nvgpu.atom.bulk_copy_g2s<f32, copy_bits = 128>)
