// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// First mode fastest.

// CHECK-LABEL: @static(
// CHECK: cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"9">, !cute.shape<"(4,8)">) -> !cute.coord<"(1,2)">
// FOLD-LABEL: @static(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord<"(1,2)">
// FOLD-NEXT: return
// BASE-LABEL: @static(
// BASE-NEXT: return
func.func @static(%arg0: !cute.int_tuple<"9">, %arg1: !cute.shape<"(4,8)">) -> !cute.coord<"(1,2)"> {
  %0 = cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"9">, !cute.shape<"(4,8)">) -> !cute.coord<"(1,2)">
  return %0 : !cute.coord<"(1,2)">
}

// CHECK-LABEL: @nested(
// CHECK: cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"29">, !cute.shape<"(4,(2,4))">) -> !cute.coord<"(1,(1,3))">
// FOLD-LABEL: @nested(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord<"(1,(1,3))">
// FOLD-NEXT: return
// BASE-LABEL: @nested(
// BASE-NEXT: return
func.func @nested(%arg0: !cute.int_tuple<"29">, %arg1: !cute.shape<"(4,(2,4))">) -> !cute.coord<"(1,(1,3))"> {
  %0 = cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"29">, !cute.shape<"(4,(2,4))">) -> !cute.coord<"(1,(1,3))">
  return %0 : !cute.coord<"(1,(1,3))">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"?">, !cute.shape<"(4,8)">) -> !cute.coord<"(?,?)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"?">, !cute.shape<"(4,8)">) -> !cute.coord<"(?,?)">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[V0:.*]] = arith.remsi %arg0, %[[C4]] : i32
// BASE-NEXT: %[[V1:.*]] = arith.divsi %arg0, %[[C4]] : i32
// BASE-NEXT: return %[[V0]], %[[V1]] : i32, i32
func.func @dynamic(%arg0: !cute.int_tuple<"?">, %arg1: !cute.shape<"(4,8)">) -> !cute.coord<"(?,?)"> {
  %0 = cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"?">, !cute.shape<"(4,8)">) -> !cute.coord<"(?,?)">
  return %0 : !cute.coord<"(?,?)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"?{i64 div=8}">, !cute.shape<"(4,8)">) -> !cute.coord<"(?{i64 div=4},?{i64 div=2})">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"?{i64 div=8}">, !cute.shape<"(4,8)">) -> !cute.coord<"(?{i64 div=4},?{i64 div=2})">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i64
// BASE-NEXT: %[[V0:.*]] = arith.remsi %arg0, %[[C4]] : i64
// BASE-NEXT: %[[V1:.*]] = arith.divsi %arg0, %[[C4]] : i64
// BASE-NEXT: return %[[V0]], %[[V1]] : i64, i64
func.func @wide(%arg0: !cute.int_tuple<"?{i64 div=8}">, %arg1: !cute.shape<"(4,8)">) -> !cute.coord<"(?{i64 div=4},?{i64 div=2})"> {
  %0 = cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"?{i64 div=8}">, !cute.shape<"(4,8)">) -> !cute.coord<"(?{i64 div=4},?{i64 div=2})">
  return %0 : !cute.coord<"(?{i64 div=4},?{i64 div=2})">
}
