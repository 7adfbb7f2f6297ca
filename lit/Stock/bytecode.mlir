// RUN: %opt %s --emit-bytecode | %opt | FileCheck %s

// Types, attributes and properties survive bytecode.

// CHECK-LABEL: @ops(
// CHECK: cute.static : !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">
// CHECK: cute.size<[1]> (%arg0) : (!cute.layout<"(?{i64 div=8},8):(8,1)">) -> !cute.int_tuple<"8">
// CHECK: cute.group_modes<0, 2> (%arg0)
// CHECK: cute.get_scalars<{only_dynamic}> (%arg0)
// CHECK: cute.local_tile(%arg1, %{{.*}}, %arg2, "(1,_,1)")
func.func @ops(%l: !cute.layout<"(?{i64 div=8},8):(8,1)">, %m: !cute.memref<f16, smem, align<16>, S<3,4,3>, "(128,64):(64,1)">, %c: !cute.coord<"(?,0,_)">) {
  %0 = cute.static : !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">
  %1 = cute.size<[1]>(%l) : (!cute.layout<"(?{i64 div=8},8):(8,1)">) -> !cute.int_tuple<"8">
  %2 = cute.group_modes<0, 2>(%l) : (!cute.layout<"(?{i64 div=8},8):(8,1)">) -> !cute.layout<"((?{i64 div=8},8)):((8,1))">
  %3 = cute.get_scalars<{only_dynamic}>(%l) : !cute.layout<"(?{i64 div=8},8):(8,1)">
  %t = cute.static : !cute.tile<"[64:1;8:1;32:1]">
  %4 = cute.local_tile(%m, %t, %c, "(1,_,1)") : (!cute.memref<f16, smem, align<16>, S<3,4,3>, "(128,64):(64,1)">, !cute.tile<"[64:1;8:1;32:1]">, !cute.coord<"(?,0,_)">) -> !cute.memref<f16, smem, align<16>, S<3,4,3>, "(64,32,2):(64,1,32)">
  return
}

// CHECK: @types(!cute.tiled_copy<!cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>, layout_copy_tv = <"(32,8):(8,1)">, tiler_mn = <"[256:1]">>, !cute.coord_tensor<"(0,?)", "(4,?):(1@0,1@1)">)
func.func private @types(!cute.tiled_copy<!cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>, layout_copy_tv = <"(32,8):(8,1)">, tiler_mn = <"[256:1]">>, !cute.coord_tensor<"(0,?)", "(4,?):(1@0,1@1)">)
