// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-expand-copy-gemm,cute-lower-atoms{target=sm_100a},cute-to-base,canonicalize,cse)' | FileCheck %s --check-prefix=BASE

// tcgen05.mma: one op of NVVM per instruction, under one elect.sync for all that stand side by side. Its descriptor is a constant, with
// what the state of the atom says of signs.

!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "1:0">
!sums = !cute.memref<f32, tmem, align<16>, "((128,256)):((65536,1))">

// CHECK-LABEL: @ss(
// CHECK: cute.gemm(
// BASE-LABEL: @ss(
// BASE-SAME: %[[ACCUM:.*]]: i1, %[[NEGA:.*]]: i1, %[[NEGB:.*]]: i1, %[[D:.*]]: i32, %[[A:.*]]: i64, %[[B:.*]]: i64)
// BASE-DAG: %[[KNOWN:.*]] = arith.constant 138412048 : i32
// BASE-DAG: %[[AT_A:.*]] = arith.constant 13 : i32
// BASE-DAG: %[[AT_B:.*]] = arith.constant 14 : i32
// BASE: %[[ELECTED:.*]] = nvvm.elect.sync -> i1
// BASE-NEXT: scf.if %[[ELECTED]] {
// BASE-DAG: %[[SUMS:.*]] = llvm.inttoptr %[[D]] : i32 to !llvm.ptr<6>
// BASE-DAG: %[[A0:.*]] = arith.extui %[[NEGA]] : i1 to i32
// BASE-DAG: %[[A1:.*]] = arith.shli %[[A0]], %[[AT_A]] : i32
// BASE-DAG: %[[A2:.*]] = arith.ori %[[A1]], %[[KNOWN]] : i32
// BASE-DAG: %[[B0:.*]] = arith.extui %[[NEGB]] : i1 to i32
// BASE-DAG: %[[B1:.*]] = arith.shli %[[B0]], %[[AT_B]] : i32
// BASE-DAG: %[[WORD:.*]] = arith.ori %[[A2]], %[[B1]] : i32
// BASE: nvvm.tcgen05.mma %[[SUMS]], %[[A]], %[[B]], %[[WORD]], %[[ACCUM]] {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, i64, i64, i32, i1)
// BASE-NEXT: }
!ss = !cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
func.func @ss(%mma: !ss, %d: !sums, %a: !desc, %b: !desc) {
  cute.gemm(%mma, %d, %a, %b, %d) : (!ss, !sums, !desc, !desc, !sums)
  return
}

// The known part of the state is in the constant. C may be divided by a power of two.
// CHECK-LABEL: @known(
// BASE-LABEL: @known(
// BASE-DAG: %[[WORD:.*]] = arith.constant 138420240 : i32
// BASE-DAG: %[[BY:.*]] = llvm.mlir.constant(3 : i64) : i64
// BASE: nvvm.tcgen05.mma %{{.*}}, %{{.*}}, %{{.*}}, %[[WORD]], %true scale = %[[BY]] {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>}
!scaled = !cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 3>
func.func @known(%d: !sums, %a: !desc, %b: !desc) {
  %true = arith.constant true
  %false = arith.constant false
  %mma = cute.make_atom(%true, %true, %false) : (i1, i1, i1) -> !scaled
  cute.gemm(%mma, %d, %a, %b, %d) : (!scaled, !sums, !desc, !desc, !sums)
  return
}

// Lanes of D that are not written.
// CHECK-LABEL: @masked(
// CHECK: cute.make_atom(%{{.*}}, %{{.*}}, %{{.*}}, %arg3) : (i1, i1, i1, vector<4xi32>) -> !cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0, disable_output_lane = true>
// CHECK: cute_nvgpu.atom.get_value
// BASE-LABEL: @masked(
// BASE-SAME: %[[LANES:[^:]*]]: vector<4xi32>) -> vector<4xi32>
// BASE: nvvm.tcgen05.mma %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} mask = %[[LANES]] {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>}
// BASE: return %[[LANES]]
!masked = !cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0, disable_output_lane = true>
func.func @masked(%d: !sums, %a: !desc, %b: !desc, %lanes: vector<4xi32>) -> vector<4xi32> {
  %false = arith.constant false
  %mma = cute.make_atom(%false, %false, %false, %lanes) : (i1, i1, i1, vector<4xi32>) -> !masked
  cute.gemm(%mma, %d, %a, %b, %d) : (!masked, !sums, !desc, !desc, !sums)
  %held = cute_nvgpu.atom.get_value(%mma : !masked) {field = #cute_nvgpu.atom_mma_field_sm100<disable_output_lane>} : vector<4xi32>
  return %held : vector<4xi32>
}

// A from tensor memory, by its address; columns of 16-bit elements are half as many.
// CHECK-LABEL: @ts(
// BASE-LABEL: @ts(
// BASE-SAME: %[[D:[^:]*]]: i32, %[[A:[^:]*]]: i32, %{{[^:]*}}: i64)
// BASE-DAG: %[[WORD:.*]] = arith.constant 136380432 : i32
// BASE-DAG: %[[STEP:.*]] = arith.constant 8 : i32
// BASE: %[[NEXT:.*]] = arith.addi %[[A]], %[[STEP]]
// BASE: %[[FIRST:.*]] = llvm.inttoptr %[[A]] : i32 to !llvm.ptr<6>
// BASE: nvvm.tcgen05.mma %{{.*}}, %[[FIRST]], %{{.*}}, %[[WORD]], %{{.*}} {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)
// BASE: %[[SECOND:.*]] = llvm.inttoptr %[[NEXT]] : i32 to !llvm.ptr<6>
// BASE: nvvm.tcgen05.mma %{{.*}}, %[[SECOND]],
!ts = !cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, mn), elem_type = (f16, f16, f32), frag_kind = ts, c_scale_exp = 0>
!acc = !cute.memref<f32, tmem, align<16>, "((128,128),1,1):((65536,1),0,0)">
!left = !cute.memref<f16, tmem, align<1>, "((128,16),1,2):((131072,1),0,16)">
!right = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,2):(0,0,128)">
func.func @ts(%d: !acc, %a: !left, %b: !right) {
  %true = arith.constant true
  %false = arith.constant false
  %mma = cute.make_atom(%true, %false, %false) : (i1, i1, i1) -> !ts
  cute.gemm(%mma, %d, %a, %b, %d) : (!ts, !acc, !left, !right, !acc)
  return
}

