// RUN: %opt %s -split-input-file -verify-diagnostics

// Phase 1: the ranks of A and B.
func.func @rank_a_b(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),3):((1,2),4)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">) {
  // expected-error @below {{'cute.gemm' op expects same size in rank 2 but got A: ((2,2,2),2,2), B: ((2,2),3), C: ((2,2),2,3), D: ((2,2),2,3): A has rank 3, but B has rank 2}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),3):((1,2),4)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">)
  return
}

// -----

func.func @rank_c_d(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2):((1,2),4)">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">) {
  // expected-error @below {{'cute.gemm' op expects same size in rank 2 but got A: ((2,2,2),2,2), B: ((2,2),3,2), C: ((2,2),2,3), D: ((2,2),2): C has rank 3, but D has rank 2}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),2):((1,2),4)">, !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">)
  return
}

// -----

func.func @rank_no_form(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2,3,1):((1,2),4,8,0)">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,3,1):((1,2),4,8,0)">) {
  // expected-error @below {{'cute.gemm' op expects same size in rank 3 but got A: ((2,2,2),2,2), B: ((2,2),3,2), C: ((2,2),2,3,1), D: ((2,2),2,3,1): A and B of rank 3 do not fit C of rank 4; the forms are (V) (V) -> (V), (M) (N) -> (M,N), (V,M) (V,N) -> (V,M,N), (M,K) (N,K) -> (M,N), (V,M,K) (V,N,K) -> (V,M,N)}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),2,3,1):((1,2),4,8,0)">, !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,3,1):((1,2),4,8,0)">)
  return
}

// -----

// Sizes that operands share: C and D, A and C, B and C, A and B.
func.func @size_c_d(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2,4):((1,2),4,8)">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">) {
  // expected-error @below {{'cute.gemm' op expects same size in rank 2 but got A: ((2,2,2),2,2), B: ((2,2),3,2), C: ((2,2),2,3), D: ((2,2),2,4): mode 2 of C has 3 elements, but mode 2 of D has 4}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),2,4):((1,2),4,8)">, !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">)
  return
}

// -----

func.func @size_m(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2,2),4,2):((1,2,4),8,32)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">) {
  // expected-error @below {{'cute.gemm' op expects same size in rank 1 but got A: ((2,2,2),4,2), B: ((2,2),3,2), C: ((2,2),2,3), D: ((2,2),2,3): mode 1 of A has 4 elements, but mode 1 of C has 2}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, !cute.memref<f16, rmem, align<16>, "((2,2,2),4,2):((1,2,4),8,32)">, !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">)
  return
}

// -----

func.func @size_n(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),2,2):((1,2),4,8)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">) {
  // expected-error @below {{'cute.gemm' op expects same size in rank 2 but got A: ((2,2,2),2,2), B: ((2,2),2,2), C: ((2,2),2,3), D: ((2,2),2,3): mode 1 of B has 2 elements, but mode 2 of C has 3}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),2,2):((1,2),4,8)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">)
  return
}

// -----

func.func @size_k(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),3,4):((1,2),4,12)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">) {
  // expected-error @below {{'cute.gemm' op expects same size in rank 2 but got A: ((2,2,2),2,2), B: ((2,2),3,4), C: ((2,2),2,3), D: ((2,2),2,3): mode 2 of A has 2 elements, but mode 2 of B has 4}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),3,4):((1,2),4,12)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">)
  return
}

// -----

func.func @size_outer(%arg0: !cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, %arg1: !cute.memref<f32, rmem, "(2,2):(1,2)">, %arg2: !cute.memref<f32, rmem, "2:1">, %arg3: !cute.memref<f32, rmem, "3:1">, %arg4: !cute.memref<f32, rmem, "(2,2):(1,2)">) {
  // expected-error @below {{'cute.gemm' op expects same size in rank 1 but got A: 2, B: 3, C: (2,2), D: (2,2): mode 0 of B has 3 elements, but mode 1 of C has 2}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, !cute.memref<f32, rmem, "(2,2):(1,2)">, !cute.memref<f32, rmem, "2:1">, !cute.memref<f32, rmem, "3:1">, !cute.memref<f32, rmem, "(2,2):(1,2)">)
  return
}

// -----

