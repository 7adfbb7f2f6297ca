// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s

// CHECK-LABEL: @static(
// CHECK: cute.memref.store(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"(1,2)">, f32) -> ()
func.func @static(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, %arg1: !cute.coord<"(1,2)">, %arg2: f32) {
  cute.memref.store(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"(1,2)">, f32) -> ()
  return
}

// CHECK-LABEL: @predicate(
// CHECK: cute.memref.store(%arg0, %arg1, %arg2) : (!cute.memref<i8, rmem, "8:1">, !cute.coord<"?">, i8) -> ()
func.func @predicate(%arg0: !cute.memref<i8, rmem, "8:1">, %arg1: !cute.coord<"?">, %arg2: i8) {
  cute.memref.store(%arg0, %arg1, %arg2) : (!cute.memref<i8, rmem, "8:1">, !cute.coord<"?">, i8) -> ()
  return
}
