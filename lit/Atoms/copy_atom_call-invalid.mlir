// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @two_calls(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "8:1">, %arg2: !cute.memref<f32, rmem, align<16>, "8:1">) {
  // expected-error @below {{'cute.copy_atom_call' op the source has 8 elements, but one call of the atom copies 4; use cute.copy}}
  cute.copy_atom_call(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "8:1">, !cute.memref<f32, rmem, align<16>, "8:1">) -> ()
  return
}

// -----

func.func @rest_modes(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<16>, "(4,2):(1,4)">) {
  // expected-error @below {{'cute.copy_atom_call' op the source has 8 elements, but one call of the atom copies 4; use cute.copy}}
  cute.copy_atom_call(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<16>, "(4,2):(1,4)">) -> ()
  return
}

// -----

// cp.async writes shared memory.
func.func @spaces(%arg0: !cute_nvgpu.atom.simt_async_copy<f32, cache = global, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "4:1">, %arg2: !cute.memref<f32, rmem, align<16>, "4:1">) {
  // expected-error @below {{'cute.copy_atom_call' op cp.async copies gmem to smem, found gmem to rmem; use universal_copy}}
  cute.copy_atom_call(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.simt_async_copy<f32, cache = global, 128 b>, !cute.memref<f32, gmem, align<16>, "4:1">, !cute.memref<f32, rmem, align<16>, "4:1">) -> ()
  return
}
