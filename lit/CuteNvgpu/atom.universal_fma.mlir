// RUN: %opt %s | %opt | FileCheck %s

// One thread, one element.

// CHECK: @t0(!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >)
func.func private @t0(!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32>)
// CHECK: @t1(!cute_nvgpu.atom.universal_fma<1x1x1, (f64, f64) -> f64 >)
func.func private @t1(!cute_nvgpu.atom.universal_fma<1x1x1, (f64, f64) -> f64 >)
// CHECK: @t2(!cute_nvgpu.atom.universal_fma<1x1x1, (f16, f16) -> f16 >)
func.func private @t2(!cute_nvgpu.atom.universal_fma<1x1x1, (f16, f16) -> f16 >)
// CHECK: @t3(!cute_nvgpu.atom.universal_fma<1x1x1, (bf16, bf16) -> bf16 >)
func.func private @t3(!cute_nvgpu.atom.universal_fma<1x1x1, (bf16, bf16) -> bf16 >)
// CHECK: @t4(!cute_nvgpu.atom.universal_fma<1x1x1, (i32, i32) -> i32 >)
func.func private @t4(!cute_nvgpu.atom.universal_fma<1x1x1, (i32, i32) -> i32 >)
