// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @value(%arg0: !cute.layout<"(4,8):(0,2)">) -> !cute.layout<"8:2"> {
  // expected-error @below {{'cute.filter_zeros' op result #0: declared !cute.layout<"8:2"> is not a weakening of !cute.layout<"(1,8):(0,2)">: 8 and (1,8) are not congruent}}
  %0 = cute.filter_zeros(%arg0) : (!cute.layout<"(4,8):(0,2)">) -> !cute.layout<"8:2">
  return %0 : !cute.layout<"8:2">
}
