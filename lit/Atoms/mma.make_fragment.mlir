// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-expand-copy-gemm,cute-lower-atoms,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Registers of a thread: A and B in the order of the partition's strides, C in the order of its modes.

// CHECK-LABEL: @a(
// CHECK: cute.mma.make_fragment A(%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f16, smem, align<4>, "((2,2,2),4,4):((1,512,8),2048,16)">) -> !cute.memref<f16, rmem, align<16>, "((2,2,2),4,4):((1,2,4),32,8)">
// BASE-LABEL: @a(
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: %[[V0:.*]] = llvm.alloca %[[C1]] x !llvm.array<128 x f16> {alignment = 32 : i64} : (i32) -> !llvm.ptr
// BASE-NEXT: return %[[V0]] : !llvm.ptr
func.func @a(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.memref<f16, smem, align<4>, "((2,2,2),4,4):((1,512,8),2048,16)">) -> !cute.memref<f16, rmem, align<16>, "((2,2,2),4,4):((1,2,4),32,8)"> {
  %0 = cute.mma.make_fragment A (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f16, smem, align<4>, "((2,2,2),4,4):((1,512,8),2048,16)">) -> !cute.memref<f16, rmem, align<16>, "((2,2,2),4,4):((1,2,4),32,8)">
  return %0 : !cute.memref<f16, rmem, align<16>, "((2,2,2),4,4):((1,2,4),32,8)">
}

// CHECK-LABEL: @b(
// CHECK: cute.mma.make_fragment B(%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f16, smem, align<4>, "((2,2),8,4):((1,8),1024,16)">) -> !cute.memref<f16, rmem, align<8>, "((2,2),8,4):((1,2),16,4)">
// BASE-LABEL: @b(
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: %[[V0:.*]] = llvm.alloca %[[C1]] x !llvm.array<128 x f16> {alignment = 32 : i64} : (i32) -> !llvm.ptr
// BASE-NEXT: return %[[V0]] : !llvm.ptr
func.func @b(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.memref<f16, smem, align<4>, "((2,2),8,4):((1,8),1024,16)">) -> !cute.memref<f16, rmem, align<8>, "((2,2),8,4):((1,2),16,4)"> {
  %0 = cute.mma.make_fragment B (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f16, smem, align<4>, "((2,2),8,4):((1,8),1024,16)">) -> !cute.memref<f16, rmem, align<8>, "((2,2),8,4):((1,2),16,4)">
  return %0 : !cute.memref<f16, rmem, align<8>, "((2,2),8,4):((1,2),16,4)">
}

