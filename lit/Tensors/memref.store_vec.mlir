// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @whole(
// CHECK: cute.memref.store_vec %arg0, %arg1 : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
// BASE-LABEL: @whole(
// BASE-NEXT: llvm.store %arg0, %arg1 {alignment = 32 : i64} : vector<8xf32>, !llvm.ptr
// BASE-NEXT: return
func.func @whole(%arg0: vector<8xf32>, %arg1: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">) {
  cute.memref.store_vec %arg0, %arg1 : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
  return
}
