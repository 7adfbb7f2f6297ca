// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-math{libdevice})' -split-input-file -verify-diagnostics | FileCheck %s

// With libdevice, what PTX lacks is left for MLIR's conversion of GPU code, which calls it.

// CHECK-LABEL: @left(
// CHECK: math.exp %{{.+}} : f32
// CHECK: math.powf %{{.+}} : f64
// CHECK: arith.remf %{{.+}} : f16
// CHECK: math.tanh %{{.+}} : vector<4xf32>
// CHECK: llvm.call_intrinsic "llvm.sqrt"
// CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx"
func.func @left(%x: f32, %d: f64, %h: f16, %v: vector<2x2xf32>) -> (f32, f64, f16, vector<2x2xf32>, f32, f32) {
  %0 = math.exp %x : f32
  %1 = math.powf %d, %d : f64
  %2 = arith.remf %h, %h : f16
  %3 = math.tanh %v : vector<2x2xf32>
  %4 = math.sqrt %x : f32
  %5 = math.exp2 %x fastmath<afn> : f32
  return %0, %1, %2, %3, %4, %5 : f32, f64, f16, vector<2x2xf32>, f32, f32
}

// -----

func.func @power(%x: i32) -> i32 {
  // expected-error @below {{'math.ipowi' op: not supported: libdevice has no function for it; x^n of a known integer n is multiplications}}
  %0 = math.ipowi %x, %x : i32
  return %0 : i32
}
