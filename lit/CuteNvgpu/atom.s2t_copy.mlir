// RUN: %opt %s | %opt | FileCheck %s

// tcgen05.cp: lanes (data paths), bits of a lane, CTAs, what arrives more than once.

// CHECK: @t0(!cute_nvgpu.atom.s2t_copy<f8E8M0FNU, 32 DP, 128 bit, 1 cta, x4>)
func.func private @t0(!cute_nvgpu.atom.s2t_copy<f8E8M0FNU, 32 DP, 128 bit, 1 cta, x4>)
// CHECK: @t1(!cute_nvgpu.atom.s2t_copy<f16, 128 DP, 256 bit, 2 cta>)
func.func private @t1(!cute_nvgpu.atom.s2t_copy<f16, 128 DP, 256 bit, 2 cta, none>)
// CHECK: @t2(!cute_nvgpu.atom.s2t_copy<f16, 64 DP, 128 bit, 1 cta, lw_0213>)
func.func private @t2(!cute_nvgpu.atom.s2t_copy<f16, 64 DP, 128 bit, 1 cta, lw_0213>)
// CHECK: @t3(!cute_nvgpu.atom.sm100_s2t_copy_v2<f8E8M0FNU, num_dp = 32, num_bit = 128, num_cta = 1, smem_major = k, broadcast = x4>)
func.func private @t3(!cute_nvgpu.atom.sm100_s2t_copy_v2<f8E8M0FNU, num_dp = 32, num_bit = 128, num_cta = 1, smem_major = k, broadcast = x4>)
// CHECK: @t4(!cute_nvgpu.atom.sm100_s2t_copy_v2<f16, num_dp = 4, num_bit = 256, num_cta = 2, smem_major = k>)
func.func private @t4(!cute_nvgpu.atom.sm100_s2t_copy_v2<f16, num_dp = 4, num_bit = 256, num_cta = 2, smem_major = k>)

// CHECK-LABEL: func @make
func.func @make() {
  // CHECK: cute.make_atom() : () -> !cute_nvgpu.atom.s2t_copy<f8E8M0FNU, 32 DP, 128 bit, 1 cta, x4>
  %0 = cute.make_atom() : () -> !cute_nvgpu.atom.s2t_copy<f8E8M0FNU, 32 DP, 128 bit, 1 cta, x4>
  return
}
