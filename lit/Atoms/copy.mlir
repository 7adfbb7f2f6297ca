// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s

// The atom over all rest modes.

// CHECK-LABEL: @vectors(
// CHECK: cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">)
func.func @vectors(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">) {
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">)
  return
}

// One element a call: in mode 0 there is one call.
// CHECK-LABEL: @predicate(
// CHECK: cute.copy(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, !cute.memref<i8, rmem, "(1,2):(1,1)">)
func.func @predicate(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, %arg3: !cute.memref<i8, rmem, "(1,2):(1,1)">) {
  cute.copy(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, !cute.memref<i8, rmem, "(1,2):(1,1)">)
  return
}

// CHECK-LABEL: @tiled_copy(
// CHECK: cute.copy(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">, !cute.memref<f32, rmem, align<32>, "((4,1),2,8):((1,0),4,8)">)
func.func @tiled_copy(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, %arg1: !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">, %arg2: !cute.memref<f32, rmem, align<32>, "((4,1),2,8):((1,0),4,8)">) {
  cute.copy(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">, !cute.memref<f32, rmem, align<32>, "((4,1),2,8):((1,0),4,8)">)
  return
}

// Element by element nothing has to be aligned.
// CHECK-LABEL: @scalars(
// CHECK: cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>, !cute.memref<f32, gmem, "(4,?):(?,1)">, !cute.memref<f32, smem, "(4,?):(1,4)">)
func.func @scalars(%arg0: !cute_nvgpu.atom.universal_copy<f32, 32 b>, %arg1: !cute.memref<f32, gmem, "(4,?):(?,1)">, %arg2: !cute.memref<f32, smem, "(4,?):(1,4)">) {
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>, !cute.memref<f32, gmem, "(4,?):(?,1)">, !cute.memref<f32, smem, "(4,?):(1,4)">)
  return
}

// The destination may have one more mode, with as many elements.
// CHECK-LABEL: @one_more_rank(
// CHECK: cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>, !cute.memref<f32, gmem, "8:1">, !cute.memref<f32, rmem, "(4,2):(1,4)">)
func.func @one_more_rank(%arg0: !cute_nvgpu.atom.universal_copy<f32, 32 b>, %arg1: !cute.memref<f32, gmem, "8:1">, %arg2: !cute.memref<f32, rmem, "(4,2):(1,4)">) {
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>, !cute.memref<f32, gmem, "8:1">, !cute.memref<f32, rmem, "(4,2):(1,4)">)
  return
}
