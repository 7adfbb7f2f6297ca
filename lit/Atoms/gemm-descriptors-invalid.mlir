// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-to-base)'

// Each thing that a descriptor may state, against an atom that reads something else.

!mma = !cute_nvgpu.sm90.mma<64x8x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!c = !cute.memref<f32, rmem, align<16>, "((2,2,1)):((1,2,0))">
!a = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, A, k>, "1:0">
!b = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, B, k>, "1:0">
func.func @exchanged(%mma: !mma, %c: !c, %a: !a, %b: !b) {
  // expected-error @below {{'cute.gemm' op A is given the descriptors of B: exchange them, or make those of A by cute.mma.make_fragment A, from a partition A}}
  cute.gemm(%mma, %c, %b, %a, %c) : (!mma, !c, !b, !a, !c)
  return
}

// -----

!mma = !cute_nvgpu.sm90.mma<64x8x16, ab_major = (k, mn), elem_type = (f16, f16, f32), frag_kind = ss>
!c = !cute.memref<f32, rmem, align<16>, "((2,2,1)):((1,2,0))">
!a = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, A, k>, "1:0">
!b = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, B, k>, "1:0">
func.func @major(%mma: !mma, %c: !c, %a: !a, %b: !b) {
  // expected-error @below {{'cute.gemm' op B has descriptors of k-major memory, but the atom reads B mn-major: use the atom with which the fragment was made, or one with k in ab_major}}
  cute.gemm(%mma, %c, %a, %b, %c) : (!mma, !c, !a, !b, !c)
  return
}

// -----

!mma = !cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (bf16, bf16, f32), frag_kind = ss, c_scale_exp = 0>
!c = !cute.memref<f32, tmem, align<16>, "((128,256)):((65536,1))">
!a = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<bf16, A, k>, "(1):(0)">
!b = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, B, k>, "(1):(0)">
func.func @element(%mma: !mma, %c: !c, %a: !a, %b: !b) {
  // expected-error @below {{'cute.mma_atom_call' op B's memory holds f16, but the atom multiplies bf16: recast the iterator to bf16, or use an atom of f16}}
  cute.mma_atom_call(%mma, %c, %a, %b, %c) : (!mma, !c, !a, !b, !c) -> ()
  return
}

// -----

!mma = !cute_nvgpu.sm90.mma<64x8x32, ab_major = (k, k), elem_type = (i8, ui8, i32), frag_kind = ss>
!c = !cute.memref<i32, rmem, align<16>, "((2,2,1)):((1,2,0))">
!a = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<ui8, A, k>, "1:0">
!b = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<i8, B, k>, "1:0">
func.func @sign(%mma: !mma, %c: !c, %a: !a, %b: !b) {
  // expected-error @below {{'cute.gemm' op A's memory holds ui8, but the atom multiplies i8}}
  cute.gemm(%mma, %c, %a, %b, %c) : (!mma, !c, !a, !b, !c)
  return
}

// -----

!mma = !cute_nvgpu.sm90.mma<64x8x32, ab_major = (k, k), elem_type = (i8, i8, i32), frag_kind = ss>
!c = !cute.memref<i32, rmem, align<16>, "((2,2,1)):((1,2,0))">
!a = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f8E4M3FN, A, k>, "1:0">
func.func @floats(%mma: !mma, %c: !c, %a: !a, %b: !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "1:0">) {
  // expected-error @below {{'cute.gemm' op A's memory holds f8E4M3FN, but the atom multiplies i8}}
  cute.gemm(%mma, %c, %a, %b, %c) : (!mma, !c, !a, !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "1:0">, !c)
  return
}

// -----

// A view may state less than it is made of, and not something else.
!a = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, A, k>, "(1,2):(0,512)">
func.func @restated(%a: !a) {
  %at = cute.static : !cute.coord<"(_,0)">
  // expected-error @below {{: the matrix is f16, A, k, declared f16, B, k}}
  %0 = "cute.slice"(%a, %at) : (!a, !cute.coord<"(_,0)">) -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, B, k>, "(1):(0)">
  return
}

// -----

!a = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2):(0,512)">
func.func @claimed(%a: !a) {
  %at = cute.static : !cute.coord<"(_,0)">
  // expected-error @below {{: nothing is known about the matrix, declared f16, B, k}}
  %0 = "cute.slice"(%a, %at) : (!a, !cute.coord<"(_,0)">) -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, B, k>, "(1):(0)">
  return
}

// -----

// Registers and tensor memory, and the accumulator.
!mma = !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >
!a = !cute.memref<f16, rmem, align<16>, "((2,2,2)):((1,2,4))">
!b = !cute.memref<bf16, rmem, align<8>, "((2,2)):((1,2))">
!c = !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">
func.func @registers(%mma: !mma, %c: !c, %a: !a, %b: !b) {
  // expected-error @below {{'cute.gemm' op B's fragment holds bf16, but the atom multiplies f16: make the fragment by cute.mma.make_fragment of this atom, or use an atom of bf16}}
  cute.gemm(%mma, %c, %a, %b, %c) : (!mma, !c, !a, !b, !c)
  return
}

// -----

!mma = !cute_nvgpu.sm80.mma<16x8x32, elem_type = (i8, i8, i32) >
!a = !cute.memref<i8, rmem, align<16>, "((4,2,2)):((1,4,8))">
!b = !cute.memref<ui8, rmem, align<8>, "((4,2)):((1,4))">
!c = !cute.memref<i32, rmem, align<16>, "((2,2)):((1,2))">
func.func @signs(%mma: !mma, %c: !c, %a: !a, %b: !b) {
  // expected-error @below {{'cute.gemm' op B's fragment holds ui8, but the atom multiplies i8}}
  cute.gemm(%mma, %c, %a, %b, %c) : (!mma, !c, !a, !b, !c)
  return
}

// -----

!mma = !cute_nvgpu.sm80.mma<16x8x32, elem_type = (i8, i8, i32) >
!a = !cute.memref<i8, rmem, align<16>, "((4,2,2)):((1,4,8))">
!b = !cute.memref<i8, rmem, align<8>, "((4,2)):((1,4))">
!c = !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">
func.func @accumulator(%mma: !mma, %c: !c, %a: !a, %b: !b) {
  // expected-error @below {{'cute.gemm' op D's fragment holds f32, but the atom accumulates i32}}
  cute.gemm(%mma, %c, %a, %b, %c) : (!mma, !c, !a, !b, !c)
  return
}

// -----

!mma = !cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ts, c_scale_exp = 0>
!c = !cute.memref<f32, tmem, align<16>, "((128,128),1,1):((65536,1),0,0)">
!a = !cute.memref<bf16, tmem, align<1>, "((128,16),1,2):((131072,1),0,16)">
!b = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,2):(0,0,2)">
func.func @tensor_memory(%mma: !mma, %c: !c, %a: !a, %b: !b) {
  // expected-error @below {{'cute.gemm' op A's fragment holds bf16, but the atom multiplies f16}}
  cute.gemm(%mma, %c, %a, %b, %c) : (!mma, !c, !a, !b, !c)
  return
}
