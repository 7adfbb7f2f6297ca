// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-expand-copy-gemm,cute-lower-atoms,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The MMA's part of C, pair by pair. The type is inferred.

!atom = !cute_nvgpu.atom.universal_copy<f32, 64 b>
!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>
!copy = !cute.tiled_copy<!atom, layout_copy_tv = <"((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))">, tiler_mn = <"[32:1;32:1]">>

// CHECK-LABEL: @declared(
// CHECK: cute.make_tiled_copy_C(%arg0, %arg1) : ({{.*}}) -> !cute.tiled_copy<{{.*}}, layout_copy_tv = <"((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))">, tiler_mn = <"[32:1;32:1]">>
// BASE-LABEL: @declared(
// BASE-NEXT: return
func.func @declared(%arg0: !atom, %arg1: !mma) -> !copy {
  %0 = cute.make_tiled_copy_C(%arg0, %arg1) : (!atom, !mma) -> !copy
  return %0 : !copy
}

// CHECK-LABEL: @inferred(
// CHECK: cute.make_tiled_copy_C(%arg0, %arg1) : ({{.*}}) -> !cute.tiled_copy<{{.*}}, layout_copy_tv = <"((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))">, tiler_mn = <"[32:1;32:1]">>
// BASE-LABEL: @inferred(
// BASE-NEXT: return
func.func @inferred(%arg0: !atom, %arg1: !mma) -> !copy {
  %0 = cute.make_tiled_copy_C(%arg0, %arg1) : !atom, !mma
  return %0 : !copy
}
