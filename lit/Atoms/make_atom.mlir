// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-expand-copy-gemm,cute-lower-atoms,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @universal_copy(
// CHECK: cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<f32, 128 b>
// BASE-LABEL: @universal_copy(
// BASE-NEXT: return
func.func @universal_copy() -> !cute_nvgpu.atom.universal_copy<f32, 128 b> {
  %0 = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<f32, 128 b>
  return %0 : !cute_nvgpu.atom.universal_copy<f32, 128 b>
}

// CHECK-LABEL: @simt_async_copy(
// CHECK: cute.make_atom() : () -> !cute_nvgpu.atom.simt_async_copy<f32, cache = global, 128 b>
// BASE-LABEL: @simt_async_copy(
// BASE-NEXT: return
func.func @simt_async_copy() -> !cute_nvgpu.atom.simt_async_copy<f32, cache = global, 128 b> {
  %0 = cute.make_atom() : () -> !cute_nvgpu.atom.simt_async_copy<f32, cache = global, 128 b>
  return %0 : !cute_nvgpu.atom.simt_async_copy<f32, cache = global, 128 b>
}
