// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @static(
// CHECK: cute.memref.alloca() : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
// BASE-LABEL: @static(
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: %[[V0:.*]] = llvm.alloca %[[C1]] x !llvm.array<8 x f32> {alignment = 32 : i64} : (i32) -> !llvm.ptr
// BASE-NEXT: return %[[V0]] : !llvm.ptr
func.func @static() -> !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)"> {
  %0 = cute.memref.alloca() : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
  return %0 : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
}

// CHECK-LABEL: @layout(
// CHECK: cute.memref.alloca(%arg0) : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
// BASE-LABEL: @layout(
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: %[[V0:.*]] = llvm.alloca %[[C1]] x !llvm.array<8 x f32> {alignment = 32 : i64} : (i32) -> !llvm.ptr
// BASE-NEXT: return %[[V0]] : !llvm.ptr
func.func @layout(%arg0: !cute.layout<"(4,2):(1,4)">) -> !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)"> {
  %0 = cute.memref.alloca(%arg0) : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
  return %0 : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
}

// The inner layout of a composed layout determines its reach: the last element is at (1+2) + (1+2)*4.
// CHECK-LABEL: @composed(
// BASE-LABEL: @composed(
// BASE: llvm.alloca %{{.*}} x !llvm.array<16 x f32>
func.func @composed() -> !cute.memref<f32, rmem, align<32>, "(4,4):(1,4) o (1,1) o (3,3):(1@0,1@1)"> {
  %0 = cute.memref.alloca() : !cute.memref<f32, rmem, align<32>, "(4,4):(1,4) o (1,1) o (3,3):(1@0,1@1)">
  return %0 : !cute.memref<f32, rmem, align<32>, "(4,4):(1,4) o (1,1) o (3,3):(1@0,1@1)">
}
