// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cuda-to-host,cute-to-base)' | FileCheck %s --check-prefix=BASE

// The bytes of the allocations in shared memory: 100, and 32 more at the next multiple of 128.

// CHECK-LABEL: @sizes(
// CHECK: cute.kernel_smem_size @kernels::@allocates : i64
// CHECK: cute.kernel_smem_size @kernels::@empty : i32
// BASE-LABEL: @sizes(
// BASE: %[[BYTES:.*]] = arith.constant 160 : i64
// BASE: %[[NONE:.*]] = arith.constant 0 : i32
// BASE: return %[[BYTES]], %[[NONE]] : i64, i32
module {
  gpu.module @kernels {
    cuda.kernel @allocates() {
      %0 = cute.memref.alloca() {smem.partition_id = 1 : i32} : !cute.memref<i8, smem, align<16>, "(100):(1)">
      %1 = cute.memref.alloca() {smem.partition_id = 1 : i32} : !cute.memref<f16, smem, align<128>, "(4,4):(1,4)">
      %2 = cute.memref.alloca() : !cute.memref<f16, rmem, align<128>, "(4,4):(1,4)">
      return
    }
    cuda.kernel @empty() {
      return
    }
  }
  func.func @sizes() -> (i64, i32) {
    %0 = cute.kernel_smem_size @kernels::@allocates : i64
    %1 = cute.kernel_smem_size @kernels::@empty : i32
    return %0, %1 : i64, i32
  }
}
