// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: there is no tcgen05.cp of 32 DP, 128 bit, 1 cta; there are, of 1 or 2 cta, 128 DP, 256 bit; 128 DP, 128 bit; 4 DP, 256 bit; 32 DP, 128 bit, x4; 64 DP, 128 bit, lw_0123; 64 DP, 128 bit, lw_0213
func.func private @f(!cute_nvgpu.atom.s2t_copy<f16, 32 DP, 128 bit, 1 cta>)

// -----
// CHECK: error: there is no tcgen05.cp of 128 DP, 256 bit, 4 cta
func.func private @f(!cute_nvgpu.atom.s2t_copy<f16, 128 DP, 256 bit, 4 cta>)

// -----
// CHECK: error: expected what is repeated: none, lw_0213, lw_0123, x4
func.func private @f(!cute_nvgpu.atom.s2t_copy<f16, 32 DP, 128 bit, 1 cta, x2>)

// -----
// CHECK: error: expected the contiguous mode: k, mn
func.func private @f(!cute_nvgpu.atom.sm100_s2t_copy_v2<f16, num_dp = 4, num_bit = 256, num_cta = 2, smem_major = n>)
