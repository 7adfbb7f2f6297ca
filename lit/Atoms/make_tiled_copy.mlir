// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-expand-copy-gemm,cute-lower-atoms,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The type says how threads and values lie in the tile; that of the atom follows from it.

// CHECK-LABEL: @vector(
// CHECK: cute.make_tiled_copy(%arg0) : !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1]">>
// BASE-LABEL: @vector(
// BASE-NEXT: return
func.func @vector(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>) -> !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1]">> {
  %0 = cute.make_tiled_copy(%arg0) : !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1]">>
  return %0 : !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1]">>
}

// CHECK-LABEL: @two_modes(
// CHECK: cute.make_tiled_copy(%arg0) : !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 32 b>, layout_copy_tv = <"((4,8),4):((1,16),4)">, tiler_mn = <"[16:1;8:1]">>
// BASE-LABEL: @two_modes(
// BASE-NEXT: return
func.func @two_modes(%arg0: !cute_nvgpu.atom.universal_copy<f32, 32 b>) -> !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 32 b>, layout_copy_tv = <"((4,8),4):((1,16),4)">, tiler_mn = <"[16:1;8:1]">> {
  %0 = cute.make_tiled_copy(%arg0) : !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 32 b>, layout_copy_tv = <"((4,8),4):((1,16),4)">, tiler_mn = <"[16:1;8:1]">>
  return %0 : !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 32 b>, layout_copy_tv = <"((4,8),4):((1,16),4)">, tiler_mn = <"[16:1;8:1]">>
}
