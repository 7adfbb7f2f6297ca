// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-expand-copy-gemm,cute-lower-atoms,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// A thread's part of a matrix: (V, rest..).

// CHECK-LABEL: @a(
// CHECK: cute.tiled.mma.partition A(%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f16, smem, align<16>, "(128,64):(64,1)">, !cute.coord<"?">) -> !cute.memref<f16, smem, align<4>, "((2,2,2),4,4):((1,512,8),2048,16)">
// BASE-LABEL: @a(
// BASE-NEXT: %[[C32:.*]] = arith.constant 32 : i32
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[C2:.*]] = arith.constant 2 : i32
// BASE-NEXT: %[[C64:.*]] = arith.constant 64 : i32
// BASE-NEXT: %[[C1024:.*]] = arith.constant 1024 : i32
// BASE-NEXT: %[[V0:.*]] = arith.remsi %arg1, %[[C32]] : i32
// BASE-NEXT: %[[V1:.*]] = arith.remsi %[[V0]], %[[C4]] : i32
// BASE-NEXT: %[[V2:.*]] = arith.muli %[[V1]], %[[C2]] overflow<nsw> : i32
// BASE-NEXT: %[[V3:.*]] = arith.divsi %[[V0]], %[[C4]] : i32
// BASE-NEXT: %[[V4:.*]] = arith.muli %[[V3]], %[[C64]] overflow<nsw> : i32
// BASE-NEXT: %[[V5:.*]] = arith.addi %[[V2]], %[[V4]] overflow<nsw> : i32
// BASE-NEXT: %[[V6:.*]] = arith.divsi %arg1, %[[C32]] : i32
// BASE-NEXT: %[[V7:.*]] = arith.remsi %[[V6]], %[[C2]] : i32
// BASE-NEXT: %[[V8:.*]] = arith.muli %[[V7]], %[[C1024]] overflow<nsw> : i32
// BASE-NEXT: %[[V9:.*]] = arith.addi %[[V5]], %[[V8]] overflow<nsw> : i32
// BASE-NEXT: %[[V10:.*]] = llvm.getelementptr %arg0[%[[V9]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i16
// BASE-NEXT: return %[[V10]] : !llvm.ptr<3>
func.func @a(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.memref<f16, smem, align<16>, "(128,64):(64,1)">, %arg2: !cute.coord<"?">) -> !cute.memref<f16, smem, align<4>, "((2,2,2),4,4):((1,512,8),2048,16)"> {
  %0 = cute.tiled.mma.partition A (%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f16, smem, align<16>, "(128,64):(64,1)">, !cute.coord<"?">) -> !cute.memref<f16, smem, align<4>, "((2,2,2),4,4):((1,512,8),2048,16)">
  return %0 : !cute.memref<f16, smem, align<4>, "((2,2,2),4,4):((1,512,8),2048,16)">
}

