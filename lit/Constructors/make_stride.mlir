// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// One operand for each `?` of the result, depth first; what is static takes none.

// CHECK-LABEL: @static(
// CHECK: cute.make_stride() : () -> !cute.stride<"(1@0,8@1)">
// FOLD-LABEL: @static(
// FOLD-NEXT: {{.*}}cute.static : !cute.stride<"(1@0,8@1)">
// FOLD-NEXT: return
// BASE-LABEL: @static(
// BASE-NEXT: return
func.func @static() -> !cute.stride<"(1@0,8@1)"> {
  %0 = cute.make_stride() : () -> !cute.stride<"(1@0,8@1)">
  return %0 : !cute.stride<"(1@0,8@1)">
}

// A fact about a leaf comes with its operand.
// CHECK-LABEL: @dynamic(
// CHECK: cute.make_stride(%arg0, %arg1) : (!cute.int_tuple<"?{div=8}">, i64) -> !cute.stride<"(1@0,(?{div=8}@0@1,?{i64}@1@1))">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.make_stride(%arg0, %arg1) : (!cute.int_tuple<"?{div=8}">, i64) -> !cute.stride<"(1@0,(?{div=8}@0@1,?{i64}@1@1))">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: return %arg0, %arg1 : i32, i64
func.func @dynamic(%arg0: !cute.int_tuple<"?{div=8}">, %arg1: i64) -> !cute.stride<"(1@0,(?{div=8}@0@1,?{i64}@1@1))"> {
  %0 = cute.make_stride(%arg0, %arg1) : (!cute.int_tuple<"?{div=8}">, i64) -> !cute.stride<"(1@0,(?{div=8}@0@1,?{i64}@1@1))">
  return %0 : !cute.stride<"(1@0,(?{div=8}@0@1,?{i64}@1@1))">
}

// An index has 64 bits unless the data layout says 32.
// CHECK-LABEL: @index(
// CHECK: cute.make_stride(%arg0) : (index) -> !cute.stride<"?{i64}">
// FOLD-LABEL: @index(
// FOLD-NEXT: {{.*}}cute.make_stride(%arg0) : (index) -> !cute.stride<"?{i64}">
// FOLD-NEXT: return
// BASE-LABEL: @index(
// BASE-NEXT: %[[V0:.*]] = arith.index_cast %arg0 : index to i64
// BASE-NEXT: return %[[V0]] : i64
func.func @index(%arg0: index) -> !cute.stride<"?{i64}"> {
  %0 = cute.make_stride(%arg0) : (index) -> !cute.stride<"?{i64}">
  return %0 : !cute.stride<"?{i64}">
}

// A value of one leaf may stand for its integer.
// CHECK-LABEL: @spliced(
// CHECK: cute.make_stride(%arg0, %arg1) : (i32, !cute.stride<"?">) -> !cute.stride<"(?,?)">
// FOLD-LABEL: @spliced(
// FOLD-NEXT: {{.*}}cute.make_stride(%arg0, %arg1) : (i32, !cute.stride<"?">) -> !cute.stride<"(?,?)">
// FOLD-NEXT: return
// BASE-LABEL: @spliced(
// BASE-NEXT: return %arg0, %arg1 : i32, i32
func.func @spliced(%arg0: i32, %arg1: !cute.stride<"?">) -> !cute.stride<"(?,?)"> {
  %0 = cute.make_stride(%arg0, %arg1) : (i32, !cute.stride<"?">) -> !cute.stride<"(?,?)">
  return %0 : !cute.stride<"(?,?)">
}

// A static integer may fill a `?`: it is a constant there.
// CHECK-LABEL: @promoted(
// CHECK: cute.make_stride(%arg0) : (!cute.int_tuple<"4">) -> !cute.stride<"?">
// BASE-LABEL: @promoted(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: return %[[C4]] : i32
func.func @promoted(%arg0: !cute.int_tuple<"4">) -> !cute.stride<"?"> {
  %0 = cute.make_stride(%arg0) : (!cute.int_tuple<"4">) -> !cute.stride<"?">
  return %0 : !cute.stride<"?">
}
