// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD

// 1 + sum of (s_i - 1) * |d_i|.

// CHECK-LABEL: @layout(
// CHECK: cute.cosize (%arg0) : (!cute.layout<"(4,8):(1,16)">) -> !cute.int_tuple<"116">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"116">
// FOLD-NEXT: return
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
func.func @negative(%arg0: !cute.layout<"(4,8):(-1,16)">) -> !cute.int_tuple<"116"> {
  %0 = cute.cosize (%arg0) : (!cute.layout<"(4,8):(-1,16)">) -> !cute.int_tuple<"116">
  return %0 : !cute.int_tuple<"116">
}

// CHECK-LABEL: @mode(
// CHECK: cute.cosize<[1]> (%arg0) : (!cute.layout<"(4,8):(1,16)">) -> !cute.int_tuple<"113">
// FOLD-LABEL: @mode(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"113">
// FOLD-NEXT: return
func.func @mode(%arg0: !cute.layout<"(4,8):(1,16)">) -> !cute.int_tuple<"113"> {
  %0 = cute.cosize<[1]> (%arg0) : (!cute.layout<"(4,8):(1,16)">) -> !cute.int_tuple<"113">
  return %0 : !cute.int_tuple<"113">
}

// CHECK-LABEL: @swizzle(
// CHECK: cute.cosize (%arg0) : (!cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.int_tuple<"512">
// FOLD-LABEL: @swizzle(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"512">
// FOLD-NEXT: return
func.func @swizzle(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.int_tuple<"512"> {
  %0 = cute.cosize (%arg0) : (!cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.int_tuple<"512">
  return %0 : !cute.int_tuple<"512">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.cosize (%arg0) : (!cute.layout<"(?,8):(1,?{i64})">) -> !cute.int_tuple<"?{i64}">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.cosize (%arg0) : (!cute.layout<"(?,8):(1,?{i64})">) -> !cute.int_tuple<"?{i64}">
// FOLD-NEXT: return
func.func @dynamic(%arg0: !cute.layout<"(?,8):(1,?{i64})">) -> !cute.int_tuple<"?{i64}"> {
  %0 = cute.cosize (%arg0) : (!cute.layout<"(?,8):(1,?{i64})">) -> !cute.int_tuple<"?{i64}">
  return %0 : !cute.int_tuple<"?{i64}">
}
