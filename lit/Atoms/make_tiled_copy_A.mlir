// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-expand-copy-gemm,cute-lower-atoms,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The MMA's part of A, from matrices of 8 x 8. The type is inferred.

!atom = !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>
!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>
!copy = !cute.tiled_copy<!atom, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>

// CHECK-LABEL: @declared(
// CHECK: cute.make_tiled_copy_A(%arg0, %arg1) : ({{.*}}) -> !cute.tiled_copy<{{.*}}, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>
// BASE-LABEL: @declared(
// BASE-NEXT: return
func.func @declared(%arg0: !atom, %arg1: !mma) -> !copy {
  %0 = cute.make_tiled_copy_A(%arg0, %arg1) : (!atom, !mma) -> !copy
  return %0 : !copy
}

// CHECK-LABEL: @inferred(
// CHECK: cute.make_tiled_copy_A(%arg0, %arg1) : ({{.*}}) -> !cute.tiled_copy<{{.*}}, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>
// BASE-LABEL: @inferred(
// BASE-NEXT: return
func.func @inferred(%arg0: !atom, %arg1: !mma) -> !copy {
  %0 = cute.make_tiled_copy_A(%arg0, %arg1) : !atom, !mma
  return %0 : !copy
}
