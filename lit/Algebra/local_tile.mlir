// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The tile at a coordinate of the rest modes.

// CHECK-LABEL: @memref(
// CHECK: cute.local_tile(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, !cute.shape<"(64,32)">, !cute.coord<"(1,0)">) -> !cute.memref<f32, gmem, align<16>, "(64,32):(64,1)">
// FOLD-LABEL: @memref(
// FOLD-NEXT: {{.*}}cute.local_tile(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, !cute.shape<"(64,32)">, !cute.coord<"(1,0)">) -> !cute.memref<f32, gmem, align<16>, "(64,32):(64,1)">
// FOLD-NEXT: return
// BASE-LABEL: @memref(
// BASE-NEXT: %[[V0:.*]] = llvm.getelementptr %arg0[4096] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: return %[[V0]] : !llvm.ptr<1>
func.func @memref(%arg0: !cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, %arg1: !cute.shape<"(64,32)">, %arg2: !cute.coord<"(1,0)">) -> !cute.memref<f32, gmem, align<16>, "(64,32):(64,1)"> {
  %0 = cute.local_tile(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, !cute.shape<"(64,32)">, !cute.coord<"(1,0)">) -> !cute.memref<f32, gmem, align<16>, "(64,32):(64,1)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(64,32):(64,1)">
}

// `_` keeps a rest mode.
// CHECK-LABEL: @open_mode(
// CHECK: cute.local_tile(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, !cute.tile<"[64:1;32:1]">, !cute.coord<"(?,_)">) -> !cute.memref<f32, gmem, align<16>, "(64,32,2):(64,1,32)">
// FOLD-LABEL: @open_mode(
// FOLD-NEXT: {{.*}}cute.local_tile(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, !cute.tile<"[64:1;32:1]">, !cute.coord<"(?,_)">) -> !cute.memref<f32, gmem, align<16>, "(64,32,2):(64,1,32)">
// FOLD-NEXT: return
// BASE-LABEL: @open_mode(
// BASE-NEXT: %[[C4096:.*]] = arith.constant 4096 : i32
// BASE-NEXT: %[[V0:.*]] = arith.muli %arg1, %[[C4096]] overflow<nsw> : i32
// BASE-NEXT: %[[V1:.*]] = llvm.getelementptr %arg0[%[[V0]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
// BASE-NEXT: return %[[V1]] : !llvm.ptr<1>
func.func @open_mode(%arg0: !cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, %arg1: !cute.tile<"[64:1;32:1]">, %arg2: !cute.coord<"(?,_)">) -> !cute.memref<f32, gmem, align<16>, "(64,32,2):(64,1,32)"> {
  %0 = cute.local_tile(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, !cute.tile<"[64:1;32:1]">, !cute.coord<"(?,_)">) -> !cute.memref<f32, gmem, align<16>, "(64,32,2):(64,1,32)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(64,32,2):(64,1,32)">
}

// The projection drops modes of tile and coordinate.
// CHECK-LABEL: @projection(
// CHECK: cute.local_tile(%arg0, %arg1, %arg2, "(1,_,1)") : (!cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, !cute.tile<"[64:1;8:1;32:1]">, !cute.coord<"(?,0,_)">) -> !cute.memref<f32, gmem, align<16>, "(64,32,2):(64,1,32)">
// FOLD-LABEL: @projection(
// FOLD-NEXT: {{.*}}cute.local_tile(%arg0, %arg1, %arg2, "(1,_,1)") : (!cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, !cute.tile<"[64:1;8:1;32:1]">, !cute.coord<"(?,0,_)">) -> !cute.memref<f32, gmem, align<16>, "(64,32,2):(64,1,32)">
// FOLD-NEXT: return
// BASE-LABEL: @projection(
// BASE-NEXT: %[[C4096:.*]] = arith.constant 4096 : i32
// BASE-NEXT: %[[V0:.*]] = arith.muli %arg1, %[[C4096]] overflow<nsw> : i32
// BASE-NEXT: %[[V1:.*]] = llvm.getelementptr %arg0[%[[V0]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
// BASE-NEXT: return %[[V1]] : !llvm.ptr<1>
func.func @projection(%arg0: !cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, %arg1: !cute.tile<"[64:1;8:1;32:1]">, %arg2: !cute.coord<"(?,0,_)">) -> !cute.memref<f32, gmem, align<16>, "(64,32,2):(64,1,32)"> {
  %0 = cute.local_tile(%arg0, %arg1, %arg2, "(1,_,1)") : (!cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, !cute.tile<"[64:1;8:1;32:1]">, !cute.coord<"(?,0,_)">) -> !cute.memref<f32, gmem, align<16>, "(64,32,2):(64,1,32)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(64,32,2):(64,1,32)">
}

