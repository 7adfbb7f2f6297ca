// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Widths that no load has.

// CHECK: :[[#@LINE+1]]:54: error: 24 b is not a whole number of f32 elements (32 b each)
func.func private @f(!cute_nvgpu.atom.universal_copy<f32, 24 b>)

// -----
// CHECK: :[[#@LINE+1]]:54: error: 16 b is not a whole number of f32 elements (32 b each)
func.func private @f(!cute_nvgpu.atom.universal_copy<f32, 16 b>)

// -----
// CHECK: :[[#@LINE+1]]:54: error: 512 b is not one of 8, 16, 32, 64, 128, 256
func.func private @f(!cute_nvgpu.atom.universal_copy<f32, 512 b>)

// -----
// CHECK: :[[#@LINE+1]]:54: error: 24 b is not one of 8, 16, 32, 64, 128, 256
func.func private @f(!cute_nvgpu.atom.universal_copy<i6, 24 b>)

// -----
// CHECK: :[[#@LINE+1]]:59: error: expected a positive number of bits, such as 128 b
func.func private @f(!cute_nvgpu.atom.universal_copy<f32, 0 b>)

// -----
// CHECK: :[[#@LINE+1]]:62: error: expected 'b'
func.func private @f(!cute_nvgpu.atom.universal_copy<f32, 128>)

// -----
// CHECK: :[[#@LINE+1]]:54: error: element type index has no size
func.func private @f(!cute_nvgpu.atom.universal_copy<index>)

// -----
// CHECK: :[[#@LINE+1]]:54: error: element type vector<4xf32> has no size
func.func private @f(!cute_nvgpu.atom.universal_copy<vector<4xf32>>)

// -----

// expected-error @below {{expected a priority of eviction: evict_normal, evict_unchanged, evict_first, evict_last, no_allocate}}
func.func private @priority(!cute_nvgpu.atom.universal_copy<f32, 32 b, l1_cache_eviction_priority=never>)

// -----

// expected-error @below {{expected a memory space: gmem, smem, rmem, tmem, generic}}
func.func private @space(!cute_nvgpu.atom.universal_copy<f32, src_space = l2>)

// -----

!copy = !cute_nvgpu.atom.universal_copy<f32, src_space = gmem, dst_space = smem>
func.func @spaces(%atom: !copy, %src: !cute.memref<f32, gmem, "1:1">, %dst: !cute.memref<f32, rmem, "1:1">) {
  // expected-error @below {{'cute.copy' op this universal_copy copies gmem to smem, found gmem to rmem}}
  cute.copy(%atom, %src, %dst) : (!copy, !cute.memref<f32, gmem, "1:1">, !cute.memref<f32, rmem, "1:1">)
  return
}
