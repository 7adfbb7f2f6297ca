// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-expand-copy-gemm,cute-lower-atoms,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The shape of what a thread has of a matrix of some shape.

// CHECK-LABEL: @a(
// CHECK: cute.tiled.mma.partition_shape A(%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.shape<"(128,64)">) -> !cute.shape<"((2,2,2),4,4)">
// BASE-LABEL: @a(
// BASE-NEXT: return
func.func @a(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.shape<"(128,64)">) -> !cute.shape<"((2,2,2),4,4)"> {
  %0 = cute.tiled.mma.partition_shape A (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.shape<"(128,64)">) -> !cute.shape<"((2,2,2),4,4)">
  return %0 : !cute.shape<"((2,2,2),4,4)">
}

// CHECK-LABEL: @b(
// CHECK: cute.tiled.mma.partition_shape B(%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.shape<"(128,64)">) -> !cute.shape<"((2,2),8,4)">
// BASE-LABEL: @b(
// BASE-NEXT: return
func.func @b(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.shape<"(128,64)">) -> !cute.shape<"((2,2),8,4)"> {
  %0 = cute.tiled.mma.partition_shape B (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.shape<"(128,64)">) -> !cute.shape<"((2,2),8,4)">
  return %0 : !cute.shape<"((2,2),8,4)">
}

// CHECK-LABEL: @c(
// CHECK: cute.tiled.mma.partition_shape C(%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.shape<"(128,128)">) -> !cute.shape<"((2,2),4,8)">
// BASE-LABEL: @c(
// BASE-NEXT: return
func.func @c(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.shape<"(128,128)">) -> !cute.shape<"((2,2),4,8)"> {
  %0 = cute.tiled.mma.partition_shape C (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.shape<"(128,128)">) -> !cute.shape<"((2,2),4,8)">
  return %0 : !cute.shape<"((2,2),4,8)">
}

// CHECK-LABEL: @stages(
// CHECK: cute.tiled.mma.partition_shape A(%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.shape<"(128,64,3)">) -> !cute.shape<"((2,2,2),4,4,3)">
// BASE-LABEL: @stages(
// BASE-NEXT: return
func.func @stages(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.shape<"(128,64,3)">) -> !cute.shape<"((2,2,2),4,4,3)"> {
  %0 = cute.tiled.mma.partition_shape A (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.shape<"(128,64,3)">) -> !cute.shape<"((2,2,2),4,4,3)">
  return %0 : !cute.shape<"((2,2,2),4,4,3)">
}

// CHECK-LABEL: @fma(
// CHECK: cute.tiled.mma.partition_shape C(%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, atom_layout_MNK = <"(16,16,1):(16,1,0)">>, !cute.shape<"(128,?{div=16})">) -> !cute.shape<"(1,8,?)">
// BASE-LABEL: @fma(
// BASE-NEXT: %[[C15:.*]] = arith.constant 15 : i32
// BASE-NEXT: %[[C16:.*]] = arith.constant 16 : i32
// BASE-NEXT: %[[V0:.*]] = arith.addi %arg0, %[[C15]] overflow<nsw> : i32
// BASE-NEXT: %[[V1:.*]] = arith.divsi %[[V0]], %[[C16]] : i32
// BASE-NEXT: return %[[V1]] : i32
func.func @fma(%arg0: !cute.tiled_mma<!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, atom_layout_MNK = <"(16,16,1):(16,1,0)">>, %arg1: !cute.shape<"(128,?{div=16})">) -> !cute.shape<"(1,8,?)"> {
  %0 = cute.tiled.mma.partition_shape C (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, atom_layout_MNK = <"(16,16,1):(16,1,0)">>, !cute.shape<"(128,?{div=16})">) -> !cute.shape<"(1,8,?)">
  return %0 : !cute.shape<"(1,8,?)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.tiled.mma.partition_shape C(%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.shape<"(?{div=32},?{i64 div=32})">) -> !cute.shape<"((2,2),?,(2,?{i64}))">
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C31:.*]] = arith.constant 31 : i32
// BASE-NEXT: %[[C32:.*]] = arith.constant 32 : i32
// BASE-NEXT: %[[C31I64:.*]] = arith.constant 31 : i64
// BASE-NEXT: %[[C32I64:.*]] = arith.constant 32 : i64
// BASE-NEXT: %[[V0:.*]] = arith.addi %arg0, %[[C31]] overflow<nsw> : i32
// BASE-NEXT: %[[V1:.*]] = arith.divsi %[[V0]], %[[C32]] : i32
// BASE-NEXT: %[[V2:.*]] = arith.addi %arg1, %[[C31I64]] overflow<nsw> : i64
// BASE-NEXT: %[[V3:.*]] = arith.divsi %[[V2]], %[[C32I64]] : i64
// BASE-NEXT: return %[[V1]], %[[V3]] : i32, i64
func.func @wide(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.shape<"(?{div=32},?{i64 div=32})">) -> !cute.shape<"((2,2),?,(2,?{i64}))"> {
  %0 = cute.tiled.mma.partition_shape C (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.shape<"(?{div=32},?{i64 div=32})">) -> !cute.shape<"((2,2),?,(2,?{i64}))">
  return %0 : !cute.shape<"((2,2),?,(2,?{i64}))">
}