// CHECK-LABEL: @b(
// CHECK: cute.tiled.mma.partition B(%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f16, smem, align<16>, "(128,64):(64,1)">, !cute.coord<"?">) -> !cute.memref<f16, smem, align<4>, "((2,2),8,4):((1,8),1024,16)">
// BASE-LABEL: @b(
// BASE-NEXT: %[[C32:.*]] = arith.constant 32 : i32
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[C2:.*]] = arith.constant 2 : i32
// BASE-NEXT: %[[C64:.*]] = arith.constant 64 : i32
// BASE-NEXT: %[[C512:.*]] = arith.constant 512 : i32
// BASE-NEXT: %[[V0:.*]] = arith.remsi %arg1, %[[C32]] : i32
// BASE-NEXT: %[[V1:.*]] = arith.remsi %[[V0]], %[[C4]] : i32
// BASE-NEXT: %[[V2:.*]] = arith.muli %[[V1]], %[[C2]] overflow<nsw> : i32
// BASE-NEXT: %[[V3:.*]] = arith.divsi %[[V0]], %[[C4]] : i32
// BASE-NEXT: %[[V4:.*]] = arith.muli %[[V3]], %[[C64]] overflow<nsw> : i32
// BASE-NEXT: %[[V5:.*]] = arith.addi %[[V2]], %[[V4]] overflow<nsw> : i32
// BASE-NEXT: %[[V6:.*]] = arith.divsi %arg1, %[[C64]] : i32
// BASE-NEXT: %[[V7:.*]] = arith.remsi %[[V6]], %[[C2]] : i32
// BASE-NEXT: %[[V8:.*]] = arith.muli %[[V7]], %[[C512]] overflow<nsw> : i32
// BASE-NEXT: %[[V9:.*]] = arith.addi %[[V5]], %[[V8]] overflow<nsw> : i32
// BASE-NEXT: %[[V10:.*]] = llvm.getelementptr %arg0[%[[V9]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i16
// BASE-NEXT: return %[[V10]] : !llvm.ptr<3>
func.func @b(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.memref<f16, smem, align<16>, "(128,64):(64,1)">, %arg2: !cute.coord<"?">) -> !cute.memref<f16, smem, align<4>, "((2,2),8,4):((1,8),1024,16)"> {
  %0 = cute.tiled.mma.partition B (%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f16, smem, align<16>, "(128,64):(64,1)">, !cute.coord<"?">) -> !cute.memref<f16, smem, align<4>, "((2,2),8,4):((1,8),1024,16)">
  return %0 : !cute.memref<f16, smem, align<4>, "((2,2),8,4):((1,8),1024,16)">
}

// CHECK-LABEL: @c(
// CHECK: cute.tiled.mma.partition C(%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f32, gmem, align<16>, "(128,128):(128,1)">, !cute.coord<"?">) -> !cute.memref<f32, gmem, align<8>, "((2,2),4,8):((1,1024),4096,16)">
// BASE-LABEL: @c(
// BASE-NEXT: %[[C32:.*]] = arith.constant 32 : i32
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[C2:.*]] = arith.constant 2 : i32
// BASE-NEXT: %[[C128:.*]] = arith.constant 128 : i32
// BASE-NEXT: %[[C2048:.*]] = arith.constant 2048 : i32
// BASE-NEXT: %[[C64:.*]] = arith.constant 64 : i32
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i32
// BASE-NEXT: %[[V0:.*]] = arith.remsi %arg1, %[[C32]] : i32
// BASE-NEXT: %[[V1:.*]] = arith.remsi %[[V0]], %[[C4]] : i32
// BASE-NEXT: %[[V2:.*]] = arith.muli %[[V1]], %[[C2]] overflow<nsw> : i32
// BASE-NEXT: %[[V3:.*]] = arith.divsi %[[V0]], %[[C4]] : i32
// BASE-NEXT: %[[V4:.*]] = arith.muli %[[V3]], %[[C128]] overflow<nsw> : i32
// BASE-NEXT: %[[V5:.*]] = arith.addi %[[V2]], %[[V4]] overflow<nsw> : i32
// BASE-NEXT: %[[V6:.*]] = arith.divsi %arg1, %[[C32]] : i32
// BASE-NEXT: %[[V7:.*]] = arith.remsi %[[V6]], %[[C2]] : i32
// BASE-NEXT: %[[V8:.*]] = arith.muli %[[V7]], %[[C2048]] overflow<nsw> : i32
// BASE-NEXT: %[[V9:.*]] = arith.divsi %arg1, %[[C64]] : i32
// BASE-NEXT: %[[V10:.*]] = arith.remsi %[[V9]], %[[C2]] : i32
// BASE-NEXT: %[[V11:.*]] = arith.muli %[[V10]], %[[C8]] overflow<nsw> : i32
// BASE-NEXT: %[[V12:.*]] = arith.addi %[[V8]], %[[V11]] overflow<nsw> : i32
// BASE-NEXT: %[[V13:.*]] = arith.addi %[[V5]], %[[V12]] overflow<nsw> : i32
// BASE-NEXT: %[[V14:.*]] = llvm.getelementptr %arg0[%[[V13]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
// BASE-NEXT: return %[[V14]] : !llvm.ptr<1>
func.func @c(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.memref<f32, gmem, align<16>, "(128,128):(128,1)">, %arg2: !cute.coord<"?">) -> !cute.memref<f32, gmem, align<8>, "((2,2),4,8):((1,1024),4096,16)"> {
  %0 = cute.tiled.mma.partition C (%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f32, gmem, align<16>, "(128,128):(128,1)">, !cute.coord<"?">) -> !cute.memref<f32, gmem, align<8>, "((2,2),4,8):((1,1024),4096,16)">
  return %0 : !cute.memref<f32, gmem, align<8>, "((2,2),4,8):((1,1024),4096,16)">
}

