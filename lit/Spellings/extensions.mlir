// RUN: %opt %s | %opt | FileCheck %s

// Spellings in descriptions of the dialect that it accepts: docs/errata.md.

// Strides of modes of one element say nothing.
// CHECK-LABEL: @strides_of_one_element(
// CHECK: -> !cute.layout<"(4,1):(1,7)">
func.func @strides_of_one_element(%l: !cute.layout<"((4,1)):((1,4))">) -> !cute.layout<"(4,1):(1,7)"> {
  %0 = cute.flatten(%l) : (!cute.layout<"((4,1)):((1,4))">) -> !cute.layout<"(4,1):(1,7)">
  return %0 : !cute.layout<"(4,1):(1,7)">
}

// A declared divisor divides the inferred one; what was declared is printed.
// CHECK-LABEL: @divisors(
// CHECK: -> !cute.int_tuple<"?{i64 div=4}">
func.func @divisors(%s: !cute.shape<"(?{i64 div=8},3)">) -> !cute.int_tuple<"?{i64 div=4}"> {
  %0 = cute.size(%s) : (!cute.shape<"(?{i64 div=8},3)">) -> !cute.int_tuple<"?{i64 div=4}">
  return %0 : !cute.int_tuple<"?{i64 div=4}">
}

// The same function of a coordinate under both names.
// CHECK-LABEL: @both_names(
func.func @both_names(%c: !cute.coord<"(2,1)">, %l: !cute.layout<"(4,8):(8,1)">) -> (!cute.int_tuple<"17">, !cute.int_tuple<"17">) {
  // CHECK: cute.crd2idx
  %0 = cute.crd2idx(%c, %l) : (!cute.coord<"(2,1)">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"17">
  // CHECK: cute.layout_eval
  %1 = cute.layout_eval(%c, %l) : (!cute.coord<"(2,1)">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"17">
  return %0, %1 : !cute.int_tuple<"17">, !cute.int_tuple<"17">
}

// An offset-0 identity swizzle and a bare layout are two types; each prints as it is written.
// CHECK: @bare(!cute.composed_layout<"S<0,4,3> o 0 o 8:1">, !cute.layout<"8:1">)
func.func private @bare(!cute.composed_layout<"S<0,4,3> o 0 o 8:1">, !cute.layout<"8:1">)
// CHECK: @from_bare(!cute.composed_layout<"S<0,4,3> o 0 o 8:1">)
func.func private @from_bare(!cute.composed_layout<"8:1">)
