// RUN: %opt %s --pass-pipeline='builtin.module(gpu.module(cute-to-base))' | FileCheck %s

// Each module has symbols of its own, and those that it has already are kept.
// CHECK: gpu.module @one
// CHECK: llvm.mlir.global internal @cute_smem_1() {{.*}} !llvm.array<65 x f32>
// CHECK: llvm.mlir.global internal @cute_smem_0() {{.*}} !llvm.array<64 x f32>
// CHECK: gpu.module @two
// CHECK: llvm.mlir.global internal @cute_smem_1() {{.*}} !llvm.array<66 x f32>
// CHECK: llvm.mlir.global external @cute_smem_0
gpu.module @one {
  gpu.func @k0() kernel {
    %0 = cute.memref.alloc_smem() : !cute.memref<f32, smem, align<16>, "(64):(1)">
    gpu.return
  }
  gpu.func @k1() kernel {
    %0 = cute.memref.alloc_smem() : !cute.memref<f32, smem, align<16>, "(65):(1)">
    gpu.return
  }
}
gpu.module @two {
  llvm.mlir.global external @cute_smem_0() : i32
  gpu.func @k0() kernel {
    %0 = cute.memref.alloc_smem() : !cute.memref<f32, smem, align<16>, "(66):(1)">
    gpu.return
  }
}
