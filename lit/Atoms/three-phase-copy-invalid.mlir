// RUN: %opt %s -split-input-file -verify-diagnostics

// Phase 1: rank.
func.func @rank_size(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<16>, "(4,3):(1,4)">) {
  // expected-error @below {{'cute.copy' op expects same size in rank 1 but got srcShape: (4,2), dstShape: (4,3): mode 1 has 2 elements in the source, but 3 in the destination}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<16>, "(4,3):(1,4)">)
  return
}

// -----

func.func @rank_number(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2,2):(1,4,8)">, %arg2: !cute.memref<f32, rmem, align<16>, "(4,4):(1,4)">) {
  // expected-error @below {{'cute.copy' op expects same size in rank 2 but got srcShape: (4,2,2), dstShape: (4,4): the source has rank 3, but the destination has rank 2}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2,2):(1,4,8)">, !cute.memref<f32, rmem, align<16>, "(4,4):(1,4)">)
  return
}

// -----

func.func @rank_total(%arg0: !cute_nvgpu.atom.universal_copy<f32, 32 b>, %arg1: !cute.memref<f32, gmem, align<16>, "8:1">, %arg2: !cute.memref<f32, rmem, align<16>, "(4,4):(1,4)">) {
  // expected-error @below {{'cute.copy' op expects same size in rank 1 but got srcShape: 8, dstShape: (4,4): the source has 8 elements, but the destination has 16}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>, !cute.memref<f32, gmem, align<16>, "8:1">, !cute.memref<f32, rmem, align<16>, "(4,4):(1,4)">)
  return
}

// -----

// Phase 2: predicate.
func.func @pred_kind(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, %arg3: !cute.coord_tensor<"(0,0)", "(1,2):(1@0,1@1)">) {
  // expected-error @below {{'cute.copy' op pred must be a CuteMemRefType: found !cute.coord_tensor}}
  cute.copy(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, !cute.coord_tensor<"(0,0)", "(1,2):(1@0,1@1)">)
  return
}

// -----

func.func @pred_space(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, %arg3: !cute.memref<i8, tmem, "(1,2):(1,1)">) {
  // expected-error @below {{'cute.copy' op pred memory space invalid: tmem is not one of rmem, smem, gmem, generic}}
  cute.copy(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, !cute.memref<i8, tmem, "(1,2):(1,1)">)
  return
}

// -----

func.func @pred_swizzle(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, %arg3: !cute.memref<i8, smem, S<1,0,3>, "(1,2):(1,1)">) {
  // expected-error @below {{'cute.copy' op pred memory space invalid: its swizzle must be the identity, found S<1,0,3>}}
  cute.copy(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, !cute.memref<i8, smem, S<1,0,3>, "(1,2):(1,1)">)
  return
}

// -----

func.func @pred_layout_swizzle(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, %arg3: !cute.memref<i8, smem, "S<1,0,3> o 0 o (1,2):(1,1)">) {
  // expected-error @below {{'cute.copy' op pred memory space invalid: its swizzle must be the identity, found S<1,0,3>}}
  cute.copy(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, !cute.memref<i8, smem, "S<1,0,3> o 0 o (1,2):(1,1)">)
  return
}

// -----

func.func @pred_element(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, %arg3: !cute.memref<f32, rmem, "(1,2):(1,1)">) {
  // expected-error @below {{'cute.copy' op pred must be a CuteMemRefType of i8 or i1, found f32}}
  cute.copy(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, !cute.memref<f32, rmem, "(1,2):(1,1)">)
  return
}

// -----

func.func @pred_rank(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, %arg3: !cute.memref<i8, rmem, "2:1">) {
  // expected-error @below {{'cute.copy' op pred must have the rank of the data: predicate 2, data (4,2)}}
  cute.copy(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, !cute.memref<i8, rmem, "2:1">)
  return
}

// -----

func.func @pred_rest(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, %arg3: !cute.memref<i8, rmem, "(1,3):(1,1)">) {
  // expected-error @below {{'cute.copy' op pred must have 2 elements in mode 1, the size of the data's mode, found 3: predicate (1,3), data (4,2)}}
  cute.copy(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, !cute.memref<i8, rmem, "(1,3):(1,1)">)
  return
}

