// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @size(
// CHECK: cute_nvgpu.arch.get_dyn_smem_size() : i32
// BASE-LABEL: @size(
// BASE-NEXT: %[[SIZE:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.dynamic_smem_size"() : () -> i32
// BASE-NEXT: return %[[SIZE]] : i32
func.func @size() -> i32 {
  %0 = cute_nvgpu.arch.get_dyn_smem_size() : i32
  return %0 : i32
}
