// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The rest of the cotarget: disjoint, ordered, and together with the layout it fills the cotarget.

// CHECK-LABEL: @cotarget(
// CHECK: cute.complement(%arg0, %arg1) : (!cute.layout<"4:1">, !cute.shape<"24">) -> !cute.layout<"6:4">
// FOLD-LABEL: @cotarget(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"6:4">
// FOLD-NEXT: return
// BASE-LABEL: @cotarget(
// BASE-NEXT: return
func.func @cotarget(%arg0: !cute.layout<"4:1">, %arg1: !cute.shape<"24">) -> !cute.layout<"6:4"> {
  %0 = cute.complement(%arg0, %arg1) : (!cute.layout<"4:1">, !cute.shape<"24">) -> !cute.layout<"6:4">
  return %0 : !cute.layout<"6:4">
}

// CHECK-LABEL: @gap(
// CHECK: cute.complement(%arg0, %arg1) : (!cute.layout<"4:32">, !cute.shape<"256">) -> !cute.layout<"(32,2):(1,128)">
// FOLD-LABEL: @gap(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(32,2):(1,128)">
// FOLD-NEXT: return
// BASE-LABEL: @gap(
// BASE-NEXT: return
func.func @gap(%arg0: !cute.layout<"4:32">, %arg1: !cute.shape<"256">) -> !cute.layout<"(32,2):(1,128)"> {
  %0 = cute.complement(%arg0, %arg1) : (!cute.layout<"4:32">, !cute.shape<"256">) -> !cute.layout<"(32,2):(1,128)">
  return %0 : !cute.layout<"(32,2):(1,128)">
}

// If the cotarget is a layout, its shape counts.
// CHECK-LABEL: @layout_cotarget(
// CHECK: cute.complement(%arg0, %arg1) : (!cute.layout<"4:1">, !cute.layout<"(4,6):(6,1)">) -> !cute.layout<"6:4">
// FOLD-LABEL: @layout_cotarget(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"6:4">
// FOLD-NEXT: return
// BASE-LABEL: @layout_cotarget(
// BASE-NEXT: return
func.func @layout_cotarget(%arg0: !cute.layout<"4:1">, %arg1: !cute.layout<"(4,6):(6,1)">) -> !cute.layout<"6:4"> {
  %0 = cute.complement(%arg0, %arg1) : (!cute.layout<"4:1">, !cute.layout<"(4,6):(6,1)">) -> !cute.layout<"6:4">
  return %0 : !cute.layout<"6:4">
}

// Without cotarget: the gaps up to the cosize.
// CHECK-LABEL: @in_cosize(
// CHECK: cute.complement(%arg0) : (!cute.layout<"4:2">) -> !cute.layout<"2:1">
// FOLD-LABEL: @in_cosize(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"2:1">
// FOLD-NEXT: return
// BASE-LABEL: @in_cosize(
// BASE-NEXT: return
func.func @in_cosize(%arg0: !cute.layout<"4:2">) -> !cute.layout<"2:1"> {
  %0 = cute.complement(%arg0) : (!cute.layout<"4:2">) -> !cute.layout<"2:1">
  return %0 : !cute.layout<"2:1">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.complement(%arg0, %arg1) : (!cute.layout<"4:1">, !cute.shape<"?">) -> !cute.layout<"?:4">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.complement(%arg0, %arg1) : (!cute.layout<"4:1">, !cute.shape<"?">) -> !cute.layout<"?:4">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: %[[C3:.*]] = arith.constant 3 : i32
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[V0:.*]] = arith.addi %arg0, %[[C3]] overflow<nsw> : i32
// BASE-NEXT: %[[V1:.*]] = arith.divsi %[[V0]], %[[C4]] : i32
// BASE-NEXT: return %[[V1]] : i32
func.func @dynamic(%arg0: !cute.layout<"4:1">, %arg1: !cute.shape<"?">) -> !cute.layout<"?:4"> {
  %0 = cute.complement(%arg0, %arg1) : (!cute.layout<"4:1">, !cute.shape<"?">) -> !cute.layout<"?:4">
  return %0 : !cute.layout<"?:4">
}

// For coordinates, the rest of the box that they reach. A stride of extent 1 is free.
// CHECK-LABEL: @coordinates(
// CHECK: cute.complement(%arg0) : (!cute.layout<"(4,3):(2@0,1@1)">) -> !cute.layout<"(2,1):(1@0,3@1)">
// BASE-LABEL: @coordinates(
// BASE-NEXT: return
func.func @coordinates(%arg0: !cute.layout<"(4,3):(2@0,1@1)">) -> !cute.layout<"(2,1):(1@0,3@1)"> {
  %0 = cute.complement(%arg0) : (!cute.layout<"(4,3):(2@0,1@1)">) -> !cute.layout<"(2,1):(1@0,3@1)">
  return %0 : !cute.layout<"(2,1):(1@0,3@1)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.complement(%arg0, %arg1) : (!cute.layout<"4:1">, !cute.shape<"?{i64 div=8}">) -> !cute.layout<"?{i64 div=2}:4">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.complement(%arg0, %arg1) : (!cute.layout<"4:1">, !cute.shape<"?{i64 div=8}">) -> !cute.layout<"?{i64 div=2}:4">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C3L:.*]] = arith.constant 3 : i64
// BASE-NEXT: %[[C4L:.*]] = arith.constant 4 : i64
// BASE-NEXT: %[[V0:.*]] = arith.addi %arg0, %[[C3L]] overflow<nsw> : i64
// BASE-NEXT: %[[V1:.*]] = arith.divsi %[[V0]], %[[C4L]] : i64
// BASE-NEXT: return %[[V1]] : i64
func.func @wide(%arg0: !cute.layout<"4:1">, %arg1: !cute.shape<"?{i64 div=8}">) -> !cute.layout<"?{i64 div=2}:4"> {
  %0 = cute.complement(%arg0, %arg1) : (!cute.layout<"4:1">, !cute.shape<"?{i64 div=8}">) -> !cute.layout<"?{i64 div=2}:4">
  return %0 : !cute.layout<"?{i64 div=2}:4">
}
