// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// C(c) = inner(offset + outer(c)).

// CHECK-LABEL: @swizzle(
// CHECK: cute.make_composed_layout(%arg0, %arg1, %arg2) : (!cute.swizzle<"S<3,4,3>">, !cute.int_tuple<"0">, !cute.layout<"(8,64):(64,1)">) -> !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">
// FOLD-LABEL: @swizzle(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">
// FOLD-NEXT: return
// BASE-LABEL: @swizzle(
// BASE-NEXT: return
func.func @swizzle(%arg0: !cute.swizzle<"S<3,4,3>">, %arg1: !cute.int_tuple<"0">, %arg2: !cute.layout<"(8,64):(64,1)">) -> !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)"> {
  %0 = cute.make_composed_layout(%arg0, %arg1, %arg2) : (!cute.swizzle<"S<3,4,3>">, !cute.int_tuple<"0">, !cute.layout<"(8,64):(64,1)">) -> !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">
  return %0 : !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">
}

// CHECK-LABEL: @layout(
// CHECK: cute.make_composed_layout(%arg0, %arg1, %arg2) : (!cute.layout<"(4,5):(1,4)">, !cute.int_tuple<"2">, !cute.layout<"(2,3):(1,2)">) -> !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.layout<"(4,5):(1,4)">, %arg1: !cute.int_tuple<"2">, %arg2: !cute.layout<"(2,3):(1,2)">) -> !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)"> {
  %0 = cute.make_composed_layout(%arg0, %arg1, %arg2) : (!cute.layout<"(4,5):(1,4)">, !cute.int_tuple<"2">, !cute.layout<"(2,3):(1,2)">) -> !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">
  return %0 : !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">
}

// The outer layout gives coordinates of the inner.
// CHECK-LABEL: @basis(
// CHECK: cute.make_composed_layout(%arg0, %arg1, %arg2) : (!cute.layout<"(6,2):(1,3)">, !cute.int_tuple<"(2,1)">, !cute.layout<"(2,3):(1@1,2@0)">) -> !cute.composed_layout<"(6,2):(1,3) o (2,1) o (2,3):(1@1,2@0)">
// FOLD-LABEL: @basis(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"(6,2):(1,3) o (2,1) o (2,3):(1@1,2@0)">
// FOLD-NEXT: return
// BASE-LABEL: @basis(
// BASE-NEXT: return
func.func @basis(%arg0: !cute.layout<"(6,2):(1,3)">, %arg1: !cute.int_tuple<"(2,1)">, %arg2: !cute.layout<"(2,3):(1@1,2@0)">) -> !cute.composed_layout<"(6,2):(1,3) o (2,1) o (2,3):(1@1,2@0)"> {
  %0 = cute.make_composed_layout(%arg0, %arg1, %arg2) : (!cute.layout<"(6,2):(1,3)">, !cute.int_tuple<"(2,1)">, !cute.layout<"(2,3):(1@1,2@0)">) -> !cute.composed_layout<"(6,2):(1,3) o (2,1) o (2,3):(1@1,2@0)">
  return %0 : !cute.composed_layout<"(6,2):(1,3) o (2,1) o (2,3):(1@1,2@0)">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.make_composed_layout(%arg0, %arg1, %arg2) : (!cute.swizzle<"S<3,3,3>">, !cute.int_tuple<"?{div=16}">, !cute.layout<"(8,?):(?,1)">) -> !cute.composed_layout<"S<3,3,3> o ?{div=16} o (8,?):(?,1)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.make_composed_layout(%arg0, %arg1, %arg2) : (!cute.swizzle<"S<3,3,3>">, !cute.int_tuple<"?{div=16}">, !cute.layout<"(8,?):(?,1)">) -> !cute.composed_layout<"S<3,3,3> o ?{div=16} o (8,?):(?,1)">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: return %arg0, %arg1, %arg2 : i32, i32, i32
func.func @dynamic(%arg0: !cute.swizzle<"S<3,3,3>">, %arg1: !cute.int_tuple<"?{div=16}">, %arg2: !cute.layout<"(8,?):(?,1)">) -> !cute.composed_layout<"S<3,3,3> o ?{div=16} o (8,?):(?,1)"> {
  %0 = cute.make_composed_layout(%arg0, %arg1, %arg2) : (!cute.swizzle<"S<3,3,3>">, !cute.int_tuple<"?{div=16}">, !cute.layout<"(8,?):(?,1)">) -> !cute.composed_layout<"S<3,3,3> o ?{div=16} o (8,?):(?,1)">
  return %0 : !cute.composed_layout<"S<3,3,3> o ?{div=16} o (8,?):(?,1)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.make_composed_layout(%arg0, %arg1, %arg2) : (!cute.swizzle<"S<3,3,3>">, !cute.int_tuple<"?{i64 div=8}">, !cute.layout<"(8,?{i64 div=8}):(?{i64 div=8},1)">) -> !cute.composed_layout<"S<3,3,3> o ?{i64 div=8} o (8,?{i64 div=8}):(?{i64 div=8},1)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.make_composed_layout(%arg0, %arg1, %arg2) : (!cute.swizzle<"S<3,3,3>">, !cute.int_tuple<"?{i64 div=8}">, !cute.layout<"(8,?{i64 div=8}):(?{i64 div=8},1)">) -> !cute.composed_layout<"S<3,3,3> o ?{i64 div=8} o (8,?{i64 div=8}):(?{i64 div=8},1)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0, %arg1, %arg2 : i64, i64, i64
func.func @wide(%arg0: !cute.swizzle<"S<3,3,3>">, %arg1: !cute.int_tuple<"?{i64 div=8}">, %arg2: !cute.layout<"(8,?{i64 div=8}):(?{i64 div=8},1)">) -> !cute.composed_layout<"S<3,3,3> o ?{i64 div=8} o (8,?{i64 div=8}):(?{i64 div=8},1)"> {
  %0 = cute.make_composed_layout(%arg0, %arg1, %arg2) : (!cute.swizzle<"S<3,3,3>">, !cute.int_tuple<"?{i64 div=8}">, !cute.layout<"(8,?{i64 div=8}):(?{i64 div=8},1)">) -> !cute.composed_layout<"S<3,3,3> o ?{i64 div=8} o (8,?{i64 div=8}):(?{i64 div=8},1)">
  return %0 : !cute.composed_layout<"S<3,3,3> o ?{i64 div=8} o (8,?{i64 div=8}):(?{i64 div=8},1)">
}
