// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-expand-copy-gemm,cute-lower-atoms,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Where ldmatrix writes: pairs of the values of a thread. The type is inferred.

!atom = !cute_nvgpu.atom.universal_copy<f16, 32 b>
!ldsm = !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>
!other = !cute.tiled_copy<!ldsm, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>
!copy = !cute.tiled_copy<!atom, layout_copy_tv = <"((4,8,2,2),((2,2,2),1)):((64,1,16,0),((32,8,256),0))">, tiler_mn = <"[32:1;16:1]">>

// CHECK-LABEL: @declared(
// CHECK: cute.make_tiled_copy_D(%arg0, %arg1) : ({{.*}}) -> !cute.tiled_copy<{{.*}}, layout_copy_tv = <"((4,8,2,2),((2,2,2),1)):((64,1,16,0),((32,8,256),0))">, tiler_mn = <"[32:1;16:1]">>
// BASE-LABEL: @declared(
// BASE-NEXT: return
func.func @declared(%arg0: !atom, %arg1: !other) -> !copy {
  %0 = cute.make_tiled_copy_D(%arg0, %arg1) : (!atom, !other) -> !copy
  return %0 : !copy
}

// CHECK-LABEL: @inferred(
// CHECK: cute.make_tiled_copy_D(%arg0, %arg1) : ({{.*}}) -> !cute.tiled_copy<{{.*}}, layout_copy_tv = <"((4,8,2,2),((2,2,2),1)):((64,1,16,0),((32,8,256),0))">, tiler_mn = <"[32:1;16:1]">>
// BASE-LABEL: @inferred(
// BASE-NEXT: return
func.func @inferred(%arg0: !atom, %arg1: !other) -> !copy {
  %0 = cute.make_tiled_copy_D(%arg0, %arg1) : !atom, !other
  return %0 : !copy
}
