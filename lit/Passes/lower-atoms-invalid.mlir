// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_80})'

// Each with the targets that have it.
func.func @sm89_on_sm80(%atom: !cute_nvgpu.sm89.mma<16x8x32, elem_type = (f8E4M3FN, f8E5M2, f32) >, %d: !cute.memref<f32, rmem, align<16>, "4:1">, %a: !cute.memref<f8E4M3FN, rmem, align<16>, "16:1">, %b: !cute.memref<f8E5M2, rmem, align<16>, "8:1">, %c: !cute.memref<f32, rmem, align<16>, "4:1">) {
  // expected-error @below {{'cute.mma_atom_call' op: sm_80 has no SM89_16x8x32_F32E4M3E5M2F32_TN; it needs sm_89 and later}}
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.sm89.mma<16x8x32, elem_type = (f8E4M3FN, f8E5M2, f32) >, !cute.memref<f32, rmem, align<16>, "4:1">, !cute.memref<f8E4M3FN, rmem, align<16>, "16:1">, !cute.memref<f8E5M2, rmem, align<16>, "8:1">, !cute.memref<f32, rmem, align<16>, "4:1">) -> ()
  return
}

// -----

func.func @sm120_on_sm80(%atom: !cute_nvgpu.SM120.mma<16x8x32, elem_type = (f8E4M3FN, f8E5M2, f32) >, %d: !cute.memref<f32, rmem, align<16>, "4:1">, %a: !cute.memref<f8E4M3FN, rmem, align<16>, "16:1">, %b: !cute.memref<f8E5M2, rmem, align<16>, "8:1">, %c: !cute.memref<f32, rmem, align<16>, "4:1">) {
  // expected-error @below {{'cute.mma_atom_call' op: sm_80 has no SM120_16x8x32_TN<float_e4m3_t,float_e5m2_t,float>; it needs sm_120f, sm_120a, sm_121f, sm_121a}}
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.SM120.mma<16x8x32, elem_type = (f8E4M3FN, f8E5M2, f32) >, !cute.memref<f32, rmem, align<16>, "4:1">, !cute.memref<f8E4M3FN, rmem, align<16>, "16:1">, !cute.memref<f8E5M2, rmem, align<16>, "8:1">, !cute.memref<f32, rmem, align<16>, "4:1">) -> ()
  return
}

// -----

func.func @sm90_on_sm80_f64(%atom: !cute_nvgpu.sm80.mma<16x8x8, elem_type = (f64, f64, f64) >, %d: !cute.memref<f64, rmem, align<16>, "4:1">, %a: !cute.memref<f64, rmem, align<16>, "4:1">, %b: !cute.memref<f64, rmem, align<16>, "2:1">, %c: !cute.memref<f64, rmem, align<16>, "4:1">) {
  // expected-error @below {{'cute.mma_atom_call' op: sm_80 has no SM90_16x8x8_F64F64F64F64_TN; it needs sm_90 and later}}
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.sm80.mma<16x8x8, elem_type = (f64, f64, f64) >, !cute.memref<f64, rmem, align<16>, "4:1">, !cute.memref<f64, rmem, align<16>, "4:1">, !cute.memref<f64, rmem, align<16>, "2:1">, !cute.memref<f64, rmem, align<16>, "4:1">) -> ()
  return
}

// -----

func.func @stmatrix_x4_n(%atom: !cute_nvgpu.atom.stsm<f16, mode = <"(8,8)">, num_matrices = 4, n>, %s: !cute.memref<f16, rmem, align<16>, "8:1">, %d: !cute.memref<f16, smem, align<16>, "8:1">) {
  // expected-error @below {{'cute.copy_atom_call' op: sm_80 has no SM90_U32x4_STSM_N; it needs sm_90 and later; universal_copy is everywhere}}
  cute.copy_atom_call(%atom, %s, %d) : (!cute_nvgpu.atom.stsm<f16, mode = <"(8,8)">, num_matrices = 4, n>, !cute.memref<f16, rmem, align<16>, "8:1">, !cute.memref<f16, smem, align<16>, "8:1">) -> ()
  return
}

// -----

func.func @ldmatrix_bytes(%atom: !cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(16,16)">, sz_pattern = u8, num_matrices = 2, t>, %s: !cute.memref<i8, smem, align<16>, "16:1">, %d: !cute.memref<i8, rmem, align<16>, "16:1">) {
  // expected-error @below {{'cute.copy_atom_call' op: sm_80 has no SM100_U8x16_LDSM_T; it needs sm_100f, sm_100a, sm_103f, sm_103a, sm_110f, sm_110a, sm_120f, sm_120a, sm_121f, sm_121a; universal_copy is everywhere}}
  cute.copy_atom_call(%atom, %s, %d) : (!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(16,16)">, sz_pattern = u8, num_matrices = 2, t>, !cute.memref<i8, smem, align<16>, "16:1">, !cute.memref<i8, rmem, align<16>, "16:1">) -> ()
  return
}

// -----

// All lanes of a warp take part.
func.func @predicate(%atom: !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 1, n>, %s: !cute.memref<f16, smem, align<16>, "8:1">, %d: !cute.memref<f16, rmem, align<16>, "2:1">, %p: i1) {
  // expected-error @below {{'cute.copy_atom_call' op: a predicate on ldmatrix or stmatrix is not supported, because all lanes of a warp take part}}
  cute.copy_atom_call(%atom, %s, %d, %p) : (!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 1, n>, !cute.memref<f16, smem, align<16>, "8:1">, !cute.memref<f16, rmem, align<16>, "2:1">, i1) -> ()
  return
}

// -----

func.func @swizzled(%atom: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %d: !cute.memref<f32, rmem, align<16>, "4:1">, %a: !cute.memref<f16, rmem, align<16>, "S<1,0,1> o 0 o 8:1">, %b: !cute.memref<f16, rmem, align<16>, "4:1">, %c: !cute.memref<f32, rmem, align<16>, "4:1">) {
  // expected-error @below {{'cute.mma_atom_call' op: a fragment with a swizzled layout is not supported}}
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "4:1">, !cute.memref<f16, rmem, align<16>, "S<1,0,1> o 0 o 8:1">, !cute.memref<f16, rmem, align<16>, "4:1">, !cute.memref<f32, rmem, align<16>, "4:1">) -> ()
  return
}

// -----

// Atoms without a lowering are reported as not supported.
!sparse = !cute_nvgpu.sm80.sparse_mma<16x8x16, elem_type = (f16, f16, f16), md_format = tid >
!sums = !cute.memref<f16, rmem, align<16>, "4:1">
!left = !cute.memref<f16, rmem, align<16>, "8:1">
!right = !cute.memref<f16, rmem, align<16>, "4:1">
func.func @sparse(%atom: !sparse, %d: !sums, %a: !left, %b: !right) {
  // expected-error @below {{'cute.mma_atom_call' op: mma.sp.sync is not supported}}
  cute.mma_atom_call(%atom, %d, %a, %b, %d) : (!sparse, !sums, !left, !right, !sums) -> ()
  return
}
