// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-expand-copy-gemm,cute-lower-atoms,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// One call: views (V).

// CHECK-LABEL: @vector(
// CHECK: cute.copy_atom_call(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "4:1">, !cute.memref<f32, rmem, align<32>, "4:1">) -> ()
// BASE-LABEL: @vector(
// BASE-NEXT: %[[V0:.*]] = llvm.load %arg0 {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// BASE-NEXT: llvm.store %[[V0]], %arg1 {alignment = 32 : i64} : vector<4xf32>, !llvm.ptr
// BASE-NEXT: return
func.func @vector(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "4:1">, %arg2: !cute.memref<f32, rmem, align<32>, "4:1">) {
  cute.copy_atom_call(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "4:1">, !cute.memref<f32, rmem, align<32>, "4:1">) -> ()
  return
}

// CHECK-LABEL: @async(
// CHECK: cute.copy_atom_call(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.simt_async_copy<f32, cache = global, 128 b>, !cute.memref<f32, gmem, align<16>, "4:1">, !cute.memref<f32, smem, align<16>, "4:1">) -> ()
// BASE-LABEL: @async(
// BASE-NEXT: nvvm.cp.async.shared.global %arg1, %arg0, 16, cache =  cg : !llvm.ptr<3>, !llvm.ptr<1>
// BASE-NEXT: return
func.func @async(%arg0: !cute_nvgpu.atom.simt_async_copy<f32, cache = global, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "4:1">, %arg2: !cute.memref<f32, smem, align<16>, "4:1">) {
  cute.copy_atom_call(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.simt_async_copy<f32, cache = global, 128 b>, !cute.memref<f32, gmem, align<16>, "4:1">, !cute.memref<f32, smem, align<16>, "4:1">) -> ()
  return
}
