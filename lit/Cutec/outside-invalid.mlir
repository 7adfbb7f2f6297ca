// REQUIRES: cutec
// RUN: not %cutec %s --target sm_90a --emit ptx 2>&1 | FileCheck %s

// An instruction beside the functions of a module, which MLIR's translation to LLVM does not survive.
gpu.module @m {
  gpu.func @k() kernel {
    gpu.return
  }
  // CHECK: outside-invalid.mlir:[[#@LINE+1]]:3: error: 'nvvm.setmaxregister' op: it is outside of the functions of its module; move it into a kernel
  nvvm.setmaxregister decrease 40
}
