// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @static(
// CHECK: cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"(1,2)">) -> f32
// BASE-LABEL: @static(
// BASE-NEXT: %[[V0:.*]] = llvm.getelementptr %arg0[10] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V1:.*]] = llvm.load %[[V0]] {alignment = 8 : i64} : !llvm.ptr<1> -> f32
// BASE-NEXT: return %[[V1]] : f32
func.func @static(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, %arg1: !cute.coord<"(1,2)">) -> f32 {
  %0 = cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"(1,2)">) -> f32
  return %0 : f32
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">, !cute.coord<"(?,2)">) -> f32
// BASE-LABEL: @dynamic(
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i32
// BASE-NEXT: %[[C2:.*]] = arith.constant 2 : i32
// BASE-NEXT: %[[V0:.*]] = arith.muli %arg2, %[[C8]] overflow<nsw> : i32
// BASE-NEXT: %[[V1:.*]] = arith.addi %[[V0]], %[[C2]] overflow<nsw> : i32
// BASE-NEXT: %[[V2:.*]] = llvm.getelementptr %arg0[%[[V1]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V3:.*]] = llvm.load %[[V2]] {alignment = 8 : i64} : !llvm.ptr<1> -> f32
// BASE-NEXT: return %[[V3]] : f32
func.func @dynamic(%arg0: !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">, %arg1: !cute.coord<"(?,2)">) -> f32 {
  %0 = cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">, !cute.coord<"(?,2)">) -> f32
  return %0 : f32
}

// CHECK-LABEL: @integer(
// CHECK: cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"?">) -> f32
// BASE-LABEL: @integer(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i32
// BASE-NEXT: %[[V0:.*]] = arith.remsi %arg1, %[[C4]] : i32
// BASE-NEXT: %[[V1:.*]] = arith.muli %[[V0]], %[[C8]] overflow<nsw> : i32
// BASE-NEXT: %[[V2:.*]] = arith.divsi %arg1, %[[C4]] : i32
// BASE-NEXT: %[[V3:.*]] = arith.addi %[[V1]], %[[V2]] overflow<nsw> : i32
// BASE-NEXT: %[[V4:.*]] = llvm.getelementptr %arg0[%[[V3]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V5:.*]] = llvm.load %[[V4]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// BASE-NEXT: return %[[V5]] : f32
func.func @integer(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, %arg1: !cute.coord<"?">) -> f32 {
  %0 = cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"?">) -> f32
  return %0 : f32
}

// CHECK-LABEL: @wide(
// CHECK: cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(8,1)">, !cute.coord<"(?,2)">) -> f32
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i32
// BASE-NEXT: %[[C2:.*]] = arith.constant 2 : i32
// BASE-NEXT: %[[V0:.*]] = arith.muli %arg2, %[[C8]] overflow<nsw> : i32
// BASE-NEXT: %[[V1:.*]] = arith.addi %[[V0]], %[[C2]] overflow<nsw> : i32
// BASE-NEXT: %[[V2:.*]] = llvm.getelementptr %arg0[%[[V1]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V3:.*]] = llvm.load %[[V2]] {alignment = 8 : i64} : !llvm.ptr<1> -> f32
// BASE-NEXT: return %[[V3]] : f32
func.func @wide(%arg0: !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(8,1)">, %arg1: !cute.coord<"(?,2)">) -> f32 {
  %0 = cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(8,1)">, !cute.coord<"(?,2)">) -> f32
  return %0 : f32
}
