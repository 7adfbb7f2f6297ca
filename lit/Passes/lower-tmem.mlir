// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_100a},cute-to-base)' | FileCheck %s

// Each lane has all its registers of one instruction. Words of tensor memory that hold 16 bits are packed and unpacked on their way.

// CHECK-LABEL: @load_rows(
// CHECK: %[[ROW:.*]] = llvm.inttoptr %{{.*}} : i32 to !llvm.ptr<6>
// CHECK: %[[ALL:.*]] = nvvm.tcgen05.ld %[[ROW]] {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<16xi32>
// CHECK: llvm.store %[[ALL]], %{{.*}} {alignment = 32 : i64} : vector<16xi32>, !llvm.ptr
!load_rows_atom = !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>
!load_rows_tensor = !cute.memref<f32, tmem, align<16>, "((16,32)):((1,65536))">
!load_rows_registers = !cute.memref<f32, rmem, align<32>, "((16,1)):((1,0))">
func.func @load_rows(%tensor: !load_rows_tensor, %registers: !load_rows_registers) {
  %atom = cute.make_atom() : () -> !load_rows_atom
  cute.copy_atom_call(%atom, %tensor, %registers) : (!load_rows_atom, !load_rows_tensor, !load_rows_registers) -> ()
  return
}

// CHECK-LABEL: @load_word(
// CHECK: %[[WORD:.*]] = nvvm.tcgen05.ld %{{.*}} {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
// CHECK: llvm.store %[[WORD]], %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr
!load_word_atom = !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x1>
!load_word_tensor = !cute.memref<f32, tmem, align<16>, "(32):(65536)">
!load_word_registers = !cute.memref<f32, rmem, align<32>, "((1,1)):((1,0))">
func.func @load_word(%tensor: !load_word_tensor, %registers: !load_word_registers) {
  %atom = cute.make_atom() : () -> !load_word_atom
  cute.copy_atom_call(%atom, %tensor, %registers) : (!load_word_atom, !load_word_tensor, !load_word_registers) -> ()
  return
}

// CHECK-LABEL: @load_mma(
// CHECK: nvvm.tcgen05.ld %{{.*}} {shape = #nvvm.tcgen05_ldst_shape<shape_16x256b>} : vector<8xi32>
!load_mma_atom = !cute_nvgpu.atom.tmem_load<f32, 16 DP, 256 bit, x2>
!load_mma_tensor = !cute.memref<f32, tmem, align<16>, "((16,16)):((1,65536))">
!load_mma_registers = !cute.memref<f32, rmem, align<32>, "((8,1)):((1,0))">
func.func @load_mma(%tensor: !load_mma_tensor, %registers: !load_mma_registers) {
  %atom = cute.make_atom() : () -> !load_mma_atom
  cute.copy_atom_call(%atom, %tensor, %registers) : (!load_mma_atom, !load_mma_tensor, !load_mma_registers) -> ()
  return
}

// CHECK-LABEL: @load_split(
// CHECK: %[[BEHIND:.*]] = arith.constant 4 : i64
// CHECK: nvvm.tcgen05.ld %{{.*}}, %[[BEHIND]] {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<4xi32>
!load_split_atom = !cute_nvgpu.atom.tmem_load<f32, 16 DP, 32 bit, x4>
!load_split_tensor = !cute.memref<f32, tmem, align<16>, "((8,16)):((1,65536))">
!load_split_registers = !cute.memref<f32, rmem, align<32>, "((4,1)):((1,0))">
func.func @load_split(%tensor: !load_split_tensor, %registers: !load_split_registers) {
  %atom = cute.make_atom() : () -> !load_split_atom
  cute.copy_atom_call(%atom, %tensor, %registers) : (!load_split_atom, !load_split_tensor, !load_split_registers) -> ()
  return
}

// CHECK-LABEL: @load_packed(
// CHECK: %[[BEHIND:.*]] = arith.constant 8 : i64
// CHECK: nvvm.tcgen05.ld %{{.*}}, %[[BEHIND]] pack {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<4xi32>
!load_packed_atom = !cute_nvgpu.atom.tmem_load<f16, 16 DP, 32 bit, x4, pack16b>
!load_packed_tensor = !cute.memref<f16, tmem, align<16>, "((16,16)):((2,131072))">
!load_packed_registers = !cute.memref<f16, rmem, align<32>, "((8,1)):((1,0))">
func.func @load_packed(%tensor: !load_packed_tensor, %registers: !load_packed_registers) {
  %atom = cute.make_atom() : () -> !load_packed_atom
  cute.copy_atom_call(%atom, %tensor, %registers) : (!load_packed_atom, !load_packed_tensor, !load_packed_registers) -> ()
  return
}

