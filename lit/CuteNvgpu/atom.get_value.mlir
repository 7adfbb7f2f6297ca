// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The content of a field of an atom's run-time state.

!atom = !cute_nvgpu.sm100.mma<128x256x16, num_cta = 2, ab_major = (k, mn), elem_type = (bf16, bf16, f32), frag_kind = ss, c_scale_exp = 0>
!mma = !cute.tiled_mma<!atom, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"(?{i64 div=8},4)"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>
!scaled = !cute_nvgpu.sm100.mma_bs<128x128x64, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>

// CHECK-LABEL: @flag(
// CHECK: cute_nvgpu.atom.get_value(%arg0 : !cute.tiled_mma<{{.*}}>) {field = #cute_nvgpu.atom_mma_field_sm100<neg_b>} : i1
// FOLD-LABEL: @flag(
// FOLD: cute_nvgpu.atom.get_value
// BASE-LABEL: @flag(
// BASE-SAME: %{{.*}}: i1, %{{.*}}: i1, %[[B:.*]]: i1) -> i1
// BASE-NEXT: return %[[B]] : i1
func.func @flag(%arg0: !mma) -> i1 {
  %0 = "cute_nvgpu.atom.get_value"(%arg0) <{field = #cute_nvgpu.atom_mma_field_sm100<neg_b>}> : (!mma) -> i1
  return %0 : i1
}

// The result is the value that was last stored, also through other fields and tilings.
// CHECK-LABEL: @stored(
// FOLD-LABEL: @stored(
// FOLD-SAME: %[[C:.*]]: i1, %[[A:.*]]: i1, %[[B:.*]]: i1, %[[NEW:.*]]: i1)
// FOLD-NEXT: return %[[C]], %[[NEW]], %[[B]] : i1, i1, i1
// BASE-LABEL: @stored(
// BASE-SAME: %[[C:.*]]: i1, %[[A:.*]]: i1, %[[B:.*]]: i1, %[[NEW:.*]]: i1)
// BASE-NEXT: return %[[C]], %[[NEW]], %[[B]] : i1, i1, i1
func.func @stored(%c: i1, %a: i1, %b: i1, %new: i1) -> (i1, i1, i1) {
  %atom = cute.make_atom(%c, %a, %b) : (i1, i1, i1) -> !atom
  %mma = cute.make_tiled_mma(%atom) : !mma
  %other = cute_nvgpu.atom.set_value(%mma, %new : i1) {field = #cute_nvgpu.atom_mma_field_sm100<neg_a>} : !mma
  %0 = cute_nvgpu.atom.get_value(%other : !mma) {field = #cute_nvgpu.atom_mma_field_sm100<accum_c>} : i1
  %1 = cute_nvgpu.atom.get_value(%other : !mma) {field = #cute_nvgpu.atom_mma_field_sm100<neg_a>} : i1
  %2 = cute_nvgpu.atom.get_value(%other : !mma) {field = #cute_nvgpu.atom_mma_field_sm100<neg_b>} : i1
  return %0, %1, %2 : i1, i1, i1
}

// A field that is read as less than was stored is not folded, and lowers all the same.
// CHECK-LABEL: @less(
// FOLD-LABEL: @less(
// FOLD: cute_nvgpu.atom.get_value({{.*}}) {field = #cute_nvgpu.atom_mma_field_sm100_block_scaled<sf_a>} : !cute.ptr<f8E8M0FNU, tmem>
// BASE-LABEL: @less(
// BASE-SAME: %{{[a-z0-9]+}}: i32, %{{[a-z0-9]+}}: i32, %[[SF:[a-z0-9]+]]: i32)
// BASE: return %[[SF]] : i32
func.func @less(%atom: !scaled, %sf: !cute.ptr<f8E8M0FNU, tmem, align<16>>) -> !cute.ptr<f8E8M0FNU, tmem> {
  %0 = cute_nvgpu.atom.set_value(%atom, %sf : !cute.ptr<f8E8M0FNU, tmem, align<16>>) {field = #cute_nvgpu.atom_mma_field_sm100_block_scaled<sf_a>} : !scaled
  %1 = cute_nvgpu.atom.get_value(%0 : !scaled) {field = #cute_nvgpu.atom_mma_field_sm100_block_scaled<sf_a>} : !cute.ptr<f8E8M0FNU, tmem>
  return %1 : !cute.ptr<f8E8M0FNU, tmem>
}

// CHECK-LABEL: @strides(
// CHECK: cute_nvgpu.atom.get_value(%arg0 : !cute_nvgpu.atom.tma_load<{{.*}}>) {field = #cute_nvgpu.atom_copy_field_tmaload<g_stride>} : !cute.int_tuple<"(?{i64 div=8},4)">
// BASE-LABEL: @strides(
// BASE-SAME: %{{.*}}: i64, %[[S:.*]]: i64) -> i64
// BASE-NEXT: return %[[S]] : i64
func.func @strides(%arg0: !load) -> !cute.int_tuple<"(?{i64 div=8},4)"> {
  %0 = cute_nvgpu.atom.get_value(%arg0 : !load) {field = #cute_nvgpu.atom_copy_field_tmaload<g_stride>} : !cute.int_tuple<"(?{i64 div=8},4)">
  return %0 : !cute.int_tuple<"(?{i64 div=8},4)">
}

// The host's atom is its descriptor.
// CHECK-LABEL: @host(
// CHECK: cute_nvgpu.atom.get_value(%arg0 : !cute_nvgpu.atom.non_exec_tiled_tma_store<{{.*}}>) {field = #cute_nvgpu.atom_copy_field_non_exec_tma_store<tma_desc>}
// BASE-LABEL: @host(
// BASE-SAME: %[[D:.*]]: !llvm.ptr) -> !llvm.ptr
// BASE-NEXT: return %[[D]] : !llvm.ptr
func.func @host(%arg0: !cute_nvgpu.atom.non_exec_tiled_tma_store<f16, copy_bits = 131072, tma_gbasis = <"(64,128):(1@1,1@0)">, tma_format = F16_RN>) -> !cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<64>> {
  %0 = cute_nvgpu.atom.get_value(%arg0 : !cute_nvgpu.atom.non_exec_tiled_tma_store<f16, copy_bits = 131072, tma_gbasis = <"(64,128):(1@1,1@0)">, tma_format = F16_RN>) {field = #cute_nvgpu.atom_copy_field_non_exec_tma_store<tma_desc>} : !cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<64>>
  return %0 : !cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<64>>
}
