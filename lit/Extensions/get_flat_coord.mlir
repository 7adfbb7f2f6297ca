// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// One integer a mode: (index / stride) % extent.

// CHECK-LABEL: @fixed(
// CHECK: cute.get_flat_coord(%arg0, %arg1) : (!cute.int_tuple<"14">, !cute.layout<"(4,(2,4)):(8,(4,1))">) -> !cute.coord<"(1,5)">
// FOLD-LABEL: @fixed(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord<"(1,5)">
// FOLD-NEXT: return
// BASE-LABEL: @fixed(
// BASE-NEXT: return
func.func @fixed(%arg0: !cute.int_tuple<"14">, %arg1: !cute.layout<"(4,(2,4)):(8,(4,1))">) -> !cute.coord<"(1,5)"> {
  %0 = cute.get_flat_coord(%arg0, %arg1) : (!cute.int_tuple<"14">, !cute.layout<"(4,(2,4)):(8,(4,1))">) -> !cute.coord<"(1,5)">
  return %0 : !cute.coord<"(1,5)">
}

// The arithmetic of a thread.
// CHECK-LABEL: @dynamic(
// CHECK: cute.get_flat_coord(%arg0, %arg1) : (i32, !cute.layout<"(4,(2,4)):(8,(4,1))">) -> !cute.coord<"(?,?)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.get_flat_coord(%arg0, %arg1) : (i32, !cute.layout<"(4,(2,4)):(8,(4,1))">) -> !cute.coord<"(?,?)">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i32
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[C2:.*]] = arith.constant 2 : i32
// BASE-NEXT: %[[V0:.*]] = arith.divsi %arg0, %[[C8]] : i32
// BASE-NEXT: %[[V1:.*]] = arith.remsi %[[V0]], %[[C4]] : i32
// BASE-NEXT: %[[V2:.*]] = arith.divsi %arg0, %[[C4]] : i32
// BASE-NEXT: %[[V3:.*]] = arith.remsi %[[V2]], %[[C2]] : i32
// BASE-NEXT: %[[V4:.*]] = arith.remsi %arg0, %[[C4]] : i32
// BASE-NEXT: %[[V5:.*]] = arith.muli %[[V4]], %[[C2]] overflow<nsw> : i32
// BASE-NEXT: %[[V6:.*]] = arith.addi %[[V3]], %[[V5]] overflow<nsw> : i32
// BASE-NEXT: return %[[V1]], %[[V6]] : i32, i32
func.func @dynamic(%arg0: i32, %arg1: !cute.layout<"(4,(2,4)):(8,(4,1))">) -> !cute.coord<"(?,?)"> {
  %0 = cute.get_flat_coord(%arg0, %arg1) : (i32, !cute.layout<"(4,(2,4)):(8,(4,1))">) -> !cute.coord<"(?,?)">
  return %0 : !cute.coord<"(?,?)">
}

// CHECK-LABEL: @assumed(
// CHECK: cute.get_flat_coord(%arg0, %arg1) : (!cute.i32<divby 8>, !cute.layout<"(8,4):(1,8)">) -> !cute.coord<"(?{div=8},?)">
// FOLD-LABEL: @assumed(
// FOLD-NEXT: {{.*}}cute.get_flat_coord(%arg0, %arg1) : (!cute.i32<divby 8>, !cute.layout<"(8,4):(1,8)">) -> !cute.coord<"(?{div=8},?)">
// FOLD-NEXT: return
// BASE-LABEL: @assumed(
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i32
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[V0:.*]] = arith.remsi %arg0, %[[C8]] : i32
// BASE-NEXT: %[[V1:.*]] = arith.divsi %arg0, %[[C8]] : i32
// BASE-NEXT: %[[V2:.*]] = arith.remsi %[[V1]], %[[C4]] : i32
// BASE-NEXT: return %[[V0]], %[[V2]] : i32, i32
func.func @assumed(%arg0: !cute.i32<divby 8>, %arg1: !cute.layout<"(8,4):(1,8)">) -> !cute.coord<"(?{div=8},?)"> {
  %0 = cute.get_flat_coord(%arg0, %arg1) : (!cute.i32<divby 8>, !cute.layout<"(8,4):(1,8)">) -> !cute.coord<"(?{div=8},?)">
  return %0 : !cute.coord<"(?{div=8},?)">
}

// The public type of a loop variable.
// CHECK-LABEL: @index(
// CHECK: cute.get_flat_coord(%arg0, %arg1) : (index, !cute.layout<"(8,4):(1,8)">) -> !cute.coord<"(?{i64},?{i64})">
// FOLD-LABEL: @index(
// FOLD-NEXT: {{.*}}cute.get_flat_coord(%arg0, %arg1) : (index, !cute.layout<"(8,4):(1,8)">) -> !cute.coord<"(?{i64},?{i64})">
// FOLD-NEXT: return
// BASE-LABEL: @index(
// BASE-NEXT: %[[C8L:.*]] = arith.constant 8 : i64
// BASE-NEXT: %[[C4L:.*]] = arith.constant 4 : i64
// BASE-NEXT: %[[V0:.*]] = arith.index_cast %arg0 : index to i64
// BASE-NEXT: %[[V1:.*]] = arith.remsi %[[V0]], %[[C8L]] : i64
// BASE-NEXT: %[[V2:.*]] = arith.divsi %[[V0]], %[[C8L]] : i64
// BASE-NEXT: %[[V3:.*]] = arith.remsi %[[V2]], %[[C4L]] : i64
// BASE-NEXT: return %[[V1]], %[[V3]] : i64, i64
func.func @index(%arg0: index, %arg1: !cute.layout<"(8,4):(1,8)">) -> !cute.coord<"(?{i64},?{i64})"> {
  %0 = cute.get_flat_coord(%arg0, %arg1) : (index, !cute.layout<"(8,4):(1,8)">) -> !cute.coord<"(?{i64},?{i64})">
  return %0 : !cute.coord<"(?{i64},?{i64})">
}

// A mode of stride 0 has every index at 0.
// CHECK-LABEL: @broadcast(
// CHECK: cute.get_flat_coord(%arg0, %arg1) : (i32, !cute.layout<"(4,8):(1,0)">) -> !cute.coord<"(?,0)">
// FOLD-LABEL: @broadcast(
// FOLD-NEXT: {{.*}}cute.get_flat_coord(%arg0, %arg1) : (i32, !cute.layout<"(4,8):(1,0)">) -> !cute.coord<"(?,0)">
// FOLD-NEXT: return
// BASE-LABEL: @broadcast(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[V0:.*]] = arith.remsi %arg0, %[[C4]] : i32
// BASE-NEXT: return %[[V0]] : i32
func.func @broadcast(%arg0: i32, %arg1: !cute.layout<"(4,8):(1,0)">) -> !cute.coord<"(?,0)"> {
  %0 = cute.get_flat_coord(%arg0, %arg1) : (i32, !cute.layout<"(4,8):(1,0)">) -> !cute.coord<"(?,0)">
  return %0 : !cute.coord<"(?,0)">
}
