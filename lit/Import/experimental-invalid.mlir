// REQUIRES: cute-opt, cutec
// RUN: not %cutec import %s 2>&1 | FileCheck %s
// RUN: not %cutec host %s 2>&1 | FileCheck %s

// An op of cute.experimental is an error that says so, also in custom form.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @k(%n: i32) attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      // CHECK: experimental-invalid.mlir:[[#@LINE+1]]:12: error: 'lir.create_pipeline' op of CuTe DSL 4.7 and later is not supported: it belongs to the extension of CuTe DSL (cute_ext, cute.experimental), which has a compiler of its own; trace the kernel with CUTE_DSL_USE_EXTENSION_COMPILER=0 (4.8 and later), and write it without cute.experimental
      %p = lir.create_pipeline %n : i32 -> !lir.pipeline<2>
      cuda.return
    }
  }
}
