// RUN: not %opt %s 2>&1 | FileCheck %s

// A wgmma of integers reads matrices along K only.
// CHECK: error: no wgmma has majors NN with A s8, B s8, C s32, D s32, shape m64n8k32; there are TN
func.func private @f(!cute_nvgpu.sm90.mma<64x8x32, ab_major = (mn, k), elem_type = (i8, i8, i32), frag_kind = ss>)
