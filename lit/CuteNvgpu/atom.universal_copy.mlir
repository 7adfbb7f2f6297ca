// RUN: %opt %s | %opt | FileCheck %s

// Bits of one call; without, one element.

// CHECK: @t0(!cute_nvgpu.atom.universal_copy<f16>)
func.func private @t0(!cute_nvgpu.atom.universal_copy<f16>)
// CHECK: @t1(!cute_nvgpu.atom.universal_copy<f16, 128 b>)
func.func private @t1(!cute_nvgpu.atom.universal_copy<f16, 128 b>)
// CHECK: @t2(!cute_nvgpu.atom.universal_copy<f32, 256 b>)
func.func private @t2(!cute_nvgpu.atom.universal_copy<f32, 256 b>)
// CHECK: @t3(!cute_nvgpu.atom.universal_copy<i8, 8 b>)
func.func private @t3(!cute_nvgpu.atom.universal_copy<i8, 8 b>)

// Properties of L1 accesses, and spaces.
// CHECK: @hints(!cute_nvgpu.atom.universal_copy<f32, 32 b, l1_cache_eviction_priority=no_allocate>, !cute_nvgpu.atom.universal_copy<f32, 128 b, src_space = gmem, dst_space = smem>, !cute_nvgpu.atom.universal_copy<f32, dst_space = rmem>)
func.func private @hints(!cute_nvgpu.atom.universal_copy<f32, 32 b, l1_cache_eviction_priority=no_allocate>, !cute_nvgpu.atom.universal_copy<f32, 128 b, src_space = gmem, dst_space = smem>, !cute_nvgpu.atom.universal_copy<f32, dst_space = rmem>)
