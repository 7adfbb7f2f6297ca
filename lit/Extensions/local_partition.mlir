// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// One element of every tile, the one whose thread has the index.

// CHECK-LABEL: @layout(
// CHECK: cute.local_partition(%arg0, %arg1, %arg2) : (!cute.layout<"(6,8):(1,6)">, !cute.layout<"(3,2):(2,1)">, !cute.int_tuple<"5">) -> !cute.layout<"(2,4):(3,12)">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(2,4):(3,12)">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.layout<"(6,8):(1,6)">, %arg1: !cute.layout<"(3,2):(2,1)">, %arg2: !cute.int_tuple<"5">) -> !cute.layout<"(2,4):(3,12)"> {
  %0 = cute.local_partition(%arg0, %arg1, %arg2) : (!cute.layout<"(6,8):(1,6)">, !cute.layout<"(3,2):(2,1)">, !cute.int_tuple<"5">) -> !cute.layout<"(2,4):(3,12)">
  return %0 : !cute.layout<"(2,4):(3,12)">
}

// The pointer moves.
// CHECK-LABEL: @thread(
// CHECK: cute.local_partition(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.layout<"(8,4):(4,1)">, i32) -> !cute.memref<f32, gmem, "(8,8):(256,4)">
// FOLD-LABEL: @thread(
// FOLD-NEXT: {{.*}}cute.local_partition(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.layout<"(8,4):(4,1)">, i32) -> !cute.memref<f32, gmem, "(8,8):(256,4)">
// FOLD-NEXT: return
// BASE-LABEL: @thread(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i32
// BASE-NEXT: %[[C32:.*]] = arith.constant 32 : i32
// BASE-NEXT: %[[V0:.*]] = arith.divsi %arg1, %[[C4]] : i32
// BASE-NEXT: %[[V1:.*]] = arith.remsi %[[V0]], %[[C8]] : i32
// BASE-NEXT: %[[V2:.*]] = arith.muli %[[V1]], %[[C32]] overflow<nsw> : i32
// BASE-NEXT: %[[V3:.*]] = arith.remsi %arg1, %[[C4]] : i32
// BASE-NEXT: %[[V4:.*]] = arith.addi %[[V2]], %[[V3]] overflow<nsw> : i32
// BASE-NEXT: %[[V5:.*]] = llvm.getelementptr %arg0[%[[V4]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
// BASE-NEXT: return %[[V5]] : !llvm.ptr<1>
func.func @thread(%arg0: !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, %arg1: !cute.layout<"(8,4):(4,1)">, %arg2: i32) -> !cute.memref<f32, gmem, "(8,8):(256,4)"> {
  %0 = cute.local_partition(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.layout<"(8,4):(4,1)">, i32) -> !cute.memref<f32, gmem, "(8,8):(256,4)">
  return %0 : !cute.memref<f32, gmem, "(8,8):(256,4)">
}

// The coordinates that a predicate compares.
// CHECK-LABEL: @coords(
// CHECK: cute.local_partition(%arg0, %arg1, %arg2) : (!cute.coord_tensor<"(0,0)", "(64,32):(1@0,1@1)">, !cute.layout<"(8,4):(4,1)">, i32) -> !cute.coord_tensor<"(?,?)", "(8,8):(8@0,4@1)">
// FOLD-LABEL: @coords(
// FOLD-NEXT: {{.*}}cute.local_partition(%arg0, %arg1, %arg2) : (!cute.coord_tensor<"(0,0)", "(64,32):(1@0,1@1)">, !cute.layout<"(8,4):(4,1)">, i32) -> !cute.coord_tensor<"(?,?)", "(8,8):(8@0,4@1)">
// FOLD-NEXT: return
// BASE-LABEL: @coords(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i32
// BASE-NEXT: %[[V0:.*]] = arith.divsi %arg0, %[[C4]] : i32
// BASE-NEXT: %[[V1:.*]] = arith.remsi %[[V0]], %[[C8]] : i32
// BASE-NEXT: %[[V2:.*]] = arith.remsi %arg0, %[[C4]] : i32
// BASE-NEXT: return %[[V1]], %[[V2]] : i32, i32
func.func @coords(%arg0: !cute.coord_tensor<"(0,0)", "(64,32):(1@0,1@1)">, %arg1: !cute.layout<"(8,4):(4,1)">, %arg2: i32) -> !cute.coord_tensor<"(?,?)", "(8,8):(8@0,4@1)"> {
  %0 = cute.local_partition(%arg0, %arg1, %arg2) : (!cute.coord_tensor<"(0,0)", "(64,32):(1@0,1@1)">, !cute.layout<"(8,4):(4,1)">, i32) -> !cute.coord_tensor<"(?,?)", "(8,8):(8@0,4@1)">
  return %0 : !cute.coord_tensor<"(?,?)", "(8,8):(8@0,4@1)">
}

