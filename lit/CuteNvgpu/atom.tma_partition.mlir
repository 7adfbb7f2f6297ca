// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Tiles as boxes: values of a box, boxes, rest. A CTA of several begins at its part of each box.

// CHECK-LABEL: @two_boxes(
// CHECK: cute_nvgpu.atom.tma_partition(%arg0, %arg1, %arg2, %arg3, %arg4) : (
// CHECK-SAME: -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,2),3):((1,8192),16384)">, !cute.coord_tensor<"(0,?{div=128},?)", "(((64,128),2),?):(((1@0,1@1),64@0),128@1)">)
// BASE-LABEL: @two_boxes(
// BASE-SAME: %{{.*}}: !llvm.ptr, %[[P:[a-z0-9]+]]: !llvm.ptr<3>, %[[M:[a-z0-9]+]]: i32, %[[L:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32)
// BASE-NEXT: return %[[P]], %[[M]], %[[L]], %[[N]]
func.func @two_boxes(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, %cta: !cute.coord<"0">, %ctas: !cute.layout<"1:0">, %s: !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((128,16),1,(4,2)),3):(((64,1),0,(16,8192)),16384)">, %g: !cute.coord_tensor<"(0,?{div=128},?)", "(((128,16),1,8),?):(((1@1,1@0),0,16@0),128@1)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,2),3):((1,8192),16384)">, !cute.coord_tensor<"(0,?{div=128},?)", "(((64,128),2),?):(((1@0,1@1),64@0),128@1)">) {
  %0:2 = cute_nvgpu.atom.tma_partition(%atom, %cta, %ctas, %s, %g) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((128,16),1,(4,2)),3):(((64,1),0,(16,8192)),16384)">, !cute.coord_tensor<"(0,?{div=128},?)", "(((128,16),1,8),?):(((1@1,1@0),0,16@0),128@1)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,2),3):((1,8192),16384)">, !cute.coord_tensor<"(0,?{div=128},?)", "(((64,128),2),?):(((1@0,1@1),64@0),128@1)">)
  return %0#0, %0#1 : !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,2),3):((1,8192),16384)">, !cute.coord_tensor<"(0,?{div=128},?)", "(((64,128),2),?):(((1@0,1@1),64@0),128@1)">
}

// CHECK-LABEL: @stages(
// CHECK: cute_nvgpu.atom.tma_partition(%arg0, %arg1, %arg2, %arg3, %arg4) : (
// CHECK-SAME: -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">)
func.func @stages(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, %cta: !cute.coord<"0">, %ctas: !cute.layout<"1:0">, %s: !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, %g: !cute.coord_tensor<"(?{i64},?{div=128},?)", "((128,64),?):((1@1,1@0),64@0)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">) {
  %0:2 = cute_nvgpu.atom.tma_partition(%atom, %cta, %ctas, %s, %g) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "((128,64),?):((1@1,1@0),64@0)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">)
  return %0#0, %0#1 : !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">
}

// Rows 64 to 127 of each box, and their place in memory.
// CHECK-LABEL: @second_of_two(
// CHECK: cute_nvgpu.atom.tma_partition(%arg0, %arg1, %arg2, %arg3, %arg4) : (
// CHECK-SAME: -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=64},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">)
// BASE-LABEL: @second_of_two(
// BASE-SAME: %{{.*}}: !llvm.ptr, %[[P:[a-z0-9]+]]: !llvm.ptr<3>, %[[K:[a-z0-9]+]]: i64, %[[M:[a-z0-9]+]]: i32, %[[L:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32)
// BASE-DAG: %[[HALF:.*]] = llvm.getelementptr %[[P]][4096]
// BASE-DAG: %[[ROW:.*]] = arith.addi %[[M]], %{{.*}} overflow<nsw> : i32
// BASE: return %[[HALF]], %[[K]], %[[ROW]], %[[L]], %[[N]]
func.func @second_of_two(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, %cta: !cute.coord<"1">, %ctas: !cute.layout<"2:1">, %s: !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, %g: !cute.coord_tensor<"(?{i64},?{div=128},?)", "((128,64),?):((1@1,1@0),64@0)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=64},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">) {
  %0:2 = cute_nvgpu.atom.tma_partition(%atom, %cta, %ctas, %s, %g) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.coord<"1">, !cute.layout<"2:1">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "((128,64),?):((1@1,1@0),64@0)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=64},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">)
  return %0#0, %0#1 : !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=64},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">
}
