// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s

// CHECK-LABEL: @whole(
// CHECK: cute.memref.store_vec %arg0, %arg1 : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
func.func @whole(%arg0: vector<8xf32>, %arg1: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">) {
  cute.memref.store_vec %arg0, %arg1 : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
  return
}