// CHECK-LABEL: @c(
// CHECK: cute.mma.make_fragment C(%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f32, gmem, align<8>, "((2,2),4,8):((1,1024),4096,16)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
// BASE-LABEL: @c(
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: %[[V0:.*]] = llvm.alloca %[[C1]] x !llvm.array<128 x f32> {alignment = 32 : i64} : (i32) -> !llvm.ptr
// BASE-NEXT: return %[[V0]] : !llvm.ptr
func.func @c(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.memref<f32, gmem, align<8>, "((2,2),4,8):((1,1024),4096,16)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)"> {
  %0 = cute.mma.make_fragment C (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f32, gmem, align<8>, "((2,2),4,8):((1,1024),4096,16)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
  return %0 : !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
}

// CHECK-LABEL: @of_shape(
// CHECK: cute.mma.make_fragment C(%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.shape<"((2,2),4,8)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
// BASE-LABEL: @of_shape(
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: %[[V0:.*]] = llvm.alloca %[[C1]] x !llvm.array<128 x f32> {alignment = 32 : i64} : (i32) -> !llvm.ptr
// BASE-NEXT: return %[[V0]] : !llvm.ptr
func.func @of_shape(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.shape<"((2,2),4,8)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)"> {
  %0 = cute.mma.make_fragment C (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.shape<"((2,2),4,8)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
  return %0 : !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
}

// CHECK-LABEL: @of_coordinates(
// CHECK: cute.mma.make_fragment C(%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.coord_tensor<"(?,?{div=2})", "((2,2),4,8):((1@1,8@0),32@0,16@1)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
// BASE-LABEL: @of_coordinates(
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: %[[V0:.*]] = llvm.alloca %[[C1]] x !llvm.array<128 x f32> {alignment = 32 : i64} : (i32) -> !llvm.ptr
// BASE-NEXT: return %[[V0]] : !llvm.ptr
func.func @of_coordinates(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.coord_tensor<"(?,?{div=2})", "((2,2),4,8):((1@1,8@0),32@0,16@1)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)"> {
  %0 = cute.mma.make_fragment C (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.coord_tensor<"(?,?{div=2})", "((2,2),4,8):((1@1,8@0),32@0,16@1)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
  return %0 : !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
}

// CHECK-LABEL: @of_wide_strides(
// CHECK: cute.mma.make_fragment C(%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f32, gmem, align<8>, "((2,2),4,8):((1,?{i64 div=256}),?{i64 div=1024},16)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
// BASE-LABEL: @of_wide_strides(
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: %[[V0:.*]] = llvm.alloca %[[C1]] x !llvm.array<128 x f32> {alignment = 32 : i64} : (i32) -> !llvm.ptr
// BASE-NEXT: return %[[V0]] : !llvm.ptr
func.func @of_wide_strides(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.memref<f32, gmem, align<8>, "((2,2),4,8):((1,?{i64 div=256}),?{i64 div=1024},16)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)"> {
  %0 = cute.mma.make_fragment C (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f32, gmem, align<8>, "((2,2),4,8):((1,?{i64 div=256}),?{i64 div=1024},16)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
  return %0 : !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
}

// CHECK-LABEL: @fma(
// CHECK: cute.mma.make_fragment C(%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, atom_layout_MNK = <"(16,16,1):(16,1,0)">>, !cute.shape<"(1,8,8)">) -> !cute.memref<f32, rmem, "(1,8,8):(0,1,8)">
// BASE-LABEL: @fma(
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: %[[V0:.*]] = llvm.alloca %[[C1]] x !llvm.array<64 x f32> {alignment = 32 : i64} : (i32) -> !llvm.ptr
// BASE-NEXT: return %[[V0]] : !llvm.ptr
func.func @fma(%arg0: !cute.tiled_mma<!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, atom_layout_MNK = <"(16,16,1):(16,1,0)">>, %arg1: !cute.shape<"(1,8,8)">) -> !cute.memref<f32, rmem, "(1,8,8):(0,1,8)"> {
  %0 = cute.mma.make_fragment C (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, atom_layout_MNK = <"(16,16,1):(16,1,0)">>, !cute.shape<"(1,8,8)">) -> !cute.memref<f32, rmem, "(1,8,8):(0,1,8)">
  return %0 : !cute.memref<f32, rmem, "(1,8,8):(0,1,8)">
}

// Elements of 4 and 6 bits lie in bytes of their own.
// CHECK-LABEL: @bytes(
// CHECK: cute.mma.make_fragment A(%arg0, %arg1) : (!cute_nvgpu.SM120.mma<16x8x32, elem_type = (f4E2M1FN, f8E5M2, f32) >, !cute.shape<"((4,2,2),2,2)">) -> !cute.memref<i8, rmem, align<16>, "((4,2,2),2,2):((1,4,8),16,32)">
// BASE-LABEL: @bytes(
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: %[[V0:.*]] = llvm.alloca %[[C1]] x !llvm.array<64 x i8> {alignment = 32 : i64} : (i32) -> !llvm.ptr
// BASE-NEXT: return %[[V0]] : !llvm.ptr
func.func @bytes(%arg0: !cute_nvgpu.SM120.mma<16x8x32, elem_type = (f4E2M1FN, f8E5M2, f32) >, %arg1: !cute.shape<"((4,2,2),2,2)">) -> !cute.memref<i8, rmem, align<16>, "((4,2,2),2,2):((1,4,8),16,32)"> {
  %0 = cute.mma.make_fragment A (%arg0, %arg1) : (!cute_nvgpu.SM120.mma<16x8x32, elem_type = (f4E2M1FN, f8E5M2, f32) >, !cute.shape<"((4,2,2),2,2)">) -> !cute.memref<i8, rmem, align<16>, "((4,2,2),2,2):((1,4,8),16,32)">
  return %0 : !cute.memref<i8, rmem, align<16>, "((4,2,2),2,2):((1,4,8),16,32)">
}

