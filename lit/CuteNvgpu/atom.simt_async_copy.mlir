// RUN: %opt %s | %opt | FileCheck %s

// CHECK: @t0(!cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>)
func.func private @t0(!cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>)
// CHECK: @t1(!cute_nvgpu.atom.simt_async_copy<f16, cache = always, 32 b>)
func.func private @t1(!cute_nvgpu.atom.simt_async_copy<f16, cache = always, 32 b>)
// CHECK: @t2(!cute_nvgpu.atom.simt_async_copy<f32, cache = always>)
func.func private @t2(!cute_nvgpu.atom.simt_async_copy<f32, cache = always>)