// The mode of threads that the projection leaves out does not count.
// CHECK-LABEL: @projection(
// CHECK: cute.local_partition(%arg0, %arg1, %arg2, "(1,1,_)") : (!cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.layout<"(8,4,2):(4,1,32)">, i32) -> !cute.memref<f32, gmem, "(8,8):(256,4)">
// FOLD-LABEL: @projection(
// FOLD-NEXT: {{.*}}cute.local_partition(%arg0, %arg1, %arg2, "(1,1,_)") : (!cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.layout<"(8,4,2):(4,1,32)">, i32) -> !cute.memref<f32, gmem, "(8,8):(256,4)">
// FOLD-NEXT: return
// BASE-LABEL: @projection(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i32
// BASE-NEXT: %[[C32:.*]] = arith.constant 32 : i32
// BASE-NEXT: %[[V0:.*]] = arith.divsi %arg1, %[[C4]] : i32
// BASE-NEXT: %[[V1:.*]] = arith.remsi %[[V0]], %[[C8]] : i32
// BASE-NEXT: %[[V2:.*]] = arith.muli %[[V1]], %[[C32]] overflow<nsw> : i32
// BASE-NEXT: %[[V3:.*]] = arith.remsi %arg1, %[[C4]] : i32
// BASE-NEXT: %[[V4:.*]] = arith.addi %[[V2]], %[[V3]] overflow<nsw> : i32
// BASE-NEXT: %[[V5:.*]] = llvm.getelementptr %arg0[%[[V4]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
// BASE-NEXT: return %[[V5]] : !llvm.ptr<1>
func.func @projection(%arg0: !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, %arg1: !cute.layout<"(8,4,2):(4,1,32)">, %arg2: i32) -> !cute.memref<f32, gmem, "(8,8):(256,4)"> {
  %0 = cute.local_partition(%arg0, %arg1, %arg2, "(1,1,_)") : (!cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.layout<"(8,4,2):(4,1,32)">, i32) -> !cute.memref<f32, gmem, "(8,8):(256,4)">
  return %0 : !cute.memref<f32, gmem, "(8,8):(256,4)">
}

// A divisor of the index divides the offset.
// CHECK-LABEL: @dynamic(
// CHECK: cute.local_partition(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(?,32):(?{i64 div=4},1)">, !cute.layout<"(8,4):(4,1)">, !cute.i32<divby 4>) -> !cute.memref<f32, gmem, align<16>, "(?,8):(?{i64 div=32},4)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.local_partition(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(?,32):(?{i64 div=4},1)">, !cute.layout<"(8,4):(4,1)">, !cute.i32<divby 4>) -> !cute.memref<f32, gmem, align<16>, "(?,8):(?{i64 div=32},4)">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i32
// BASE-NEXT: %[[C7:.*]] = arith.constant 7 : i32
// BASE-NEXT: %[[C8L:.*]] = arith.constant 8 : i64
// BASE-NEXT: %[[V0:.*]] = arith.divsi %arg3, %[[C4]] : i32
// BASE-NEXT: %[[V1:.*]] = arith.remsi %[[V0]], %[[C8]] : i32
// BASE-NEXT: %[[V2:.*]] = arith.extsi %[[V1]] : i32 to i64
// BASE-NEXT: %[[V3:.*]] = arith.muli %[[V2]], %arg2 overflow<nsw> : i64
// BASE-NEXT: %[[V4:.*]] = arith.remsi %arg3, %[[C4]] : i32
// BASE-NEXT: %[[V5:.*]] = arith.extsi %[[V4]] : i32 to i64
// BASE-NEXT: %[[V6:.*]] = arith.addi %[[V3]], %[[V5]] overflow<nsw> : i64
// BASE-NEXT: %[[V7:.*]] = llvm.getelementptr %arg0[%[[V6]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V8:.*]] = arith.addi %arg1, %[[C7]] overflow<nsw> : i32
// BASE-NEXT: %[[V9:.*]] = arith.divsi %[[V8]], %[[C8]] : i32
// BASE-NEXT: %[[V10:.*]] = arith.muli %arg2, %[[C8L]] overflow<nsw> : i64
// BASE-NEXT: return %[[V7]], %[[V9]], %[[V10]] : !llvm.ptr<1>, i32, i64
func.func @dynamic(%arg0: !cute.memref<f32, gmem, align<16>, "(?,32):(?{i64 div=4},1)">, %arg1: !cute.layout<"(8,4):(4,1)">, %arg2: !cute.i32<divby 4>) -> !cute.memref<f32, gmem, align<16>, "(?,8):(?{i64 div=32},4)"> {
  %0 = cute.local_partition(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(?,32):(?{i64 div=4},1)">, !cute.layout<"(8,4):(4,1)">, !cute.i32<divby 4>) -> !cute.memref<f32, gmem, align<16>, "(?,8):(?{i64 div=32},4)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(?,8):(?{i64 div=32},4)">
}

// Threads 5 and 29 differ in the mode that the projection drops: they have the same elements. Tiles need not divide.
// CHECK-LABEL: @projected_threads(
// CHECK: cute.local_partition(%arg0, %arg1, %arg2, "(1,1,_)")
// CHECK: cute.local_partition(%arg0, %arg1, %arg3, "(1,1,_)")
func.func @projected_threads(%arg0: !cute.layout<"(7,8):(1,7)">, %arg1: !cute.layout<"(3,2,5):(2,1,6)">, %arg2: !cute.int_tuple<"5">, %arg3: !cute.int_tuple<"29">) -> (!cute.layout<"(3,4):(3,14)">, !cute.layout<"(3,4):(3,14)">) {
  %0 = cute.local_partition(%arg0, %arg1, %arg2, "(1,1,_)") : (!cute.layout<"(7,8):(1,7)">, !cute.layout<"(3,2,5):(2,1,6)">, !cute.int_tuple<"5">) -> !cute.layout<"(3,4):(3,14)">
  %1 = cute.local_partition(%arg0, %arg1, %arg3, "(1,1,_)") : (!cute.layout<"(7,8):(1,7)">, !cute.layout<"(3,2,5):(2,1,6)">, !cute.int_tuple<"29">) -> !cute.layout<"(3,4):(3,14)">
  return %0, %1 : !cute.layout<"(3,4):(3,14)">, !cute.layout<"(3,4):(3,14)">
}
