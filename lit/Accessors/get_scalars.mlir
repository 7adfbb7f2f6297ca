// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// One machine integer a leaf; those of a layout are its shape and then its stride.

// CHECK-LABEL: @int_tuple(
// CHECK: cute.get_scalars (%arg0) : !cute.int_tuple<"(?,?{i64})">
// FOLD-LABEL: @int_tuple(
// FOLD-NEXT: {{.*}}cute.get_scalars (%arg0) : !cute.int_tuple<"(?,?{i64})">
// FOLD-NEXT: return
// BASE-LABEL: @int_tuple(
// BASE-NEXT: return %arg0, %arg1 : i32, i64
func.func @int_tuple(%arg0: !cute.int_tuple<"(?,?{i64})">) -> (i32, i64) {
  %0:2 = cute.get_scalars (%arg0) : !cute.int_tuple<"(?,?{i64})">
  return %0#0, %0#1 : i32, i64
}

// A static leaf folds to a constant.
// CHECK-LABEL: @static(
// CHECK: cute.get_scalars (%arg0) : !cute.int_tuple<"(4,8)">
// FOLD-LABEL: @static(
// FOLD-NEXT: {{.*}}arith.constant 4 : i32
// FOLD-NEXT: {{.*}}arith.constant 8 : i32
// FOLD-NEXT: return
// BASE-LABEL: @static(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i32
// BASE-NEXT: return %[[C4]], %[[C8]] : i32, i32
func.func @static(%arg0: !cute.int_tuple<"(4,8)">) -> (i32, i32) {
  %0:2 = cute.get_scalars (%arg0) : !cute.int_tuple<"(4,8)">
  return %0#0, %0#1 : i32, i32
}

// It has 32 bits where it fits.
// CHECK-LABEL: @wide(
// CHECK: cute.get_scalars (%arg0) : !cute.int_tuple<"4294967296">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}arith.constant 4294967296 : i64
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C4294967296:.*]] = arith.constant 4294967296 : i64
// BASE-NEXT: return %[[C4294967296]] : i64
func.func @wide(%arg0: !cute.int_tuple<"4294967296">) -> i64 {
  %0 = cute.get_scalars (%arg0) : !cute.int_tuple<"4294967296">
  return %0 : i64
}

// CHECK-LABEL: @layout(
// CHECK: cute.get_scalars (%arg0) : !cute.layout<"(4,?):(1,?{i64})">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.get_scalars (%arg0) : !cute.layout<"(4,?):(1,?{i64})">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: return %[[C4]], %arg0, %[[C1]], %arg1 : i32, i32, i32, i64
func.func @layout(%arg0: !cute.layout<"(4,?):(1,?{i64})">) -> (i32, i32, i32, i64) {
  %0:4 = cute.get_scalars (%arg0) : !cute.layout<"(4,?):(1,?{i64})">
  return %0#0, %0#1, %0#2, %0#3 : i32, i32, i32, i64
}

// bits, base, shift.
// CHECK-LABEL: @swizzle(
// CHECK: cute.get_scalars (%arg0) : !cute.swizzle<"S<3,5,4>">
// FOLD-LABEL: @swizzle(
// FOLD-NEXT: {{.*}}arith.constant 3 : i32
// FOLD-NEXT: {{.*}}arith.constant 5 : i32
// FOLD-NEXT: {{.*}}arith.constant 4 : i32
// FOLD-NEXT: return
// BASE-LABEL: @swizzle(
// BASE-NEXT: %[[C3:.*]] = arith.constant 3 : i32
// BASE-NEXT: %[[C5:.*]] = arith.constant 5 : i32
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: return %[[C3]], %[[C5]], %[[C4]] : i32, i32, i32
func.func @swizzle(%arg0: !cute.swizzle<"S<3,5,4>">) -> (i32, i32, i32) {
  %0:3 = cute.get_scalars (%arg0) : !cute.swizzle<"S<3,5,4>">
  return %0#0, %0#1, %0#2 : i32, i32, i32
}

// CHECK-LABEL: @only_dynamic(
// CHECK: cute.get_scalars<{only_dynamic}> (%arg0) : !cute.layout<"(4,?):(1,?{i64})">
// FOLD-LABEL: @only_dynamic(
// FOLD-NEXT: {{.*}}cute.get_scalars<{only_dynamic}> (%arg0) : !cute.layout<"(4,?):(1,?{i64})">
// FOLD-NEXT: return
// BASE-LABEL: @only_dynamic(
// BASE-NEXT: return %arg0, %arg1 : i32, i64
func.func @only_dynamic(%arg0: !cute.layout<"(4,?):(1,?{i64})">) -> (i32, i64) {
  %0:2 = cute.get_scalars<{only_dynamic}> (%arg0) : !cute.layout<"(4,?):(1,?{i64})">
  return %0#0, %0#1 : i32, i64
}

// For a stride along a mode, its factor and the index of the mode.
// CHECK-LABEL: @basis(
// CHECK: cute.get_scalars (%arg0) : !cute.stride<"(5@0,7@1)">
// BASE-LABEL: @basis(
// BASE-DAG: %[[C5:.*]] = arith.constant 5 : i32
// BASE-DAG: %[[C0:.*]] = arith.constant 0 : i32
// BASE-DAG: %[[C7:.*]] = arith.constant 7 : i32
// BASE-DAG: %[[C1:.*]] = arith.constant 1 : i32
// BASE: return %[[C5]], %[[C0]], %[[C7]], %[[C1]] : i32, i32, i32, i32
func.func @basis(%arg0: !cute.stride<"(5@0,7@1)">) -> (i32, i32, i32, i32) {
  %0:4 = cute.get_scalars (%arg0) : !cute.stride<"(5@0,7@1)">
  return %0#0, %0#1, %0#2, %0#3 : i32, i32, i32, i32
}
