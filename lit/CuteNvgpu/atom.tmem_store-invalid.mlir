// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:50: error: there is no tcgen05.st of 64 DP, 32 bit, x4; there are, in powers of two, 16 DP, 32 bit, x1 to x128; 16 DP, 64 bit, x1 to x128; 16 DP, 128 bit, x1 to x64; 16 DP, 256 bit, x1 to x32; 32 DP, 32 bit, x1 to x128
func.func private @f(!cute_nvgpu.atom.tmem_store<f32, 64 DP, 32 bit, x4>)

// -----
// CHECK: :[[#@LINE+1]]:74: error: expected 'expand16b'
func.func private @f(!cute_nvgpu.atom.tmem_store<f16, 32 DP, 32 bit, x4, pack16b>)
