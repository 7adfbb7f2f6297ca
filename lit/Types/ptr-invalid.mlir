// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Errors point at the column inside the string.

// CHECK: :[[#@LINE+1]]:35: error: expected ','
func.func private @f(!cute.ptr<f32>)

// -----
// CHECK: :[[#@LINE+1]]:37: error: expected a memory space: gmem, smem, rmem, tmem or generic
func.func private @f(!cute.ptr<f32, hbm>)

// -----
// CHECK: :[[#@LINE+1]]:49: error: alignment must be a positive power of two, in bytes
func.func private @f(!cute.ptr<f32, gmem, align<3>>)

// -----
// CHECK: :[[#@LINE+1]]:49: error: alignment must be a positive power of two, in bytes
func.func private @f(!cute.ptr<f32, gmem, align<0>>)

// -----
// CHECK: :[[#@LINE+1]]:49: error: alignment must be a positive power of two, in bytes
func.func private @f(!cute.ptr<f32, gmem, align<-8>>)

// -----
// CHECK: :[[#@LINE+1]]:48: error: expected '<'
func.func private @f(!cute.ptr<f32, gmem, align>)

// -----
// CHECK: :[[#@LINE+1]]:43: error: S<3,4,2> is not a valid swizzle: bits >= 0, base >= 0, |shift| >= bits and base + |shift| + bits <= 32 are required
func.func private @f(!cute.ptr<f32, gmem, S<3,4,2>>)

// -----
// CHECK: :[[#@LINE+1]]:47: error: expected an integer
func.func private @f(!cute.ptr<f32, gmem, S<3,x,3>>)

// -----
// CHECK: :[[#@LINE+1]]:43: error: expected align<N> or a swizzle S<bits,base,shift>
func.func private @f(!cute.ptr<f32, gmem, "8:1">)

// -----
// CHECK: :[[#@LINE+1]]:43: error: expected align<N> or a swizzle S<bits,base,shift>
func.func private @f(!cute.ptr<f32, gmem, aligned<4>>)

// -----

// expected-error @below {{a swizzle permutes bytes; tensor memory is addressed by lanes and columns}}
func.func private @swizzled_tmem(!cute.ptr<f16, tmem, S<3,4,3>>)
