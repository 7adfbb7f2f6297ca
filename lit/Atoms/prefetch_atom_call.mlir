// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_80},cute-to-base)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @memory(
// CHECK: cute.prefetch_atom_call(%arg0, %arg1) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "4:1">) -> ()
// BASE-LABEL: @memory(
// BASE-SAME: %[[P:.*]]: !llvm.ptr<1>)
// BASE-NEXT: nvvm.prefetch level = L2, %[[P]] : !llvm.ptr<1>
// BASE-NEXT: return
func.func @memory(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "4:1">) {
  cute.prefetch_atom_call(%arg0, %arg1) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "4:1">) -> ()
  return
}
