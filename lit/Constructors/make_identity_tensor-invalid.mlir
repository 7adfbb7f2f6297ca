// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @origin(%arg0: !cute.shape<"(4,8)">) -> !cute.coord_tensor<"(0,1)", "(4,8):(1@0,1@1)"> {
  // expected-error @below {{'cute.make_identity_tensor' op result #0: declared !cute.coord_tensor<"(0,1)", "(4,8):(1@0,1@1)"> is not a weakening of !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">: mode 1 is `0`, declared `1`: the values differ}}
  %0 = cute.make_identity_tensor(%arg0) : !cute.shape<"(4,8)"> -> !cute.coord_tensor<"(0,1)", "(4,8):(1@0,1@1)">
  return %0 : !cute.coord_tensor<"(0,1)", "(4,8):(1@0,1@1)">
}

// -----

func.func @kind(%arg0: !cute.layout<"(4,8):(1,4)">) -> !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)"> {
  // expected-error @below {{'cute.make_identity_tensor' op operand #0 must be cute.shape, but got '!cute.layout<"(4,8):(1,4)">'}}
  %0 = cute.make_identity_tensor(%arg0) : !cute.layout<"(4,8):(1,4)"> -> !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">
  return %0 : !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">
}
