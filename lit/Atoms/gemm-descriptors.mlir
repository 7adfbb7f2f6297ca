// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-expand-copy-gemm)' | FileCheck %s --check-prefix=CALLS

// Descriptors that state their matrix: every view of them states it too, and a declared type may drop it.

!mma = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!a = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),2,4):((64,1),4096,16)">
!b = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,16),1,4):((64,1),0,16)">
!c = !cute.memref<f32, rmem, align<16>, "((2,2,16),2,1):((1,2,4),64,0)">
!of_a = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, A, k>, "(1,2,4):(0,512,2)">
!of_b = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, B, k>, "(1,1,4):(0,0,2)">
!a_k = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, A, k>, "(1,2):(0,512)">
!b_k = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, B, k>, "(1,1):(0,0)">

// CHECK-LABEL: @stated(
// CHECK: cute.slice({{.*}}) : !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, A, k>, "(1,2,4):(0,512,2)">
// CHECK: cute.group_modes{{.*}} -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, B, k>, "((1,1),4):((0,0),2)">
// CHECK: cute.gemm({{.*}}!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, A, k>, "(1,2):(0,512)">, !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, B, k>, "(1,1):(0,0)">
// CALLS-LABEL: @stated(
// CALLS-COUNT-2: cute.mma_atom_call({{.*}}!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, A, k>, "(1):(0)">, !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, B, k>, "(1):(0)">
func.func @stated(%mma: !mma, %c: !c, %part_a: !a, %part_b: !b) {
  %a = cute.mma.make_fragment A (%mma, %part_a) : (!mma, !a) -> !of_a
  %b = cute.mma.make_fragment B (%mma, %part_b) : (!mma, !b) -> !of_b
  %at = cute.static : !cute.coord<"(_,_,0)">
  %a_k = cute.slice(%a, %at) : !of_a, !cute.coord<"(_,_,0)">
  %b_k = cute.slice(%b, %at) : !of_b, !cute.coord<"(_,_,0)">
  %grouped = cute.group_modes<0, 2> (%b) : (!of_b)
  cute.gemm(%mma, %c, %a_k, %b_k, %c) : (!mma, !c, !a_k, !b_k, !c)
  return
}

// The descriptor of a view, and a view of a descriptor.
// CHECK-LABEL: @iterator(
// CHECK: cute.get_iter(%{{.*}}) : !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, B, k>, "(1,1,4):(0,0,2)">
// CHECK: cute.make_view(%{{.*}}) : !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, B, k>, "(1,1):(0,0)">
func.func @iterator(%b: !of_b) {
  %first = cute.get_iter(%b) : !of_b
  %view = cute.make_view(%first) : !b_k
  return
}

// The public spelling states nothing, and nothing is checked.
// CHECK-LABEL: @unstated(
// CHECK: cute.gemm({{.*}}!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2):(0,512)">, !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">
!public_a = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2,4):(0,512,2)">
!public = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2):(0,512)">
!public_b = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">
func.func @unstated(%mma: !mma, %c: !c, %a: !of_a, %b: !public_b) {
  %less = cute.derefine(%a) : !of_a to !public_a
  %at = cute.static : !cute.coord<"(_,_,0)">
  %a_k = cute.slice(%less, %at) : !public_a, !cute.coord<"(_,_,0)">
  cute.gemm(%mma, %c, %a_k, %b, %c) : (!mma, !c, !public, !public_b, !c)
  return
}

// Memory of bytes, and of integers without a sign, holds whatever the atom reads; a tf32 is an f32.
// CHECK-LABEL: @storage(
!f8 = !cute_nvgpu.sm90.mma<64x8x32, ab_major = (k, k), elem_type = (f8E4M3FN, f8E5M2, f32), frag_kind = ss>
!u8 = !cute_nvgpu.sm90.mma<64x8x32, ab_major = (k, k), elem_type = (ui8, i8, i32), frag_kind = ss>
!tf32 = !cute_nvgpu.sm90.mma<64x8x8, ab_major = (k, k), elem_type = (tf32, tf32, f32), frag_kind = ss>
!sums = !cute.memref<f32, rmem, align<16>, "((2,2,1)):((1,2,0))">
!isums = !cute.memref<i32, rmem, align<16>, "((2,2,1)):((1,2,0))">
!ui8_a = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<ui8, A, k>, "1:0">
!i8_a = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<i8, A, k>, "1:0">
!i8_b = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<i8, B, k>, "1:0">
!f32_a = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f32, A, k>, "1:0">
!tf32_b = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<tf32, B, k>, "1:0">
func.func @storage(%f8: !f8, %u8: !u8, %tf32: !tf32, %c: !sums, %i: !isums, %bytes: !ui8_a, %a8: !i8_a, %b8: !i8_b, %a32: !f32_a, %b32: !tf32_b) {
  cute.gemm(%f8, %c, %bytes, %b8, %c) : (!f8, !sums, !ui8_a, !i8_b, !sums)
  cute.gemm(%u8, %i, %a8, %b8, %i) : (!u8, !isums, !i8_a, !i8_b, !isums)
  cute.gemm(%tf32, %c, %a32, %b32, %c) : (!tf32, !sums, !f32_a, !tf32_b, !sums)
  return
}
