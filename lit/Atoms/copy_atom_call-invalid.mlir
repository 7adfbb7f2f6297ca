// RUN: %opt %s -split-input-file -verify-diagnostics

// cp.async writes shared memory.
func.func @spaces(%arg0: !cute_nvgpu.atom.simt_async_copy<f32, cache = global, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "4:1">, %arg2: !cute.memref<f32, rmem, align<16>, "4:1">) {
  // expected-error @below {{'cute.copy_atom_call' op cp.async copies gmem to smem, found gmem to rmem; use universal_copy}}
  cute.copy_atom_call(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.simt_async_copy<f32, cache = global, 128 b>, !cute.memref<f32, gmem, align<16>, "4:1">, !cute.memref<f32, rmem, align<16>, "4:1">)
  return
}
