// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// One operand for each `?` of the result, depth first; what is static takes none.

// CHECK-LABEL: @static(
// CHECK: cute.make_int_tuple() : () -> !cute.int_tuple<"(4,(8,-2))">
// FOLD-LABEL: @static(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"(4,(8,-2))">
// FOLD-NEXT: return
// BASE-LABEL: @static(
// BASE-NEXT: return
func.func @static() -> !cute.int_tuple<"(4,(8,-2))"> {
  %0 = cute.make_int_tuple() : () -> !cute.int_tuple<"(4,(8,-2))">
  return %0 : !cute.int_tuple<"(4,(8,-2))">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.make_int_tuple(%arg0, %arg1) : (i32, i64) -> !cute.int_tuple<"(?,(8,?{i64}))">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.make_int_tuple(%arg0, %arg1) : (i32, i64) -> !cute.int_tuple<"(?,(8,?{i64}))">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: return %arg0, %arg1 : i32, i64
func.func @dynamic(%arg0: i32, %arg1: i64) -> !cute.int_tuple<"(?,(8,?{i64}))"> {
  %0 = cute.make_int_tuple(%arg0, %arg1) : (i32, i64) -> !cute.int_tuple<"(?,(8,?{i64}))">
  return %0 : !cute.int_tuple<"(?,(8,?{i64}))">
}

// An index has 64 bits unless the data layout says 32.
// CHECK-LABEL: @index(
// CHECK: cute.make_int_tuple(%arg0) : (index) -> !cute.int_tuple<"?{i64}">
// FOLD-LABEL: @index(
// FOLD-NEXT: {{.*}}cute.make_int_tuple(%arg0) : (index) -> !cute.int_tuple<"?{i64}">
// FOLD-NEXT: return
// BASE-LABEL: @index(
// BASE-NEXT: %[[V0:.*]] = arith.index_cast %arg0 : index to i64
// BASE-NEXT: return %[[V0]] : i64
func.func @index(%arg0: index) -> !cute.int_tuple<"?{i64}"> {
  %0 = cute.make_int_tuple(%arg0) : (index) -> !cute.int_tuple<"?{i64}">
  return %0 : !cute.int_tuple<"?{i64}">
}

// A value of one leaf may stand for its integer.
// CHECK-LABEL: @spliced(
// CHECK: cute.make_int_tuple(%arg0, %arg1) : (i32, !cute.int_tuple<"?">) -> !cute.int_tuple<"(?,?)">
// FOLD-LABEL: @spliced(
// FOLD-NEXT: {{.*}}cute.make_int_tuple(%arg0, %arg1) : (i32, !cute.int_tuple<"?">) -> !cute.int_tuple<"(?,?)">
// FOLD-NEXT: return
// BASE-LABEL: @spliced(
// BASE-NEXT: return %arg0, %arg1 : i32, i32
func.func @spliced(%arg0: i32, %arg1: !cute.int_tuple<"?">) -> !cute.int_tuple<"(?,?)"> {
  %0 = cute.make_int_tuple(%arg0, %arg1) : (i32, !cute.int_tuple<"?">) -> !cute.int_tuple<"(?,?)">
  return %0 : !cute.int_tuple<"(?,?)">
}
