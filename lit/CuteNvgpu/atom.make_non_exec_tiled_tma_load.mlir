// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Descriptors, the boxes that they load, and the coordinates that the TMA takes: first those of the contiguous mode.

// BASE-LABEL: @rows(%{{.*}}: !llvm.ptr<1>, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i64, %{{.*}}: i64) -> !llvm.ptr
// BASE-DAG: %[[TWO:.*]] = arith.constant 2 : i64
// BASE-DAG: %[[COLUMNS:.*]] = arith.extsi %arg2 : i32 to i64
// BASE-DAG: %[[ROWS:.*]] = arith.extsi %arg1 : i32 to i64
// BASE-DAG: %[[BITS:.*]] = arith.muli %arg4, %{{.*}} overflow<nsw> : i64
// BASE-DAG: %[[BYTES:.*]] = arith.divsi %[[BITS]], %{{.*}} : i64
// BASE: %[[MAP:.*]] = cuda.tensor_map %arg0 extents(%[[COLUMNS]], %[[ROWS]], %{{.*}}) strides(%[[TWO]], %[[BYTES]], %{{.*}}) {box_shape = array<i32: 64, 128, 1>, element = "f16", swizzle = "128B"} : !llvm.ptr<1> -> !llvm.ptr
// BASE: return %[[MAP]]
// BASE-LABEL: @rounded(
// BASE: cuda.tensor_map {{.*}} {box_shape = array<i32: 32, 128>, element = "tf32", swizzle = "128B"}
// BASE-LABEL: @nested(
// BASE: cuda.tensor_map {{.*}} {box_shape = array<i32: 64, 64, 1, 1>, element = "u8", swizzle = "none"}
// BASE: cuda.tensor_map {{.*}} {box_shape = array<i32: 64, 64, 1, 1, 1>, element = "bf16", swizzle = "128B"}

!a = !cute.memref<f16, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">
!atom = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>
// CHECK-LABEL: @rows(
// CHECK: cute_nvgpu.atom.make_non_exec_tiled_tma_load({{.*}}) <{kind = <sm_90> num_multicast = 1}> : (!cute.memref<f16, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">,
// CHECK-SAME: -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.coord_tensor<"(0,0,0)", "(?,?,?):(1@1,1@0,1@2)">)
func.func @rows(%a: !a) -> !atom {
  %memory = cute.static : !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))">
  %values = cute.static : !cute.layout<"(128,64):(1@0,1@1)">
  %atom, %coordinates = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1}> : (!a, !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))">, !cute.layout<"(128,64):(1@0,1@1)">) -> (!atom, !cute.coord_tensor<"(0,0,0)", "(?,?,?):(1@1,1@0,1@2)">)
  return %atom : !atom
}

// For f32, which the TMA rounds to tf32, and for a pair of CTAs.
// CHECK-LABEL: @rounded(
// CHECK: <{kind = <sm_100_2sm_multicast> num_multicast = 1 tma_format = <TF32_RN>}> :
// CHECK-SAME: -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_100_2sm_multicast, f32, copy_bits = 131072, tma_gbasis = <"(32,128):(1@1,1@0)">, tma_format = TF32_RN>, !cute.coord_tensor<"(0,0)", "(?,?{div=64}):(1@1,1@0)">)
func.func @rounded(%a: !cute.memref<f32, gmem, align<16>, "(?,?{div=64}):(?{i64 div=64},1)">) {
  %memory = cute.static : !cute.composed_layout<"S<3,4,3> o 0 o ((128,8),1,4):((32,1),0,8)">
  %values = cute.static : !cute.layout<"((128,8),1,4):((1@0,1@1),0,8@1)">
  %0:2 = "cute_nvgpu.atom.make_non_exec_tiled_tma_load"(%a, %memory, %values) <{kind = #cute_nvgpu.tiled_tma_load<sm_100_2sm_multicast>, num_multicast = 1 : i32, tma_format = #cute_nvgpu.tma_data_format<TF32_RN>}> : (!cute.memref<f32, gmem, align<16>, "(?,?{div=64}):(?{i64 div=64},1)">, !cute.composed_layout<"S<3,4,3> o 0 o ((128,8),1,4):((32,1),0,8)">, !cute.layout<"((128,8),1,4):((1@0,1@1),0,8@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_100_2sm_multicast, f32, copy_bits = 131072, tma_gbasis = <"(32,128):(1@1,1@0)">, tma_format = TF32_RN>, !cute.coord_tensor<"(0,0)", "(?,?{div=64}):(1@1,1@0)">)
  return
}

// A mode that repeats its elements has no coordinate; nested modes are numbered one by one, the fifth in a group.
// CHECK-LABEL: @nested(
// CHECK: !cute.coord_tensor<"(0,0,0,0)", "(?,?,((?,?),?)):(1@0,1@1,((0,1@2),1@3))">)
// CHECK: tma_gbasis = <"(64,64,1,1,(1)):(1@1,1@0,1@0@0@2,1@1@0@2,(1@1@2))">
func.func @nested(%a: !cute.memref<i8, gmem, align<16>, "(?,?,((?,?),?)):(1,?,((0,?),?))">, %b: !cute.memref<bf16, gmem, align<16>, "(?,?,((?,?),?)):(?,1,((?,?),?))">) {
  %memory = cute.static : !cute.layout<"(((64,2),16),1,4):(((1,4096),64),0,1024)">
  %values = cute.static : !cute.layout<"((128,16),1,4):((1@0,1@1),0,16@1)">
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1}> : (!cute.memref<i8, gmem, align<16>, "(?,?,((?,?),?)):(1,?,((0,?),?))">, !cute.layout<"(((64,2),16),1,4):(((1,4096),64),0,1024)">, !cute.layout<"((128,16),1,4):((1@0,1@1),0,16@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, i8, copy_bits = 32768, tma_gbasis = <"(64,64,1,1):(1@0,1@1,1@1@0@2,1@1@2)">, tma_format = U8>, !cute.coord_tensor<"(0,0,0,0)", "(?,?,((?,?),?)):(1@0,1@1,((0,1@2),1@3))">)
  %rows = cute.static : !cute.composed_layout<"S<3,4,3> o 0 o ((64,16),1,4):((64,1),0,16)">
  %of_rows = cute.static : !cute.layout<"((64,16),1,4):((1@0,1@1),0,16@1)">
  %1:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%b, %rows, %of_rows) <{kind = <sm_100_2sm> num_multicast = 1}> : (!cute.memref<bf16, gmem, align<16>, "(?,?,((?,?),?)):(?,1,((?,?),?))">, !cute.composed_layout<"S<3,4,3> o 0 o ((64,16),1,4):((64,1),0,16)">, !cute.layout<"((64,16),1,4):((1@0,1@1),0,16@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_100_2sm, bf16, copy_bits = 65536, tma_gbasis = <"(64,64,1,1,(1)):(1@1,1@0,1@0@0@2,1@1@0@2,(1@1@2))">, tma_format = BF16_RN>, !cute.coord_tensor<"(0,0,0,0,0)", "(?,?,((?,?),?)):(1@1,1@0,((1@2,1@3),1@4))">)
  return
}
