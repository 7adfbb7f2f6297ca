// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @value(%arg0: !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">) -> !cute.int_tuple<"0"> {
  // expected-error @below {{'cute.composed_get_offset' op result #0: declared !cute.int_tuple<"0"> is not a weakening of !cute.int_tuple<"2">: the value is `2`, declared `0`: the values differ}}
  %0 = cute.composed_get_offset(%arg0) : !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)"> -> !cute.int_tuple<"0">
  return %0 : !cute.int_tuple<"0">
}
