// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: expected a positive number of bits
func.func private @f(!cute_nvgpu.atom.bulk_reduce_s2s<i32 copy_bits = 0 kind = ADD>)

// -----
// CHECK: error: cp.reduce.async.bulk does not reduce elements of f32 in smem by ADD, only elements of u32, s32, u64
func.func private @f(!cute_nvgpu.atom.bulk_reduce_s2s<f32 copy_bits = 128 kind = ADD>)

// -----
// CHECK: error: cp.reduce.async.bulk does not reduce elements of u64 in smem by MAX, only elements of u32, s32
func.func private @f(!cute_nvgpu.atom.bulk_reduce_s2s<i64 copy_bits = 128 kind = MAX>)
