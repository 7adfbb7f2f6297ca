// REQUIRES: cutec
// RUN: not %cutec %s --target sm_90a --emit ptx 2>&1 | FileCheck %s

// Ops that no pass lowers are named, each where it is written.
gpu.module @m {
  gpu.func @k(%p: memref<16xf32>, %i: index) kernel {
    // CHECK: unlowered-invalid.mlir:[[#@LINE+1]]:10: error: 'memref.realloc' op: no pass lowers it to the llvm or nvvm dialect
    %0 = memref.realloc %p : memref<16xf32> to memref<32xf32>
    %1 = memref.load %0[%i] : memref<32xf32>
    memref.store %1, %p[%i] : memref<16xf32>
    // CHECK-NOT: LLVMTranslationDialectInterface
    gpu.return
  }
}
