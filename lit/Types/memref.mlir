// RUN: %opt %s | %opt | FileCheck %s

// A pointer and a layout.

// CHECK: @t0(!cute.memref<f32, gmem, "8:1">)
func.func private @t0(!cute.memref<f32, gmem, "8:1">)
// CHECK: @t1(!cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">)
func.func private @t1(!cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">)

// Swizzles: of the pointer, of the layout, of both.
// CHECK: @t2(!cute.memref<f16, smem, align<16>, S<3,4,3>, "(8,8):(8,1)">)
func.func private @t2(!cute.memref<f16, smem, align<16>, S<3,4,3>, "(8,8):(8,1)">)
// CHECK: @t3(!cute.memref<f16, smem, "S<3,3,3> o ?{div=16} o (8,8):(8,1)">)
func.func private @t3(!cute.memref<f16, smem, "S<3,3,3> o ?{div=16} o (8,8):(8,1)">)
// CHECK: @t4(!cute.memref<f16, smem, S<3,4,3>, "S<3,3,3> o 0 o (8,8):(8,1)">)
func.func private @t4(!cute.memref<f16, smem, S<3,4,3>, "S<3,3,3> o 0 o (8,8):(8,1)">)
// CHECK: @t5(!cute.memref<f16, smem, "S<0,4,3> o 0 o (8,8):(8,1)">)
func.func private @t5(!cute.memref<f16, smem, "S<0,4,3> o 0 o (8,8):(8,1)">)
