// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// A block repeated until it covers a shape.

// CHECK-LABEL: @plain(
// CHECK: cute.tile_to_shape(%arg0, %arg1) : (!cute.layout<"(3,2):(1,3)">, !cute.shape<"(6,8)">) -> !cute.layout<"((3,2),(2,4)):((1,6),(3,12))">
// FOLD-LABEL: @plain(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"((3,2),(2,4)):((1,6),(3,12))">
// FOLD-NEXT: return
func.func @plain(%arg0: !cute.layout<"(3,2):(1,3)">, %arg1: !cute.shape<"(6,8)">) -> !cute.layout<"((3,2),(2,4)):((1,6),(3,12))"> {
  %0 = cute.tile_to_shape(%arg0, %arg1) : (!cute.layout<"(3,2):(1,3)">, !cute.shape<"(6,8)">) -> !cute.layout<"((3,2),(2,4)):((1,6),(3,12))">
  return %0 : !cute.layout<"((3,2),(2,4)):((1,6),(3,12))">
}

// CHECK-LABEL: @composed(
// CHECK: cute.tile_to_shape(%arg0, %arg1) : (!cute.composed_layout<"S<3,4,3> o 0 o (3,2):(1,3)">, !cute.shape<"(6,8)">) -> !cute.composed_layout<"S<3,4,3> o 0 o ((3,2),(2,4)):((1,6),(3,12))">
// FOLD-LABEL: @composed(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"S<3,4,3> o 0 o ((3,2),(2,4)):((1,6),(3,12))">
// FOLD-NEXT: return
func.func @composed(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (3,2):(1,3)">, %arg1: !cute.shape<"(6,8)">) -> !cute.composed_layout<"S<3,4,3> o 0 o ((3,2),(2,4)):((1,6),(3,12))"> {
  %0 = cute.tile_to_shape(%arg0, %arg1) : (!cute.composed_layout<"S<3,4,3> o 0 o (3,2):(1,3)">, !cute.shape<"(6,8)">) -> !cute.composed_layout<"S<3,4,3> o 0 o ((3,2),(2,4)):((1,6),(3,12))">
  return %0 : !cute.composed_layout<"S<3,4,3> o 0 o ((3,2),(2,4)):((1,6),(3,12))">
}

// The block has modes of extent 1 where the shape has more.
// CHECK-LABEL: @padded(
// CHECK: cute.tile_to_shape(%arg0, %arg1) : (!cute.layout<"4:1">, !cute.shape<"(8,3)">) -> !cute.layout<"((4,2),(1,3)):((1,4),(0,8))">
// FOLD-LABEL: @padded(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"((4,2),(1,3)):((1,4),(0,8))">
// FOLD-NEXT: return
func.func @padded(%arg0: !cute.layout<"4:1">, %arg1: !cute.shape<"(8,3)">) -> !cute.layout<"((4,2),(1,3)):((1,4),(0,8))"> {
  %0 = cute.tile_to_shape(%arg0, %arg1) : (!cute.layout<"4:1">, !cute.shape<"(8,3)">) -> !cute.layout<"((4,2),(1,3)):((1,4),(0,8))">
  return %0 : !cute.layout<"((4,2),(1,3)):((1,4),(0,8))">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.tile_to_shape(%arg0, %arg1) : (!cute.layout<"(3,2):(1,3)">, !cute.shape<"(?,?)">) -> !cute.layout<"((3,?),(2,?)):((1,6),(3,?{div=6}))">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.tile_to_shape(%arg0, %arg1) : (!cute.layout<"(3,2):(1,3)">, !cute.shape<"(?,?)">) -> !cute.layout<"((3,?),(2,?)):((1,6),(3,?{div=6}))">
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %[[M:.+]]: i32, %[[N:.+]]: i32) -> (i32, i32, i32)
// BASE: return %{{.+}}, %{{.+}}, %{{.+}} : i32, i32, i32
func.func @dynamic(%arg0: !cute.layout<"(3,2):(1,3)">, %arg1: !cute.shape<"(?,?)">) -> !cute.layout<"((3,?),(2,?)):((1,6),(3,?{div=6}))"> {
  %0 = cute.tile_to_shape(%arg0, %arg1) : (!cute.layout<"(3,2):(1,3)">, !cute.shape<"(?,?)">) -> !cute.layout<"((3,?),(2,?)):((1,6),(3,?{div=6}))">
  return %0 : !cute.layout<"((3,?),(2,?)):((1,6),(3,?{div=6}))">
}

