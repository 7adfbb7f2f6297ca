// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-to-base)'

func.func @layout() {
  // expected-error@+1 {{'cute.memref.alloc_smem' op: layout = auto reached cute-to-base: run cute-assign-layouts before it}}
  %tile = cute.memref.alloc_smem() layout = auto : !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
  return
}

// -----

func.func @view(%ptr: !cute.ptr<f32, smem, align<16>>) {
  // expected-error@+1 {{'cute.make_view' op: layout = auto reached cute-to-base: run cute-assign-layouts before it}}
  %tile = cute.make_view(%ptr) layout = auto : !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
  return
}

// -----

!atom = !cute_nvgpu.atom.universal_copy<f32>
func.func @copy(%atom: !atom) {
  // expected-error@+1 {{'cute.make_tiled_copy' op: auto reached cute-to-base: run cute-assign-layouts before it}}
  %copy = cute.make_tiled_copy(%atom) auto : !cute.tiled_copy<!atom, layout_copy_tv = <"((8,4),4):((1,8),32)">, tiler_mn = <"[8:1;16:1]">>
  return
}

// -----

!atom = !cute_nvgpu.atom.universal_copy<f16>
!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">, permutation_MNK = <"[16:1;16:1;16:1]">>
func.func @operand(%atom: !atom, %mma: !mma) {
  // expected-error@+1 {{'cute.make_tiled_copy_A' op: auto reached cute-to-base: run cute-assign-layouts before it}}
  %copy = cute.make_tiled_copy_A(%atom, %mma) auto : (!atom, !mma)
  return
}

// -----

!atom = !cute_nvgpu.atom.universal_copy<f16>
!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">, permutation_MNK = <"[16:1;16:1;16:1]">>
func.func @operand(%atom: !atom, %mma: !mma) {
  // expected-error@+1 {{'cute.make_tiled_copy_B' op: auto reached cute-to-base: run cute-assign-layouts before it}}
  %copy = cute.make_tiled_copy_B(%atom, %mma) auto : (!atom, !mma)
  return
}

// -----

!atom = !cute_nvgpu.atom.universal_copy<f16>
!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">, permutation_MNK = <"[16:1;16:1;16:1]">>
func.func @operand(%atom: !atom, %mma: !mma) {
  // expected-error@+1 {{'cute.make_tiled_copy_C' op: auto reached cute-to-base: run cute-assign-layouts before it}}
  %copy = cute.make_tiled_copy_C(%atom, %mma) auto : (!atom, !mma)
  return
}
