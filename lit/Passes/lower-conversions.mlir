// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-conversions{target=sm_100a})' | FileCheck %s

// PTX converts two at a time, the upper one first; those of 4 bits lie in a byte.

// CHECK-LABEL: @to_bytes(
// CHECK: %[[X:.+]]:4 = vector.to_elements %arg0 : vector<4xf32>
// CHECK: %[[A:.+]] = llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"(%[[X]]#1, %[[X]]#0) : (f32, f32) -> i16
// CHECK: %[[B:.+]] = llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"(%[[X]]#3, %[[X]]#2) : (f32, f32) -> i16
// CHECK: %[[W:.+]] = vector.from_elements %[[A]], %[[B]] : vector<2xi16>
// CHECK: %[[C:.+]] = vector.bitcast %[[W]] : vector<2xi16> to vector<4xi8>
// CHECK: arith.bitcast %[[C]] : vector<4xi8> to vector<4xf8E4M3FN>
func.func @to_bytes(%x: vector<4xf32>) -> vector<4xf8E4M3FN> {
  %0 = arith.truncf %x : vector<4xf32> to vector<4xf8E4M3FN>
  return %0 : vector<4xf8E4M3FN>
}

// f16 is converted as it is, bf16 through f32.

// CHECK-LABEL: @from_halves(
// CHECK: llvm.call_intrinsic "llvm.nvvm.f16x2.to.e5m2x2.rn"(%{{.+}}) : (vector<2xf16>) -> i16
// CHECK: arith.extf %{{.+}} : vector<2xbf16> to vector<2xf32>
// CHECK: llvm.call_intrinsic "llvm.nvvm.ff.to.e5m2x2.rn"
func.func @from_halves(%x: vector<2xf16>, %y: vector<2xbf16>) -> (vector<2xf8E5M2>, vector<2xf8E5M2>) {
  %0 = arith.truncf %x : vector<2xf16> to vector<2xf8E5M2>
  %1 = arith.truncf %y : vector<2xbf16> to vector<2xf8E5M2>
  return %0, %1 : vector<2xf8E5M2>, vector<2xf8E5M2>
}

// CHECK-LABEL: @to_four_bits(
// CHECK: llvm.call_intrinsic "llvm.nvvm.ff.to.e2m1x2.rn.satfinite"(%{{.+}}, %{{.+}}) : (f32, f32) -> i16
// CHECK: arith.trunci %{{.+}} : i16 to i8
// CHECK: vector.bitcast %{{.+}} : vector<1xi8> to vector<2xi4>
// CHECK: arith.bitcast %{{.+}} : vector<2xi4> to vector<2xf4E2M1FN>
func.func @to_four_bits(%x: vector<2xf32>) -> vector<2xf4E2M1FN> {
  %0 = arith.truncf %x : vector<2xf32> to vector<2xf4E2M1FN>
  return %0 : vector<2xf4E2M1FN>
}

// A single one goes with a zero.

// CHECK-LABEL: @from_six_bits(
// CHECK: arith.extui %{{.+}} : vector<2xi6> to vector<2xi8>
// CHECK: llvm.call_intrinsic "llvm.nvvm.e3m2x2.to.f16x2.rn"(%{{.+}}) : (i16) -> vector<2xf16>
// CHECK: arith.extf
// CHECK: return %{{.+}} : f32
func.func @from_six_bits(%x: f6E3M2FN) -> f32 {
  %0 = arith.extf %x : f6E3M2FN to f32
  return %0 : f32
}

// Conversions between wide types stay.

// CHECK-LABEL: @wide(
// CHECK-NEXT: arith.truncf %arg0 : f32 to bf16
func.func @wide(%x: f32) -> bf16 {
  %0 = arith.truncf %x : f32 to bf16
  return %0 : bf16
}
