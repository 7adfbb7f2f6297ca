// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @no_such_thread(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, %arg1: !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, %arg2: !cute.coord<"32">) -> !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)"> {
  // expected-error @below {{'cute.tiled.copy.partition_S' op thread 32 is not one of the 32 threads of the !cute.tiled_copy}}
  %0 = cute.tiled.copy.partition_S(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, !cute.coord<"32">) -> !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">
}

// -----

func.func @tuple_thread(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, %arg1: !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, %arg2: !cute.coord<"(1,2)">) -> !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)"> {
  // expected-error @below {{'cute.tiled.copy.partition_S' op the thread must be one integer}}
  %0 = cute.tiled.copy.partition_S(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, !cute.coord<"(1,2)">) -> !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">
}

// -----

func.func @underscore(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, %arg1: !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, %arg2: !cute.coord<"_">) -> !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)"> {
  // expected-error @below {{'cute.tiled.copy.partition_S' op the thread must be one integer}}
  %0 = cute.tiled.copy.partition_S(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, !cute.coord<"_">) -> !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">
}

// -----

func.func @rank(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, %arg1: !cute.memref<f32, gmem, align<16>, "256:1">, %arg2: !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)"> {
  // expected-error @below {{'cute.tiled.copy.partition_S' op the tiler: rank 2, expected at most 1}}
  %0 = cute.tiled.copy.partition_S(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "256:1">, !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">
}

// -----

func.func @kind(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, %arg2: !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)"> {
  // expected-error @below {{'cute.tiled.copy.partition_S' op operand #0 must be cute.tiled_copy, but got '!cute_nvgpu.atom.universal_copy<f32, 128 b>'}}
  %0 = cute.tiled.copy.partition_S(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">
}

// -----

func.func @value(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, %arg1: !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, %arg2: !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)"> {
  // expected-error @below {{'cute.tiled.copy.partition_S' op result #0: declared !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)"> is not a weakening of !cute.memref<f32, gmem, align<16>, "((4,1),2,8):((1,0),128,256)">: (256,8) and ((4,1),2,8) are not congruent}}
  %0 = cute.tiled.copy.partition_S(%arg0, %arg1, %arg2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>, !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">, !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(256,8):(1,256)">
}

// -----

!copy = !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"((4,8),4):((32,1),8)">, tiler_mn = <"[8:1;16:1]">>
func.func @partial(%c: !copy, %v: !cute.memref<f32, gmem, align<16>, "(12,16):(16,1)">, %t: !cute.coord<"?">) {
  // expected-error @below {{'cute.tiled.copy.partition_S' op divide: mode 0: tiles of 8:1 in 12 elements cover 16; set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.tiled.copy.partition_S(%c, %v, %t) : (!copy, !cute.memref<f32, gmem, align<16>, "(12,16):(16,1)">, !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "((4,1),2,1):((1,0),128,0)">
  return
}

// -----

// A copy of 4 floats takes 4 bf16 at a time, which the declared alignment is not about.
!words = !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1;1:0]">>
!view = !cute.memref<bf16, smem, align<16>, "(256,8):(1,256)">
func.func @other_elements(%copy: !words, %view: !view, %thread: !cute.coord<"?">) {
  // expected-error @below {{the atom copies elements of f32, but the view holds bf16}}
  %0 = cute.tiled.copy.partition_S(%copy, %view, %thread) : (!words, !view, !cute.coord<"?">) -> !cute.memref<bf16, smem, align<16>, "((4,1),2,8):((1,0),128,256)">
  return
}
