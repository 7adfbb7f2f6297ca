// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-expand-copy-gemm,cute-lower-atoms,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The atom over all rest modes.

// CHECK-LABEL: @vectors(
// CHECK: cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">)
// BASE-LABEL: @vectors(
// BASE-NEXT: %[[V0:.*]] = llvm.load %arg0 {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// BASE-NEXT: llvm.store %[[V0]], %arg1 {alignment = 32 : i64} : vector<4xf32>, !llvm.ptr
// BASE-NEXT: %[[V1:.*]] = llvm.getelementptr %arg0[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V2:.*]] = llvm.getelementptr %arg1[4] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V3:.*]] = llvm.load %[[V1]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// BASE-NEXT: llvm.store %[[V3]], %[[V2]] {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
// BASE-NEXT: return
func.func @vectors(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">) {
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">)
  return
}

// One element a call: in mode 0 there is one call.
// CHECK-LABEL: @predicate(
// CHECK: cute.copy(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, !cute.memref<i8, rmem, "(1,2):(1,1)">)
// BASE-LABEL: @predicate(
// BASE-NEXT: %[[C0:.*]] = arith.constant 0 : i8
// BASE-NEXT: %[[V0:.*]] = llvm.load %arg2 {alignment = 1 : i64} : !llvm.ptr -> i8
// BASE-NEXT: %[[V1:.*]] = arith.cmpi ne, %[[V0]], %[[C0]] : i8
// BASE-NEXT: scf.if %[[V1]] {
// BASE-NEXT: %[[V7:.*]] = llvm.load %arg0 {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// BASE-NEXT: llvm.store %[[V7]], %arg1 {alignment = 32 : i64} : vector<4xf32>, !llvm.ptr
// BASE-NEXT: }
// BASE-NEXT: %[[V2:.*]] = llvm.getelementptr %arg0[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V3:.*]] = llvm.getelementptr %arg1[4] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V4:.*]] = llvm.getelementptr %arg2[1] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V5:.*]] = llvm.load %[[V4]] {alignment = 1 : i64} : !llvm.ptr -> i8
// BASE-NEXT: %[[V6:.*]] = arith.cmpi ne, %[[V5]], %[[C0]] : i8
// BASE-NEXT: scf.if %[[V6]] {
// BASE-NEXT: %[[V7_1:.*]] = llvm.load %[[V2]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// BASE-NEXT: llvm.store %[[V7_1]], %[[V3]] {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
// BASE-NEXT: }
// BASE-NEXT: return
func.func @predicate(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, %arg3: !cute.memref<i8, rmem, "(1,2):(1,1)">) {
  cute.copy(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, !cute.memref<i8, rmem, "(1,2):(1,1)">)
  return
}

// CHECK-LABEL: @tiled_copy(
// CHECK: cute.copy(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">, !cute.memref<f32, rmem, align<32>, "((4,1),2,8):((1,0),4,8)">)
// BASE-LABEL: @tiled_copy(
// BASE-NEXT: %[[V0:.*]] = llvm.load %arg0 {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// BASE-NEXT: llvm.store %[[V0]], %arg1 {alignment = 32 : i64} : vector<4xf32>, !llvm.ptr
// BASE-NEXT: %[[V1:.*]] = llvm.getelementptr %arg0[128] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V2:.*]] = llvm.getelementptr %arg1[4] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V3:.*]] = llvm.load %[[V1]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// BASE-NEXT: llvm.store %[[V3]], %[[V2]] {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
// BASE-NEXT: %[[V4:.*]] = llvm.getelementptr %arg0[256] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V5:.*]] = llvm.getelementptr %arg1[8] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V6:.*]] = llvm.load %[[V4]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// BASE-NEXT: llvm.store %[[V6]], %[[V5]] {alignment = 32 : i64} : vector<4xf32>, !llvm.ptr
// BASE-NEXT: %[[V7:.*]] = llvm.getelementptr %arg0[384] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V8:.*]] = llvm.getelementptr %arg1[12] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V9:.*]] = llvm.load %[[V7]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// BASE-NEXT: llvm.store %[[V9]], %[[V8]] {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
// BASE-NEXT: %[[V10:.*]] = llvm.getelementptr %arg0[512] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V11:.*]] = llvm.getelementptr %arg1[16] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V12:.*]] = llvm.load %[[V10]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
func.func @tiled_copy(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, %arg1: !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">, %arg2: !cute.memref<f32, rmem, align<32>, "((4,1),2,8):((1,0),4,8)">) {
  cute.copy(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">, !cute.memref<f32, rmem, align<32>, "((4,1),2,8):((1,0),4,8)">)
  return
}

// Element by element nothing has to be aligned.
// CHECK-LABEL: @scalars(
// CHECK: cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>, !cute.memref<f32, gmem, "(4,?):(?,1)">, !cute.memref<f32, smem, "(4,?):(1,4)">)
// BASE-LABEL: @scalars(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: %[[C2:.*]] = arith.constant 2 : i32
// BASE-NEXT: %[[C3:.*]] = arith.constant 3 : i32
// BASE-NEXT: %[[C0:.*]] = arith.constant 0 : i32
// BASE-NEXT: scf.for %arg5 = %[[C0]] to %arg4 step %[[C1]]  : i32 {
// BASE-NEXT: %[[V0:.*]] = llvm.getelementptr %arg0[%arg5] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V1:.*]] = arith.muli %arg5, %[[C4]] overflow<nsw> : i32
// BASE-NEXT: %[[V2:.*]] = llvm.getelementptr %arg3[%[[V1]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
// BASE-NEXT: %[[V3:.*]] = llvm.load %[[V0]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// BASE-NEXT: llvm.store %[[V3]], %[[V2]] {alignment = 4 : i64} : f32, !llvm.ptr<3>
// BASE-NEXT: %[[V4:.*]] = arith.addi %arg2, %arg5 overflow<nsw> : i32
// BASE-NEXT: %[[V5:.*]] = llvm.getelementptr %arg0[%[[V4]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V6:.*]] = arith.addi %[[V1]], %[[C1]] overflow<nsw> : i32
// BASE-NEXT: %[[V7:.*]] = llvm.getelementptr %arg3[%[[V6]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
// BASE-NEXT: %[[V8:.*]] = llvm.load %[[V5]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// BASE-NEXT: llvm.store %[[V8]], %[[V7]] {alignment = 4 : i64} : f32, !llvm.ptr<3>
func.func @scalars(%arg0: !cute_nvgpu.atom.universal_copy<f32, 32 b>, %arg1: !cute.memref<f32, gmem, "(4,?):(?,1)">, %arg2: !cute.memref<f32, smem, "(4,?):(1,4)">) {
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>, !cute.memref<f32, gmem, "(4,?):(?,1)">, !cute.memref<f32, smem, "(4,?):(1,4)">)
  return
}

