// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s

// What a thread reads: (V, rest..).

// CHECK-LABEL: @memref(
// CHECK: cute.tiled.copy.partition_S(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">
func.func @memref(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, %arg1: !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, %arg2: !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)"> {
  %0 = cute.tiled.copy.partition_S(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">
  return %0 : !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">
}

// CHECK-LABEL: @static_thread(
// CHECK: cute.tiled.copy.partition_S(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, !cute.coord<"3">) -> !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">
func.func @static_thread(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, %arg1: !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, %arg2: !cute.coord<"3">) -> !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)"> {
  %0 = cute.tiled.copy.partition_S(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, !cute.coord<"3">) -> !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">
  return %0 : !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">
}

// CHECK-LABEL: @coord_tensor(
// CHECK: cute.tiled.copy.partition_S(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.coord_tensor<"(0,0)", "(256,8):(1@0,1@1)">, !cute.coord<"?">) -> !cute.coord_tensor<"(?{div=4},0)", "((4,1),2,8):((1@0,0),128@0,1@1)">
func.func @coord_tensor(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, %arg1: !cute.coord_tensor<"(0,0)", "(256,8):(1@0,1@1)">, %arg2: !cute.coord<"?">) -> !cute.coord_tensor<"(?{div=4},0)", "((4,1),2,8):((1@0,0),128@0,1@1)"> {
  %0 = cute.tiled.copy.partition_S(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.coord_tensor<"(0,0)", "(256,8):(1@0,1@1)">, !cute.coord<"?">) -> !cute.coord_tensor<"(?{div=4},0)", "((4,1),2,8):((1@0,0),128@0,1@1)">
  return %0 : !cute.coord_tensor<"(?{div=4},0)", "((4,1),2,8):((1@0,0),128@0,1@1)">
}
