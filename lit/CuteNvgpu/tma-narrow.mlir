// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Elements of 4 and 6 bits: packed in shared memory, or a byte each. Bits count in global memory.

// CHECK-LABEL: @packed(
// CHECK: tma_format = U4>, !cute.coord_tensor
// BASE-LABEL: @packed(
// BASE: cuda.tensor_map {{.*}} {box_shape = array<i32: 256, 64>, element = "u4", swizzle = "128B"}
func.func @packed(%a: !cute.memref<f4E2M1FN, gmem, align<32>, "(256,512):(512,1)">, %memory: !cute.composed_layout<"S<3,4,3> o 0 o (64,256):(256,1)">, %values: !cute.layout<"(64,256):(1@0,1@1)">) {
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1}> : (!cute.memref<f4E2M1FN, gmem, align<32>, "(256,512):(512,1)">, !cute.composed_layout<"S<3,4,3> o 0 o (64,256):(256,1)">, !cute.layout<"(64,256):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f4E2M1FN, copy_bits = 65536, tma_gbasis = <"(256,64):(1@1,1@0)">, tma_format = U4>, !cute.coord_tensor<"(0,0)", "(256,512):(1@1,1@0)">)
  return
}

// CHECK-LABEL: @padded(
// CHECK: tma_format = U4_UNPACK_U8>, !cute.coord_tensor
// BASE-LABEL: @padded(
// BASE: cuda.tensor_map {{.*}} {box_shape = array<i32: 128, 64>, element = "u4 in 8 bits", swizzle = "128B"}
func.func @padded(%a: !cute.memref<f4E2M1FN, gmem, align<32>, "(256,512):(512,1)">, %memory: !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(128,1)">, %values: !cute.layout<"(64,128):(1@0,1@1)">) {
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1 tma_format = <U4_UNPACK_U8>}> : (!cute.memref<f4E2M1FN, gmem, align<32>, "(256,512):(512,1)">, !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(128,1)">, !cute.layout<"(64,128):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f4E2M1FN, copy_bits = 32768, tma_gbasis = <"(128,64):(1@1,1@0)">, tma_format = U4_UNPACK_U8>, !cute.coord_tensor<"(0,0)", "(256,512):(1@1,1@0)">)
  return
}

// CHECK-LABEL: @e2m3(
// CHECK: tma_format = U6_UNPACK_U8>, !cute.coord_tensor
// BASE-LABEL: @e2m3(
// BASE: cuda.tensor_map {{.*}} {box_shape = array<i32: 128, 64>, element = "u6 in 8 bits", swizzle = "128B"}
func.func @e2m3(%a: !cute.memref<f6E2M3FN, gmem, align<32>, "(256,512):(512,1)">, %memory: !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(128,1)">, %values: !cute.layout<"(64,128):(1@0,1@1)">) {
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1}> : (!cute.memref<f6E2M3FN, gmem, align<32>, "(256,512):(512,1)">, !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(128,1)">, !cute.layout<"(64,128):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f6E2M3FN, copy_bits = 49152, tma_gbasis = <"(128,64):(1@1,1@0)">, tma_format = U6_UNPACK_U8>, !cute.coord_tensor<"(0,0)", "(256,512):(1@1,1@0)">)
  return
}

// CHECK-LABEL: @e3m2(
// CHECK: tma_format = U6_UNPACK_U8>, !cute.coord_tensor
// BASE-LABEL: @e3m2(
// BASE: cuda.tensor_map {{.*}} {box_shape = array<i32: 128, 64>, element = "u6 in 8 bits", swizzle = "128B"}
func.func @e3m2(%a: !cute.memref<f6E3M2FN, gmem, align<32>, "(256,512):(512,1)">, %memory: !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(128,1)">, %values: !cute.layout<"(64,128):(1@0,1@1)">) {
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1}> : (!cute.memref<f6E3M2FN, gmem, align<32>, "(256,512):(512,1)">, !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(128,1)">, !cute.layout<"(64,128):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f6E3M2FN, copy_bits = 49152, tma_gbasis = <"(128,64):(1@1,1@0)">, tma_format = U6_UNPACK_U8>, !cute.coord_tensor<"(0,0)", "(256,512):(1@1,1@0)">)
  return
}

// CHECK-LABEL: @stored(
// CHECK: tma_format = U4>, !cute.coord_tensor
// BASE-LABEL: @stored(
// BASE: cuda.tensor_map {{.*}} {box_shape = array<i32: 256, 64>, element = "u4", swizzle = "128B"}
func.func @stored(%a: !cute.memref<f4E2M1FN, gmem, align<32>, "(256,512):(512,1)">, %memory: !cute.composed_layout<"S<3,4,3> o 0 o (64,256):(256,1)">, %values: !cute.layout<"(64,256):(1@0,1@1)">) {
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_store(%a, %memory, %values) : (!cute.memref<f4E2M1FN, gmem, align<32>, "(256,512):(512,1)">, !cute.composed_layout<"S<3,4,3> o 0 o (64,256):(256,1)">, !cute.layout<"(64,256):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_store<f4E2M1FN, copy_bits = 65536, tma_gbasis = <"(256,64):(1@1,1@0)">, tma_format = U4>, !cute.coord_tensor<"(0,0)", "(256,512):(1@1,1@0)">)
  return
}

// CHECK-LABEL: @stored_from_bytes(
// CHECK: tma_format = U6_UNPACK_U8>, !cute.coord_tensor
// BASE-LABEL: @stored_from_bytes(
// BASE: cuda.tensor_map {{.*}} {box_shape = array<i32: 128, 64>, element = "u6 in 8 bits", swizzle = "128B"}
func.func @stored_from_bytes(%a: !cute.memref<f6E2M3FN, gmem, align<32>, "(256,512):(512,1)">, %memory: !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(128,1)">, %values: !cute.layout<"(64,128):(1@0,1@1)">) {
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_store(%a, %memory, %values) : (!cute.memref<f6E2M3FN, gmem, align<32>, "(256,512):(512,1)">, !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(128,1)">, !cute.layout<"(64,128):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_store<f6E2M3FN, copy_bits = 49152, tma_gbasis = <"(128,64):(1@1,1@0)">, tma_format = U6_UNPACK_U8>, !cute.coord_tensor<"(0,0)", "(256,512):(1@1,1@0)">)
  return
}
