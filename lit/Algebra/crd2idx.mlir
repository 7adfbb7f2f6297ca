// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// In a shape: first mode fastest.
// CHECK-LABEL: @shape(
// CHECK: cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.shape<"(4,8)">) -> !cute.int_tuple<"9">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"9">
// FOLD-NEXT: return
// BASE-LABEL: @shape(
// BASE-NEXT: return
func.func @shape(%arg0: !cute.coord<"(1,2)">, %arg1: !cute.shape<"(4,8)">) -> !cute.int_tuple<"9"> {
  %0 = cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.shape<"(4,8)">) -> !cute.int_tuple<"9">
  return %0 : !cute.int_tuple<"9">
}

// CHECK-LABEL: @layout(
// CHECK: cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"10">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"10">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.coord<"(1,2)">, %arg1: !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"10"> {
  %0 = cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"10">
  return %0 : !cute.int_tuple<"10">
}

// An integer is a coordinate too: 6 = (2,1).
// CHECK-LABEL: @integer(
// CHECK: cute.crd2idx(%arg0, %arg1) : (!cute.coord<"6">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"17">
// FOLD-LABEL: @integer(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"17">
// FOLD-NEXT: return
// BASE-LABEL: @integer(
// BASE-NEXT: return
func.func @integer(%arg0: !cute.coord<"6">, %arg1: !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"17"> {
  %0 = cute.crd2idx(%arg0, %arg1) : (!cute.coord<"6">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"17">
  return %0 : !cute.int_tuple<"17">
}

// Basis strides make a tuple.
// CHECK-LABEL: @basis(
// CHECK: cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.layout<"(4,8):(1@1,1@0)">) -> !cute.int_tuple<"(2,1)">
// FOLD-LABEL: @basis(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"(2,1)">
// FOLD-NEXT: return
// BASE-LABEL: @basis(
// BASE-NEXT: return
func.func @basis(%arg0: !cute.coord<"(1,2)">, %arg1: !cute.layout<"(4,8):(1@1,1@0)">) -> !cute.int_tuple<"(2,1)"> {
  %0 = cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.layout<"(4,8):(1@1,1@0)">) -> !cute.int_tuple<"(2,1)">
  return %0 : !cute.int_tuple<"(2,1)">
}

// 128 ^ (128 >> 3).
// CHECK-LABEL: @swizzle(
// CHECK: cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(2,0)">, !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.int_tuple<"144">
// FOLD-LABEL: @swizzle(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"144">
// FOLD-NEXT: return
// BASE-LABEL: @swizzle(
// BASE-NEXT: return
func.func @swizzle(%arg0: !cute.coord<"(2,0)">, %arg1: !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.int_tuple<"144"> {
  %0 = cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(2,0)">, !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.int_tuple<"144">
  return %0 : !cute.int_tuple<"144">
}

// A multiple of 8, and 2 * 4.
// CHECK-LABEL: @dynamic(
// CHECK: cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(?,2)">, !cute.layout<"(4,8):(?{div=8},4)">) -> !cute.int_tuple<"?{div=8}">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(?,2)">, !cute.layout<"(4,8):(?{div=8},4)">) -> !cute.int_tuple<"?{div=8}">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i32
// BASE-NEXT: %[[V0:.*]] = arith.muli %arg0, %arg1 overflow<nsw> : i32
// BASE-NEXT: %[[V1:.*]] = arith.addi %[[V0]], %[[C8]] overflow<nsw> : i32
// BASE-NEXT: return %[[V1]] : i32
func.func @dynamic(%arg0: !cute.coord<"(?,2)">, %arg1: !cute.layout<"(4,8):(?{div=8},4)">) -> !cute.int_tuple<"?{div=8}"> {
  %0 = cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(?,2)">, !cute.layout<"(4,8):(?{div=8},4)">) -> !cute.int_tuple<"?{div=8}">
  return %0 : !cute.int_tuple<"?{div=8}">
}

// CHECK-LABEL: @wide(
// CHECK: cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(?,2)">, !cute.layout<"(4,8):(?{i64 div=8},4)">) -> !cute.int_tuple<"?{i64 div=8}">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(?,2)">, !cute.layout<"(4,8):(?{i64 div=8},4)">) -> !cute.int_tuple<"?{i64 div=8}">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i64
// BASE-NEXT: %[[V0:.*]] = arith.extsi %arg0 : i32 to i64
// BASE-NEXT: %[[V1:.*]] = arith.muli %[[V0]], %arg1 overflow<nsw> : i64
// BASE-NEXT: %[[V2:.*]] = arith.addi %[[V1]], %[[C8]] overflow<nsw> : i64
// BASE-NEXT: return %[[V2]] : i64
func.func @wide(%arg0: !cute.coord<"(?,2)">, %arg1: !cute.layout<"(4,8):(?{i64 div=8},4)">) -> !cute.int_tuple<"?{i64 div=8}"> {
  %0 = cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(?,2)">, !cute.layout<"(4,8):(?{i64 div=8},4)">) -> !cute.int_tuple<"?{i64 div=8}">
  return %0 : !cute.int_tuple<"?{i64 div=8}">
}
