// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Widths that cp.async does not have.

// CHECK: :[[#@LINE+1]]:55: error: cache = global copies 128 b, not 64 b; cache = always copies 32, 64 or 128 b
func.func private @f(!cute_nvgpu.atom.simt_async_copy<f16, cache = global, 64 b>)

// -----
// CHECK: :[[#@LINE+1]]:55: error: cp.async copies 32, 64 or 128 b, not 16 b
func.func private @f(!cute_nvgpu.atom.simt_async_copy<f16, cache = always, 16 b>)

// -----
// CHECK: :[[#@LINE+1]]:55: error: cp.async copies 32, 64 or 128 b, not 16 b
func.func private @f(!cute_nvgpu.atom.simt_async_copy<f16, cache = always>)

// -----
// CHECK: :[[#@LINE+1]]:68: error: expected a cache mode: always, global
func.func private @f(!cute_nvgpu.atom.simt_async_copy<f16, cache = never, 128 b>)

// -----
// CHECK: :[[#@LINE+1]]:60: error: expected 'cache'
func.func private @f(!cute_nvgpu.atom.simt_async_copy<f16, 128 b>)