// The mode of order 0 is repeated first.
// CHECK-LABEL: @ordered(
// CHECK: cute.tile_to_shape(%arg0, %arg1, %arg2) : (!cute.layout<"(128,128):(128,1)">, !cute.shape<"(1024,512)">, !cute.int_tuple<"(1,0)">) -> !cute.layout<"((128,8),(128,4)):((128,65536),(1,16384))">
// FOLD-LABEL: @ordered(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"((128,8),(128,4)):((128,65536),(1,16384))">
// FOLD-NEXT: return
func.func @ordered(%arg0: !cute.layout<"(128,128):(128,1)">, %arg1: !cute.shape<"(1024,512)">, %arg2: !cute.int_tuple<"(1,0)">) -> !cute.layout<"((128,8),(128,4)):((128,65536),(1,16384))"> {
  %0 = cute.tile_to_shape(%arg0, %arg1, %arg2) : (!cute.layout<"(128,128):(128,1)">, !cute.shape<"(1024,512)">, !cute.int_tuple<"(1,0)">) -> !cute.layout<"((128,8),(128,4)):((128,65536),(1,16384))">
  return %0 : !cute.layout<"((128,8),(128,4)):((128,65536),(1,16384))">
}

// CHECK-LABEL: @wide(
// CHECK: cute.tile_to_shape(%arg0, %arg1) : (!cute.layout<"(3,2):(1,3)">, !cute.shape<"(?{i64 div=8},?{i64 div=8})">) -> !cute.layout<"((3,?{i64}),(2,?{i64 div=4})):((1,6),(3,?{i64 div=6}))">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.tile_to_shape(%arg0, %arg1) : (!cute.layout<"(3,2):(1,3)">, !cute.shape<"(?{i64 div=8},?{i64 div=8})">) -> !cute.layout<"((3,?{i64}),(2,?{i64 div=4})):((1,6),(3,?{i64 div=6}))">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C2L:.*]] = arith.constant 2 : i64
// BASE-NEXT: %[[C3L:.*]] = arith.constant 3 : i64
// BASE-NEXT: %[[C1L:.*]] = arith.constant 1 : i64
// BASE-NEXT: %[[C6L:.*]] = arith.constant 6 : i64
// BASE-NEXT: %[[V0:.*]] = arith.addi %arg0, %[[C2L]] overflow<nsw> : i64
// BASE-NEXT: %[[V1:.*]] = arith.divsi %[[V0]], %[[C3L]] : i64
// BASE-NEXT: %[[V2:.*]] = arith.addi %arg1, %[[C1L]] overflow<nsw> : i64
// BASE-NEXT: %[[V3:.*]] = arith.divsi %[[V2]], %[[C2L]] : i64
// BASE-NEXT: %[[V4:.*]] = arith.muli %[[C6L]], %[[V1]] overflow<nsw> : i64
// BASE-NEXT: return %[[V1]], %[[V3]], %[[V4]] : i64, i64, i64
func.func @wide(%arg0: !cute.layout<"(3,2):(1,3)">, %arg1: !cute.shape<"(?{i64 div=8},?{i64 div=8})">) -> !cute.layout<"((3,?{i64}),(2,?{i64 div=4})):((1,6),(3,?{i64 div=6}))"> {
  %0 = cute.tile_to_shape(%arg0, %arg1) : (!cute.layout<"(3,2):(1,3)">, !cute.shape<"(?{i64 div=8},?{i64 div=8})">) -> !cute.layout<"((3,?{i64}),(2,?{i64 div=4})):((1,6),(3,?{i64 div=6}))">
  return %0 : !cute.layout<"((3,?{i64}),(2,?{i64 div=4})):((1,6),(3,?{i64 div=6}))">
}
