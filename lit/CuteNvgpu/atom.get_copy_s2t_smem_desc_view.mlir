// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// Scales of 128 rows are 512 bytes: 32 rows of 16, each with four scales of four rows. Four warps are given the same.

// BASE-LABEL: @scales(
// BASE-SAME: %[[TILE:.*]]: !llvm.ptr<3>) -> i64
// BASE-DAG: %[[FIELDS:.*]] = arith.constant 70403103981568 : i64
// BASE: %[[ADDRESS:.*]] = llvm.ptrtoint %[[TILE]] : !llvm.ptr<3> to i32
// BASE: %[[WORD:.*]] = arith.addi %{{.*}}, %[[FIELDS]]
// BASE: return %[[WORD]] : i64

!scales_atom = !cute_nvgpu.atom.s2t_copy<f8E8M0FNU, 32 DP, 128 bit, 1 cta, x4>
!scales = !cute.memref<f8E8M0FNU, smem, align<128>, "(((32,4,4,4),1),1,1,1,2):(((16,4,1,0),0),0,0,0,512)">
!scales_descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(((32,1,1,4),1),1,1,1,2):(((1,1,1,0),0),0,0,0,32)">
// CHECK-LABEL: @scales(
// CHECK: cute_nvgpu.atom.get_copy_s2t_smem_desc_view(%{{.*}}, %arg0) : ({{.*}}) -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(((32,1,1,4),1),1,1,1,2):(((1,1,1,0),0),0,0,0,32)">
func.func @scales(%tile: !scales) -> !scales_descs {
  %atom = cute.make_atom() : () -> !scales_atom
  %descs = cute_nvgpu.atom.get_copy_s2t_smem_desc_view(%atom, %tile) : (!scales_atom, !scales) -> !scales_descs
  return %descs : !scales_descs
}

// 128 rows of 32 bytes, in blocks of 8 rows of 16 bytes: the next rows 128 bytes later, the other 16 bytes 2048.

// BASE-LABEL: @rows(
// BASE: arith.constant 70403112304640 : i64

!rows_atom = !cute_nvgpu.atom.s2t_copy<f16, 128 DP, 256 bit, 1 cta>
!rows = !cute.memref<f16, smem, align<128>, "(((8,16),(8,2))):(((8,64),(1,1024)))">
!rows_descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(((8,16),(1,2))):(((1,8),(1,128)))">
// CHECK-LABEL: @rows(
// CHECK: cute_nvgpu.atom.get_copy_s2t_smem_desc_view
func.func @rows(%tile: !rows) -> !rows_descs {
  %atom = cute.make_atom() : () -> !rows_atom
  %descs = cute_nvgpu.atom.get_copy_s2t_smem_desc_view(%atom, %tile) : (!rows_atom, !rows) -> !rows_descs
  return %descs : !rows_descs
}

// 64 rows in two halves, each of which two warps are given.

!halves_atom = !cute_nvgpu.atom.s2t_copy<f16, 64 DP, 128 bit, 1 cta, lw_0123>
!halves = !cute.memref<f16, smem, align<128>, "((32,8,2,2)):((8,1,256,0))">
!halves_descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "((32,1,2,2)):((1,1,32,0))">
// CHECK-LABEL: @halves(
// CHECK: cute_nvgpu.atom.get_copy_s2t_smem_desc_view
func.func @halves(%tile: !halves) -> !halves_descs {
  %atom = cute.make_atom() : () -> !halves_atom
  %descs = cute_nvgpu.atom.get_copy_s2t_smem_desc_view(%atom, %tile) : (!halves_atom, !halves) -> !halves_descs
  return %descs : !halves_descs
}
