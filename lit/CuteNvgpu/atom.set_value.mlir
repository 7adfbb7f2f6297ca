// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Atoms with a run-time state: an atom that differs in one field.

!wgmma = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!mma = !cute.tiled_mma<!cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>
!store = !cute_nvgpu.atom.tma_store<f16, copy_bits = 65536, mode = tiled, g_stride = <"(?{i64 div=8},?)"> tma_gbasis = <"(32,128,1):(1@1,1@0,1@2)">>

// CHECK-LABEL: @accumulate(
// CHECK: cute_nvgpu.atom.set_value(%arg0, %arg1 : i1) {field = #cute_nvgpu.atom_mma_field_sm90<accum_c>} : !cute_nvgpu.sm90.mma<
// BASE-LABEL: @accumulate(
// BASE-SAME: %{{.*}}: i1, %[[V:.*]]: i1) -> i1
// BASE-NEXT: return %[[V]] : i1
func.func @accumulate(%arg0: !wgmma, %arg1: i1) -> !wgmma {
  %0 = cute_nvgpu.atom.set_value(%arg0, %arg1 : i1) {field = #cute_nvgpu.atom_mma_field_sm90<accum_c>} : !wgmma
  return %0 : !wgmma
}

// One of three, of a tiled atom; generic form has the field among its properties.
// CHECK-LABEL: @negate(
// CHECK: cute_nvgpu.atom.set_value(%arg0, %arg1 : i1) {field = #cute_nvgpu.atom_mma_field_sm100<neg_a>} : !cute.tiled_mma<
// BASE-LABEL: @negate(
// BASE-SAME: %[[ACCUM:.*]]: i1, %{{.*}}: i1, %[[B:.*]]: i1, %[[A:.*]]: i1) -> (i1, i1, i1)
// BASE-NEXT: return %[[ACCUM]], %[[A]], %[[B]] : i1, i1, i1
func.func @negate(%arg0: !mma, %arg1: i1) -> !mma {
  %0 = "cute_nvgpu.atom.set_value"(%arg0, %arg1) <{field = #cute_nvgpu.atom_mma_field_sm100<neg_a>}> : (!mma, i1) -> !mma
  return %0 : !mma
}

// A pointer that is known to be aligned to more fits.
// CHECK-LABEL: @descriptor(
// CHECK: cute_nvgpu.atom.set_value(%arg0, %arg1 : !cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<128>>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_descriptor_ptr>} : !cute_nvgpu.atom.tma_load<
// CHECK: cute_nvgpu.atom.set_value({{.*}} : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>}
// CHECK: cute_nvgpu.atom.set_value({{.*}} : i16) {field = #cute_nvgpu.atom_copy_field_tmaload<mcast_mask>}
// CHECK: cute_nvgpu.atom.set_value({{.*}} : i64) {field = #cute_nvgpu.atom_copy_field_tmaload<cache_policy>}
// BASE-LABEL: @descriptor(
// BASE-SAME: %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr<3>, %{{.*}}: i16, %{{.*}}: i64, %[[D:.*]]: !llvm.ptr, %[[BAR:.*]]: !llvm.ptr<3>, %[[MASK:.*]]: i16, %[[CACHE:.*]]: i64)
// BASE: %[[NEXT:.*]] = llvm.getelementptr %[[BAR]]
// BASE: return %[[D]], %[[NEXT]], %[[MASK]], %[[CACHE]] : !llvm.ptr, !llvm.ptr<3>, i16, i64
func.func @descriptor(%arg0: !load, %arg1: !cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<128>>, %arg2: !cute.ptr<i64, smem>, %arg3: i16, %arg4: i64) -> !load {
  %0 = cute_nvgpu.atom.set_value(%arg0, %arg1 : !cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<128>>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_descriptor_ptr>} : !load
  %one = cute.make_int_tuple() : () -> !cute.int_tuple<"1">
  %barrier = cute.add_offset(%arg2, %one) : (!cute.ptr<i64, smem>, !cute.int_tuple<"1">) -> !cute.ptr<i64, smem>
  %1 = cute_nvgpu.atom.set_value(%0, %barrier : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load
  %2 = cute_nvgpu.atom.set_value(%1, %arg3 : i16) {field = #cute_nvgpu.atom_copy_field_tmaload<mcast_mask>} : !load
  %3 = cute_nvgpu.atom.set_value(%2, %arg4 : i64) {field = #cute_nvgpu.atom_copy_field_tmaload<cache_policy>} : !load
  return %3 : !load
}

// A field of several leaves.
// CHECK-LABEL: @strides(
// CHECK: cute_nvgpu.atom.set_value(%arg0, %arg1 : !cute.int_tuple<"(?{i64 div=16},?)">) {field = #cute_nvgpu.atom_copy_field_tmastore<g_stride>}
// BASE-LABEL: @strides(
// BASE-SAME: %[[D:.*]]: !llvm.ptr, %[[CACHE:.*]]: i64, %{{.*}}: i64, %{{.*}}: i32, %[[S0:.*]]: i64, %[[S1:.*]]: i32)
// BASE-NEXT: return %[[D]], %[[CACHE]], %[[S0]], %[[S1]] : !llvm.ptr, i64, i64, i32
func.func @strides(%arg0: !store, %arg1: !cute.int_tuple<"(?{i64 div=16},?)">) -> !store {
  %0 = cute_nvgpu.atom.set_value(%arg0, %arg1 : !cute.int_tuple<"(?{i64 div=16},?)">) {field = #cute_nvgpu.atom_copy_field_tmastore<g_stride>} : !store
  return %0 : !store
}

// An atom is threaded through a loop: false for the first step, then true.
// FOLD-LABEL: @loop(
// BASE-LABEL: @loop(
// BASE: scf.for {{.*}} iter_args(%[[FLAG:.*]] = %false) -> (i1)
// BASE: func.call @use(%[[FLAG]]) : (i1) -> ()
// BASE: scf.yield %true
func.func private @use(i1)
func.func @loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %true = arith.constant true
  %atom = cute.make_atom(%false) : (i1) -> !wgmma
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%a = %atom) -> (!wgmma) {
    %flag = cute_nvgpu.atom.get_value(%a : !wgmma) {field = #cute_nvgpu.atom_mma_field_sm90<accum_c>} : i1
    func.call @use(%flag) : (i1) -> ()
    %next = cute_nvgpu.atom.set_value(%a, %true : i1) {field = #cute_nvgpu.atom_mma_field_sm90<accum_c>} : !wgmma
    scf.yield %next : !wgmma
  }
  return
}
