// RUN: %opt %s | %opt | FileCheck %s

// CHECK-LABEL: func @carried
func.func @carried(%gmem: !cute.ptr<f16, gmem, align<16>>, %columns: !cute.ptr<f32, tmem, align<16>>) {
  // CHECK: cute.memref.alloca() {placement = #cute.placement<"S[(32, 4) : (1@laneid, 1@m)]">} : !cute.memref<f32, rmem, "(4):(1)">
  %f = cute.memref.alloca() {placement = #cute.placement<"S[(32,4):(1@laneid,1)]">} : !cute.memref<f32, rmem, "(4):(1)">
  // A tile in the order of the tensor cores: the swizzle is the placement's.
  // CHECK: cute.memref.alloc_smem() {placement = #cute.placement<"Swizzle(M=3, B=3, S=3, inner=true) o S[(8, 64) : (64@m, 1@m)]">}
  %s = cute.memref.alloc_smem() {placement = #cute.placement<"Swizzle(M=3,B=3,S=3,inner=true) o S[(8,64):(64,1)]">} : !cute.memref<f16, smem, align<16>, "(8,64):(64,1)">
  // CHECK: cute.make_view(%{{.*}}) {placement = #cute.placement<"S[(8, 64) : (64@m, 1@m)]">}
  %g = cute.make_view(%gmem) {placement = #cute.placement<"S[(8,64):(64,1)]">} : !cute.memref<f16, gmem, align<16>, "(8,64):(64,1)">
  // CHECK: cute.make_view(%{{.*}}) {placement = #cute.placement<"S[(128, 8) : (1@TLane, 1@TCol)]">}
  %t = cute.make_view(%columns) {placement = #cute.placement<"S[(128,8):(1@TLane,1@TCol)]">} : !cute.memref<f32, tmem, align<16>, "(128,8):(65536,1)">
  return
}
