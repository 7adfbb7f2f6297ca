// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s

// CHECK-LABEL: @static(
// CHECK: cute.memref.alloca() : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
func.func @static() -> !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)"> {
  %0 = cute.memref.alloca() : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
  return %0 : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
}

// CHECK-LABEL: @layout(
// CHECK: cute.memref.alloca(%arg0) : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
func.func @layout(%arg0: !cute.layout<"(4,2):(1,4)">) -> !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)"> {
  %0 = cute.memref.alloca(%arg0) : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
  return %0 : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
}
