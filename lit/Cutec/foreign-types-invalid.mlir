// REQUIRES: cutec
// RUN: not %cutec %s --target sm_90a --emit ptx 2>&1 | FileCheck %s

// Types that the llvm dialect accepts within an array, and for which LLVM has none.
gpu.module @m {
  // CHECK: foreign-types-invalid.mlir:[[#@LINE+1]]:3: error: 'llvm.mlir.global' op: LLVM has no type for !llvm.array<2 x index>
  llvm.mlir.global internal @slots() {addr_space = 3 : i32} : !llvm.array<2 x index>
  llvm.func @k() attributes {nvvm.kernel} {
    // CHECK: foreign-types-invalid.mlir:[[#@LINE+1]]:10: error: 'llvm.mlir.undef' op: LLVM has no type for !llvm.array<3 x memref<4xf32>>
    %0 = llvm.mlir.undef : !llvm.array<3 x memref<4xf32>>
    llvm.return
  }
}
