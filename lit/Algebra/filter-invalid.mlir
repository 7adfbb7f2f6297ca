// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @value(%arg0: !cute.layout<"(4,8):(0,2)">) -> !cute.layout<"(1,8):(0,2)"> {
  // expected-error @below {{'cute.filter' op result #0: declared !cute.layout<"(1,8):(0,2)"> is not a weakening of !cute.layout<"8:2">: (1,8) and 8 are not congruent}}
  %0 = cute.filter(%arg0) : (!cute.layout<"(4,8):(0,2)">) -> !cute.layout<"(1,8):(0,2)">
  return %0 : !cute.layout<"(1,8):(0,2)">
}
