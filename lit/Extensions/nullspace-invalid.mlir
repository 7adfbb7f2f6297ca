// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @value(%arg0: !cute.layout<"(2,4):(0,1)">) -> !cute.layout<"4:1"> {
  // expected-error @below {{'cute.nullspace' op result #0: declared !cute.layout<"4:1"> is not a weakening of !cute.layout<"2:1">: the extent is `2`, declared `4`: the values differ}}
  %0 = cute.nullspace(%arg0) : (!cute.layout<"(2,4):(0,1)">) -> !cute.layout<"4:1">
  return %0 : !cute.layout<"4:1">
}

// -----

func.func @kind(%arg0: !cute.shape<"4">) -> !cute.layout<"4:1"> {
  // expected-error @below {{'cute.nullspace' op operand #0 must be cute.layout, but got '!cute.shape<"4">'}}
  %0 = cute.nullspace(%arg0) : (!cute.shape<"4">) -> !cute.layout<"4:1">
  return %0 : !cute.layout<"4:1">
}
