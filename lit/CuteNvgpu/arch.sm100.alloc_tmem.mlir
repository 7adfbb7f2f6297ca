// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_100a},cute-to-base)' | FileCheck %s --check-prefix=BASE

// BASE-LABEL: @alloc(
// BASE-SAME: %[[COLUMNS:.*]]: i32, %[[WHERE:.*]]: !llvm.ptr<3>)
// BASE-NEXT: nvvm.tcgen05.alloc %[[WHERE]], %[[COLUMNS]] : !llvm.ptr<3>, i32
// BASE-NEXT: nvvm.tcgen05.alloc %[[WHERE]], %[[COLUMNS]] {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32

// CHECK-LABEL: @alloc(
// CHECK: cute_nvgpu.arch.sm100.alloc_tmem(%arg0, %arg1) [ cta_1] : i32, !cute.ptr<i32, smem, align<8>>
// CHECK: cute_nvgpu.arch.sm100.alloc_tmem(%arg0, %arg1) [cta_2] : i32, !cute.ptr<i32, smem, align<8>>
// CHECK: cute_nvgpu.arch.sm100.alloc_tmem(%arg0, %arg1) [cta_2] : i32, !cute.ptr<i32, smem, align<8>>
func.func @alloc(%columns: i32, %where: !cute.ptr<i32, smem, align<8>>) {
  cute_nvgpu.arch.sm100.alloc_tmem(%columns, %where) [ cta_1] : i32, !cute.ptr<i32, smem, align<8>>
  cute_nvgpu.arch.sm100.alloc_tmem(%columns, %where) [cta_2] : i32, !cute.ptr<i32, smem, align<8>>
  "cute_nvgpu.arch.sm100.alloc_tmem"(%columns, %where) <{is_two_cta}> : (i32, !cute.ptr<i32, smem, align<8>>) -> ()
  return
}
