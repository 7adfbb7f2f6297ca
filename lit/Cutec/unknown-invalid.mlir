// REQUIRES: cute-opt, cutec
// RUN: not %cutec %s --target sm_100a 2>&1 | FileCheck %s

// The nvvm dialect accepts ops that it does not have. They are errors at their places, before LLVM's translation.

gpu.module @kernels {
  gpu.func @k(%n: i32) kernel {
    // CHECK: unknown-invalid.mlir:[[#@LINE+1]]:5: error: 'nvvm.sleep.well' op is not known; it may be one of a newer CuTe DSL
    "nvvm.sleep.well"(%n) : (i32) -> ()
    gpu.return
  }
}
