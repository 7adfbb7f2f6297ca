// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The same function with as few modes as can be.

// CHECK-LABEL: @whole(
// CHECK: cute.coalesce(%arg0) : (!cute.layout<"(2,(1,6)):(1,(6,2))">) -> !cute.layout<"12:1">
// FOLD-LABEL: @whole(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"12:1">
// FOLD-NEXT: return
// BASE-LABEL: @whole(
// BASE-NEXT: return
func.func @whole(%arg0: !cute.layout<"(2,(1,6)):(1,(6,2))">) -> !cute.layout<"12:1"> {
  %0 = cute.coalesce(%arg0) : (!cute.layout<"(2,(1,6)):(1,(6,2))">) -> !cute.layout<"12:1">
  return %0 : !cute.layout<"12:1">
}

// (2,4):(4,1) is not 8:1: neighbours are compared left to right.
// CHECK-LABEL: @nothing(
// CHECK: cute.coalesce(%arg0) : (!cute.layout<"(2,4):(4,1)">) -> !cute.layout<"(2,4):(4,1)">
// FOLD-LABEL: @nothing(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(2,4):(4,1)">
// FOLD-NEXT: return
// BASE-LABEL: @nothing(
// BASE-NEXT: return
func.func @nothing(%arg0: !cute.layout<"(2,4):(4,1)">) -> !cute.layout<"(2,4):(4,1)"> {
  %0 = cute.coalesce(%arg0) : (!cute.layout<"(2,4):(4,1)">) -> !cute.layout<"(2,4):(4,1)">
  return %0 : !cute.layout<"(2,4):(4,1)">
}

// By mode, one for each element of the profile.
// CHECK-LABEL: @profile(
// CHECK: cute.coalesce(%arg0, %arg1) : (!cute.layout<"(2,(1,6)):(1,(6,2))">, !cute.coord<"(1,1)">) -> !cute.layout<"(2,6):(1,2)">
// FOLD-LABEL: @profile(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(2,6):(1,2)">
// FOLD-NEXT: return
// BASE-LABEL: @profile(
// BASE-NEXT: return
func.func @profile(%arg0: !cute.layout<"(2,(1,6)):(1,(6,2))">, %arg1: !cute.coord<"(1,1)">) -> !cute.layout<"(2,6):(1,2)"> {
  %0 = cute.coalesce(%arg0, %arg1) : (!cute.layout<"(2,(1,6)):(1,(6,2))">, !cute.coord<"(1,1)">) -> !cute.layout<"(2,6):(1,2)">
  return %0 : !cute.layout<"(2,6):(1,2)">
}

// CHECK-LABEL: @composed_layout(
// CHECK: cute.coalesce(%arg0) : (!cute.composed_layout<"S<3,4,3> o 0 o (8,8):(1,8)">) -> !cute.composed_layout<"S<3,4,3> o 0 o 64:1">
// FOLD-LABEL: @composed_layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"S<3,4,3> o 0 o 64:1">
// FOLD-NEXT: return
// BASE-LABEL: @composed_layout(
// BASE-NEXT: return
func.func @composed_layout(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (8,8):(1,8)">) -> !cute.composed_layout<"S<3,4,3> o 0 o 64:1"> {
  %0 = cute.coalesce(%arg0) : (!cute.composed_layout<"S<3,4,3> o 0 o (8,8):(1,8)">) -> !cute.composed_layout<"S<3,4,3> o 0 o 64:1">
  return %0 : !cute.composed_layout<"S<3,4,3> o 0 o 64:1">
}

// CHECK-LABEL: @memref(
// CHECK: cute.coalesce(%arg0) : (!cute.memref<f32, gmem, "(4,8):(1,4)">) -> !cute.memref<f32, gmem, "32:1">
// FOLD-LABEL: @memref(
// FOLD-NEXT: {{.*}}cute.coalesce(%arg0) : (!cute.memref<f32, gmem, "(4,8):(1,4)">) -> !cute.memref<f32, gmem, "32:1">
// FOLD-NEXT: return
// BASE-LABEL: @memref(
// BASE-NEXT: return %arg0 : !llvm.ptr<1>
func.func @memref(%arg0: !cute.memref<f32, gmem, "(4,8):(1,4)">) -> !cute.memref<f32, gmem, "32:1"> {
  %0 = cute.coalesce(%arg0) : (!cute.memref<f32, gmem, "(4,8):(1,4)">) -> !cute.memref<f32, gmem, "32:1">
  return %0 : !cute.memref<f32, gmem, "32:1">
}

// Two dynamic values are not known to be equal.
// CHECK-LABEL: @dynamic(
// CHECK: cute.coalesce(%arg0) : (!cute.layout<"(?,4):(1,?)">) -> !cute.layout<"(?,4):(1,?)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.coalesce(%arg0) : (!cute.layout<"(?,4):(1,?)">) -> !cute.layout<"(?,4):(1,?)">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: return %arg0, %arg1 : i32, i32
func.func @dynamic(%arg0: !cute.layout<"(?,4):(1,?)">) -> !cute.layout<"(?,4):(1,?)"> {
  %0 = cute.coalesce(%arg0) : (!cute.layout<"(?,4):(1,?)">) -> !cute.layout<"(?,4):(1,?)">
  return %0 : !cute.layout<"(?,4):(1,?)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.coalesce(%arg0) : (!cute.layout<"(?{i64 div=8},4):(1,?{i64 div=8})">) -> !cute.layout<"(?{i64 div=8},4):(1,?{i64 div=8})">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.coalesce(%arg0) : (!cute.layout<"(?{i64 div=8},4):(1,?{i64 div=8})">) -> !cute.layout<"(?{i64 div=8},4):(1,?{i64 div=8})">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0, %arg1 : i64, i64
func.func @wide(%arg0: !cute.layout<"(?{i64 div=8},4):(1,?{i64 div=8})">) -> !cute.layout<"(?{i64 div=8},4):(1,?{i64 div=8})"> {
  %0 = cute.coalesce(%arg0) : (!cute.layout<"(?{i64 div=8},4):(1,?{i64 div=8})">) -> !cute.layout<"(?{i64 div=8},4):(1,?{i64 div=8})">
  return %0 : !cute.layout<"(?{i64 div=8},4):(1,?{i64 div=8})">
}
