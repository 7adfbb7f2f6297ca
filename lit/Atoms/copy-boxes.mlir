// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-expand-copy-gemm)' | FileCheck %s --check-prefix=EXPAND

// The TMA copies a box from coordinates or to them: two boxes are two calls.

!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>
!store = !cute_nvgpu.atom.tma_store<f16, copy_bits = 131072, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>
!reduce = !cute_nvgpu.atom.tma_reduce<f16, copy_bits = 131072, mode = tiled, kind = ADD, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>
!boxes = !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">
!tile = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,2),(1)):((1,8192),(0))">

// CHECK-LABEL: @load(
// CHECK: cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.tma_load<
// EXPAND-LABEL: @load(
// EXPAND: cute.copy_atom_call({{.*}}) : (!cute_nvgpu.atom.tma_load<{{.*}}, !cute.coord_tensor<"(?{div=64},?{div=128},?)", "((64,128)):((1@0,1@1))">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(8192):(1)">) -> ()
// EXPAND: cute.copy_atom_call({{.*}}) : (!cute_nvgpu.atom.tma_load<{{.*}}, !cute.coord_tensor<"(?{div=64},?{div=128},?)", "((64,128)):((1@0,1@1))">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(8192):(1)">) -> ()
// EXPAND-NOT: cute.copy_atom_call
func.func @load(%atom: !load, %boxes: !boxes, %tile: !tile) {
  cute.copy(%atom, %boxes, %tile) : (!load, !boxes, !tile)
  return
}

// CHECK-LABEL: @store(
// CHECK: cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.tma_store<
// EXPAND-LABEL: @store(
// EXPAND-COUNT-2: cute.copy_atom_call
func.func @store(%atom: !store, %tile: !tile, %boxes: !boxes) {
  cute.copy(%atom, %tile, %boxes) : (!store, !tile, !boxes)
  return
}

// CHECK-LABEL: @reduce(
// CHECK: cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.tma_reduce<
// EXPAND-LABEL: @reduce(
// EXPAND-COUNT-2: cute.copy_atom_call
func.func @reduce(%atom: !reduce, %tile: !tile, %boxes: !boxes) {
  cute.copy(%atom, %tile, %boxes) : (!reduce, !tile, !boxes)
  return
}
