// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_100a},cute-to-base)' | FileCheck %s --check-prefix=BASE

// BASE-LABEL: @retrieve(
// BASE-SAME: %[[WHERE:.*]]: !llvm.ptr<3>)
// BASE-NEXT: %[[FIRST:.*]] = llvm.load %[[WHERE]] {alignment = 4 : i64} : !llvm.ptr<3> -> i32
// BASE-NEXT: return %[[FIRST]] : i32

// CHECK-LABEL: @retrieve(
// CHECK: cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%arg0) : !cute.ptr<i32, smem, align<8>> -> !cute.ptr<f32, tmem, align<16>>
func.func @retrieve(%where: !cute.ptr<i32, smem, align<8>>) -> !cute.ptr<f32, tmem, align<16>> {
  %0 = cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%where) : !cute.ptr<i32, smem, align<8>> -> !cute.ptr<f32, tmem, align<16>>
  return %0 : !cute.ptr<f32, tmem, align<16>>
}
