// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: expected a positive number of bits
func.func private @f(!cute_nvgpu.atom.bulk_reduce_s2g<f32 copy_bits = 0 kind = ADD>)

// -----
// CHECK: error: cp.async.bulk copies multiples of 16 bytes, but copy_bits = 64 is not such a multiple
func.func private @f(!cute_nvgpu.atom.bulk_reduce_s2g<f32 copy_bits = 64 kind = ADD>)

// -----
// CHECK: error: expected a reduction: ADD, MIN, MAX, INC, DEC, AND, OR, XOR
func.func private @f(!cute_nvgpu.atom.bulk_reduce_s2g<f32 copy_bits = 128 kind = MUL>)

// -----
// CHECK: error: cp.reduce.async.bulk does not reduce elements of f32 in gmem by INC, only elements of u32
func.func private @f(!cute_nvgpu.atom.bulk_reduce_s2g<f32 copy_bits = 128 kind = INC>)

// -----
// CHECK: error: cp.reduce.async.bulk does not reduce elements of f32 in gmem by MAX, only elements of u32, s32, u64, s64, f16, bf16
func.func private @f(!cute_nvgpu.atom.bulk_reduce_s2g<f32 copy_bits = 128 kind = MAX>)

// -----
// CHECK: error: cp.reduce.async.bulk does not reduce elements of u8 in gmem by ADD
func.func private @f(!cute_nvgpu.atom.bulk_reduce_s2g<i8 copy_bits = 128 kind = ADD>)
