// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-expand-copy-gemm,cute-lower-atoms{target=sm_90a},cute-to-base)' | FileCheck %s --check-prefix=BASE

// Loads the data that an atom would read into L2.

// Two calls in mode 0, and a dynamic rest.
// CHECK-LABEL: @memory(
// CHECK: cute.prefetch(%arg0, %arg1) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "((4,2),?):((1,8),?{i64 div=16})">)
// BASE-LABEL: @memory(
// BASE: scf.for
// BASE: %[[P0:.*]] = llvm.getelementptr
// BASE: nvvm.prefetch level = L2, %[[P0]] : !llvm.ptr<1>
// BASE: %[[P1:.*]] = llvm.getelementptr
// BASE: nvvm.prefetch level = L2, %[[P1]] : !llvm.ptr<1>
func.func @memory(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "((4,2),?):((1,8),?{i64 div=16})">) {
  cute.prefetch(%arg0, %arg1) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "((4,2),?):((1,8),?{i64 div=16})">)
  return
}

