// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// Four warps copy, each at the same place of its own 32 lanes. Nothing of it is left at run time.

// BASE: func.func @load(%{{.*}}: i32) {
// BASE-NEXT: return

// CHECK-LABEL: @load(
// CHECK: cute_nvgpu.atom.make_tmem_copy(%arg0, %arg1) : (!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>, !cute.memref<f32, tmem, align<16>, "(128,16):(65536,1)">) -> !cute.tiled_copy<!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>, layout_copy_tv = <"((32,4),(16,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);16:1]">>
func.func @load(%atom: !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>, %tensor: !cute.memref<f32, tmem, align<16>, "(128,16):(65536,1)">) -> !cute.tiled_copy<!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>, layout_copy_tv = <"((32,4),(16,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);16:1]">> {
  %0 = cute_nvgpu.atom.make_tmem_copy(%atom, %tensor) : (!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>, !cute.memref<f32, tmem, align<16>, "(128,16):(65536,1)">) -> !cute.tiled_copy<!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>, layout_copy_tv = <"((32,4),(16,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);16:1]">>
  return %0 : !cute.tiled_copy<!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>, layout_copy_tv = <"((32,4),(16,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);16:1]">>
}

// CHECK-LABEL: @rows_of_16(
// CHECK: cute_nvgpu.atom.make_tmem_copy(%arg0, %arg1) : (!cute_nvgpu.atom.tmem_load<f32, 16 DP, 256 bit, x8>, !cute.memref<f32, tmem, align<16>, "(128,64):(65536,1)">) -> !cute.tiled_copy<!cute_nvgpu.atom.tmem_load<f32, 16 DP, 256 bit, x8>, layout_copy_tv = <"((32,4),(64,16)):((0,1),(64,4))">, tiler_mn = <"[(4,16):(32,1);64:1]">>
func.func @rows_of_16(%atom: !cute_nvgpu.atom.tmem_load<f32, 16 DP, 256 bit, x8>, %tensor: !cute.memref<f32, tmem, align<16>, "(128,64):(65536,1)">) -> !cute.tiled_copy<!cute_nvgpu.atom.tmem_load<f32, 16 DP, 256 bit, x8>, layout_copy_tv = <"((32,4),(64,16)):((0,1),(64,4))">, tiler_mn = <"[(4,16):(32,1);64:1]">> {
  %0 = cute_nvgpu.atom.make_tmem_copy(%atom, %tensor) : (!cute_nvgpu.atom.tmem_load<f32, 16 DP, 256 bit, x8>, !cute.memref<f32, tmem, align<16>, "(128,64):(65536,1)">) -> !cute.tiled_copy<!cute_nvgpu.atom.tmem_load<f32, 16 DP, 256 bit, x8>, layout_copy_tv = <"((32,4),(64,16)):((0,1),(64,4))">, tiler_mn = <"[(4,16):(32,1);64:1]">>
  return %0 : !cute.tiled_copy<!cute_nvgpu.atom.tmem_load<f32, 16 DP, 256 bit, x8>, layout_copy_tv = <"((32,4),(64,16)):((0,1),(64,4))">, tiler_mn = <"[(4,16):(32,1);64:1]">>
}

// CHECK-LABEL: @store(
// CHECK: cute_nvgpu.atom.make_tmem_copy(%arg0, %arg1) : (!cute_nvgpu.atom.tmem_store<f16, 32 DP, 32 bit, x8>, !cute.memref<f16, tmem, align<1>, "((128,16),1,(4,2)):((131072,1),0,(16,64))">) -> !cute.tiled_copy<!cute_nvgpu.atom.tmem_store<f16, 32 DP, 32 bit, x8>, layout_copy_tv = <"((32,4),(16,32)):((0,1),(4,64))">, tiler_mn = <"[(64,32):(32,1);1:0;1:0]">>
func.func @store(%atom: !cute_nvgpu.atom.tmem_store<f16, 32 DP, 32 bit, x8>, %tensor: !cute.memref<f16, tmem, align<1>, "((128,16),1,(4,2)):((131072,1),0,(16,64))">) -> !cute.tiled_copy<!cute_nvgpu.atom.tmem_store<f16, 32 DP, 32 bit, x8>, layout_copy_tv = <"((32,4),(16,32)):((0,1),(4,64))">, tiler_mn = <"[(64,32):(32,1);1:0;1:0]">> {
  %0 = cute_nvgpu.atom.make_tmem_copy(%atom, %tensor) : (!cute_nvgpu.atom.tmem_store<f16, 32 DP, 32 bit, x8>, !cute.memref<f16, tmem, align<1>, "((128,16),1,(4,2)):((131072,1),0,(16,64))">) -> !cute.tiled_copy<!cute_nvgpu.atom.tmem_store<f16, 32 DP, 32 bit, x8>, layout_copy_tv = <"((32,4),(16,32)):((0,1),(4,64))">, tiler_mn = <"[(64,32):(32,1);1:0;1:0]">>
  return %0 : !cute.tiled_copy<!cute_nvgpu.atom.tmem_store<f16, 32 DP, 32 bit, x8>, layout_copy_tv = <"((32,4),(16,32)):((0,1),(4,64))">, tiler_mn = <"[(64,32):(32,1);1:0;1:0]">>
}
