// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_100a},cute-to-base)' | FileCheck %s --check-prefix=BASE

// A pointer to tensor memory is an integer until an instruction takes it.

// BASE-LABEL: @dealloc(
// BASE-SAME: %[[FIRST:.*]]: i32, %[[COLUMNS:.*]]: i32)
// BASE: %[[A:.*]] = llvm.inttoptr %[[FIRST]] : i32 to !llvm.ptr<6>
// BASE: nvvm.tcgen05.dealloc %[[A]], %[[COLUMNS]] : !llvm.ptr<6>, i32
// BASE: %[[B:.*]] = llvm.inttoptr %[[FIRST]] : i32 to !llvm.ptr<6>
// BASE: nvvm.tcgen05.dealloc %[[B]], %[[COLUMNS]] {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>, i32

// CHECK-LABEL: @dealloc(
// CHECK: cute_nvgpu.arch.sm100.dealloc_tmem(%arg0, %arg1) [ cta_1] : !cute.ptr<f32, tmem, align<16>>, i32
// CHECK: cute_nvgpu.arch.sm100.dealloc_tmem(%arg0, %arg1) [cta_2] : !cute.ptr<f32, tmem, align<16>>, i32
func.func @dealloc(%first: !cute.ptr<f32, tmem, align<16>>, %columns: i32) {
  cute_nvgpu.arch.sm100.dealloc_tmem(%first, %columns) [cta_1] : !cute.ptr<f32, tmem, align<16>>, i32
  cute_nvgpu.arch.sm100.dealloc_tmem(%first, %columns) [cta_2] : !cute.ptr<f32, tmem, align<16>>, i32
  return
}
