// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base,canonicalize,cse)' | FileCheck %s --check-prefix=BASE

// Extents and strides in the order of the descriptor, strides in bytes, by one lane.
// CHECK-LABEL: @update(
// BASE-LABEL: @update(
// BASE-SAME: %{{[^:]+}}: !llvm.ptr, %[[G:[^:]+]]: !llvm.ptr<1>, %[[M:[^:]+]]: i32, %[[K:[^:]+]]: i32, %[[L:[^:]+]]: i32, %[[DM:[^:]+]]: i64, %[[DL:[^:]+]]: i64, %[[TO:[^:]+]]: !llvm.ptr<3>)
// BASE-DAG: %[[E:.+]] = nvvm.elect.sync -> i1
// BASE-DAG: %[[ADDRESS:.+]] = llvm.ptrtoint %[[G]] : !llvm.ptr<1> to i64
// BASE-DAG: %[[BM:.+]] = arith.muli %[[DM]], %{{.+}} : i64
// BASE-DAG: %[[BL:.+]] = arith.muli %[[DL]], %{{.+}} : i64
// BASE: scf.if %[[E]] {
// BASE-NEXT: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.address"(%[[TO]], %[[ADDRESS]])
// BASE-NEXT: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.dim"(%[[TO]], %{{.+}}, %[[K]])
// BASE-NEXT: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.dim"(%[[TO]], %{{.+}}, %[[M]])
// BASE-NEXT: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.stride"(%[[TO]], %{{.+}}, %[[BM]])
// BASE-NEXT: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.dim"(%[[TO]], %{{.+}}, %[[L]])
// BASE-NEXT: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.stride"(%[[TO]], %{{.+}}, %[[BL]])
// BASE-NEXT: }
// CHECK: cute_nvgpu.update_tma_desc(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.memref<f16, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, !cute.ptr<i64, smem, align<128>>) -> ()
func.func @update(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, %tensor: !cute.memref<f16, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, %where: !cute.ptr<i64, smem, align<128>>) {
  cute_nvgpu.update_tma_desc(%atom, %tensor, %where) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.memref<f16, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, !cute.ptr<i64, smem, align<128>>) -> ()
  return
}