// -----

func.func @pred_calls(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(8,2):(1,8)">, %arg2: !cute.memref<f32, rmem, align<16>, "(8,2):(1,8)">, %arg3: !cute.memref<i8, rmem, "(4,2):(1,4)">) {
  // expected-error @below {{'cute.copy' op pred must have 2 elements in mode 0, one element for each call of the atom, found 4: predicate (4,2), data (8,2)}}
  cute.copy(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(8,2):(1,8)">, !cute.memref<f32, rmem, align<16>, "(8,2):(1,8)">, !cute.memref<i8, rmem, "(4,2):(1,4)">)
  return
}

// -----

// Phase 3: residual of the atom.
func.func @residual(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(6,2):(1,8)">, %arg2: !cute.memref<f32, rmem, align<16>, "(6,2):(1,8)">) {
  // expected-error @below {{'cute.copy' op mode 0 of the source has 6 elements, not a multiple of the 4 that one call of the atom copies (128 b)}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(6,2):(1,8)">, !cute.memref<f32, rmem, align<16>, "(6,2):(1,8)">)
  return
}

// -----

func.func @residual_destination(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<16>, "(6,2):(1,8)">) {
  // expected-error @below {{'cute.copy' op mode 0 of the destination has 6 elements, not a multiple of the 4 that one call of the atom copies (128 b)}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<16>, "(6,2):(1,8)">)
  return
}

// -----

func.func @residual_quotients(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<16>, "(8,2):(1,8)">) {
  // expected-error @below {{'cute.copy' op expects same size in rank 0 but got srcShape: (4,2), dstShape: (8,2): mode 0 makes 1 calls of the atom in the source, but 2 in the destination}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<16>, "(8,2):(1,8)">)
  return
}

// -----

func.func @residual_dynamic(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(?,2):(1,8)">, %arg2: !cute.memref<f32, rmem, align<16>, "(4,2):(1,4)">) {
  // expected-error @below {{'cute.copy' op mode 0 of the source has a dynamic size: a thread copies a static number of elements at a time}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(?,2):(1,8)">, !cute.memref<f32, rmem, align<16>, "(4,2):(1,4)">)
  return
}

// -----

// The phases come in this order: the first failure is the one that is told.
func.func @rank_before_pred(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, %arg2: !cute.memref<f32, rmem, align<16>, "(4,3):(1,4)">, %arg3: !cute.memref<i8, tmem, "(1,2):(1,1)">) {
  // expected-error @below {{'cute.copy' op expects same size in rank 1 but got srcShape: (4,2), dstShape: (4,3): mode 1 has 2 elements in the source, but 3 in the destination}}
  cute.copy(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4,2):(1,4)">, !cute.memref<f32, rmem, align<16>, "(4,3):(1,4)">, !cute.memref<i8, tmem, "(1,2):(1,1)">)
  return
}

// -----

func.func @pred_before_residual(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(6,2):(1,8)">, %arg2: !cute.memref<f32, rmem, align<16>, "(6,2):(1,8)">, %arg3: !cute.memref<i8, tmem, "(1,2):(1,1)">) {
  // expected-error @below {{'cute.copy' op pred memory space invalid: tmem is not one of rmem, smem, gmem, generic}}
  cute.copy(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(6,2):(1,8)">, !cute.memref<f32, rmem, align<16>, "(6,2):(1,8)">, !cute.memref<i8, tmem, "(1,2):(1,1)">)
  return
}

// -----

func.func @residual_before_memory(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, "(6,2):(1,8)">, %arg2: !cute.memref<f32, rmem, align<16>, "(6,2):(1,8)">) {
  // expected-error @below {{'cute.copy' op mode 0 of the source has 6 elements, not a multiple of the 4 that one call of the atom copies (128 b)}}
  cute.copy(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, "(6,2):(1,8)">, !cute.memref<f32, rmem, align<16>, "(6,2):(1,8)">)
  return
}