// CHECK-LABEL: @store_halves(
// CHECK: %[[ALL:.*]] = llvm.load %{{.*}} {alignment = 32 : i64} : !llvm.ptr -> vector<8xi32>
// CHECK: nvvm.tcgen05.st %{{.*}}, %[[ALL]] {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
!store_halves_atom = !cute_nvgpu.atom.tmem_store<f16, 32 DP, 32 bit, x8>
!store_halves_tensor = !cute.memref<f16, tmem, align<16>, "((16,32)):((1,131072))">
!store_halves_registers = !cute.memref<f16, rmem, align<32>, "((16,1)):((1,0))">
func.func @store_halves(%tensor: !store_halves_tensor, %registers: !store_halves_registers) {
  %atom = cute.make_atom() : () -> !store_halves_atom
  cute.copy_atom_call(%atom, %registers, %tensor) : (!store_halves_atom, !store_halves_registers, !store_halves_tensor) -> ()
  return
}

// CHECK-LABEL: @store_unpacked(
// CHECK: nvvm.tcgen05.st %{{.*}}, %{{.*}} unpack {shape = #nvvm.tcgen05_ldst_shape<shape_16x128b>} : vector<4xi32>
!store_unpacked_atom = !cute_nvgpu.atom.tmem_store<bf16, 16 DP, 128 bit, x2, expand16b>
!store_unpacked_tensor = !cute.memref<bf16, tmem, align<16>, "((16,16)):((2,131072))">
!store_unpacked_registers = !cute.memref<bf16, rmem, align<32>, "((8,1)):((1,0))">
func.func @store_unpacked(%tensor: !store_unpacked_tensor, %registers: !store_unpacked_registers) {
  %atom = cute.make_atom() : () -> !store_unpacked_atom
  cute.copy_atom_call(%atom, %registers, %tensor) : (!store_unpacked_atom, !store_unpacked_registers, !store_unpacked_tensor) -> ()
  return
}

// CHECK-LABEL: @store_split(
// CHECK: %[[BEHIND:.*]] = arith.constant 2 : i64
// CHECK: nvvm.tcgen05.st %{{.*}}, %{{.*}}, %[[BEHIND]] {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<2xi32>
!store_split_atom = !cute_nvgpu.atom.tmem_store<f32, 16 DP, 32 bit, x2>
!store_split_tensor = !cute.memref<f32, tmem, align<16>, "((4,16)):((1,65536))">
!store_split_registers = !cute.memref<f32, rmem, align<32>, "((2,1)):((1,0))">
func.func @store_split(%tensor: !store_split_tensor, %registers: !store_split_registers) {
  %atom = cute.make_atom() : () -> !store_split_atom
  cute.copy_atom_call(%atom, %registers, %tensor) : (!store_split_atom, !store_split_registers, !store_split_tensor) -> ()
  return
}

// Registers that lie apart are gathered.

!apart = !cute.memref<f32, rmem, align<32>, "((2,1)):((3,0))">
!apart_atom = !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x2>
!apart_tensor = !cute.memref<f32, tmem, align<16>, "((2,32)):((1,65536))">
// CHECK-LABEL: @apart(
// CHECK: %[[BOTH:.*]] = nvvm.tcgen05.ld
// CHECK: %[[FLOATS:.*]] = llvm.bitcast %[[BOTH]] : vector<2xi32> to vector<2xf32>
// CHECK: %[[FIRST:.*]] = llvm.extractelement %[[FLOATS]]
// CHECK: llvm.store %[[FIRST]]
// CHECK: %[[SECOND:.*]] = llvm.extractelement %[[FLOATS]]
// CHECK: %[[AT:.*]] = llvm.getelementptr %{{.*}}[12]
// CHECK: llvm.store %[[SECOND]], %[[AT]]
func.func @apart(%tensor: !apart_tensor, %registers: !apart) {
  %atom = cute.make_atom() : () -> !apart_atom
  cute.copy_atom_call(%atom, %tensor, %registers) : (!apart_atom, !apart_tensor, !apart) -> ()
  return
}

// Columns are words: an offset counts elements, two f16 of a column, and lanes lie 2^16 words apart.

// CHECK-LABEL: @offset(
// CHECK-SAME: %[[FIRST:.*]]: i32, %[[ELEMENTS:.*]]: i32)
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[FAR:.*]] = arith.constant 2097160 : i32
// CHECK-DAG: %[[COLUMNS:.*]] = arith.shrsi %[[ELEMENTS]], %[[ONE]] : i32
// CHECK: arith.addi
// CHECK: return
func.func @offset(%first: !cute.ptr<f16, tmem, align<16>>, %elements: i32) -> (i32, i32) {
  %by = cute.make_int_tuple(%elements) : (i32) -> !cute.int_tuple<"?">
  %some = cute.add_offset(%first, %by) : (!cute.ptr<f16, tmem, align<16>>, !cute.int_tuple<"?">) -> !cute.ptr<f16, tmem, align<2>>
  %lanes = cute.static : !cute.int_tuple<"4194320">
  %far = cute.add_offset(%first, %lanes) : (!cute.ptr<f16, tmem, align<16>>, !cute.int_tuple<"4194320">) -> !cute.ptr<f16, tmem, align<16>>
  %0 = cute.ptrtoint(%some) : !cute.ptr<f16, tmem, align<2>> to i32
  %1 = cute.ptrtoint(%far) : !cute.ptr<f16, tmem, align<16>> to i32
  return %0, %1 : i32, i32
}
