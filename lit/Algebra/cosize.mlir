// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// 1 + sum of (s_i - 1) * |d_i|.

// CHECK-LABEL: @layout(
// CHECK: cute.cosize (%arg0) : (!cute.layout<"(4,8):(1,16)">) -> !cute.int_tuple<"116">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"116">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.layout<"(4,8):(1,16)">) -> !cute.int_tuple<"116"> {
  %0 = cute.cosize (%arg0) : (!cute.layout<"(4,8):(1,16)">) -> !cute.int_tuple<"116">
  return %0 : !cute.int_tuple<"116">
}

// The sign of a stride does not matter.
// CHECK-LABEL: @negative(
// CHECK: cute.cosize (%arg0) : (!cute.layout<"(4,8):(-1,16)">) -> !cute.int_tuple<"116">
// FOLD-LABEL: @negative(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"116">
// FOLD-NEXT: return
// BASE-LABEL: @negative(
// BASE-NEXT: return
func.func @negative(%arg0: !cute.layout<"(4,8):(-1,16)">) -> !cute.int_tuple<"116"> {
  %0 = cute.cosize (%arg0) : (!cute.layout<"(4,8):(-1,16)">) -> !cute.int_tuple<"116">
  return %0 : !cute.int_tuple<"116">
}

// CHECK-LABEL: @mode(
// CHECK: cute.cosize<[1]> (%arg0) : (!cute.layout<"(4,8):(1,16)">) -> !cute.int_tuple<"113">
// FOLD-LABEL: @mode(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"113">
// FOLD-NEXT: return
// BASE-LABEL: @mode(
// BASE-NEXT: return
func.func @mode(%arg0: !cute.layout<"(4,8):(1,16)">) -> !cute.int_tuple<"113"> {
  %0 = cute.cosize<[1]> (%arg0) : (!cute.layout<"(4,8):(1,16)">) -> !cute.int_tuple<"113">
  return %0 : !cute.int_tuple<"113">
}

// CHECK-LABEL: @swizzle(
// CHECK: cute.cosize (%arg0) : (!cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.int_tuple<"512">
// FOLD-LABEL: @swizzle(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"512">
// FOLD-NEXT: return
// BASE-LABEL: @swizzle(
// BASE-NEXT: return
func.func @swizzle(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.int_tuple<"512"> {
  %0 = cute.cosize (%arg0) : (!cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.int_tuple<"512">
  return %0 : !cute.int_tuple<"512">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.cosize (%arg0) : (!cute.layout<"(?,8):(1,?{i64})">) -> !cute.int_tuple<"?{i64}">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.cosize (%arg0) : (!cute.layout<"(?,8):(1,?{i64})">) -> !cute.int_tuple<"?{i64}">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: %[[C7:.*]] = arith.constant 7 : i64
// BASE-NEXT: %[[C0:.*]] = arith.constant 0 : i64
// BASE-NEXT: %[[C1_1:.*]] = arith.constant 1 : i64
// BASE-NEXT: %[[V0:.*]] = arith.subi %arg0, %[[C1]] overflow<nsw> : i32
// BASE-NEXT: %[[V1:.*]] = arith.extsi %[[V0]] : i32 to i64
// BASE-NEXT: %[[V2:.*]] = arith.subi %[[C0]], %arg1 overflow<nsw> : i64
// BASE-NEXT: %[[V3:.*]] = arith.maxsi %arg1, %[[V2]] : i64
// BASE-NEXT: %[[V4:.*]] = arith.muli %[[V3]], %[[C7]] overflow<nsw> : i64
// BASE-NEXT: %[[V5:.*]] = arith.addi %[[V1]], %[[V4]] overflow<nsw> : i64
// BASE-NEXT: %[[V6:.*]] = arith.addi %[[V5]], %[[C1_1]] overflow<nsw> : i64
// BASE-NEXT: return %[[V6]] : i64
func.func @dynamic(%arg0: !cute.layout<"(?,8):(1,?{i64})">) -> !cute.int_tuple<"?{i64}"> {
  %0 = cute.cosize (%arg0) : (!cute.layout<"(?,8):(1,?{i64})">) -> !cute.int_tuple<"?{i64}">
  return %0 : !cute.int_tuple<"?{i64}">
}

// A scalar layout is its own mode 0.
// CHECK-LABEL: @mode_of_a_scalar(
// CHECK: cute.cosize<[0]> (%arg0) : (!cute.layout<"4:2">) -> !cute.int_tuple<"7">
// CHECK: cute.size<[0]> (%arg0) : (!cute.layout<"4:2">) -> !cute.int_tuple<"4">
// CHECK: cute.get<[0]> (%arg0) : !cute.layout<"4:2"> -> !cute.layout<"4:2">
func.func @mode_of_a_scalar(%arg0: !cute.layout<"4:2">) -> (!cute.int_tuple<"7">, !cute.int_tuple<"4">, !cute.layout<"4:2">) {
  %0 = cute.cosize<[0]> (%arg0) : (!cute.layout<"4:2">) -> !cute.int_tuple<"7">
  %1 = cute.size<[0]> (%arg0) : (!cute.layout<"4:2">) -> !cute.int_tuple<"4">
  %2 = cute.get<[0]> (%arg0) : !cute.layout<"4:2"> -> !cute.layout<"4:2">
  return %0, %1, %2 : !cute.int_tuple<"7">, !cute.int_tuple<"4">, !cute.layout<"4:2">
}
