// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base,canonicalize,cse)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @copy(
// BASE-LABEL: @copy(
// BASE-SAME: %[[D:.+]]: !llvm.ptr, %[[TO:.+]]: !llvm.ptr<3>)
// BASE: %[[FIRST:.+]] = llvm.load %{{.+}} {alignment = 16 : i64} : !llvm.ptr -> vector<2xi64>
// BASE-NEXT: llvm.store %[[FIRST]], %{{.+}} {alignment = 16 : i64} : vector<2xi64>, !llvm.ptr<3>
// BASE-COUNT-7: llvm.load
// BASE-NOT: llvm.load
// BASE: return
// CHECK: cute_nvgpu.copy_tma_desc(%arg0, %arg1) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.ptr<i64, smem, align<128>>) -> ()
func.func @copy(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, %where: !cute.ptr<i64, smem, align<128>>) {
  cute_nvgpu.copy_tma_desc(%atom, %where) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.ptr<i64, smem, align<128>>) -> ()
  return
}
