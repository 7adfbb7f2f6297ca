// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @static(
// CHECK: cute.composed_get_offset(%arg0) : <"(4,5):(1,4) o 2 o (2,3):(1,2)"> -> !cute.int_tuple<"2">
// FOLD-LABEL: @static(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"2">
// FOLD-NEXT: return
// BASE-LABEL: @static(
// BASE-NEXT: return
func.func @static(%arg0: !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">) -> !cute.int_tuple<"2"> {
  %0 = cute.composed_get_offset(%arg0) : !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)"> -> !cute.int_tuple<"2">
  return %0 : !cute.int_tuple<"2">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.composed_get_offset(%arg0) : <"S<3,3,3> o ?{div=16} o 8:1"> -> !cute.int_tuple<"?{div=16}">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.composed_get_offset(%arg0) : <"S<3,3,3> o ?{div=16} o 8:1"> -> !cute.int_tuple<"?{div=16}">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: return %arg0 : i32
func.func @dynamic(%arg0: !cute.composed_layout<"S<3,3,3> o ?{div=16} o 8:1">) -> !cute.int_tuple<"?{div=16}"> {
  %0 = cute.composed_get_offset(%arg0) : !cute.composed_layout<"S<3,3,3> o ?{div=16} o 8:1"> -> !cute.int_tuple<"?{div=16}">
  return %0 : !cute.int_tuple<"?{div=16}">
}

// CHECK-LABEL: @wide(
// CHECK: cute.composed_get_offset(%arg0) : <"S<3,3,3> o ?{i64 div=8} o 8:1"> -> !cute.int_tuple<"?{i64 div=8}">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.composed_get_offset(%arg0) : <"S<3,3,3> o ?{i64 div=8} o 8:1"> -> !cute.int_tuple<"?{i64 div=8}">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0 : i64
func.func @wide(%arg0: !cute.composed_layout<"S<3,3,3> o ?{i64 div=8} o 8:1">) -> !cute.int_tuple<"?{i64 div=8}"> {
  %0 = cute.composed_get_offset(%arg0) : !cute.composed_layout<"S<3,3,3> o ?{i64 div=8} o 8:1"> -> !cute.int_tuple<"?{i64 div=8}">
  return %0 : !cute.int_tuple<"?{i64 div=8}">
}

// The names of types may be left out, as the public CuTe IR prints them.
// CHECK-LABEL: @short(
// CHECK: cute.composed_get_offset(%arg0) : <"S<3,4,3> o 0 o (8,64):(64,1)"> -> !cute.int_tuple<"0">
func.func @short(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.int_tuple<"0"> {
  %0 = cute.composed_get_offset(%arg0) : <"S<3,4,3> o 0 o (8,64):(64,1)"> -> !cute.int_tuple<"0">
  return %0 : !cute.int_tuple<"0">
}