// The destination may have one more mode, with as many elements.
// CHECK-LABEL: @one_more_rank(
// CHECK: cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>, !cute.memref<f32, gmem, "8:1">, !cute.memref<f32, rmem, "(4,2):(1,4)">)
// BASE-LABEL: @one_more_rank(
// BASE-NEXT: %[[V0:.*]] = llvm.load %arg0 {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// BASE-NEXT: llvm.store %[[V0]], %arg1 {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V1:.*]] = llvm.getelementptr %arg0[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V2:.*]] = llvm.getelementptr %arg1[1] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V3:.*]] = llvm.load %[[V1]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// BASE-NEXT: llvm.store %[[V3]], %[[V2]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V4:.*]] = llvm.getelementptr %arg0[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V5:.*]] = llvm.getelementptr %arg1[2] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V6:.*]] = llvm.load %[[V4]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// BASE-NEXT: llvm.store %[[V6]], %[[V5]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V7:.*]] = llvm.getelementptr %arg0[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V8:.*]] = llvm.getelementptr %arg1[3] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V9:.*]] = llvm.load %[[V7]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// BASE-NEXT: llvm.store %[[V9]], %[[V8]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V10:.*]] = llvm.getelementptr %arg0[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V11:.*]] = llvm.getelementptr %arg1[4] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V12:.*]] = llvm.load %[[V10]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
func.func @one_more_rank(%arg0: !cute_nvgpu.atom.universal_copy<f32, 32 b>, %arg1: !cute.memref<f32, gmem, "8:1">, %arg2: !cute.memref<f32, rmem, "(4,2):(1,4)">) {
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>, !cute.memref<f32, gmem, "8:1">, !cute.memref<f32, rmem, "(4,2):(1,4)">)
  return
}

// CHECK-LABEL: @wide(
// CHECK: cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>, !cute.memref<f32, gmem, "(4,?{i64 div=8}):(?{i64 div=8},1)">, !cute.memref<f32, smem, "(4,?{i64 div=8}):(1,4)">)
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i64
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i64
// BASE-NEXT: %[[C2:.*]] = arith.constant 2 : i64
// BASE-NEXT: %[[C3:.*]] = arith.constant 3 : i64
// BASE-NEXT: %[[C0:.*]] = arith.constant 0 : i64
// BASE-NEXT: scf.for %arg5 = %[[C0]] to %arg4 step %[[C1]]  : i64 {
// BASE-NEXT: %[[V0:.*]] = llvm.getelementptr %arg0[%arg5] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V1:.*]] = arith.muli %arg5, %[[C4]] overflow<nsw> : i64
// BASE-NEXT: %[[V2:.*]] = llvm.getelementptr %arg3[%[[V1]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
// BASE-NEXT: %[[V3:.*]] = llvm.load %[[V0]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// BASE-NEXT: llvm.store %[[V3]], %[[V2]] {alignment = 4 : i64} : f32, !llvm.ptr<3>
// BASE-NEXT: %[[V4:.*]] = arith.addi %arg2, %arg5 overflow<nsw> : i64
// BASE-NEXT: %[[V5:.*]] = llvm.getelementptr %arg0[%[[V4]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V6:.*]] = arith.addi %[[V1]], %[[C1]] overflow<nsw> : i64
// BASE-NEXT: %[[V7:.*]] = llvm.getelementptr %arg3[%[[V6]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
// BASE-NEXT: %[[V8:.*]] = llvm.load %[[V5]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// BASE-NEXT: llvm.store %[[V8]], %[[V7]] {alignment = 4 : i64} : f32, !llvm.ptr<3>
func.func @wide(%arg0: !cute_nvgpu.atom.universal_copy<f32, 32 b>, %arg1: !cute.memref<f32, gmem, "(4,?{i64 div=8}):(?{i64 div=8},1)">, %arg2: !cute.memref<f32, smem, "(4,?{i64 div=8}):(1,4)">) {
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>, !cute.memref<f32, gmem, "(4,?{i64 div=8}):(?{i64 div=8},1)">, !cute.memref<f32, smem, "(4,?{i64 div=8}):(1,4)">)
  return
}
