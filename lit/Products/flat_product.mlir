// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// (block.., repetitions..).

// CHECK-LABEL: @plain(
// CHECK: cute.flat_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"(3,4,2,5):(4,1,12,24)">
// FOLD-LABEL: @plain(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(3,4,2,5):(4,1,12,24)">
// FOLD-NEXT: return
func.func @plain(%arg0: !cute.layout<"(3,4):(4,1)">, %arg1: !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"(3,4,2,5):(4,1,12,24)"> {
  %0 = cute.flat_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"(3,4,2,5):(4,1,12,24)">
  return %0 : !cute.layout<"(3,4,2,5):(4,1,12,24)">
}

// Behind a swizzle the outer layout is repeated.
// CHECK-LABEL: @composed(
// CHECK: cute.flat_product(%arg0, %arg1) : (!cute.composed_layout<"S<3,4,3> o 0 o (5,4):(4,1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.composed_layout<"S<3,4,3> o 0 o (5,4,2,5):(4,1,20,40)">
// FOLD-LABEL: @composed(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"S<3,4,3> o 0 o (5,4,2,5):(4,1,20,40)">
// FOLD-NEXT: return
func.func @composed(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (5,4):(4,1)">, %arg1: !cute.layout<"(2,5):(1,2)">) -> !cute.composed_layout<"S<3,4,3> o 0 o (5,4,2,5):(4,1,20,40)"> {
  %0 = cute.flat_product(%arg0, %arg1) : (!cute.composed_layout<"S<3,4,3> o 0 o (5,4):(4,1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.composed_layout<"S<3,4,3> o 0 o (5,4,2,5):(4,1,20,40)">
  return %0 : !cute.composed_layout<"S<3,4,3> o 0 o (5,4,2,5):(4,1,20,40)">
}

// The tiler may be dynamic.
// CHECK-LABEL: @dynamic(
// CHECK: cute.flat_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(?,?):(1,2)">) -> !cute.layout<"(3,4,?,?):(4,1,12,24)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.flat_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(?,?):(1,2)">) -> !cute.layout<"(3,4,?,?):(4,1,12,24)">
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %[[M:.+]]: i32, %[[N:.+]]: i32) -> (i32, i32)
// BASE-NEXT: return %[[M]], %[[N]] : i32, i32
func.func @dynamic(%arg0: !cute.layout<"(3,4):(4,1)">, %arg1: !cute.layout<"(?,?):(1,2)">) -> !cute.layout<"(3,4,?,?):(4,1,12,24)"> {
  %0 = cute.flat_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(?,?):(1,2)">) -> !cute.layout<"(3,4,?,?):(4,1,12,24)">
  return %0 : !cute.layout<"(3,4,?,?):(4,1,12,24)">
}

// Copies of coordinates lie side by side in their first mode.
// CHECK-LABEL: @coordinates(
// CHECK: cute.flat_product(%arg0, %arg1) : (!cute.layout<"(4,3):(1@0,1@1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"(4,3,2,5):(1@0,1@1,3@1,6@1)">
// FOLD-LABEL: @coordinates(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,3,2,5):(1@0,1@1,3@1,6@1)">
// FOLD-NEXT: return
func.func @coordinates(%arg0: !cute.layout<"(4,3):(1@0,1@1)">, %arg1: !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"(4,3,2,5):(1@0,1@1,3@1,6@1)"> {
  %0 = cute.flat_product(%arg0, %arg1) : (!cute.layout<"(4,3):(1@0,1@1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"(4,3,2,5):(1@0,1@1,3@1,6@1)">
  return %0 : !cute.layout<"(4,3,2,5):(1@0,1@1,3@1,6@1)">
}

// A shape repeats mode by mode.
// CHECK-LABEL: @shape(
// CHECK: cute.flat_product(%arg0, %arg1) : (!cute.layout<"(2,5):(5,1)">, !cute.shape<"(3,4)">) -> !cute.layout<"(2,5,3,4):(5,1,1,5)">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(2,5,3,4):(5,1,1,5)">
// FOLD-NEXT: return
func.func @shape(%arg0: !cute.layout<"(2,5):(5,1)">, %arg1: !cute.shape<"(3,4)">) -> !cute.layout<"(2,5,3,4):(5,1,1,5)"> {
  %0 = cute.flat_product(%arg0, %arg1) : (!cute.layout<"(2,5):(5,1)">, !cute.shape<"(3,4)">) -> !cute.layout<"(2,5,3,4):(5,1,1,5)">
  return %0 : !cute.layout<"(2,5,3,4):(5,1,1,5)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.flat_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(?{i64 div=8},?{i64 div=8}):(1,2)">) -> !cute.layout<"(3,4,?{i64 div=8},?{i64 div=8}):(4,1,12,24)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.flat_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(?{i64 div=8},?{i64 div=8}):(1,2)">) -> !cute.layout<"(3,4,?{i64 div=8},?{i64 div=8}):(4,1,12,24)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0, %arg1 : i64, i64
func.func @wide(%arg0: !cute.layout<"(3,4):(4,1)">, %arg1: !cute.layout<"(?{i64 div=8},?{i64 div=8}):(1,2)">) -> !cute.layout<"(3,4,?{i64 div=8},?{i64 div=8}):(4,1,12,24)"> {
  %0 = cute.flat_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(?{i64 div=8},?{i64 div=8}):(1,2)">) -> !cute.layout<"(3,4,?{i64 div=8},?{i64 div=8}):(4,1,12,24)">
  return %0 : !cute.layout<"(3,4,?{i64 div=8},?{i64 div=8}):(4,1,12,24)">
}
