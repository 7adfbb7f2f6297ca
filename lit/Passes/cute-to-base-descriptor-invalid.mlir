// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' -verify-diagnostics

!a = !cute.memref<f16, gmem, align<16>, "(64,128):(1,64)">
!atom = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128):(1@0,1@1)">, tma_format = F16_RN>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%a: !a, %memory: !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(1,64)">, %values: !cute.layout<"(64,128):(1@0,1@1)">) kernel {
      // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_load' op: a descriptor is made by the host: pass it to the kernel}}
      %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1}> : (!a, !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(1,64)">, !cute.layout<"(64,128):(1@0,1@1)">) -> (!atom, !cute.coord_tensor<"(0,0)", "(64,128):(1@0,1@1)">)
      gpu.return
    }
  }
}
