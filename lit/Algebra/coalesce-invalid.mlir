// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @profile(%arg0: !cute.layout<"(2,6):(1,2)">, %arg1: !cute.coord<"(1,1,1)">) -> !cute.layout<"(2,6):(1,2)"> {
  // expected-error @below {{'cute.coalesce' op the profile: rank 3, expected at most 2}}
  %0 = cute.coalesce(%arg0, %arg1) : (!cute.layout<"(2,6):(1,2)">, !cute.coord<"(1,1,1)">) -> !cute.layout<"(2,6):(1,2)">
  return %0 : !cute.layout<"(2,6):(1,2)">
}

// -----

func.func @value(%arg0: !cute.layout<"(2,(1,6)):(1,(6,2))">) -> !cute.layout<"(2,6):(1,2)"> {
  // expected-error @below {{'cute.coalesce' op result #0: declared !cute.layout<"(2,6):(1,2)"> is not a weakening of !cute.layout<"12:1">: (2,6) and 12 are not congruent}}
  %0 = cute.coalesce(%arg0) : (!cute.layout<"(2,(1,6)):(1,(6,2))">) -> !cute.layout<"(2,6):(1,2)">
  return %0 : !cute.layout<"(2,6):(1,2)">
}

// -----

func.func @kind(%arg0: !cute.shape<"(2,6)">) -> !cute.layout<"(2,6):(1,2)"> {
  // expected-error @below {{'cute.coalesce' op operand #0 must be layout, composed layout, memref or coord_tensor, but got '!cute.shape<"(2,6)">'}}
  %0 = cute.coalesce(%arg0) : (!cute.shape<"(2,6)">) -> !cute.layout<"(2,6):(1,2)">
  return %0 : !cute.layout<"(2,6):(1,2)">
}
