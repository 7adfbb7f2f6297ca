// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-math)' | FileCheck %s

// Without libdevice, functions of f32 and narrower are MLIR's polynomials.

// CHECK-LABEL: @functions(
// CHECK-NOT: math.
// CHECK: llvm.intr.fma
// CHECK-NOT: math.
// CHECK: return
func.func @functions(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  %1 = math.log %0 : f32
  %2 = math.log2 %1 : f32
  %3 = math.log1p %2 : f32
  %4 = math.expm1 %3 : f32
  %5 = math.tanh %4 : f32
  %6 = math.sin %5 : f32
  %7 = math.cos %6 : f32
  %8 = math.erf %7 : f32
  %9 = math.erfc %8 : f32
  %10 = math.atan2 %9, %x : f32
  %11 = math.cbrt %10 : f32
  return %11 : f32
}

// CHECK-LABEL: @halves(
// CHECK: arith.extf %{{.+}} : vector<4xf16> to vector<4xf32>
// CHECK: llvm.intr.fma(%{{.+}}) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
// CHECK: arith.truncf %{{.+}} : vector<4xf32> to vector<4xf16>
func.func @halves(%x: vector<2x2xf16>) -> vector<2x2xf16> {
  %0 = math.exp %x : vector<2x2xf16>
  return %0 : vector<2x2xf16>
}

// CHECK-LABEL: @sincos(
// CHECK-NOT: math.
// CHECK: return
func.func @sincos(%x: f32) -> (f32, f32) {
  %sin, %cos = math.sincos %x : f32
  return %sin, %cos : f32, f32
}
