// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @no_such_thread(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, %arg1: !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, %arg2: !cute.coord<"32">) -> !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)"> {
  // expected-error @below {{'cute.tiled.copy.partition_D' op thread 32 is not one of the 32 threads of the !cute.tiled_copy}}
  %0 = cute.tiled.copy.partition_D(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, !cute.coord<"32">) -> !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">
}
