// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// The next coordinate, first mode fastest.

// CHECK-LABEL: @step(
// CHECK: cute.increment_coord(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.shape<"(4,8)">) -> !cute.coord<"(2,2)">
// FOLD-LABEL: @step(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord<"(2,2)">
// FOLD-NEXT: return
func.func @step(%arg0: !cute.coord<"(1,2)">, %arg1: !cute.shape<"(4,8)">) -> !cute.coord<"(2,2)"> {
  %0 = cute.increment_coord(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.shape<"(4,8)">) -> !cute.coord<"(2,2)">
  return %0 : !cute.coord<"(2,2)">
}

// CHECK-LABEL: @carry(
// CHECK: cute.increment_coord(%arg0, %arg1) : (!cute.coord<"(3,2)">, !cute.shape<"(4,8)">) -> !cute.coord<"(0,3)">
// FOLD-LABEL: @carry(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord<"(0,3)">
// FOLD-NEXT: return
func.func @carry(%arg0: !cute.coord<"(3,2)">, %arg1: !cute.shape<"(4,8)">) -> !cute.coord<"(0,3)"> {
  %0 = cute.increment_coord(%arg0, %arg1) : (!cute.coord<"(3,2)">, !cute.shape<"(4,8)">) -> !cute.coord<"(0,3)">
  return %0 : !cute.coord<"(0,3)">
}

// CHECK-LABEL: @nested(
// CHECK: cute.increment_coord(%arg0, %arg1) : (!cute.coord<"((1,1),2)">, !cute.shape<"((2,2),8)">) -> !cute.coord<"((0,0),3)">
// FOLD-LABEL: @nested(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord<"((0,0),3)">
// FOLD-NEXT: return
func.func @nested(%arg0: !cute.coord<"((1,1),2)">, %arg1: !cute.shape<"((2,2),8)">) -> !cute.coord<"((0,0),3)"> {
  %0 = cute.increment_coord(%arg0, %arg1) : (!cute.coord<"((1,1),2)">, !cute.shape<"((2,2),8)">) -> !cute.coord<"((0,0),3)">
  return %0 : !cute.coord<"((0,0),3)">
}

// After the last one, the last mode grows.
// CHECK-LABEL: @past_the_end(
// CHECK: cute.increment_coord(%arg0, %arg1) : (!cute.coord<"(3,7)">, !cute.shape<"(4,8)">) -> !cute.coord<"(0,8)">
// FOLD-LABEL: @past_the_end(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord<"(0,8)">
// FOLD-NEXT: return
func.func @past_the_end(%arg0: !cute.coord<"(3,7)">, %arg1: !cute.shape<"(4,8)">) -> !cute.coord<"(0,8)"> {
  %0 = cute.increment_coord(%arg0, %arg1) : (!cute.coord<"(3,7)">, !cute.shape<"(4,8)">) -> !cute.coord<"(0,8)">
  return %0 : !cute.coord<"(0,8)">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.increment_coord(%arg0, %arg1) : (!cute.coord<"(?,?)">, !cute.shape<"(4,8)">) -> !cute.coord<"(?,?)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.increment_coord(%arg0, %arg1) : (!cute.coord<"(?,?)">, !cute.shape<"(4,8)">) -> !cute.coord<"(?,?)">
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32) -> (i32, i32)
// BASE: arith.addi %{{.+}}, %c1_i32
// BASE: %[[X:.+]] = arith.remsi
// BASE: %[[Y:.+]] = arith.divsi
// BASE: return %[[X]], %[[Y]]
func.func @dynamic(%arg0: !cute.coord<"(?,?)">, %arg1: !cute.shape<"(4,8)">) -> !cute.coord<"(?,?)"> {
  %0 = cute.increment_coord(%arg0, %arg1) : (!cute.coord<"(?,?)">, !cute.shape<"(4,8)">) -> !cute.coord<"(?,?)">
  return %0 : !cute.coord<"(?,?)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.increment_coord(%arg0, %arg1) : (!cute.coord<"(?{i64},?{i64})">, !cute.shape<"(4,8)">) -> !cute.coord<"(?{i64},?{i64})">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.increment_coord(%arg0, %arg1) : (!cute.coord<"(?{i64},?{i64})">, !cute.shape<"(4,8)">) -> !cute.coord<"(?{i64},?{i64})">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i64
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i64
// BASE-NEXT: %[[V0:.*]] = arith.muli %[[C4]], %arg1 overflow<nsw> : i64
// BASE-NEXT: %[[V1:.*]] = arith.addi %arg0, %[[V0]] overflow<nsw> : i64
// BASE-NEXT: %[[V2:.*]] = arith.addi %[[V1]], %[[C1]] overflow<nsw> : i64
// BASE-NEXT: %[[V3:.*]] = arith.remsi %[[V2]], %[[C4]] : i64
// BASE-NEXT: %[[V4:.*]] = arith.divsi %[[V2]], %[[C4]] : i64
// BASE-NEXT: return %[[V3]], %[[V4]] : i64, i64
func.func @wide(%arg0: !cute.coord<"(?{i64},?{i64})">, %arg1: !cute.shape<"(4,8)">) -> !cute.coord<"(?{i64},?{i64})"> {
  %0 = cute.increment_coord(%arg0, %arg1) : (!cute.coord<"(?{i64},?{i64})">, !cute.shape<"(4,8)">) -> !cute.coord<"(?{i64},?{i64})">
  return %0 : !cute.coord<"(?{i64},?{i64})">
}
