// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// All elements, in the order of the coordinates.

// CHECK-LABEL: @whole(
// CHECK: cute.memref.load_vec %arg0 : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
// BASE-LABEL: @whole(
// BASE-NEXT: %[[V0:.*]] = llvm.load %arg0 {alignment = 32 : i64} : !llvm.ptr -> vector<8xf32>
// BASE-NEXT: return %[[V0]] : vector<8xf32>
func.func @whole(%arg0: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">) -> vector<8xf32> {
  %0 = cute.memref.load_vec %arg0 : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
  return %0 : vector<8xf32>
}
