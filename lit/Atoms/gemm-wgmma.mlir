// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-expand-copy-gemm,cute-lower-atoms{target=sm_90a},cute-to-base,canonicalize,cse)' | FileCheck %s --check-prefix=BASE

// wgmma: one line of assembly per instruction. It returns the accumulators in the registers that it was given them in; A and B are
// descriptors or, for A, registers; C is added where the state of the atom says so.

!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "1:0">

// CHECK-LABEL: @ss(
// CHECK: cute.gemm(
// BASE-LABEL: @ss(
// BASE-SAME: %[[ACCUM:.*]]: i1, %[[C:.*]]: !llvm.ptr, %[[A:.*]]: i64, %[[B:.*]]: i64)
// BASE-DAG: %[[SCALE:.*]] = llvm.zext %[[ACCUM]] : i1 to i32
// BASE-DAG: %[[C0:.*]] = llvm.load %[[C]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-DAG: %[[P3:.*]] = llvm.getelementptr %[[C]][12]
// BASE-DAG: %[[C3:.*]] = llvm.load %[[P3]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE: %[[D:.*]] = llvm.inline_asm has_side_effects {cute.wgmma} "{ .reg .pred p; setp.ne.b32 p, $6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $4, $5, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,l,l,r,0,1,2,3" %[[A]], %[[B]], %[[SCALE]], %[[C0]], %{{.*}}, %{{.*}}, %[[C3]] : (i64, i64, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// BASE: %[[D0:.*]] = llvm.extractvalue %[[D]][0]
// BASE-NEXT: llvm.store %[[D0]], %[[C]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE: %[[D3:.*]] = llvm.extractvalue %[[D]][3]
// BASE-NEXT: llvm.store %[[D3]], %[[P3]] {alignment = 4 : i64} : f32, !llvm.ptr
!ss = !cute_nvgpu.sm90.mma<64x8x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!f32x4 = !cute.memref<f32, rmem, align<16>, "((2,2,1)):((1,2,0))">
func.func @ss(%mma: !ss, %c: !f32x4, %a: !desc, %b: !desc) {
  cute.gemm(%mma, %c, %a, %b, %c) : (!ss, !f32x4, !desc, !desc, !f32x4)
  return
}

// Where the state is known, the predicate is an immediate. The accumulators go elsewhere than where those so far are.
// CHECK-LABEL: @first(
// BASE-LABEL: @first(
// BASE-SAME: %[[TO:.*]]: !llvm.ptr, %[[C:.*]]: !llvm.ptr, %[[A:.*]]: i64, %[[B:.*]]: i64)
// BASE: %[[OFF:.*]] = llvm.mlir.constant(0 : i32) : i32
// BASE: llvm.load %[[C]] {alignment = 4 : i64}
// BASE: llvm.inline_asm has_side_effects {{.*}} %[[A]], %[[B]], %[[OFF]], %
// BASE: llvm.store %{{.*}}, %[[TO]] {alignment = 4 : i64}
func.func @first(%d: !f32x4, %c: !f32x4, %a: !desc, %b: !desc) {
  %false = arith.constant false
  %mma = cute.make_atom(%false) : (i1) -> !ss
  cute.gemm(%mma, %d, %a, %b, %c) : (!ss, !f32x4, !desc, !desc, !f32x4)
  return
}

// With 16-bit elements, both matrices are transposed if they are contiguous along M and N.
// CHECK-LABEL: @majors(
// BASE-LABEL: @majors(
// BASE: llvm.inline_asm {{.*}}wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, $4, $5, p, 1, 1, 1, 1; }"
!mn = !cute_nvgpu.sm90.mma<64x8x16, ab_major = (mn, mn), elem_type = (bf16, bf16, f32), frag_kind = ss>
func.func @majors(%mma: !mn, %c: !f32x4, %a: !desc, %b: !desc) {
  cute.gemm(%mma, %c, %a, %b, %c) : (!mn, !f32x4, !desc, !desc, !f32x4)
  return
}

