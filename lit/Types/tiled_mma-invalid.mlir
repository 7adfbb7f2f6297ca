// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:38: error: expected an MMA atom type
func.func private @f(!cute.tiled_mma<f32, atom_layout_MNK = <"(1,1,1):(0,0,0)">>)

// -----
// CHECK: :[[#@LINE+1]]:38: error: expected an MMA atom type
func.func private @f(!cute.tiled_mma<!cute_nvgpu.atom.universal_copy<f32>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>)

// -----
// CHECK: :[[#@LINE+1]]:118: error: atom_layout_MNK must be a static layout of atoms along M, N and K, found (2,2):(1,2)
func.func private @f(!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2):(1,2)">>)

// -----
// CHECK: :[[#@LINE+1]]:118: error: atom_layout_MNK must be a static layout of atoms along M, N and K, found (?,2,1):(1,2,0)
func.func private @f(!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(?,2,1):(1,2,0)">>)

// -----
// CHECK: :[[#@LINE+1]]:157: error: permutation_MNK must be static, found [?:1;_;_]
func.func private @f(!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[?:1;_;_]">>)

// -----
// CHECK: :[[#@LINE+1]]:138: error: expected 'permutation_MNK'
func.func private @f(!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, <"[_;_;_]">>)

// -----
// CHECK: :[[#@LINE+1]]:125: error: invalid "(2,2,1:(1,2,0)": column 7: expected `,` or `)`, found `:`
func.func private @f(!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1:(1,2,0)">>)

// -----
// CHECK: :[[#@LINE+1]]:97: error: expected ','
func.func private @f(!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >>)
