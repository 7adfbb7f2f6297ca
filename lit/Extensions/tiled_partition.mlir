// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// ((tile..), rest..): the tile is what calls of the atom take, as copy wants it.

// CHECK-LABEL: @vectors(
// CHECK: cute.tiled_partition(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.shape<"(1,4)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
// FOLD-LABEL: @vectors(
// FOLD-NEXT: {{.*}}cute.tiled_partition(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.shape<"(1,4)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
// FOLD-NEXT: return
// BASE-LABEL: @vectors(
// BASE-NEXT: return %arg0 : !llvm.ptr<1>
func.func @vectors(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, %arg2: !cute.shape<"(1,4)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)"> {
  %0 = cute.tiled_partition(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.shape<"(1,4)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
  return %0 : !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
}

// One predicate a call; a row of them, broadcast along the columns.
// CHECK-LABEL: @predicated(
// CHECK: cute.tiled_partition(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.shape<"(1,4)">, !cute.memref<i8, rmem, "(1,64,8):(0,1,0)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
// FOLD-LABEL: @predicated(
// FOLD-NEXT: {{.*}}cute.tiled_partition(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.shape<"(1,4)">, !cute.memref<i8, rmem, "(1,64,8):(0,1,0)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
// FOLD-NEXT: return
// BASE-LABEL: @predicated(
// BASE-NEXT: return %arg0 : !llvm.ptr<1>
func.func @predicated(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, %arg2: !cute.shape<"(1,4)">, %arg3: !cute.memref<i8, rmem, "(1,64,8):(0,1,0)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)"> {
  %0 = cute.tiled_partition(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.shape<"(1,4)">, !cute.memref<i8, rmem, "(1,64,8):(0,1,0)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
  return %0 : !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
}

// More than one call a tile.
// CHECK-LABEL: @tile(
// CHECK: cute.tiled_partition(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.tile<"[8:1;16:1]">) -> !cute.memref<f32, gmem, align<16>, "((8,16),8,2):((32,1),256,16)">
// FOLD-LABEL: @tile(
// FOLD-NEXT: {{.*}}cute.tiled_partition(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.tile<"[8:1;16:1]">) -> !cute.memref<f32, gmem, align<16>, "((8,16),8,2):((32,1),256,16)">
// FOLD-NEXT: return
// BASE-LABEL: @tile(
// BASE-NEXT: return %arg0 : !llvm.ptr<1>
func.func @tile(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, %arg2: !cute.tile<"[8:1;16:1]">) -> !cute.memref<f32, gmem, align<16>, "((8,16),8,2):((32,1),256,16)"> {
  %0 = cute.tiled_partition(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.tile<"[8:1;16:1]">) -> !cute.memref<f32, gmem, align<16>, "((8,16),8,2):((32,1),256,16)">
  return %0 : !cute.memref<f32, gmem, align<16>, "((8,16),8,2):((32,1),256,16)">
}

// CHECK-LABEL: @coords(
// CHECK: cute.tiled_partition(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.coord_tensor<"(0,0)", "(64,32):(1@0,1@1)">, !cute.shape<"(1,4)">) -> !cute.coord_tensor<"(0,0)", "((1,4),64,8):((0,1@1),1@0,4@1)">
// FOLD-LABEL: @coords(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord_tensor<"(0,0)", "((1,4),64,8):((0,1@1),1@0,4@1)">
// FOLD-NEXT: return
// BASE-LABEL: @coords(
// BASE-NEXT: return
func.func @coords(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.coord_tensor<"(0,0)", "(64,32):(1@0,1@1)">, %arg2: !cute.shape<"(1,4)">) -> !cute.coord_tensor<"(0,0)", "((1,4),64,8):((0,1@1),1@0,4@1)"> {
  %0 = cute.tiled_partition(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.coord_tensor<"(0,0)", "(64,32):(1@0,1@1)">, !cute.shape<"(1,4)">) -> !cute.coord_tensor<"(0,0)", "((1,4),64,8):((0,1@1),1@0,4@1)">
  return %0 : !cute.coord_tensor<"(0,0)", "((1,4),64,8):((0,1@1),1@0,4@1)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.tiled_partition(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},32):(?{i64 div=8},1)">, !cute.shape<"(1,4)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),?{i64 div=8},8):((0,1),?{i64 div=8},4)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.tiled_partition(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},32):(?{i64 div=8},1)">, !cute.shape<"(1,4)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),?{i64 div=8},8):((0,1),?{i64 div=8},4)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0, %arg1, %arg2 : !llvm.ptr<1>, i64, i64
func.func @wide(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},32):(?{i64 div=8},1)">, %arg2: !cute.shape<"(1,4)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),?{i64 div=8},8):((0,1),?{i64 div=8},4)"> {
  %0 = cute.tiled_partition(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},32):(?{i64 div=8},1)">, !cute.shape<"(1,4)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),?{i64 div=8},8):((0,1),?{i64 div=8},4)">
  return %0 : !cute.memref<f32, gmem, align<16>, "((1,4),?{i64 div=8},8):((0,1),?{i64 div=8},4)">
}
