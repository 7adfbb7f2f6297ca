// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @layout(%arg0: !cute.layout<"8:1">) -> !cute.swizzle<"S<0,4,3>"> {
  // expected-error @below {{invalid kind of type specified: expected cute.composed_layout, but found '!cute.layout<"8:1">'}}
  %0 = cute.composed_get_inner(%arg0) : !cute.layout<"8:1"> -> !cute.swizzle<"S<0,4,3>">
  return %0 : !cute.swizzle<"S<0,4,3>">
}

// -----

func.func @kind(%arg0: !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">) -> !cute.swizzle<"S<3,4,3>"> {
  // expected-error @below {{'cute.composed_get_inner' op result #0: declared !cute.swizzle<"S<3,4,3>"> is not a weakening of !cute.layout<"(4,5):(1,4)">: !cute.swizzle is not !cute.layout}}
  %0 = cute.composed_get_inner(%arg0) : !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)"> -> !cute.swizzle<"S<3,4,3>">
  return %0 : !cute.swizzle<"S<3,4,3>">
}
