// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-expand-copy-gemm,cute-lower-atoms,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The part that a thread writes: (V, rest..).

// CHECK-LABEL: @memref(
// CHECK: cute.tiled.copy.partition_D(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">
// BASE-LABEL: @memref(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[V0:.*]] = arith.muli %arg1, %[[C4]] overflow<nsw> : i32
// BASE-NEXT: %[[V1:.*]] = llvm.getelementptr %arg0[%[[V0]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
// BASE-NEXT: return %[[V1]] : !llvm.ptr<1>
func.func @memref(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, %arg1: !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, %arg2: !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)"> {
  %0 = cute.tiled.copy.partition_D(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">
  return %0 : !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">
}

// CHECK-LABEL: @static_thread(
// CHECK: cute.tiled.copy.partition_D(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, !cute.coord<"3">) -> !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">
// BASE-LABEL: @static_thread(
// BASE-NEXT: %[[V0:.*]] = llvm.getelementptr %arg0[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: return %[[V0]] : !llvm.ptr<1>
func.func @static_thread(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, %arg1: !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, %arg2: !cute.coord<"3">) -> !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)"> {
  %0 = cute.tiled.copy.partition_D(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, !cute.coord<"3">) -> !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">
  return %0 : !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">
}

// CHECK-LABEL: @coord_tensor(
// CHECK: cute.tiled.copy.partition_D(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.coord_tensor<"(0,0)", "(256,8):(1@0,1@1)">, !cute.coord<"?">) -> !cute.coord_tensor<"(?{div=4},0)", "((4,1),2,8):((1@0,0),128@0,1@1)">
// BASE-LABEL: @coord_tensor(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[V0:.*]] = arith.muli %arg0, %[[C4]] overflow<nsw> : i32
// BASE-NEXT: return %[[V0]] : i32
func.func @coord_tensor(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, %arg1: !cute.coord_tensor<"(0,0)", "(256,8):(1@0,1@1)">, %arg2: !cute.coord<"?">) -> !cute.coord_tensor<"(?{div=4},0)", "((4,1),2,8):((1@0,0),128@0,1@1)"> {
  %0 = cute.tiled.copy.partition_D(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.coord_tensor<"(0,0)", "(256,8):(1@0,1@1)">, !cute.coord<"?">) -> !cute.coord_tensor<"(?{div=4},0)", "((4,1),2,8):((1@0,0),128@0,1@1)">
  return %0 : !cute.coord_tensor<"(?{div=4},0)", "((4,1),2,8):((1@0,0),128@0,1@1)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.tiled.copy.partition_D(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "(256,?{i64 div=8}):(1,?{i64 div=8})">, !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "((4,1),2,?{i64 div=8}):((1,0),128,?{i64 div=8})">
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[V0:.*]] = arith.muli %arg3, %[[C4]] overflow<nsw> : i32
// BASE-NEXT: %[[V1:.*]] = llvm.getelementptr %arg0[%[[V0]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
// BASE-NEXT: return %[[V1]], %arg1, %arg2 : !llvm.ptr<1>, i64, i64
func.func @wide(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, %arg1: !cute.memref<f32, gmem, align<16>, "(256,?{i64 div=8}):(1,?{i64 div=8})">, %arg2: !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "((4,1),2,?{i64 div=8}):((1,0),128,?{i64 div=8})"> {
  %0 = cute.tiled.copy.partition_D(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "(256,?{i64 div=8}):(1,?{i64 div=8})">, !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "((4,1),2,?{i64 div=8}):((1,0),128,?{i64 div=8})">
  return %0 : !cute.memref<f32, gmem, align<16>, "((4,1),2,?{i64 div=8}):((1,0),128,?{i64 div=8})">
}
