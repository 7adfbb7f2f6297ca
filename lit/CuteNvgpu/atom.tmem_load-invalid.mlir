// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:49: error: there is no tcgen05.ld of 32 DP, 64 bit, x4; there are, in powers of two, 16 DP, 32 bit, x1 to x128; 16 DP, 64 bit, x1 to x128; 16 DP, 128 bit, x1 to x64; 16 DP, 256 bit, x1 to x32; 32 DP, 32 bit, x1 to x128
func.func private @f(!cute_nvgpu.atom.tmem_load<f32, 32 DP, 64 bit, x4>)

// -----
// CHECK: :[[#@LINE+1]]:49: error: there is no tcgen05.ld of 16 DP, 256 bit, x64; there are, in powers of two, 16 DP, 32 bit, x1 to x128; 16 DP, 64 bit, x1 to x128; 16 DP, 128 bit, x1 to x64; 16 DP, 256 bit, x1 to x32; 32 DP, 32 bit, x1 to x128
func.func private @f(!cute_nvgpu.atom.tmem_load<f32, 16 DP, 256 bit, x64>)

// -----
// CHECK: :[[#@LINE+1]]:49: error: there is no tcgen05.ld of 32 DP, 32 bit, x3; there are, in powers of two, 16 DP, 32 bit, x1 to x128; 16 DP, 64 bit, x1 to x128; 16 DP, 128 bit, x1 to x64; 16 DP, 256 bit, x1 to x32; 32 DP, 32 bit, x1 to x128
func.func private @f(!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x3>)

// -----
// CHECK: :[[#@LINE+1]]:69: error: expected how often the shape repeats, such as x4
func.func private @f(!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, 4>)

// -----
// CHECK: :[[#@LINE+1]]:73: error: expected 'pack16b'
func.func private @f(!cute_nvgpu.atom.tmem_load<f16, 32 DP, 32 bit, x4, expand16b>)

// -----
// CHECK: :[[#@LINE+1]]:54: error: expected a number of lanes, such as 32 DP
func.func private @f(!cute_nvgpu.atom.tmem_load<f32, 0 DP, 32 bit, x4>)
