// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s

// All elements, in the order of the coordinates.

// CHECK-LABEL: @whole(
// CHECK: cute.memref.load_vec %arg0 : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
func.func @whole(%arg0: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">) -> vector<8xf32> {
  %0 = cute.memref.load_vec %arg0 : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
  return %0 : vector<8xf32>
}
