// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s

// One call: views (V).

// CHECK-LABEL: @vector(
// CHECK: cute.copy_atom_call(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "4:1">, !cute.memref<f32, rmem, align<32>, "4:1">)
func.func @vector(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "4:1">, %arg2: !cute.memref<f32, rmem, align<32>, "4:1">) {
  cute.copy_atom_call(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "4:1">, !cute.memref<f32, rmem, align<32>, "4:1">)
  return
}

// CHECK-LABEL: @async(
// CHECK: cute.copy_atom_call(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.simt_async_copy<f32, cache = global, 128 b>, !cute.memref<f32, gmem, align<16>, "4:1">, !cute.memref<f32, smem, align<16>, "4:1">)
func.func @async(%arg0: !cute_nvgpu.atom.simt_async_copy<f32, cache = global, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "4:1">, %arg2: !cute.memref<f32, smem, align<16>, "4:1">) {
  cute.copy_atom_call(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.simt_async_copy<f32, cache = global, 128 b>, !cute.memref<f32, gmem, align<16>, "4:1">, !cute.memref<f32, smem, align<16>, "4:1">)
  return
}
