// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Two partitions: 8 bytes at 0, and 100 bytes from 16 on, behind which 32 begin at the alignment of their type.

!barriers = !cute.memref<i64, smem, align<8>, "(1):(1)">
!bytes = !cute.memref<i8, smem, align<16>, "(100):(1)">
!tile = !cute.memref<f16, smem, align<128>, "(4,4):(1,4)">

// CHECK-LABEL: @sizes
// CHECK: cute.memref.alloca() {smem.partition_id = 1 : i32, smem.struct_fields = ["a:4:0", "b:96:4"]} : !cute.memref<i8, smem, align<16>, "(100):(1)">
// CHECK: cute.smem_partition_size() {partition_id = 0 : i32} : i32
// CHECK: cute.smem_partition_size() {cumulative, partition_id = 1 : i32} : i64
// BASE: llvm.mlir.global external @cute_dynamic_smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// BASE-LABEL: @sizes
// BASE-DAG: %[[RESERVED:.*]] = arith.constant 8 : i32
// BASE-DAG: %[[USER:.*]] = arith.constant 152 : i32
// BASE-DAG: %[[ALL:.*]] = arith.constant 160 : i64
// BASE-DAG: %[[BASE:.*]] = llvm.mlir.addressof @cute_dynamic_smem : !llvm.ptr<3>
// BASE-DAG: %[[BYTES:.*]] = llvm.getelementptr %[[BASE]][16] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// BASE-DAG: %[[TILE:.*]] = llvm.getelementptr %[[BASE]][128] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// BASE-DAG: llvm.store %[[RESERVED]]
// BASE-DAG: llvm.store %[[USER]]
// BASE-DAG: llvm.store %[[ALL]]
gpu.module @kernels {
  gpu.func @sizes(%out: !llvm.ptr<1>) kernel {
    %0 = cute.memref.alloca() {smem.partition_id = 1 : i32, smem.struct_fields = ["a:4:0", "b:96:4"]} : !bytes
    %1 = cute.memref.alloca() {smem.partition_id = 0 : i32} : !barriers
    %2 = cute.memref.alloca() : !tile
    %3 = cute.smem_partition_size() {partition_id = 0 : i32} : i32
    %4 = cute.smem_partition_size() {cumulative = false, partition_id = 1 : i32} : i32
    %5 = cute.smem_partition_size() {cumulative, partition_id = 1 : i32} : i64
    llvm.store %3, %out : i32, !llvm.ptr<1>
    llvm.store %4, %out : i32, !llvm.ptr<1>
    llvm.store %5, %out : i64, !llvm.ptr<1>
    %iter = cute.get_iter(%0) : !bytes
    %bytes = builtin.unrealized_conversion_cast %iter : !cute.ptr<i8, smem, align<16>> to !llvm.ptr<3>
    llvm.store %3, %bytes : i32, !llvm.ptr<3>
    %at = cute.get_iter(%2) : !tile
    %tile = builtin.unrealized_conversion_cast %at : !cute.ptr<f16, smem, align<128>> to !llvm.ptr<3>
    llvm.store %3, %tile : i32, !llvm.ptr<3>
    gpu.return
  }
}
