// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:53: error: an fma of one thread has shape 1x1x1, not 2x1x1
func.func private @f(!cute_nvgpu.atom.universal_fma<2x1x1, (f32, f32) -> f32 >)

// -----
// CHECK: :[[#@LINE+1]]:53: error: an fma of one thread has one type of numbers, not (f16, f16) -> f32
func.func private @f(!cute_nvgpu.atom.universal_fma<1x1x1, (f16, f16) -> f32 >)

// -----
// CHECK: :[[#@LINE+1]]:53: error: an fma of one thread computes with f64, f32, f16, bf16 or i32, not f8E4M3FN
func.func private @f(!cute_nvgpu.atom.universal_fma<1x1x1, (f8E4M3FN, f8E4M3FN) -> f8E4M3FN >)

// -----
// CHECK: :[[#@LINE+1]]:53: error: expected 3 extents, found 2
func.func private @f(!cute_nvgpu.atom.universal_fma<1x1, (f32, f32) -> f32 >)

// -----
// CHECK: :[[#@LINE+1]]:70: error: expected '->'
func.func private @f(!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32)>)

// -----
// CHECK: :[[#@LINE+1]]:53: error: an fma of one thread has shape 1x1x1, not 1x1x0
func.func private @f(!cute_nvgpu.atom.universal_fma<1x1x0, (f32, f32) -> f32 >)
