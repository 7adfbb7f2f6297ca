// RUN: %opt %s -split-input-file -verify-diagnostics

// The atom's requirements on memory.
func.func @alignment(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">) {
  // expected-error @below {{'cute.copy' op source (4,2):(1,4): a call of 128 b needs an address aligned to 16 bytes, but the pointer is only known to be aligned to 4}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">)
  return
}

// -----

func.func @stride(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(2,8)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">) {
  // expected-error @below {{'cute.copy' op source (4,2):(2,8): a call copies 4 neighbouring elements (128 b), but mode 0 is 4:2; use an atom of fewer bits, or give the values unit stride}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(2,8)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">)
  return
}

// -----

func.func @rest_stride(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,6)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">) {
  // expected-error @below {{'cute.copy' op source (4,2):(1,6): a call of 128 b needs addresses aligned to 16 bytes, but stride 6 of mode 1 is 24 bytes}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,6)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">)
  return
}

// -----

func.func @rest_stride_dynamic(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,?)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">) {
  // expected-error @below {{'cute.copy' op source (4,2):(1,?): a call of 128 b needs addresses aligned to 16 bytes, but stride ? of mode 1 is only known to be a multiple of 4 bytes; if it is a multiple of more, declare that in its type: `?{div=4}`}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,?)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">)
  return
}

// -----

func.func @swizzle(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, smem, align<16>, "S<3,1,3> o 0 o (4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">) {
  // expected-error @below {{'cute.copy' op source S<3,1,3> o 0 o (4,2):(1,4): S<3,1,3> keeps only 2^1 neighbouring elements together, but one call copies 4}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, smem, align<16>, "S<3,1,3> o 0 o (4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">)
  return
}

// -----

func.func @pointer_swizzle(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, smem, align<16>, S<3,2,3>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">) {
  // expected-error @below {{'cute.copy' op source (4,2):(1,4): the pointer's S<3,2,3> separates the 16 bytes of a call}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, smem, align<16>, S<3,2,3>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">)
  return
}

// -----

func.func @offset(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, smem, align<16>, "S<3,2,3> o ?{div=2} o (4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">) {
  // expected-error @below {{'cute.copy' op source S<3,2,3> o ?{div=2} o (4,2):(1,4): the offset ?{div=2} is not known to be a multiple of 4 elements}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, smem, align<16>, "S<3,2,3> o ?{div=2} o (4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">)
  return
}

// -----

func.func @element_width(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f16, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">) {
  // expected-error @below {{'cute.copy' op the source has elements of f16, but the atom copies f32}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f16, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">)
  return
}

// -----

func.func @no_atom(%arg0: i32, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">) {
  // expected-error @below {{'cute.copy' op operand #0 must be a copy atom or tiled_copy, found i32}}
  cute.copy(%arg0, %arg1, %arg2) : (i32, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">)
  return
}

// -----

func.func @src_kind(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.layout<"(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">) {
  // expected-error @below {{'cute.copy' op operand #1 must be memref, coord_tensor or smem_desc_view, but got '!cute.layout<"(4,2):(1,4)">'}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.layout<"(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">)
  return
}

// -----

func.func @dst_kind(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.coord_tensor<"(0,0)", "(4,2):(1@0,1@1)">) {
  // expected-error @below {{'cute.copy' op this atom copies memory, but the destination is !cute.coord_tensor}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.coord_tensor<"(0,0)", "(4,2):(1@0,1@1)">)
  return
}

// -----

// A copy moves bits, so elements of one width can still be other numbers.
func.func @other_numbers(%arg0: !cute_nvgpu.atom.universal_copy<f16, 64 b>, %arg1: !cute.memref<f16, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<bf16, rmem, align<32>, "(4,2):(1,4)">) {
  // expected-error @below {{'cute.copy' op the source holds f16, but the destination holds bf16, and a copy does not convert: recast the iterator of one of them, or make both of one type}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f16, 64 b>, !cute.memref<f16, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<bf16, rmem, align<32>, "(4,2):(1,4)">)
  return
}

// -----

func.func @other_signs(%arg0: !cute_nvgpu.atom.universal_copy<i8, 32 b>, %arg1: !cute.memref<si8, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<ui8, rmem, align<32>, "(4,2):(1,4)">) {
  // expected-error @below {{'cute.copy' op the source holds si8, but the destination holds ui8, and a copy does not convert}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<i8, 32 b>, !cute.memref<si8, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<ui8, rmem, align<32>, "(4,2):(1,4)">)
  return
}
