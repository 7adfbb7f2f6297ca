// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// The compact layout with its modes filled in order.

// CHECK-LABEL: @columns(
// CHECK: cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"(4,2)">, !cute.int_tuple<"(0,1)">) -> !cute.layout<"(4,2):(1,4)">
// FOLD-LABEL: @columns(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,2):(1,4)">
// FOLD-NEXT: return
func.func @columns(%arg0: !cute.shape<"(4,2)">, %arg1: !cute.int_tuple<"(0,1)">) -> !cute.layout<"(4,2):(1,4)"> {
  %0 = cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"(4,2)">, !cute.int_tuple<"(0,1)">) -> !cute.layout<"(4,2):(1,4)">
  return %0 : !cute.layout<"(4,2):(1,4)">
}

// CHECK-LABEL: @rows(
// CHECK: cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"(4,2)">, !cute.int_tuple<"(1,0)">) -> !cute.layout<"(4,2):(2,1)">
// FOLD-LABEL: @rows(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,2):(2,1)">
// FOLD-NEXT: return
func.func @rows(%arg0: !cute.shape<"(4,2)">, %arg1: !cute.int_tuple<"(1,0)">) -> !cute.layout<"(4,2):(2,1)"> {
  %0 = cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"(4,2)">, !cute.int_tuple<"(1,0)">) -> !cute.layout<"(4,2):(2,1)">
  return %0 : !cute.layout<"(4,2):(2,1)">
}

// CHECK-LABEL: @mixed(
// CHECK: cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"(4,3,?,2)">, !cute.int_tuple<"(2,1,3,4)">) -> !cute.layout<"(4,3,?,2):(3,1,12,?{div=12})">
// FOLD-LABEL: @mixed(
// FOLD-NEXT: {{.*}}cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"(4,3,?,2)">, !cute.int_tuple<"(2,1,3,4)">) -> !cute.layout<"(4,3,?,2):(3,1,12,?{div=12})">
// FOLD-NEXT: return
func.func @mixed(%arg0: !cute.shape<"(4,3,?,2)">, %arg1: !cute.int_tuple<"(2,1,3,4)">) -> !cute.layout<"(4,3,?,2):(3,1,12,?{div=12})"> {
  %0 = cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"(4,3,?,2)">, !cute.int_tuple<"(2,1,3,4)">) -> !cute.layout<"(4,3,?,2):(3,1,12,?{div=12})">
  return %0 : !cute.layout<"(4,3,?,2):(3,1,12,?{div=12})">
}

// A mode under one number is column-major.
// CHECK-LABEL: @coarse(
// CHECK: cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"((2,4),8)">, !cute.int_tuple<"(1,0)">) -> !cute.layout<"((2,4),8):((8,16),1)">
// FOLD-LABEL: @coarse(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"((2,4),8):((8,16),1)">
// FOLD-NEXT: return
func.func @coarse(%arg0: !cute.shape<"((2,4),8)">, %arg1: !cute.int_tuple<"(1,0)">) -> !cute.layout<"((2,4),8):((8,16),1)"> {
  %0 = cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"((2,4),8)">, !cute.int_tuple<"(1,0)">) -> !cute.layout<"((2,4),8):((8,16),1)">
  return %0 : !cute.layout<"((2,4),8):((8,16),1)">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"(?,?)">, !cute.int_tuple<"(1,0)">) -> !cute.layout<"(?,?):(?,1)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"(?,?)">, !cute.int_tuple<"(1,0)">) -> !cute.layout<"(?,?):(?,1)">
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32) -> (i32, i32, i32)
// BASE-NEXT: return %[[A]], %[[B]], %[[B]]
func.func @dynamic(%arg0: !cute.shape<"(?,?)">, %arg1: !cute.int_tuple<"(1,0)">) -> !cute.layout<"(?,?):(?,1)"> {
  %0 = cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"(?,?)">, !cute.int_tuple<"(1,0)">) -> !cute.layout<"(?,?):(?,1)">
  return %0 : !cute.layout<"(?,?):(?,1)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"(4,3,?{i64 div=8},2)">, !cute.int_tuple<"(2,1,3,4)">) -> !cute.layout<"(4,3,?{i64 div=8},2):(3,1,12,?{i64 div=96})">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"(4,3,?{i64 div=8},2)">, !cute.int_tuple<"(2,1,3,4)">) -> !cute.layout<"(4,3,?{i64 div=8},2):(3,1,12,?{i64 div=96})">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C12:.*]] = arith.constant 12 : i64
// BASE-NEXT: %[[V0:.*]] = arith.muli %[[C12]], %arg0 overflow<nsw> : i64
// BASE-NEXT: return %arg0, %[[V0]] : i64, i64
func.func @wide(%arg0: !cute.shape<"(4,3,?{i64 div=8},2)">, %arg1: !cute.int_tuple<"(2,1,3,4)">) -> !cute.layout<"(4,3,?{i64 div=8},2):(3,1,12,?{i64 div=96})"> {
  %0 = cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"(4,3,?{i64 div=8},2)">, !cute.int_tuple<"(2,1,3,4)">) -> !cute.layout<"(4,3,?{i64 div=8},2):(3,1,12,?{i64 div=96})">
  return %0 : !cute.layout<"(4,3,?{i64 div=8},2):(3,1,12,?{i64 div=96})">
}
