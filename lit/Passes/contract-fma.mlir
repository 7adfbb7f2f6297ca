// RUN: %opt %s --pass-pipeline='builtin.module(cute-contract-fma)' | FileCheck %s

// A product and the sum that it is used in, in each place and with each sign.

// CHECK-LABEL: @signs(
// CHECK-SAME: %[[A:.+]]: f32, %[[B:.+]]: f32, %[[C:.+]]: f32
// CHECK-NEXT: %[[F0:.+]] = math.fma %[[A]], %[[B]], %[[C]] : f32
// CHECK-NEXT: %[[F1:.+]] = math.fma %[[A]], %[[B]], %[[C]] : f32
// CHECK-NEXT: %[[N2:.+]] = arith.negf %[[C]] : f32
// CHECK-NEXT: %[[F2:.+]] = math.fma %[[A]], %[[B]], %[[N2]] : f32
// CHECK-NEXT: %[[N3:.+]] = arith.negf %[[A]] : f32
// CHECK-NEXT: %[[F3:.+]] = math.fma %[[N3]], %[[B]], %[[C]] : f32
// CHECK-NEXT: %[[N4:.+]] = arith.negf %[[A]] : f32
// CHECK-NEXT: %[[F4:.+]] = math.fma %[[N4]], %[[B]], %[[C]] : f32
// CHECK-NEXT: %[[F5:.+]] = math.fma %[[A]], %[[B]], %[[C]] : f32
// CHECK-NEXT: return %[[F0]], %[[F1]], %[[F2]], %[[F3]], %[[F4]], %[[F5]]
func.func @signs(%a: f32, %b: f32, %c: f32) -> (f32, f32, f32, f32, f32, f32) {
  %m0 = arith.mulf %a, %b : f32
  %0 = arith.addf %m0, %c : f32
  %m1 = arith.mulf %a, %b : f32
  %1 = arith.addf %c, %m1 : f32
  %m2 = arith.mulf %a, %b : f32
  %2 = arith.subf %m2, %c : f32
  %m3 = arith.mulf %a, %b : f32
  %3 = arith.subf %c, %m3 : f32
  %m4 = arith.mulf %a, %b : f32
  %n4 = arith.negf %m4 : f32
  %4 = arith.addf %n4, %c : f32
  %m5 = arith.mulf %a, %b : f32
  %n5 = arith.negf %m5 : f32
  %5 = arith.subf %c, %n5 : f32
  return %0, %1, %2, %3, %4, %5 : f32, f32, f32, f32, f32, f32
}

// Every type that PTX has an fma of, and vectors of any rank; flags stay where both ops have the same.

// CHECK-LABEL: @types(
// CHECK: math.fma %{{.+}} fastmath<contract> : vector<2x4xf16>
// CHECK: math.fma %{{.+}} : vector<8xbf16>
// CHECK: math.fma %{{.+}} : f64
// CHECK: llvm.intr.fma(%{{.+}}) : (f32, f32, f32) -> f32
// CHECK-NOT: arith.mulf
// CHECK-NOT: llvm.fmul
func.func @types(%h: vector<2x4xf16>, %b: vector<8xbf16>, %d: f64, %s: f32)
    -> (vector<2x4xf16>, vector<8xbf16>, f64, f32) {
  %0 = arith.mulf %h, %h fastmath<contract> : vector<2x4xf16>
  %1 = arith.addf %0, %h fastmath<contract> : vector<2x4xf16>
  %2 = arith.mulf %b, %b fastmath<nnan> : vector<8xbf16>
  %3 = arith.addf %2, %b : vector<8xbf16>
  %4 = arith.mulf %d, %d : f64
  %5 = arith.addf %4, %d : f64
  %6 = llvm.fmul %s, %s : f32
  %7 = llvm.fadd %6, %s : f32
  return %1, %3, %5, %7 : vector<2x4xf16>, vector<8xbf16>, f64, f32
}

// A product that is used by sums alone is contracted into each of them.

// CHECK-LABEL: @shared(
// CHECK-NEXT: math.fma
// CHECK-NEXT: math.fma
// CHECK-NEXT: return
func.func @shared(%a: f32, %b: f32, %c: f32) -> (f32, f32) {
  %m = arith.mulf %a, %b : f32
  %0 = arith.addf %m, %c : f32
  %1 = arith.addf %m, %a : f32
  return %0, %1 : f32, f32
}

