// RUN: %opt %s -split-input-file -verify-diagnostics

// A swizzle works on one integer.
func.func @offset(%arg0: !cute.swizzle<"S<3,4,3>">, %arg1: !cute.int_tuple<"(0,0)">, %arg2: !cute.layout<"(8,64):(1@0,1@1)">) -> !cute.composed_layout<"S<3,4,3> o 0 o 8:1"> {
  // expected-error @below {{'cute.make_composed_layout' op composed layout: S<3,4,3> takes one integer: offset (0,0) and the strides of (8,64):(1@0,1@1) must be integers}}
  %0 = cute.make_composed_layout(%arg0, %arg1, %arg2) : (!cute.swizzle<"S<3,4,3>">, !cute.int_tuple<"(0,0)">, !cute.layout<"(8,64):(1@0,1@1)">) -> !cute.composed_layout<"S<3,4,3> o 0 o 8:1">
  return %0 : !cute.composed_layout<"S<3,4,3> o 0 o 8:1">
}

// -----

func.func @other_swizzle(%arg0: !cute.swizzle<"S<1,5,4>">, %arg1: !cute.int_tuple<"2">, %arg2: !cute.layout<"8:1">) -> !cute.composed_layout<"S<3,5,4> o 2 o 8:1"> {
  // expected-error @below {{'cute.make_composed_layout' op result #0: declared !cute.composed_layout<"S<3,5,4> o 2 o 8:1"> is not a weakening of !cute.composed_layout<"S<1,5,4> o 2 o 8:1">: the inner functions differ}}
  %0 = cute.make_composed_layout(%arg0, %arg1, %arg2) : (!cute.swizzle<"S<1,5,4>">, !cute.int_tuple<"2">, !cute.layout<"8:1">) -> !cute.composed_layout<"S<3,5,4> o 2 o 8:1">
  return %0 : !cute.composed_layout<"S<3,5,4> o 2 o 8:1">
}

// -----

func.func @other_offset(%arg0: !cute.swizzle<"S<1,5,4>">, %arg1: !cute.int_tuple<"2">, %arg2: !cute.layout<"8:1">) -> !cute.composed_layout<"S<1,5,4> o 4 o 8:1"> {
  // expected-error @below {{'cute.make_composed_layout' op result #0: declared !cute.composed_layout<"S<1,5,4> o 4 o 8:1"> is not a weakening of !cute.composed_layout<"S<1,5,4> o 2 o 8:1">: the offset: the value is `2`, declared `4`: the values differ}}
  %0 = cute.make_composed_layout(%arg0, %arg1, %arg2) : (!cute.swizzle<"S<1,5,4>">, !cute.int_tuple<"2">, !cute.layout<"8:1">) -> !cute.composed_layout<"S<1,5,4> o 4 o 8:1">
  return %0 : !cute.composed_layout<"S<1,5,4> o 4 o 8:1">
}

// -----

func.func @kind(%arg0: !cute.shape<"8">, %arg1: !cute.int_tuple<"2">, %arg2: !cute.layout<"8:1">) -> !cute.composed_layout<"S<3,5,4> o 2 o 8:1"> {
  // expected-error @below {{'cute.make_composed_layout' op operand #0 must be swizzle or layout, but got '!cute.shape<"8">'}}
  %0 = cute.make_composed_layout(%arg0, %arg1, %arg2) : (!cute.shape<"8">, !cute.int_tuple<"2">, !cute.layout<"8:1">) -> !cute.composed_layout<"S<3,5,4> o 2 o 8:1">
  return %0 : !cute.composed_layout<"S<3,5,4> o 2 o 8:1">
}
