// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s

// CHECK-LABEL: @static(
// CHECK: cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"(1,2)">) -> f32
func.func @static(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, %arg1: !cute.coord<"(1,2)">) -> f32 {
  %0 = cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"(1,2)">) -> f32
  return %0 : f32
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">, !cute.coord<"(?,2)">) -> f32
func.func @dynamic(%arg0: !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">, %arg1: !cute.coord<"(?,2)">) -> f32 {
  %0 = cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">, !cute.coord<"(?,2)">) -> f32
  return %0 : f32
}

// CHECK-LABEL: @integer(
// CHECK: cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"?">) -> f32
func.func @integer(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, %arg1: !cute.coord<"?">) -> f32 {
  %0 = cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"?">) -> f32
  return %0 : f32
}
