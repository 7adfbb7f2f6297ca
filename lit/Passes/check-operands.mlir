// RUN: %opt %s --pass-pipeline='builtin.module(cute-check-fragments)' | FileCheck %s
// RUN: %opt %S/../../examples/hopper/warp_roles.mlir --pass-pipeline='builtin.module(cute-check-fragments)' | FileCheck %s --check-prefix=HOPPER
// RUN: %opt %S/../../examples/blackwell/umma.mlir --pass-pipeline='builtin.module(cute-check-fragments)' | FileCheck %s --check-prefix=BLACKWELL

// Operands that are right, or may be.

// HOPPER: cute.gemm
// BLACKWELL: cute.gemm

!mma = !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x64x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!part = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),1,4):((64,1),0,16)">
!descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">
!sums = !cute.memref<f32, rmem, align<16>, "((2,2,8),1,1):((1,2,4),0,0)">

// Descriptors that the caller made are not followed.
// CHECK-LABEL: @given(
func.func @given(%mma: !mma, %sums: !sums, %a: !descs, %b: !descs) {
  cute.gemm(%mma, %sums, %b, %a, %sums) : (!mma, !sums, !descs, !descs, !sums)
  return
}

// Through branches, and loops that return what they were given.
// CHECK-LABEL: @branches(
func.func @branches(%mma: !mma, %sums: !sums, %p: !part, %q: !part, %r: !part, %which: i1, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %b = cute.mma.make_fragment B (%mma, %q) : (!mma, !part) -> !descs
  %a = scf.if %which -> (!descs) {
    %one = cute.mma.make_fragment A (%mma, %p) : (!mma, !part) -> !descs
    scf.yield %one : !descs
  } else {
    %two = cute.mma.make_fragment A (%mma, %r) : (!mma, !part) -> !descs
    scf.yield %two : !descs
  }
  %x, %y = scf.for %i = %c0 to %n step %c1 iter_args(%u = %a, %v = %b) -> (!descs, !descs) : i32 {
    cute.gemm(%mma, %sums, %u, %v, %sums) : (!mma, !sums, !descs, !descs, !sums)
    scf.yield %u, %v : !descs, !descs
  }
  cute.gemm(%mma, %sums, %x, %y, %sums) : (!mma, !sums, !descs, !descs, !sums)
  return
}