// CHECK-LABEL: @static_thread(
// CHECK: cute.tiled.mma.partition C(%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f32, gmem, align<16>, "(128,128):(128,1)">, !cute.coord<"33">) -> !cute.memref<f32, gmem, align<8>, "((2,2),4,8):((1,1024),4096,16)">
// BASE-LABEL: @static_thread(
// BASE-NEXT: %[[V0:.*]] = llvm.getelementptr %arg0[2050] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: return %[[V0]] : !llvm.ptr<1>
func.func @static_thread(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.memref<f32, gmem, align<16>, "(128,128):(128,1)">, %arg2: !cute.coord<"33">) -> !cute.memref<f32, gmem, align<8>, "((2,2),4,8):((1,1024),4096,16)"> {
  %0 = cute.tiled.mma.partition C (%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f32, gmem, align<16>, "(128,128):(128,1)">, !cute.coord<"33">) -> !cute.memref<f32, gmem, align<8>, "((2,2),4,8):((1,1024),4096,16)">
  return %0 : !cute.memref<f32, gmem, align<8>, "((2,2),4,8):((1,1024),4096,16)">
}

// CHECK-LABEL: @coord_tensor(
// CHECK: cute.tiled.mma.partition C(%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.coord_tensor<"(0,0)", "(128,128):(1@0,1@1)">, !cute.coord<"?">) -> !cute.coord_tensor<"(?,?{div=2})", "((2,2),4,8):((1@1,8@0),32@0,16@1)">
// BASE-LABEL: @coord_tensor(
// BASE-NEXT: %[[C32:.*]] = arith.constant 32 : i32
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[C2:.*]] = arith.constant 2 : i32
// BASE-NEXT: %[[C16:.*]] = arith.constant 16 : i32
// BASE-NEXT: %[[C64:.*]] = arith.constant 64 : i32
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i32
// BASE-NEXT: %[[V0:.*]] = arith.remsi %arg0, %[[C32]] : i32
// BASE-NEXT: %[[V1:.*]] = arith.divsi %[[V0]], %[[C4]] : i32
// BASE-NEXT: %[[V2:.*]] = arith.divsi %arg0, %[[C32]] : i32
// BASE-NEXT: %[[V3:.*]] = arith.remsi %[[V2]], %[[C2]] : i32
// BASE-NEXT: %[[V4:.*]] = arith.muli %[[V3]], %[[C16]] overflow<nsw> : i32
// BASE-NEXT: %[[V5:.*]] = arith.addi %[[V1]], %[[V4]] overflow<nsw> : i32
// BASE-NEXT: %[[V6:.*]] = arith.remsi %[[V0]], %[[C4]] : i32
// BASE-NEXT: %[[V7:.*]] = arith.muli %[[V6]], %[[C2]] overflow<nsw> : i32
// BASE-NEXT: %[[V8:.*]] = arith.divsi %arg0, %[[C64]] : i32
// BASE-NEXT: %[[V9:.*]] = arith.remsi %[[V8]], %[[C2]] : i32
// BASE-NEXT: %[[V10:.*]] = arith.muli %[[V9]], %[[C8]] overflow<nsw> : i32
// BASE-NEXT: %[[V11:.*]] = arith.addi %[[V7]], %[[V10]] overflow<nsw> : i32
// BASE-NEXT: return %[[V5]], %[[V11]] : i32, i32
func.func @coord_tensor(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.coord_tensor<"(0,0)", "(128,128):(1@0,1@1)">, %arg2: !cute.coord<"?">) -> !cute.coord_tensor<"(?,?{div=2})", "((2,2),4,8):((1@1,8@0),32@0,16@1)"> {
  %0 = cute.tiled.mma.partition C (%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.coord_tensor<"(0,0)", "(128,128):(1@0,1@1)">, !cute.coord<"?">) -> !cute.coord_tensor<"(?,?{div=2})", "((2,2),4,8):((1@1,8@0),32@0,16@1)">
  return %0 : !cute.coord_tensor<"(?,?{div=2})", "((2,2),4,8):((1@1,8@0),32@0,16@1)">
}

