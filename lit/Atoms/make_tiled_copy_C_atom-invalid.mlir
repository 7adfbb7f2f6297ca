// RUN: %opt %s -split-input-file -verify-diagnostics

!atom = !cute_nvgpu.atom.stsm<f16, mode = <"(8,8)">, num_matrices = 4, n>
!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x8, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>

func.func @too_wide(%arg0: !atom, %arg1: !mma) {
  // expected-error @below {{copy of parts of C: the atom copies 8 values of a thread, but the thread has 4 of}}
  %0 = cute.make_tiled_copy_C_atom(%arg0, %arg1) : !atom, !mma
  return
}

// -----

!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>

func.func @not_an_atom(%arg0: !mma) {
  // expected-error @below {{operand #0 must be a copy atom}}
  %0 = cute.make_tiled_copy_C_atom(%arg0, %arg0) : !mma, !mma
  return
}
