// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-check-fragments)'

// Descriptors in the public spelling state nothing: what they are follows from the op that made them.

!mma = !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x64x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!part = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),1,4):((64,1),0,16)">
!descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">
!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">
!sums = !cute.memref<f32, rmem, align<16>, "((2,2,8),1,1):((1,2,4),0,0)">
func.func @exchanged(%mma: !mma, %sums: !sums, %p: !part, %q: !part) {
  %a = cute.mma.make_fragment A (%mma, %p) : (!mma, !part) -> !descs
  // expected-note @below {{the fragment is made here}}
  %b = cute.mma.make_fragment B (%mma, %q) : (!mma, !part) -> !descs
  %at = cute.static : !cute.coord<"(_,_,1)">
  %x = cute.slice(%a, %at) : !descs, !cute.coord<"(_,_,1)">
  %y = cute.slice(%b, %at) : !descs, !cute.coord<"(_,_,1)">
  // expected-error @below {{'cute.gemm' op A is given the descriptors of B: exchange them, or make those of A by cute.mma.make_fragment A, from a partition A}}
  cute.gemm(%mma, %sums, %y, %x, %sums) : (!mma, !sums, !desc, !desc, !sums)
  return
}

// -----

// The gemm's atom reads other elements, or another order, than that of the fragment.
!mma = !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x64x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!other = !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x64x16, ab_major = (k, k), elem_type = (bf16, bf16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!turned = !cute_nvgpu.sm90.mma<64x64x16, ab_major = (mn, k), elem_type = (f16, f16, f32), frag_kind = ss>
!part = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),1,4):((64,1),0,16)">
!descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">
!one = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1):(0)">
!sums = !cute.memref<f32, rmem, align<16>, "((2,2,8),1,1):((1,2,4),0,0)">
!call = !cute.memref<f32, rmem, align<16>, "((2,2,8)):((1,2,4))">
func.func @other_atoms(%mma: !mma, %other: !other, %turned: !turned, %sums: !sums, %p: !part, %q: !part) {
  // expected-note @below {{the fragment is made here}}
  %a = cute.mma.make_fragment A (%mma, %p) : (!mma, !part) -> !descs
  %b = cute.mma.make_fragment B (%mma, %q) : (!mma, !part) -> !descs
  // expected-error @below {{'cute.gemm' op A's memory holds f16, but the atom multiplies bf16: recast the iterator to bf16, or use an atom of f16}}
  cute.gemm(%other, %sums, %a, %b, %sums) : (!other, !sums, !descs, !descs, !sums)
  %at = cute.static : !cute.coord<"(_,0,0)">
  %x = cute.slice(%a, %at) : !descs, !cute.coord<"(_,0,0)">
  %y = cute.slice(%b, %at) : !descs, !cute.coord<"(_,0,0)">
  %c = cute.slice(%sums, %at) : !sums, !cute.coord<"(_,0,0)">
  // expected-error @below {{'cute.mma_atom_call' op A has descriptors of k-major memory, but the atom reads A mn-major: use the atom with which the fragment was made, or one with k in ab_major}}
  cute.mma_atom_call(%turned, %c, %x, %y, %c) : (!turned, !call, !one, !one, !call) -> ()
  return
}

// -----

!mma = !cute.tiled_mma<!cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!tile = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(128,64,3):(64,1,8192)">
!part = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,16),1,4,3):((64,1),0,16,8192)">
!stage = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,16),1,4):((64,1),0,16)">
!descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">
func.func @partition(%mma: !mma, %tile: !tile) {
  %cta = cute.static : !cute.coord<"0">
  // expected-note @below {{the tile is partitioned as A here}}
  %part = cute.tiled.mma.partition A (%mma, %tile, %cta) : (!mma, !tile, !cute.coord<"0">) -> !part
  %at = cute.static : !cute.coord<"(_,_,_,1)">
  %stage = cute.slice(%part, %at) : !part, !cute.coord<"(_,_,_,1)">
  // expected-error @below {{'cute.mma.make_fragment' op makes descriptors of B from a partition of A: partition the tile by cute.tiled.mma.partition B}}
  %b = cute.mma.make_fragment B (%mma, %stage) : (!mma, !stage) -> !descs
  return
}

// -----

// In loops and branches: what any of them passes on counts.
!mma = !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x64x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!part = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),1,4):((64,1),0,16)">
!descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">
!sums = !cute.memref<f32, rmem, align<16>, "((2,2,8),1,1):((1,2,4),0,0)">
func.func @loop(%mma: !mma, %sums: !sums, %p: !part, %q: !part, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = cute.mma.make_fragment A (%mma, %p) : (!mma, !part) -> !descs
  // expected-note @below {{the fragment is made here}}
  %b = cute.mma.make_fragment B (%mma, %q) : (!mma, !part) -> !descs
  %x, %y = scf.for %i = %c0 to %n step %c1 iter_args(%u = %a, %v = %b) -> (!descs, !descs) : i32 {
    // expected-error @below {{'cute.gemm' op A is given the descriptors of B}}
    cute.gemm(%mma, %sums, %u, %b, %sums) : (!mma, !sums, !descs, !descs, !sums)
    scf.yield %v, %u : !descs, !descs
  }
  return
}

// -----

!mma = !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x64x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!part = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),1,4):((64,1),0,16)">
!descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">
!sums = !cute.memref<f32, rmem, align<16>, "((2,2,8),1,1):((1,2,4),0,0)">
func.func @branch(%mma: !mma, %sums: !sums, %p: !part, %q: !part, %which: i1, %n: i32) {
  %c0 = arith.constant 0 : i32
  // expected-note @below {{the fragment is made here}}
  %a = cute.mma.make_fragment A (%mma, %p) : (!mma, !part) -> !descs
  %b = cute.mma.make_fragment B (%mma, %q) : (!mma, !part) -> !descs
  %end, %x = scf.while (%i = %c0, %u = %a) : (i32, !descs) -> (i32, !descs) {
    %on = arith.cmpi slt, %i, %n : i32
    scf.condition(%on) %i, %u : i32, !descs
  } do {
  ^bb0(%i: i32, %u: !descs):
    scf.yield %i, %u : i32, !descs
  }
  %y = scf.if %which -> (!descs) {
    scf.yield %b : !descs
  } else {
    scf.yield %x : !descs
  }
  // expected-error @below {{'cute.gemm' op B is given the descriptors of A}}
  cute.gemm(%mma, %sums, %a, %y, %sums) : (!mma, !sums, !descs, !descs, !sums)
  return
}