// CHECK-LABEL: @stages(
// CHECK: cute.tiled.mma.partition A(%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f16, smem, align<16>, "(128,64,3):(64,1,8192)">, !cute.coord<"?">) -> !cute.memref<f16, smem, align<4>, "((2,2,2),4,4,3):((1,512,8),2048,16,8192)">
// BASE-LABEL: @stages(
// BASE-NEXT: %[[C32:.*]] = arith.constant 32 : i32
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[C2:.*]] = arith.constant 2 : i32
// BASE-NEXT: %[[C64:.*]] = arith.constant 64 : i32
// BASE-NEXT: %[[C1024:.*]] = arith.constant 1024 : i32
// BASE-NEXT: %[[V0:.*]] = arith.remsi %arg1, %[[C32]] : i32
// BASE-NEXT: %[[V1:.*]] = arith.remsi %[[V0]], %[[C4]] : i32
// BASE-NEXT: %[[V2:.*]] = arith.muli %[[V1]], %[[C2]] overflow<nsw> : i32
// BASE-NEXT: %[[V3:.*]] = arith.divsi %[[V0]], %[[C4]] : i32
// BASE-NEXT: %[[V4:.*]] = arith.muli %[[V3]], %[[C64]] overflow<nsw> : i32
// BASE-NEXT: %[[V5:.*]] = arith.addi %[[V2]], %[[V4]] overflow<nsw> : i32
// BASE-NEXT: %[[V6:.*]] = arith.divsi %arg1, %[[C32]] : i32
// BASE-NEXT: %[[V7:.*]] = arith.remsi %[[V6]], %[[C2]] : i32
// BASE-NEXT: %[[V8:.*]] = arith.muli %[[V7]], %[[C1024]] overflow<nsw> : i32
// BASE-NEXT: %[[V9:.*]] = arith.addi %[[V5]], %[[V8]] overflow<nsw> : i32
// BASE-NEXT: %[[V10:.*]] = llvm.getelementptr %arg0[%[[V9]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i16
// BASE-NEXT: return %[[V10]] : !llvm.ptr<3>
func.func @stages(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.memref<f16, smem, align<16>, "(128,64,3):(64,1,8192)">, %arg2: !cute.coord<"?">) -> !cute.memref<f16, smem, align<4>, "((2,2,2),4,4,3):((1,512,8),2048,16,8192)"> {
  %0 = cute.tiled.mma.partition A (%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f16, smem, align<16>, "(128,64,3):(64,1,8192)">, !cute.coord<"?">) -> !cute.memref<f16, smem, align<4>, "((2,2,2),4,4,3):((1,512,8),2048,16,8192)">
  return %0 : !cute.memref<f16, smem, align<4>, "((2,2,2),4,4,3):((1,512,8),2048,16,8192)">
}

