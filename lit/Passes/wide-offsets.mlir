// RUN: %opt %s --pass-pipeline='builtin.module(cute-expand-copy-gemm,cute-lower-atoms,cute-to-base,canonicalize)' | FileCheck %s

// Offsets that 32 bits need not hold are computed with 64.

// CHECK-LABEL: @load(
// CHECK: %[[ROW:.*]] = arith.extsi %arg1 : i32 to i64
// CHECK: %[[AT:.*]] = arith.muli %[[ROW]], %c4_i64 overflow<nsw> : i64
// CHECK: llvm.getelementptr %arg0[%[[AT]]] : (!llvm.ptr<1>, i64)
func.func @load(%a: !cute.memref<f32, gmem, align<16>, "(536870913,4):(4,1)">, %row: i32) -> f32 attributes {cute.domain = "extend"} {
  %at = cute.make_coord(%row) : (i32) -> !cute.coord<"(?,0)">
  %0 = cute.memref.load(%a, %at) : (!cute.memref<f32, gmem, align<16>, "(536870913,4):(4,1)">, !cute.coord<"(?,0)">) -> f32
  return %0 : f32
}

// CHECK-LABEL: @slice(
// CHECK: arith.muli {{.*}} : i64
// CHECK: llvm.getelementptr %arg0[{{.*}}] : (!llvm.ptr<1>, i64)
func.func @slice(%a: !cute.memref<f32, gmem, align<16>, "(536870913,4):(4,1)">, %row: i32) -> !cute.memref<f32, gmem, align<16>, "(4):(1)"> attributes {cute.domain = "extend"} {
  %at = cute.make_coord(%row) : (i32) -> !cute.coord<"(?,_)">
  %0 = cute.slice(%a, %at) : !cute.memref<f32, gmem, align<16>, "(536870913,4):(4,1)">, !cute.coord<"(?,_)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(4):(1)">
}

// The offset of a domain: a pointer moved by the value of a layout.
// CHECK-LABEL: @domain_offset(
// CHECK: arith.muli {{.*}} : i64
// CHECK: llvm.getelementptr %arg0[{{.*}}] : (!llvm.ptr<1>, i64)
func.func @domain_offset(%p: !cute.ptr<f32, gmem, align<4>>, %row: i32) -> !cute.ptr<f32, gmem, align<4>> attributes {cute.domain = "extend"} {
  %at = cute.make_coord(%row) : (i32) -> !cute.coord<"(?,0)">
  %m = cute.static : !cute.layout<"(536870914,4):(-4,1)">
  %by = cute.crd2idx(%at, %m) : (!cute.coord<"(?,0)">, !cute.layout<"(536870914,4):(-4,1)">) -> !cute.int_tuple<"?{i64 div=4}">
  %0 = cute.add_offset(%p, %by) : (!cute.ptr<f32, gmem, align<4>>, !cute.int_tuple<"?{i64 div=4}">) -> !cute.ptr<f32, gmem, align<4>>
  return %0 : !cute.ptr<f32, gmem, align<4>>
}

// An offset of 64 bits stays one.
// CHECK-LABEL: @add_offset(
// CHECK: llvm.getelementptr %arg0[%arg1] : (!llvm.ptr<1>, i64)
func.func @add_offset(%p: !cute.ptr<f32, gmem, align<4>>, %by: !cute.int_tuple<"?{i64 div=2147483648}">) -> !cute.ptr<f32, gmem, align<4>> attributes {cute.domain = "extend"} {
  %0 = cute.add_offset(%p, %by) : (!cute.ptr<f32, gmem, align<4>>, !cute.int_tuple<"?{i64 div=2147483648}">) -> !cute.ptr<f32, gmem, align<4>>
  return %0 : !cute.ptr<f32, gmem, align<4>>
}

// CHECK-LABEL: @copy(
// CHECK: llvm.getelementptr %arg0[%c2147483648_i64] : (!llvm.ptr<1>, i64)
func.func @copy(%a: !cute.memref<f32, gmem, align<16>, "(1,2):(0,2147483648)">, %r: !cute.memref<f32, rmem, align<16>, "(1,2):(0,1)">) attributes {cute.domain = "extend"} {
  %atom = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<f32, 32 b>
  cute.copy(%atom, %a, %r) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>, !cute.memref<f32, gmem, align<16>, "(1,2):(0,2147483648)">, !cute.memref<f32, rmem, align<16>, "(1,2):(0,1)">)
  return
}

// A stride of a mode of one element does not count, nor does one at coordinate 0.
// CHECK-LABEL: @unused(
// CHECK-NEXT: return %arg0 : i32
func.func @unused(%at: !cute.coord<"(?,0,0)">) -> !cute.int_tuple<"?"> {
  %l = cute.static : !cute.layout<"(8,1,4):(1,2147483648,2147483648)">
  %0 = cute.crd2idx(%at, %l) : (!cute.coord<"(?,0,0)">, !cute.layout<"(8,1,4):(1,2147483648,2147483648)">) -> !cute.int_tuple<"?">
  return %0 : !cute.int_tuple<"?">
}

// CHECK-LABEL: @one_row(
// CHECK: return {{.*}} : i64
func.func @one_row(%at: !cute.coord<"(?,?)">) -> !cute.int_tuple<"?{i64}"> {
  %l = cute.static : !cute.layout<"(8,1):(1,2147483648)">
  %0 = cute.crd2idx(%at, %l) : (!cute.coord<"(?,?)">, !cute.layout<"(8,1):(1,2147483648)">) -> !cute.int_tuple<"?{i64}">
  return %0 : !cute.int_tuple<"?{i64}">
}
