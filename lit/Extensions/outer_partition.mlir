// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The rests of zipped_divide at a coordinate of the tile.

// CHECK-LABEL: @layout(
// CHECK: cute.outer_partition(%arg0, %arg1, %arg2) : (!cute.layout<"(8,8):(1,8)">, !cute.shape<"(2,4)">, !cute.coord<"(1,3)">) -> !cute.layout<"(4,2):(2,32)">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,2):(2,32)">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.layout<"(8,8):(1,8)">, %arg1: !cute.shape<"(2,4)">, %arg2: !cute.coord<"(1,3)">) -> !cute.layout<"(4,2):(2,32)"> {
  %0 = cute.outer_partition(%arg0, %arg1, %arg2) : (!cute.layout<"(8,8):(1,8)">, !cute.shape<"(2,4)">, !cute.coord<"(1,3)">) -> !cute.layout<"(4,2):(2,32)">
  return %0 : !cute.layout<"(4,2):(2,32)">
}

// CHECK-LABEL: @memref(
// CHECK: cute.outer_partition(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.tile<"[8:1;4:1]">, !cute.coord<"(?,?)">) -> !cute.memref<f32, gmem, "(8,8):(256,4)">
// FOLD-LABEL: @memref(
// FOLD-NEXT: {{.*}}cute.outer_partition(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.tile<"[8:1;4:1]">, !cute.coord<"(?,?)">) -> !cute.memref<f32, gmem, "(8,8):(256,4)">
// FOLD-NEXT: return
// BASE-LABEL: @memref(
// BASE-NEXT: %[[C32:.*]] = arith.constant 32 : i32
// BASE-NEXT: %[[V0:.*]] = arith.muli %arg1, %[[C32]] overflow<nsw> : i32
// BASE-NEXT: %[[V1:.*]] = arith.addi %[[V0]], %arg2 overflow<nsw> : i32
// BASE-NEXT: %[[V2:.*]] = llvm.getelementptr %arg0[%[[V1]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
// BASE-NEXT: return %[[V2]] : !llvm.ptr<1>
func.func @memref(%arg0: !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, %arg1: !cute.tile<"[8:1;4:1]">, %arg2: !cute.coord<"(?,?)">) -> !cute.memref<f32, gmem, "(8,8):(256,4)"> {
  %0 = cute.outer_partition(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.tile<"[8:1;4:1]">, !cute.coord<"(?,?)">) -> !cute.memref<f32, gmem, "(8,8):(256,4)">
  return %0 : !cute.memref<f32, gmem, "(8,8):(256,4)">
}

// An open mode of the tile stays.
// CHECK-LABEL: @open(
// CHECK: cute.outer_partition(%arg0, %arg1, %arg2) : (!cute.layout<"(8,8):(1,8)">, !cute.shape<"(2,4)">, !cute.coord<"(1,_)">) -> !cute.layout<"(4,4,2):(8,2,32)">
// FOLD-LABEL: @open(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,4,2):(8,2,32)">
// FOLD-NEXT: return
// BASE-LABEL: @open(
// BASE-NEXT: return
func.func @open(%arg0: !cute.layout<"(8,8):(1,8)">, %arg1: !cute.shape<"(2,4)">, %arg2: !cute.coord<"(1,_)">) -> !cute.layout<"(4,4,2):(8,2,32)"> {
  %0 = cute.outer_partition(%arg0, %arg1, %arg2) : (!cute.layout<"(8,8):(1,8)">, !cute.shape<"(2,4)">, !cute.coord<"(1,_)">) -> !cute.layout<"(4,4,2):(8,2,32)">
  return %0 : !cute.layout<"(4,4,2):(8,2,32)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.outer_partition(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(?{i64 div=8},32):(?{i64 div=8},1)">, !cute.tile<"[8:1;4:1]">, !cute.coord<"(?,?)">) -> !cute.memref<f32, gmem, "(?{i64},8):(?{i64 div=64},4)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.outer_partition(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(?{i64 div=8},32):(?{i64 div=8},1)">, !cute.tile<"[8:1;4:1]">, !cute.coord<"(?,?)">) -> !cute.memref<f32, gmem, "(?{i64},8):(?{i64 div=64},4)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C7:.*]] = arith.constant 7 : i64
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i64
// BASE-NEXT: %[[V0:.*]] = arith.extsi %arg3 : i32 to i64
// BASE-NEXT: %[[V1:.*]] = arith.muli %[[V0]], %arg2 overflow<nsw> : i64
// BASE-NEXT: %[[V2:.*]] = arith.extsi %arg4 : i32 to i64
// BASE-NEXT: %[[V3:.*]] = arith.addi %[[V1]], %[[V2]] overflow<nsw> : i64
// BASE-NEXT: %[[V4:.*]] = llvm.getelementptr %arg0[%[[V3]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V5:.*]] = arith.addi %arg1, %[[C7]] overflow<nsw> : i64
// BASE-NEXT: %[[V6:.*]] = arith.divsi %[[V5]], %[[C8]] : i64
// BASE-NEXT: %[[V7:.*]] = arith.muli %arg2, %[[C8]] overflow<nsw> : i64
// BASE-NEXT: return %[[V4]], %[[V6]], %[[V7]] : !llvm.ptr<1>, i64, i64
func.func @wide(%arg0: !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},32):(?{i64 div=8},1)">, %arg1: !cute.tile<"[8:1;4:1]">, %arg2: !cute.coord<"(?,?)">) -> !cute.memref<f32, gmem, "(?{i64},8):(?{i64 div=64},4)"> {
  %0 = cute.outer_partition(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(?{i64 div=8},32):(?{i64 div=8},1)">, !cute.tile<"[8:1;4:1]">, !cute.coord<"(?,?)">) -> !cute.memref<f32, gmem, "(?{i64},8):(?{i64 div=64},4)">
  return %0 : !cute.memref<f32, gmem, "(?{i64},8):(?{i64 div=64},4)">
}
