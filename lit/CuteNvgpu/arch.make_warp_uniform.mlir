// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @warp(
// CHECK: cute_nvgpu.arch.make_warp_uniform(%arg0) : i32
// BASE-LABEL: @warp(
// BASE-SAME: %[[X:.*]]: i32)
// BASE-DAG: %[[ALL:.*]] = arith.constant -1 : i32
// BASE-DAG: %[[FIRST:.*]] = arith.constant 0 : i32
// BASE-DAG: %[[LAST:.*]] = arith.constant 31 : i32
// BASE: %[[READ:.*]] = nvvm.shfl.sync idx %[[ALL]], %[[X]], %[[FIRST]], %[[LAST]] : i32 -> i32
// BASE-NEXT: return %[[READ]] : i32
func.func @warp(%x: i32) -> i32 {
  %0 = cute_nvgpu.arch.make_warp_uniform(%x) : i32
  return %0 : i32
}
