// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @other_atom(%arg0: !cute_nvgpu.sm80.mma<16x8x8, elem_type = (f16, f16, f32) >) {
  // expected-error @below {{'cute.make_tiled_mma' op failed to verify that atom is the one of the tiled MMA}}
  %0 = "cute.make_tiled_mma"(%arg0) : (!cute_nvgpu.sm80.mma<16x8x8, elem_type = (f16, f16, f32) >) -> !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
  return
}

// -----

func.func @copy_atom(%arg0: !cute_nvgpu.atom.universal_copy<f16>) {
  // expected-error @below {{'cute.make_tiled_mma' op failed to verify that atom is the one of the tiled MMA}}
  %0 = "cute.make_tiled_mma"(%arg0) : (!cute_nvgpu.atom.universal_copy<f16>) -> !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
  return
}

// -----

// A tile holds a whole number of atoms.
func.func @permutation(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >) -> !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[24:1;32:1;16:1]">> {
  // expected-error @below {{'cute.make_tiled_mma' op mode 0: a tile of 24 is not a multiple of 32, 2 atoms of 16; set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.make_tiled_mma(%arg0) : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[24:1;32:1;16:1]">>
  return %0 : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[24:1;32:1;16:1]">>
}

// -----

func.func @permutation_of_four(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >) -> !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1;2:1]">> {
  // expected-error @below {{'cute.make_tiled_mma' op the permutation: rank 4, expected at most 3}}
  %0 = cute.make_tiled_mma(%arg0) : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1;2:1]">>
  return %0 : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1;2:1]">>
}

// -----

func.func @empty_permutation(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >) -> !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;[_;_];16:1]">> {
  // expected-error @below {{'cute.make_tiled_mma' op mode (1,0) of the tile is `_`, but an integer is required}}
  %0 = cute.make_tiled_mma(%arg0) : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;[_;_];16:1]">>
  return %0 : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;[_;_];16:1]">>
}

// -----

// Threads have indices of their own.
func.func @threads(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >) -> !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,1,0)">> {
  // expected-error @below {{'cute.make_tiled_mma' op (32,2,2,1):(1,32,32,0) gives two threads one index; set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.make_tiled_mma(%arg0) : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,1,0)">>
  return %0 : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,1,0)">>
}

// -----

func.func @repeated_position(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >) -> !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">, permutation_MNK = <"[(16,2):(1,8);_;_]">> {
  // expected-error @below {{'cute.make_tiled_mma' op mode 0: the permutation (16,2):(1,8) repeats a position; set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.make_tiled_mma(%arg0) : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">, permutation_MNK = <"[(16,2):(1,8);_;_]">>
  return %0 : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">, permutation_MNK = <"[(16,2):(1,8);_;_]">>
}