func.func @size_elements(%arg0: !cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, %arg1: !cute.memref<f32, rmem, "(2,2):(1,2)">, %arg2: !cute.memref<f32, rmem, "(2,2):(1,2)">, %arg3: !cute.memref<f32, rmem, "(2,3):(1,2)">, %arg4: !cute.memref<f32, rmem, "(2,2):(1,2)">) {
  // expected-error @below {{'cute.gemm' op expects same size in rank 1 but got A: (2,2), B: (2,3), C: (2,2), D: (2,2): mode 1 of A has 2 elements, but mode 1 of B has 3}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, !cute.memref<f32, rmem, "(2,2):(1,2)">, !cute.memref<f32, rmem, "(2,2):(1,2)">, !cute.memref<f32, rmem, "(2,3):(1,2)">, !cute.memref<f32, rmem, "(2,2):(1,2)">)
  return
}

// -----

// Phase 2 is that of copies: a gemm has no predicate.

// Phase 3: mode 0 is what a thread has of one atom: of D, A, B and C.
func.func @residual_d(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "(2,2,3):(1,2,4)">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, %arg4: !cute.memref<f32, rmem, align<16>, "(2,2,3):(1,2,4)">) {
  // expected-error @below {{'cute.gemm' op mode 0 of D has 2 elements, but one call of the atom uses 4 elements of C per thread}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "(2,2,3):(1,2,4)">, !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, !cute.memref<f32, rmem, align<16>, "(2,2,3):(1,2,4)">)
  return
}

// -----

func.func @residual_a(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2),2,2):((1,2),8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">) {
  // expected-error @below {{'cute.gemm' op mode 0 of A has 4 elements, but one call of the atom uses 8 elements of A per thread}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, !cute.memref<f16, rmem, align<16>, "((2,2),2,2):((1,2),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">)
  return
}

// -----

func.func @residual_b(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2,2),3,2):((1,2,4),8,24)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">) {
  // expected-error @below {{'cute.gemm' op mode 0 of B has 8 elements, but one call of the atom uses 4 elements of B per thread}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2,2),3,2):((1,2,4),8,24)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">)
  return
}

// -----

func.func @residual_c(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, %arg4: !cute.memref<f32, rmem, align<16>, "(2,2,3):(1,2,4)">) {
  // expected-error @below {{'cute.gemm' op mode 0 of C has 2 elements, but one call of the atom uses 4 elements of C per thread}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, !cute.memref<f32, rmem, align<16>, "(2,2,3):(1,2,4)">)
  return
}

// -----

func.func @residual_dynamic(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, %arg2: !cute.memref<f16, rmem, align<16>, "(?,2,2):(1,8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">) {
  // expected-error @below {{'cute.gemm' op mode 0 of A has ? elements, but one call of the atom uses 8 elements of A per thread}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, !cute.memref<f16, rmem, align<16>, "(?,2,2):(1,8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">)
  return
}

// -----

func.func @residual_no_values(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, "(2,2):(1,2)">, %arg2: !cute.memref<f16, rmem, "2:1">, %arg3: !cute.memref<f16, rmem, "2:1">, %arg4: !cute.memref<f32, rmem, "(2,2):(1,2)">) {
  // expected-error @below {{'cute.gemm' op operands without a mode of values are for an atom of 1x1x1, not 16x8x16: partition them by the tiled_mma}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, "(2,2):(1,2)">, !cute.memref<f16, rmem, "2:1">, !cute.memref<f16, rmem, "2:1">, !cute.memref<f32, rmem, "(2,2):(1,2)">)
  return
}

// -----

// The phases come in this order: the first failure is the one that is told.
func.func @rank_before_residual(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2),4,2):((1,2),8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">) {
  // expected-error @below {{'cute.gemm' op expects same size in rank 1 but got A: ((2,2),4,2), B: ((2,2),3,2), C: ((2,2),2,3), D: ((2,2),2,3): mode 1 of A has 4 elements, but mode 1 of C has 2}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, !cute.memref<f16, rmem, align<16>, "((2,2),4,2):((1,2),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">)
  return
}

// -----

func.func @residual_before_registers(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, %arg2: !cute.memref<f32, smem, align<16>, "((2,2),2,2):((1,2),8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">) {
  // expected-error @below {{'cute.gemm' op mode 0 of A has 4 elements, but one call of the atom uses 8 elements of A per thread}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, !cute.memref<f32, smem, align<16>, "((2,2),2,2):((1,2),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">)
  return
}
