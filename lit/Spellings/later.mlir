// RUN: %opt %s | FileCheck %s
// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// BASE-NOT: cute.

// Forms of CuTe DSL 4.3 to 4.6 with properties, with fewer types, and with more. They print in the current form.

!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,64,1):(1@0,1@1,1@2)">>
!mma = !cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
!tiled = !cute.tiled_mma<!mma, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!fragment = !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">

// One type for both results, and the name of a field at the name of the op.
// CHECK-LABEL: @divmod(
// CHECK-NEXT: cute.fast_divmod.compute(%arg0, %arg1) : (i32, !cute.fast_divmod_divisor<32>) -> (i32, i32)
func.func @divmod(%arg0: i32, %arg1: !cute.fast_divmod_divisor<32>) -> (i32, i32) {
  %quotient, %remainder = cute.fast_divmod.compute(%arg0, %arg1) : i32, !cute.fast_divmod_divisor<32> -> i32
  return %quotient, %remainder : i32, i32
}

// CHECK-LABEL: @fields(
// CHECK-NEXT: cute_nvgpu.atom.set_value(%arg0, %arg1 : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !cute_nvgpu.atom.tma_load<
// CHECK-NEXT: cute_nvgpu.atom.set_value(%arg2, %arg3 : i1) {field = #cute_nvgpu.atom_mma_field_sm100<accum_c>} : !cute.tiled_mma<
// CHECK-NEXT: cute_nvgpu.atom.set_value(%{{.*}}, %arg3 : i1) {field = #cute_nvgpu.atom_mma_field_sm100<neg_a>} : !cute.tiled_mma<
// CHECK-NEXT: cute_nvgpu.atom.get_value(%{{.*}} : !cute.tiled_mma<{{.*}}>) {field = #cute_nvgpu.atom_mma_field_sm100<accum_c>} : i1
func.func @fields(%load: !load, %bar: !cute.ptr<i64, smem>, %mma: !tiled, %flag: i1) -> (!load, !tiled, i1) {
  %0 = cute_nvgpu.atom.set_value<tma_bar>(%load, %bar) : (!load, !cute.ptr<i64, smem>)
  %1 = cute_nvgpu.atom.set_value<accum_c>(%mma, %flag) : (!tiled, i1)
  %2 = cute_nvgpu.atom.set_value(%1, %flag) {field = #cute_nvgpu.atom_mma_field_sm100<neg_a>} : (!tiled, i1) -> !tiled
  %3 = cute_nvgpu.atom.get_value<accum_c>(%2) : (!tiled) -> i1
  return %0, %2, %3 : !load, !tiled, i1
}

// CHECK-LABEL: @vectors(
// CHECK-NEXT: cute.memref.load_vec %arg0 : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
// CHECK-NEXT: cute.memref.load_vec %arg0 : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
// CHECK-NEXT: cute.memref.store_vec %{{.*}}, %arg0 : !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">
func.func @vectors(%arg0: !fragment) -> vector<8xf32> {
  %0 = cute.memref.load_vec(%arg0) : (!fragment) -> vector<8xf32>
  %1 = cute.memref.load_vec(%arg0) : (!fragment)
  cute.memref.store_vec(%0, %arg0) : (vector<8xf32>, !fragment) -> ()
  return %1 : vector<8xf32>
}

// Properties before the types, and an attribute of a tool that we do not know.
// CHECK-LABEL: @properties(
// CHECK-NEXT: cute.memref.load(%arg0, %arg1) {some.hint = 3 : i64, tool.note = "here"} : (!cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">, !cute.coord<"(1,1)">) -> f32
func.func @properties(%arg0: !fragment, %arg1: !cute.coord<"(1,1)">) -> f32 {
  %0 = cute.memref.load(%arg0, %arg1) <{some.hint = 3 : i64}> {tool.note = "here"} : (!fragment, !cute.coord<"(1,1)">) -> f32
  return %0 : f32
}

// The format of the elements by a type.
// CHECK-LABEL: @formats(
// CHECK: cute_nvgpu.atom.make_non_exec_tiled_tma_load({{.*}}) <{kind = <sm_90> num_multicast = 1 internal_type = tf32}> {{.*}} tma_format = TF32_RN>
// CHECK: cute_nvgpu.atom.make_non_exec_tiled_tma_store({{.*}}) <{internal_type = tf32}> {{.*}} tma_format = TF32_RN>
// CHECK: cute_nvgpu.atom.make_non_exec_tiled_tma_store({{.*}}) <{internal_type = tf32 tma_format = <F32_RN>}> {{.*}} tma_format = F32_RN>
// BASE-LABEL: @formats(
// BASE-COUNT-2: element = "tf32"
// BASE: element = "f32"
func.func @formats(%a: !cute.memref<f32, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, %memory: !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))">, %values: !cute.layout<"(128,32):(1@0,1@1)">) {
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1 internal_type = tf32}> : (!cute.memref<f32, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))">, !cute.layout<"(128,32):(1@0,1@1)">)
  %1:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_store(%a, %memory, %values) <{internal_type = tf32}> : (!cute.memref<f32, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))">, !cute.layout<"(128,32):(1@0,1@1)">)
  %2:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_store(%a, %memory, %values) <{internal_type = tf32 tma_format = <F32_RN>}> : (!cute.memref<f32, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))">, !cute.layout<"(128,32):(1@0,1@1)">)
  return
}