// The kinds, and a pair of CTAs.
// CHECK-LABEL: @kinds(
// BASE-LABEL: @kinds(
// BASE: nvvm.tcgen05.mma {{.*}} {ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<f16>}
// BASE-NEXT: nvvm.tcgen05.mma {{.*}} {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<tf32>}
// BASE-NEXT: nvvm.tcgen05.mma {{.*}} {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f8f6f4>}
// BASE-NEXT: %{{.*}} = llvm.inttoptr
// BASE-NEXT: nvvm.tcgen05.mma {{.*}} {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<i8>}
// BASE-NEXT: }
!bf16 = !cute_nvgpu.sm100.mma<256x256x16, num_cta = 2, ab_major = (mn, k), elem_type = (bf16, bf16, f32), frag_kind = ss, c_scale_exp = 0>
!tf32 = !cute_nvgpu.sm100.mma<128x256x8, num_cta = 1, ab_major = (k, k), elem_type = (tf32, tf32, f32), frag_kind = ss, c_scale_exp = 0>
!f8 = !cute_nvgpu.sm100.mma<128x256x32, num_cta = 1, ab_major = (k, k), elem_type = (f8E4M3FN, f8E5M2, f32), frag_kind = ss, c_scale_exp = 0>
!i8 = !cute_nvgpu.sm100.mma<128x256x32, num_cta = 1, ab_major = (k, k), elem_type = (i8, i8, i32), frag_kind = ss, c_scale_exp = 0>
!isums = !cute.memref<i32, tmem, align<16>, "((128,256)):((65536,1))">
func.func @kinds(%d: !sums, %i: !isums, %a: !desc, %b: !desc) {
  %t = arith.constant true
  %f = arith.constant false
  %0 = cute.make_atom(%t, %f, %f) : (i1, i1, i1) -> !bf16
  cute.gemm(%0, %d, %a, %b, %d) : (!bf16, !sums, !desc, !desc, !sums)
  %1 = cute.make_atom(%t, %f, %f) : (i1, i1, i1) -> !tf32
  cute.gemm(%1, %d, %a, %b, %d) : (!tf32, !sums, !desc, !desc, !sums)
  %2 = cute.make_atom(%t, %f, %f) : (i1, i1, i1) -> !f8
  cute.gemm(%2, %d, %a, %b, %d) : (!f8, !sums, !desc, !desc, !sums)
  %3 = cute.make_atom(%t, %f, %f) : (i1, i1, i1) -> !i8
  cute.gemm(%3, %i, %a, %b, %i) : (!i8, !isums, !desc, !desc, !isums)
  return
}

// One lane issues a loop of MMAs and the commit behind it. What the loop makes of the atom is computed without the MMAs too.
// CHECK-LABEL: @chain(
// BASE-LABEL: @chain(
// BASE-SAME: %[[D:[^:]*]]: i32, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %[[BAR:[^:]*]]: !llvm.ptr<3>, %[[N:[^:]*]]: i32)
// BASE: %[[LAST:.*]] = scf.for
// BASE-NEXT: scf.yield %true : i1
// BASE-NEXT: }
// BASE: %[[ELECTED:.*]] = nvvm.elect.sync -> i1
// BASE-NOT: elect.sync
// BASE: scf.if %[[ELECTED]] {
// BASE: scf.for {{.*}} iter_args(%[[ON:[^ ]*]] = %false
// BASE: nvvm.tcgen05.mma %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[ON]] {
// BASE: scf.yield
// BASE: nvvm.tcgen05.commit %[[BAR]] : !llvm.ptr<3>
// BASE-NOT: scf.if
// BASE: nvvm.tcgen05.mma %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[LAST]] {
// BASE: nvvm.tcgen05.commit %[[BAR]] : !llvm.ptr<3>
// BASE-NEXT: }
// BASE-NEXT: return
func.func @chain(%d: !sums, %a: !desc, %b: !desc, %bar: !llvm.ptr<3>, %n: i32) {
  %t = arith.constant true
  %f = arith.constant false
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %mma = cute.make_atom(%f, %f, %f) : (i1, i1, i1) -> !ss
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%state = %mma) -> (!ss) : i32 {
    cute.gemm(%state, %d, %a, %b, %d) : (!ss, !sums, !desc, !desc, !sums)
    %next = cute_nvgpu.atom.set_value(%state, %t : i1) {field = #cute_nvgpu.atom_mma_field_sm100<accum_c>} : !ss
    scf.yield %next : !ss
  }
  %e = nvvm.elect.sync -> i1
  scf.if %e {
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  }
  cute.gemm(%last, %d, %a, %b, %d) : (!ss, !sums, !desc, !desc, !sums)
  %again = nvvm.elect.sync -> i1
  scf.if %again {
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  }
  return
}
