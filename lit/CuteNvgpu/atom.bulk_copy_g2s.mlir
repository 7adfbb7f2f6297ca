// RUN: %opt %s | %opt | FileCheck %s

// Bytes to one CTA, or to several.

// CHECK: @t0(!cute_nvgpu.atom.bulk_copy_g2s<f32 copy_bits = 4096>)
func.func private @t0(!cute_nvgpu.atom.bulk_copy_g2s<f32 copy_bits = 4096>)

// CHECK: @t1(!cute_nvgpu.atom.bulk_copy_g2s<f32 copy_bits = 128 mcast = true>)
func.func private @t1(!cute_nvgpu.atom.bulk_copy_g2s<f32 copy_bits = 128 mcast = true>)