// CHECK-LABEL: @fma(
// CHECK: cute.tiled.mma.partition A(%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, atom_layout_MNK = <"(16,16,1):(16,1,0)">>, !cute.memref<f32, smem, align<16>, "(128,8):(1,128)">, !cute.coord<"?">) -> !cute.memref<f32, smem, "(1,8,8):(0,16,128)">
// BASE-LABEL: @fma(
// BASE-NEXT: %[[C16:.*]] = arith.constant 16 : i32
// BASE-NEXT: %[[V0:.*]] = arith.divsi %arg1, %[[C16]] : i32
// BASE-NEXT: %[[V1:.*]] = arith.remsi %[[V0]], %[[C16]] : i32
// BASE-NEXT: %[[V2:.*]] = llvm.getelementptr %arg0[%[[V1]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
// BASE-NEXT: return %[[V2]] : !llvm.ptr<3>
func.func @fma(%arg0: !cute.tiled_mma<!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, atom_layout_MNK = <"(16,16,1):(16,1,0)">>, %arg1: !cute.memref<f32, smem, align<16>, "(128,8):(1,128)">, %arg2: !cute.coord<"?">) -> !cute.memref<f32, smem, "(1,8,8):(0,16,128)"> {
  %0 = cute.tiled.mma.partition A (%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, atom_layout_MNK = <"(16,16,1):(16,1,0)">>, !cute.memref<f32, smem, align<16>, "(128,8):(1,128)">, !cute.coord<"?">) -> !cute.memref<f32, smem, "(1,8,8):(0,16,128)">
  return %0 : !cute.memref<f32, smem, "(1,8,8):(0,16,128)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.tiled.mma.partition C(%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f32, gmem, align<16>, "(?{i64 div=32},?{i64 div=32}):(?{i64 div=32},1)">, !cute.coord<"?">) -> !cute.memref<f32, gmem, align<8>, "((2,2),?{i64},(2,?{i64})):((1,?{i64 div=256}),?{i64 div=1024},(16,32))">
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C32:.*]] = arith.constant 32 : i32
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[C2:.*]] = arith.constant 2 : i32
// BASE-NEXT: %[[C16I64:.*]] = arith.constant 16 : i64
// BASE-NEXT: %[[C64:.*]] = arith.constant 64 : i32
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i32
// BASE-NEXT: %[[C31I64:.*]] = arith.constant 31 : i64
// BASE-NEXT: %[[C32I64:.*]] = arith.constant 32 : i64
// BASE-NEXT: %[[C8I64:.*]] = arith.constant 8 : i64
// BASE-NEXT: %[[V0:.*]] = arith.remsi %arg4, %[[C32]] : i32
// BASE-NEXT: %[[V1:.*]] = arith.remsi %[[V0]], %[[C4]] : i32
// BASE-NEXT: %[[V2:.*]] = arith.muli %[[V1]], %[[C2]] overflow<nsw> : i32
// BASE-NEXT: %[[V3:.*]] = arith.extsi %[[V2]] : i32 to i64
// BASE-NEXT: %[[V4:.*]] = arith.divsi %[[V0]], %[[C4]] : i32
// BASE-NEXT: %[[V5:.*]] = arith.extsi %[[V4]] : i32 to i64
// BASE-NEXT: %[[V6:.*]] = arith.muli %[[V5]], %arg3 overflow<nsw> : i64
// BASE-NEXT: %[[V7:.*]] = arith.addi %[[V3]], %[[V6]] overflow<nsw> : i64
// BASE-NEXT: %[[V8:.*]] = arith.divsi %arg4, %[[C32]] : i32
// BASE-NEXT: %[[V9:.*]] = arith.remsi %[[V8]], %[[C2]] : i32
// BASE-NEXT: %[[V10:.*]] = arith.extsi %[[V9]] : i32 to i64
// BASE-NEXT: %[[V11:.*]] = arith.muli %arg3, %[[C16I64]] overflow<nsw> : i64
// BASE-NEXT: %[[V12:.*]] = arith.muli %[[V10]], %[[V11]] overflow<nsw> : i64
// BASE-NEXT: %[[V13:.*]] = arith.divsi %arg4, %[[C64]] : i32
// BASE-NEXT: %[[V14:.*]] = arith.remsi %[[V13]], %[[C2]] : i32
// BASE-NEXT: %[[V15:.*]] = arith.muli %[[V14]], %[[C8]] overflow<nsw> : i32
// BASE-NEXT: %[[V16:.*]] = arith.extsi %[[V15]] : i32 to i64
// BASE-NEXT: %[[V17:.*]] = arith.addi %[[V12]], %[[V16]] overflow<nsw> : i64
// BASE-NEXT: %[[V18:.*]] = arith.addi %[[V7]], %[[V17]] overflow<nsw> : i64
// BASE-NEXT: %[[V19:.*]] = llvm.getelementptr %arg0[%[[V18]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V20:.*]] = arith.addi %arg1, %[[C31I64]] overflow<nsw> : i64
// BASE-NEXT: %[[V21:.*]] = arith.divsi %[[V20]], %[[C32I64]] : i64
// BASE-NEXT: %[[V22:.*]] = arith.addi %arg2, %[[C31I64]] overflow<nsw> : i64
// BASE-NEXT: %[[V23:.*]] = arith.divsi %[[V22]], %[[C32I64]] : i64
// BASE-NEXT: %[[V24:.*]] = arith.muli %arg3, %[[C8I64]] overflow<nsw> : i64
// BASE-NEXT: %[[V25:.*]] = arith.muli %arg3, %[[C32I64]] overflow<nsw> : i64
// BASE-NEXT: return %[[V19]], %[[V21]], %[[V23]], %[[V24]], %[[V25]] : !llvm.ptr<1>, i64, i64, i64, i64
func.func @wide(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.memref<f32, gmem, align<16>, "(?{i64 div=32},?{i64 div=32}):(?{i64 div=32},1)">, %arg2: !cute.coord<"?">) -> !cute.memref<f32, gmem, align<8>, "((2,2),?{i64},(2,?{i64})):((1,?{i64 div=256}),?{i64 div=1024},(16,32))"> {
  %0 = cute.tiled.mma.partition C (%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f32, gmem, align<16>, "(?{i64 div=32},?{i64 div=32}):(?{i64 div=32},1)">, !cute.coord<"?">) -> !cute.memref<f32, gmem, align<8>, "((2,2),?{i64},(2,?{i64})):((1,?{i64 div=256}),?{i64 div=1024},(16,32))">
  return %0 : !cute.memref<f32, gmem, align<8>, "((2,2),?{i64},(2,?{i64})):((1,?{i64 div=256}),?{i64 div=1024},(16,32))">
}

