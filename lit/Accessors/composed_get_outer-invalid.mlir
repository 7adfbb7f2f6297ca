// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @value(%arg0: !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">) -> !cute.layout<"(4,5):(1,4)"> {
  // expected-error @below {{'cute.composed_get_outer' op result #0: declared !cute.layout<"(4,5):(1,4)"> is not a weakening of !cute.layout<"(2,3):(1,2)">: the extent of mode 0 is `2`, declared `4`: the values differ}}
  %0 = cute.composed_get_outer(%arg0) : !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)"> -> !cute.layout<"(4,5):(1,4)">
  return %0 : !cute.layout<"(4,5):(1,4)">
}
