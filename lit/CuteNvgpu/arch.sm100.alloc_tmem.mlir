// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: not %opt %s --pass-pipeline='builtin.module(cute-to-base)' 2>&1 | FileCheck %s --check-prefix=BASE

// BASE: error: 'cute_nvgpu.arch.sm100.alloc_tmem' op: not supported yet

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
