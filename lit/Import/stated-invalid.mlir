// REQUIRES: cute-opt, cutec
// RUN: not %cutec import %s 2>&1 | FileCheck %s

// CHECK: stated-invalid.mlir:[[#@LINE+4]]:12: error: 'cute_nvgpu.make_tmem_layout_sfa' op makes !cute.layout<"(?):(1)">, which is supported where all of it is static
module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @k(%l: !cute.layout<"128:1">) attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %a = cute_nvgpu.make_tmem_layout_sfa(%l) : (!cute.layout<"128:1">) -> !cute.layout<"(?):(1)">
      cuda.return
    }
  }
}
