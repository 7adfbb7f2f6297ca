// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @base(
// CHECK: cute_nvgpu.arch.get_dyn_smem() : !cute.ptr<i8, smem, align<1024>>
// BASE-LABEL: @base(
// BASE-NEXT: %[[V0:.*]] = llvm.mlir.addressof @cute_dynamic_smem : !llvm.ptr<3>
// BASE-NEXT: return %[[V0]] : !llvm.ptr<3>
func.func @base() -> !cute.ptr<i8, smem, align<1024>> {
  %0 = cute_nvgpu.arch.get_dyn_smem() : !cute.ptr<i8, smem, align<1024>>
  return %0 : !cute.ptr<i8, smem, align<1024>>
}
