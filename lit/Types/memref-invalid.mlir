// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Errors point at the column inside the string.

// CHECK: :[[#@LINE+1]]:44: error: expected ','
func.func private @f(!cute.memref<f32, gmem>)

// -----
// CHECK: :[[#@LINE+1]]:35: error: a memref has an element type: write <f32, gmem, "..">
func.func private @f(!cute.memref<gmem, "8:1">)

// -----
// CHECK: :[[#@LINE+1]]:40: error: expected a memory space: gmem, smem, rmem, tmem or generic
func.func private @f(!cute.memref<f32, 3>)

// -----
// CHECK: :[[#@LINE+1]]:56: error: invalid "(4,8):(1,": column 10: expected an integer, `?` or `(`, found the end
func.func private @f(!cute.memref<f32, gmem, "(4,8):(1,">)

// -----
// CHECK: :[[#@LINE+1]]:52: error: alignment must be a positive power of two, in bytes
func.func private @f(!cute.memref<f32, gmem, align<6>, "8:1">)

// -----
// CHECK: :[[#@LINE+1]]:46: error: a memref has integer strides; basis strides make a !cute.coord_tensor
func.func private @f(!cute.memref<f32, gmem, "(4,8):(1@0,1@1)">)

// -----
// CHECK: :[[#@LINE+1]]:47: error: invalid "S<3,4,2> o 0 o 8:1": column 1: S<3,4,2> is not a valid swizzle: bits >= 0, base >= 0, |shift| >= bits and base + |shift| + bits <= 32 are required
func.func private @f(!cute.memref<f32, gmem, "S<3,4,2> o 0 o 8:1">)

// -----
// CHECK: :[[#@LINE+1]]:35: error: `half` is not a type of MLIR: write f16
func.func private @f(!cute.memref<half, gmem, "8:1">)

// -----
// CHECK: :[[#@LINE+1]]:35: error: expected a type of elements, such as f16, bf16, f32, f8E4M3FN, i8 or i1
func.func private @f(!cute.memref<quarter, gmem, "8:1">)
