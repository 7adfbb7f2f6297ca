// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-expand-copy-gemm,cute-lower-atoms,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The first 8 values that each thread has of C, and the part of the tile that these are. The type is inferred.

!atom = !cute_nvgpu.atom.stsm<f16, mode = <"(8,8)">, num_matrices = 4, n>
!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>
!copy = !cute.tiled_copy<!atom, layout_copy_tv = <"((4,8,2,2),(2,2,2)):((32,1,8,128),(256,16,512))">, tiler_mn = <"[(8,2,2):(1,16,8);(8,2,2):(2,1,16)]">>

// CHECK-LABEL: @declared(
// CHECK: cute.make_tiled_copy_C_atom(%arg0, %arg1) : ({{.*}}) -> !cute.tiled_copy<{{.*}}, layout_copy_tv = <"((4,8,2,2),(2,2,2)):((32,1,8,128),(256,16,512))">, tiler_mn = <"[(8,2,2):(1,16,8);(8,2,2):(2,1,16)]">>
// BASE-LABEL: @declared(
// BASE-NEXT: return
func.func @declared(%arg0: !atom, %arg1: !mma) -> !copy {
  %0 = cute.make_tiled_copy_C_atom(%arg0, %arg1) : (!atom, !mma) -> !copy
  return %0 : !copy
}

// CHECK-LABEL: @inferred(
// CHECK: cute.make_tiled_copy_C_atom(%arg0, %arg1) : ({{.*}}) -> !cute.tiled_copy<{{.*}}, layout_copy_tv = <"((4,8,2,2),(2,2,2)):((32,1,8,128),(256,16,512))">, tiler_mn = <"[(8,2,2):(1,16,8);(8,2,2):(2,1,16)]">>
// BASE-LABEL: @inferred(
// BASE-NEXT: return
func.func @inferred(%arg0: !atom, %arg1: !mma) -> !copy {
  %0 = cute.make_tiled_copy_C_atom(%arg0, %arg1) : !atom, !mma
  return %0 : !copy
}
