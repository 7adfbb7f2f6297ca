// REQUIRES: cute-opt, cutec
// RUN: not %cutec import %s 2>&1 | FileCheck %s
// RUN: not %cutec %s --target sm_80 2>&1 | FileCheck %s

// A module of a version before 4.3, whose kernels are functions, is an error that names the first version that is read.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func public @k(%p: !cute.ptr<f32, gmem>) attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
      // CHECK: older-invalid.mlir:[[#@LINE+1]]:15: error: 'cute.atom' op of CuTe DSL before 4.3 is not supported: 4.3 is the first version that is read; trace the kernel with a later one
      %atom = cute.atom() : !cute_nvgpu.atom.simt_async_copy<bf16, cache = always, 128 b>
      return
    }
  }
}