// One that is used otherwise as well is needed anyway.

// CHECK-LABEL: @needed(
// CHECK-NEXT: %[[M:.+]] = arith.mulf
// CHECK-NEXT: %[[S:.+]] = arith.addf %[[M]]
// CHECK-NEXT: return %[[M]], %[[S]]
func.func @needed(%a: f32, %b: f32, %c: f32) -> (f32, f32) {
  %m = arith.mulf %a, %b : f32
  %0 = arith.addf %m, %c : f32
  return %m, %0 : f32, f32
}

// If there are two products, the first is contracted: a * b + (c * d).

// CHECK-LABEL: @dot(
// CHECK-SAME: %[[A:.+]]: f32, %[[B:.+]]: f32, %[[C:.+]]: f32, %[[D:.+]]: f32
// CHECK-NEXT: %[[CD:.+]] = arith.mulf %[[C]], %[[D]]
// CHECK-NEXT: math.fma %[[A]], %[[B]], %[[CD]]
// CHECK-NEXT: return
func.func @dot(%a: f32, %b: f32, %c: f32, %d: f32) -> f32 {
  %0 = arith.mulf %a, %b : f32
  %1 = arith.mulf %c, %d : f32
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}

// Integers and floats without an fma stay.

// CHECK-LABEL: @others(
// CHECK-NOT: fma
// CHECK: return
func.func @others(%i: i32, %t: tf32) -> (i32, tf32) {
  %0 = arith.muli %i, %i : i32
  %1 = arith.addi %0, %i : i32
  %2 = arith.mulf %t, %t : tf32
  %3 = arith.addf %2, %t : tf32
  return %1, %3 : i32, tf32
}

// The sum over a vector of products, from the first element to the last. Without a start the first product is one.

// CHECK-LABEL: @reduced(
// CHECK-SAME: %[[X:.+]]: vector<2xf32>, %[[Y:.+]]: vector<2xf32>, %[[S:.+]]: f32
// CHECK-NEXT: %[[A:.+]]:2 = vector.to_elements %[[X]]
// CHECK-NEXT: %[[B:.+]]:2 = vector.to_elements %[[Y]]
// CHECK-NEXT: %[[F0:.+]] = math.fma %[[A]]#0, %[[B]]#0, %[[S]] : f32
// CHECK-NEXT: %[[F1:.+]] = math.fma %[[A]]#1, %[[B]]#1, %[[F0]] : f32
// CHECK-NEXT: %[[C:.+]]:2 = vector.to_elements %[[X]]
// CHECK-NEXT: %[[D:.+]]:2 = vector.to_elements %[[X]]
// CHECK-NEXT: %[[M:.+]] = arith.mulf %[[C]]#0, %[[D]]#0 : f32
// CHECK-NEXT: %[[F2:.+]] = math.fma %[[C]]#1, %[[D]]#1, %[[M]] : f32
// CHECK-NEXT: return %[[F1]], %[[F2]]
func.func @reduced(%x: vector<2xf32>, %y: vector<2xf32>, %s: f32) -> (f32, f32) {
  %m0 = arith.mulf %x, %y : vector<2xf32>
  %0 = vector.reduction <add>, %m0, %s : vector<2xf32> into f32
  %m1 = arith.mulf %x, %x : vector<2xf32>
  %1 = vector.reduction <add>, %m1 : vector<2xf32> into f32
  return %0, %1 : f32, f32
}

// Not where the order is free, nor of other reductions, nor of integers.

// CHECK-LABEL: @not_reduced(
// CHECK-NOT: fma
// CHECK: return
func.func @not_reduced(%x: vector<2xf32>, %i: vector<2xi32>) -> (f32, f32, i32) {
  %m0 = arith.mulf %x, %x : vector<2xf32>
  %0 = vector.reduction <add>, %m0 fastmath<reassoc> : vector<2xf32> into f32
  %m1 = arith.mulf %x, %x : vector<2xf32>
  %1 = vector.reduction <maximumf>, %m1 : vector<2xf32> into f32
  %m2 = arith.muli %i, %i : vector<2xi32>
  %2 = vector.reduction <add>, %m2 : vector<2xi32> into i32
  return %0, %1, %2 : f32, f32, i32
}
