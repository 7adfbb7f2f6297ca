// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @static(
// CHECK: cute.memref.store(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"(1,2)">, f32) -> ()
// BASE-LABEL: @static(
// BASE-NEXT: %[[V0:.*]] = llvm.getelementptr %arg0[10] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: llvm.store %arg1, %[[V0]] {alignment = 8 : i64} : f32, !llvm.ptr<1>
// BASE-NEXT: return
func.func @static(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, %arg1: !cute.coord<"(1,2)">, %arg2: f32) {
  cute.memref.store(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"(1,2)">, f32) -> ()
  return
}

// CHECK-LABEL: @predicate(
// CHECK: cute.memref.store(%arg0, %arg1, %arg2) : (!cute.memref<i8, rmem, "8:1">, !cute.coord<"?">, i8) -> ()
// BASE-LABEL: @predicate(
// BASE-NEXT: %[[V0:.*]] = llvm.getelementptr %arg0[%arg1] : (!llvm.ptr, i32) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %arg2, %[[V0]] {alignment = 1 : i64} : i8, !llvm.ptr
// BASE-NEXT: return
func.func @predicate(%arg0: !cute.memref<i8, rmem, "8:1">, %arg1: !cute.coord<"?">, %arg2: i8) {
  cute.memref.store(%arg0, %arg1, %arg2) : (!cute.memref<i8, rmem, "8:1">, !cute.coord<"?">, i8) -> ()
  return
}

// CHECK-LABEL: @wide(
// CHECK: cute.memref.store(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(?{i64 div=8},1)">, !cute.coord<"(?,2)">, f32) -> ()
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C2:.*]] = arith.constant 2 : i64
// BASE-NEXT: %[[V0:.*]] = arith.extsi %arg3 : i32 to i64
// BASE-NEXT: %[[V1:.*]] = arith.muli %[[V0]], %arg2 overflow<nsw> : i64
// BASE-NEXT: %[[V2:.*]] = arith.addi %[[V1]], %[[C2]] overflow<nsw> : i64
// BASE-NEXT: %[[V3:.*]] = llvm.getelementptr %arg0[%[[V2]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// BASE-NEXT: llvm.store %arg4, %[[V3]] {alignment = 8 : i64} : f32, !llvm.ptr<1>
// BASE-NEXT: return
func.func @wide(%arg0: !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(?{i64 div=8},1)">, %arg1: !cute.coord<"(?,2)">, %arg2: f32) {
  cute.memref.store(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(?{i64 div=8},1)">, !cute.coord<"(?,2)">, f32) -> ()
  return
}
