// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-reductions)' | FileCheck %s

// Reductions of planes are ops on vectors; those of a warp, or of clusters of its lanes, are shuffles.

// CHECK-LABEL: @plane(
// CHECK-NOT: multi_reduction
// CHECK-COUNT-4: arith.addf %{{.+}} : vector<4xf32>
// CHECK: return
func.func @plane(%x: vector<4x4xf32>, %sum: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.multi_reduction <add>, %x, %sum [0] : vector<4x4xf32> to vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: @warp(
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK: return
func.func @warp(%x: f32) -> f32 {
  %0 = gpu.subgroup_reduce add %x : (f32) -> f32
  return %0 : f32
}

// CHECK-LABEL: @cluster(
// CHECK-COUNT-3: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK: return
func.func @cluster(%x: f16) -> f16 {
  %0 = gpu.subgroup_reduce maximumf %x cluster(size = 8) : (f16) -> f16
  return %0 : f16
}

// Sums over a vector start from -0 where they start from nothing, which leaves the first element as it is.

// CHECK-LABEL: @start(
// CHECK-NEXT: %[[ZERO:.+]] = arith.constant -0.000000e+00 : f32
// CHECK-NEXT: vector.reduction <add>, %{{.+}}, %[[ZERO]] : vector<4xf32> into f32
// CHECK-NEXT: vector.reduction <add>, %{{.+}}, %arg1 : vector<4xf32> into f32
// CHECK-NEXT: vector.reduction <maximumf>, %arg0 : vector<4xf32> into f32
// CHECK-NEXT: vector.reduction <add>, %arg2 : vector<4xi32> into i32
func.func @start(%x: vector<4xf32>, %s: f32, %i: vector<4xi32>) -> (f32, f32, f32, i32) {
  %0 = vector.reduction <add>, %x : vector<4xf32> into f32
  %1 = vector.reduction <add>, %x, %s : vector<4xf32> into f32
  %2 = vector.reduction <maximumf>, %x : vector<4xf32> into f32
  %3 = vector.reduction <add>, %i : vector<4xi32> into i32
  return %0, %1, %2, %3 : f32, f32, f32, i32
}