// The first thread of a warp group is thread 0 of its atom, whichever group it is: it adds nothing to the origin.
!wgmma = !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
// CHECK-LABEL: @warp_group(
// CHECK: cute.tiled.mma.partition C(%arg0, %arg1, %arg2) : {{.*}} -> !cute.coord_tensor<"(?{div=128},0)", "((2,2,16),2,1):((1@0,8@1,8@0),64@1,0)">
// BASE-LABEL: @warp_group(
// BASE-NEXT: return %{{.*}} : i32
func.func @warp_group(%mma: !wgmma, %sums: !cute.coord_tensor<"(?{div=128},0)", "(128,128):(1@1,1@0)">, %thread: !cute.coord<"?{div=128}">)
    -> !cute.coord_tensor<"(?{div=128},0)", "((2,2,16),2,1):((1@0,8@1,8@0),64@1,0)"> {
  %0 = cute.tiled.mma.partition C (%mma, %sums, %thread) : (!wgmma, !cute.coord_tensor<"(?{div=128},0)", "(128,128):(1@1,1@0)">, !cute.coord<"?{div=128}">)
    -> !cute.coord_tensor<"(?{div=128},0)", "((2,2,16),2,1):((1@0,8@1,8@0),64@1,0)">
  return %0 : !cute.coord_tensor<"(?{div=128},0)", "((2,2,16),2,1):((1@0,8@1,8@0),64@1,0)">
}