// A of four registers, which hold two elements each: it is never transposed. Accumulators of f16 are pairs.
// CHECK-LABEL: @rs(
// BASE-LABEL: @rs(
// BASE-COUNT-4: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> i32
// BASE: llvm.inline_asm has_side_effects {cute.wgmma} "{ .reg .pred p; setp.ne.b32 p, $7, 0; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, {$2, $3, $4, $5}, $6, p, 1, 1, 1; }", "=r,=r,r,r,r,r,l,r,0,1" {{.*}} : (i32, i32, i32, i32, i64, i32, i32, i32) -> !llvm.struct<(i32, i32)>
!rs = !cute_nvgpu.sm90.mma<64x8x16, ab_major = (k, mn), elem_type = (f16, f16, f16), frag_kind = rs>
!halves = !cute.memref<f16, rmem, align<16>, "((2,2,2)):((1,2,4))">
!f16x4 = !cute.memref<f16, rmem, align<8>, "((2,2,1)):((1,2,0))">
func.func @rs(%mma: !rs, %c: !f16x4, %a: !halves, %b: !desc) {
  cute.gemm(%mma, %c, %a, %b, %c) : (!rs, !f16x4, !halves, !desc, !f16x4)
  return
}

// CHECK-LABEL: @tf32(
// BASE-LABEL: @tf32(
// BASE: llvm.inline_asm {{.*}}wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, p, 1, 1; }", "=f,=f,=f,=f,r,r,r,r,l,r,0,1,2,3"
!tf32 = !cute_nvgpu.sm90.mma<64x8x8, ab_major = (k, k), elem_type = (tf32, tf32, f32), frag_kind = rs>
!words = !cute.memref<tf32, rmem, align<16>, "((2,2)):((1,2))">
func.func @tf32(%mma: !tf32, %c: !f32x4, %a: !words, %b: !desc) {
  cute.gemm(%mma, %c, %a, %b, %c) : (!tf32, !f32x4, !words, !desc, !f32x4)
  return
}

// CHECK-LABEL: @fp8(
// BASE-LABEL: @fp8(
// BASE: llvm.inline_asm {{.*}}wgmma.mma_async.sync.aligned.m64n8k32.f16.e4m3.e5m2 {$0, $1}, $2, $3, p, 1, 1; }", "=r,=r,l,l,r,0,1"
!fp8 = !cute_nvgpu.sm90.mma<64x8x32, ab_major = (k, k), elem_type = (f8E4M3FN, f8E5M2, f16), frag_kind = ss>
func.func @fp8(%mma: !fp8, %c: !f16x4, %a: !desc, %b: !desc) {
  cute.gemm(%mma, %c, %a, %b, %c) : (!fp8, !f16x4, !desc, !desc, !f16x4)
  return
}

// Integers have no signs to change.
// CHECK-LABEL: @integers(
// BASE-LABEL: @integers(
// BASE: llvm.inline_asm {{.*}}wgmma.mma_async.sync.aligned.m64n8k32.satfinite.s32.s8.u8 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, p; }", "=r,=r,=r,=r,r,r,r,r,l,r,0,1,2,3"
!s8 = !cute_nvgpu.sm90.mma<64x8x32, ab_major = (k, k), elem_type = (i8, ui8, i32), frag_kind = rs, int_overflow = <satfinite>>
!bytes = !cute.memref<i8, rmem, align<16>, "((4,2,2)):((1,4,8))">
!i32x4 = !cute.memref<i32, rmem, align<16>, "((2,2,1)):((1,2,0))">
func.func @integers(%mma: !s8, %c: !i32x4, %a: !bytes, %b: !desc) {
  cute.gemm(%mma, %c, %a, %b, %c) : (!s8, !i32x4, !bytes, !desc, !i32x4)
  return
}

// All of K in one gemm: the descriptors are stepped.
// CHECK-LABEL: @steps(
// BASE-LABEL: @steps(
// BASE-COUNT-2: llvm.inline_asm
!two = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,2):(0,0,2)">
!sums = !cute.memref<f32, rmem, align<16>, "((2,2,1),1,1):((1,2,0),0,0)">
func.func @steps(%mma: !ss, %c: !sums, %a: !two, %b: !two) {
  cute.gemm(%mma, %c, %a, %b, %c) : (!ss, !sums, !two, !two, !sums)
  return
}

// Either matrix negated.
// CHECK-LABEL: @negated(
// CHECK-SAME: frag_kind = ss, a_neg = true>
// BASE-LABEL: @negated(
// BASE: llvm.inline_asm {{.*}}, $4, $5, p, -1, 1, 0, 0; }"
!negated = !cute_nvgpu.sm90.mma<64x8x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, a_neg = true>
func.func @negated(%mma: !negated, %c: !f32x4, %a: !desc, %b: !desc) {
  cute.gemm(%mma, %c, %a, %b, %c) : (!negated, !f32x4, !desc, !desc, !f32x4)
  return
}
