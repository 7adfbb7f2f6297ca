// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @rest(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">) {
  // expected-error @below {{'cute.mma_atom_call' op one call of the atom takes fragments (V) of rank 1, found rank 3; D has the shape ((2,2),2,3): write (((2,2),2,3)) if these are the values of one call, else use cute.gemm}}
  cute.mma_atom_call(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">) -> ()
  return
}

// -----

func.func @values(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, "4:1">, %arg2: !cute.memref<f16, rmem, "4:1">, %arg3: !cute.memref<f16, rmem, "4:1">, %arg4: !cute.memref<f32, rmem, "4:1">) {
  // expected-error @below {{'cute.mma_atom_call' op mode 0 of A has 4 elements, but one call of the atom uses 8 elements of A per thread}}
  cute.mma_atom_call(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, "4:1">, !cute.memref<f16, rmem, "4:1">, !cute.memref<f16, rmem, "4:1">, !cute.memref<f32, rmem, "4:1">) -> ()
  return
}

// -----

func.func @copy_atom(%arg0: !cute_nvgpu.atom.universal_copy<f32>, %arg1: !cute.memref<f32, rmem, "4:1">, %arg2: !cute.memref<f16, rmem, "4:1">, %arg3: !cute.memref<f16, rmem, "4:1">, %arg4: !cute.memref<f32, rmem, "4:1">) {
  // expected-error @below {{'cute.mma_atom_call' op operand #0 must be an MMA atom or tiled_mma, found !cute_nvgpu.atom.universal_copy}}
  cute.mma_atom_call(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.atom.universal_copy<f32>, !cute.memref<f32, rmem, "4:1">, !cute.memref<f16, rmem, "4:1">, !cute.memref<f16, rmem, "4:1">, !cute.memref<f32, rmem, "4:1">) -> ()
  return
}

// -----

// The values of one call are one mode.
!mma = !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >
func.func @values(%mma: !mma, %c: !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">, %a: !cute.memref<f16, rmem, align<16>, "(4,2,2):(1,4,8)">, %b: !cute.memref<f16, rmem, align<8>, "((2,2)):((1,2))">) {
  // expected-error @below {{one call of the atom takes fragments (V) of rank 1, found rank 3; A has the shape (4,2,2): write ((4,2,2)) if these are the values of one call, else use cute.gemm}}
  cute.mma_atom_call(%mma, %c, %a, %b, %c) : (!mma, !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">, !cute.memref<f16, rmem, align<16>, "(4,2,2):(1,4,8)">, !cute.memref<f16, rmem, align<8>, "((2,2)):((1,2))">, !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">) -> ()
  return
}
