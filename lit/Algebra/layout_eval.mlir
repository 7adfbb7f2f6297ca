// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The value of a layout at a coordinate.

// CHECK-LABEL: @layout(
// CHECK: cute.layout_eval(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"10">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"10">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.coord<"(1,2)">, %arg1: !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"10"> {
  %0 = cute.layout_eval(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"10">
  return %0 : !cute.int_tuple<"10">
}

// CHECK-LABEL: @composed(
// CHECK: cute.layout_eval(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">) -> !cute.int_tuple<"7">
// FOLD-LABEL: @composed(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"7">
// FOLD-NEXT: return
// BASE-LABEL: @composed(
// BASE-NEXT: return
func.func @composed(%arg0: !cute.coord<"(1,2)">, %arg1: !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">) -> !cute.int_tuple<"7"> {
  %0 = cute.layout_eval(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">) -> !cute.int_tuple<"7">
  return %0 : !cute.int_tuple<"7">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.layout_eval(%arg0, %arg1) : (!cute.coord<"?">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"?">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.layout_eval(%arg0, %arg1) : (!cute.coord<"?">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"?">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i32
// BASE-NEXT: %[[V0:.*]] = arith.remsi %arg0, %[[C4]] : i32
// BASE-NEXT: %[[V1:.*]] = arith.muli %[[V0]], %[[C8]] overflow<nsw> : i32
// BASE-NEXT: %[[V2:.*]] = arith.divsi %arg0, %[[C4]] : i32
// BASE-NEXT: %[[V3:.*]] = arith.addi %[[V1]], %[[V2]] overflow<nsw> : i32
// BASE-NEXT: return %[[V3]] : i32
func.func @dynamic(%arg0: !cute.coord<"?">, %arg1: !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"?"> {
  %0 = cute.layout_eval(%arg0, %arg1) : (!cute.coord<"?">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"?">
  return %0 : !cute.int_tuple<"?">
}

// Widened before the multiplication.
// CHECK-LABEL: @wide(
// CHECK: cute.layout_eval(%arg0, %arg1) : (!cute.coord<"(?,?)">, !cute.layout<"(4,8):(?{i64 div=8},1)">) -> !cute.int_tuple<"?{i64}">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.layout_eval(%arg0, %arg1) : (!cute.coord<"(?,?)">, !cute.layout<"(4,8):(?{i64 div=8},1)">) -> !cute.int_tuple<"?{i64}">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[V0:.*]] = arith.extsi %arg0 : i32 to i64
// BASE-NEXT: %[[V1:.*]] = arith.muli %[[V0]], %arg2 overflow<nsw> : i64
// BASE-NEXT: %[[V2:.*]] = arith.extsi %arg1 : i32 to i64
// BASE-NEXT: %[[V3:.*]] = arith.addi %[[V1]], %[[V2]] overflow<nsw> : i64
// BASE-NEXT: return %[[V3]] : i64
func.func @wide(%arg0: !cute.coord<"(?,?)">, %arg1: !cute.layout<"(4,8):(?{i64 div=8},1)">) -> !cute.int_tuple<"?{i64}"> {
  %0 = cute.layout_eval(%arg0, %arg1) : (!cute.coord<"(?,?)">, !cute.layout<"(4,8):(?{i64 div=8},1)">) -> !cute.int_tuple<"?{i64}">
  return %0 : !cute.int_tuple<"?{i64}">
}
