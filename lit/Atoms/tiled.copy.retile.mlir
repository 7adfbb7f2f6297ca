// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-expand-copy-gemm,cute-lower-atoms,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// A fragment of the MMA, its values in the order in which the copy takes them.

// CHECK-LABEL: @stored(
// CHECK: cute.tiled.copy.retile(%arg0, %arg1) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f16, 32 b>, layout_copy_tv = <"((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))">, tiler_mn = <"[32:1;32:1]">>, !cute.memref<f16, rmem, align<8>, "((2,2),4,8):((1,2),4,16)">) -> !cute.memref<f16, rmem, align<8>, "((2,(2,2)),4,4):((1,(2,16)),4,32)">
// BASE-LABEL: @stored(
// BASE-NEXT: return %arg0 : !llvm.ptr
func.func @stored(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f16, 32 b>, layout_copy_tv = <"((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))">, tiler_mn = <"[32:1;32:1]">>, %arg1: !cute.memref<f16, rmem, align<8>, "((2,2),4,8):((1,2),4,16)">) -> !cute.memref<f16, rmem, align<8>, "((2,(2,2)),4,4):((1,(2,16)),4,32)"> {
  %0 = cute.tiled.copy.retile(%arg0, %arg1) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f16, 32 b>, layout_copy_tv = <"((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))">, tiler_mn = <"[32:1;32:1]">>, !cute.memref<f16, rmem, align<8>, "((2,2),4,8):((1,2),4,16)">) -> !cute.memref<f16, rmem, align<8>, "((2,(2,2)),4,4):((1,(2,16)),4,32)">
  return %0 : !cute.memref<f16, rmem, align<8>, "((2,(2,2)),4,4):((1,(2,16)),4,32)">
}

// CHECK-LABEL: @loaded(
// CHECK: cute.tiled.copy.retile(%arg0, %arg1) : (!cute.tiled_copy<!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>, !cute.memref<f16, rmem, align<16>, "((2,2,2),4,4):((1,2,4),32,8)">) -> !cute.memref<f16, rmem, align<16>, "((8,1),4,4):((1,0),32,8)">
// BASE-LABEL: @loaded(
// BASE-NEXT: return %arg0 : !llvm.ptr
func.func @loaded(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>, %arg1: !cute.memref<f16, rmem, align<16>, "((2,2,2),4,4):((1,2,4),32,8)">) -> !cute.memref<f16, rmem, align<16>, "((8,1),4,4):((1,0),32,8)"> {
  %0 = cute.tiled.copy.retile(%arg0, %arg1) : (!cute.tiled_copy<!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>, !cute.memref<f16, rmem, align<16>, "((2,2,2),4,4):((1,2,4),32,8)">) -> !cute.memref<f16, rmem, align<16>, "((8,1),4,4):((1,0),32,8)">
  return %0 : !cute.memref<f16, rmem, align<16>, "((8,1),4,4):((1,0),32,8)">
}

