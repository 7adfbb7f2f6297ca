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
