// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @prefetch(
// BASE-LABEL: @prefetch(
// BASE-SAME: %[[D:.+]]: !llvm.ptr)
// BASE-NEXT: nvvm.prefetch tensormap, %[[D]] : !llvm.ptr
// CHECK: cute_nvgpu.prefetch_tma_desc(%arg0) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>) -> ()
func.func @prefetch(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>) {
  cute_nvgpu.prefetch_tma_desc(%atom) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>) -> ()
  return
}

// A parameter of a kernel is prefetched from where it is.
gpu.module @m {
  // BASE-LABEL: @parameter(
  // BASE-SAME: %{{.+}}: i32, %[[D:.+]]: !llvm.ptr)
  // BASE-NEXT: nvvm.prefetch tensormap in_param_space, %[[D]] : !llvm.ptr
  gpu.func @parameter(%n: i32, %atom: !cute_nvgpu.atom.non_exec_tiled_tma_store<f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>) kernel {
    cute_nvgpu.prefetch_tma_desc(%atom) : (!cute_nvgpu.atom.non_exec_tiled_tma_store<f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>) -> ()
    gpu.return
  }
}