// CHECK-LABEL: @coord_tensor(
// CHECK: cute.local_tile(%arg0, %arg1, %arg2) : (!cute.coord_tensor<"(0,0)", "(128,64):(1@0,1@1)">, !cute.shape<"(64,32)">, !cute.coord<"(1,?)">) -> !cute.coord_tensor<"(64,?{div=32})", "(64,32):(1@0,1@1)">
// FOLD-LABEL: @coord_tensor(
// FOLD-NEXT: {{.*}}cute.local_tile(%arg0, %arg1, %arg2) : (!cute.coord_tensor<"(0,0)", "(128,64):(1@0,1@1)">, !cute.shape<"(64,32)">, !cute.coord<"(1,?)">) -> !cute.coord_tensor<"(64,?{div=32})", "(64,32):(1@0,1@1)">
// FOLD-NEXT: return
// BASE-LABEL: @coord_tensor(
// BASE-NEXT: %[[C32:.*]] = arith.constant 32 : i32
// BASE-NEXT: %[[V0:.*]] = arith.muli %arg0, %[[C32]] overflow<nsw> : i32
// BASE-NEXT: return %[[V0]] : i32
func.func @coord_tensor(%arg0: !cute.coord_tensor<"(0,0)", "(128,64):(1@0,1@1)">, %arg1: !cute.shape<"(64,32)">, %arg2: !cute.coord<"(1,?)">) -> !cute.coord_tensor<"(64,?{div=32})", "(64,32):(1@0,1@1)"> {
  %0 = cute.local_tile(%arg0, %arg1, %arg2) : (!cute.coord_tensor<"(0,0)", "(128,64):(1@0,1@1)">, !cute.shape<"(64,32)">, !cute.coord<"(1,?)">) -> !cute.coord_tensor<"(64,?{div=32})", "(64,32):(1@0,1@1)">
  return %0 : !cute.coord_tensor<"(64,?{div=32})", "(64,32):(1@0,1@1)">
}

// CHECK-LABEL: @layout(
// CHECK: cute.local_tile(%arg0, %arg1, %arg2) : (!cute.layout<"(128,64):(64,1)">, !cute.shape<"(64,32)">, !cute.coord<"(1,0)">) -> !cute.layout<"(64,32):(64,1)">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(64,32):(64,1)">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.layout<"(128,64):(64,1)">, %arg1: !cute.shape<"(64,32)">, %arg2: !cute.coord<"(1,0)">) -> !cute.layout<"(64,32):(64,1)"> {
  %0 = cute.local_tile(%arg0, %arg1, %arg2) : (!cute.layout<"(128,64):(64,1)">, !cute.shape<"(64,32)">, !cute.coord<"(1,0)">) -> !cute.layout<"(64,32):(64,1)">
  return %0 : !cute.layout<"(64,32):(64,1)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.local_tile(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(?{i64 div=8},64):(?{i64 div=8},1)">, !cute.tile<"[8:1;32:1]">, !cute.coord<"(?,1)">) -> !cute.memref<f32, gmem, align<16>, "(8,32):(?{i64 div=8},1)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.local_tile(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(?{i64 div=8},64):(?{i64 div=8},1)">, !cute.tile<"[8:1;32:1]">, !cute.coord<"(?,1)">) -> !cute.memref<f32, gmem, align<16>, "(8,32):(?{i64 div=8},1)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i64
// BASE-NEXT: %[[C32:.*]] = arith.constant 32 : i64
// BASE-NEXT: %[[V0:.*]] = arith.extsi %arg3 : i32 to i64
// BASE-NEXT: %[[V1:.*]] = arith.muli %arg2, %[[C8]] overflow<nsw> : i64
// BASE-NEXT: %[[V2:.*]] = arith.muli %[[V0]], %[[V1]] overflow<nsw> : i64
// BASE-NEXT: %[[V3:.*]] = arith.addi %[[V2]], %[[C32]] overflow<nsw> : i64
// BASE-NEXT: %[[V4:.*]] = llvm.getelementptr %arg0[%[[V3]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// BASE-NEXT: return %[[V4]], %arg2 : !llvm.ptr<1>, i64
func.func @wide(%arg0: !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},64):(?{i64 div=8},1)">, %arg1: !cute.tile<"[8:1;32:1]">, %arg2: !cute.coord<"(?,1)">) -> !cute.memref<f32, gmem, align<16>, "(8,32):(?{i64 div=8},1)"> {
  %0 = cute.local_tile(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(?{i64 div=8},64):(?{i64 div=8},1)">, !cute.tile<"[8:1;32:1]">, !cute.coord<"(?,1)">) -> !cute.memref<f32, gmem, align<16>, "(8,32):(?{i64 div=8},1)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(8,32):(?{i64 div=8},1)">
}

// Past the projection, the coordinate goes on: here to the mode that the tile does not reach.
// CHECK-LABEL: @past_the_projection(
// CHECK: cute.local_tile(%arg0, %arg1, %arg2, "(1,_,1)")
func.func @past_the_projection(%arg0: !cute.coord_tensor<"(0,0,0)", "(?,?,?):(1@1,1@0,1@2)">, %arg1: !cute.tile<"[128:1;128:1;64:1]">, %arg2: !cute.coord<"(?,?,_,?)">) -> !cute.coord_tensor<"(0,?{div=128},?)", "(128,64,?):(1@1,1@0,64@0)"> {
  %0 = cute.local_tile(%arg0, %arg1, %arg2, "(1,_,1)") : (!cute.coord_tensor<"(0,0,0)", "(?,?,?):(1@1,1@0,1@2)">, !cute.tile<"[128:1;128:1;64:1]">, !cute.coord<"(?,?,_,?)">) -> !cute.coord_tensor<"(0,?{div=128},?)", "(128,64,?):(1@1,1@0,64@0)">
  return %0 : !cute.coord_tensor<"(0,?{div=128},?)", "(128,64,?):(1@1,1@0,64@0)">
}
