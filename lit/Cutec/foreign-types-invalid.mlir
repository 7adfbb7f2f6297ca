// REQUIRES: cutec
// RUN: not %cutec %s --target sm_90a --emit ptx 2>&1 | FileCheck %s

// Types that the llvm dialect accepts within an array, and for which LLVM has none.
gpu.module @m {
  // CHECK: foreign-types-invalid.mlir:[[#@LINE+1]]:3: error: 'llvm.mlir.global' op: LLVM has no type for !llvm.array<2 x index>
  llvm.mlir.global internal @slots() {addr_space = 3 : i32} : !llvm.array<2 x index>
  llvm.func @k(%out: !llvm.ptr) attributes {nvvm.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    // CHECK: foreign-types-invalid.mlir:[[#@LINE+1]]:10: error: 'llvm.alloca' op: LLVM has no type for !llvm.array<3 x memref<4xf32>>
    %0 = llvm.alloca %c1 x !llvm.array<3 x memref<4xf32>> : (i32) -> !llvm.ptr
    llvm.store %0, %out : !llvm.ptr, !llvm.ptr
    llvm.return
  }
}
