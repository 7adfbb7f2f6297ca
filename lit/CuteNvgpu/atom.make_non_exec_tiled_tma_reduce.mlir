// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// BASE-LABEL: @boxes(
// BASE: cuda.tensor_map {{.*}} {box_shape = array<i32: 32, 128, 1>, element = "f32", swizzle = "128B"}
// BASE-LABEL: @format(
// BASE: cuda.tensor_map {{.*}} element = "f32.ftz"

// CHECK-LABEL: @boxes(
// CHECK: cute_nvgpu.atom.make_non_exec_tiled_tma_reduce(%arg0, %arg1, %arg2) <{kind = <ADD>}> : (
// CHECK-SAME: -> (!cute_nvgpu.atom.non_exec_tiled_tma_reduce<ADD, f32, copy_bits = 131072, tma_gbasis = <"(32,128,1):(1@1,1@0,1@2)">, tma_format = F32_RN>, !cute.coord_tensor<"(0,0,0)", "(?,?,?):(1@1,1@0,1@2)">)
func.func @boxes(%a: !cute.memref<f32, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, %memory: !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))">, %values: !cute.layout<"(128,32):(1@0,1@1)">) {
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_reduce(%a, %memory, %values) <{kind = <ADD>}> : (!cute.memref<f32, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))">, !cute.layout<"(128,32):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_reduce<ADD, f32, copy_bits = 131072, tma_gbasis = <"(32,128,1):(1@1,1@0,1@2)">, tma_format = F32_RN>, !cute.coord_tensor<"(0,0,0)", "(?,?,?):(1@1,1@0,1@2)">)
  return
}

// CHECK-LABEL: @generic(
// CHECK: cute_nvgpu.atom.make_non_exec_tiled_tma_reduce(%arg0, %arg1, %arg2) <{kind = <ADD>}> : (
func.func @generic(%a: !cute.memref<f32, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, %memory: !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))">, %values: !cute.layout<"(128,32):(1@0,1@1)">) {
  %0:2 = "cute_nvgpu.atom.make_non_exec_tiled_tma_reduce"(%a, %memory, %values) <{kind = #cute_nvgpu.tma_reduce_kind<ADD>}> : (!cute.memref<f32, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))">, !cute.layout<"(128,32):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_reduce<ADD, f32, copy_bits = 131072, tma_gbasis = <"(32,128,1):(1@1,1@0,1@2)">, tma_format = F32_RN>, !cute.coord_tensor<"(0,0,0)", "(?,?,?):(1@1,1@0,1@2)">)
  return
}

// CHECK-LABEL: @format(
// CHECK: cute_nvgpu.atom.make_non_exec_tiled_tma_reduce(%arg0, %arg1, %arg2) <{kind = <ADD> tma_format = <F32_FTZ_RN>}> : (
func.func @format(%a: !cute.memref<f32, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, %memory: !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))">, %values: !cute.layout<"(128,32):(1@0,1@1)">) {
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_reduce(%a, %memory, %values) <{kind = <ADD> tma_format = <F32_FTZ_RN>}> : (!cute.memref<f32, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))">, !cute.layout<"(128,32):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_reduce<ADD, f32, copy_bits = 131072, tma_gbasis = <"(32,128,1):(1@1,1@0,1@2)">, tma_format = F32_FTZ_RN>, !cute.coord_tensor<"(0,0,0)", "(?,?,?):(1@1,1@0,1@2)">)
  return
}
