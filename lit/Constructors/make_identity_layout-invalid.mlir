// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @kind(%arg0: !cute.int_tuple<"(4,2)">) -> !cute.layout<"(4,2):(1@0,1@1)"> {
  // expected-error @below {{'cute.make_identity_layout' op operand #0 must be cute.shape, but got '!cute.int_tuple<"(4,2)">'}}
  %0 = cute.make_identity_layout(%arg0) : !cute.int_tuple<"(4,2)"> -> !cute.layout<"(4,2):(1@0,1@1)">
  return %0 : !cute.layout<"(4,2):(1@0,1@1)">
}

// -----

func.func @not_the_identity(%arg0: !cute.shape<"(4,2)">) -> !cute.layout<"(4,2):(1@1,1@0)"> {
  // expected-error @below {{'cute.make_identity_layout' op result #0: declared !cute.layout<"(4,2):(1@1,1@0)"> is not a weakening of !cute.layout<"(4,2):(1@0,1@1)">: the stride of mode 0 is `1@0`, declared `1@1`}}
  %0 = cute.make_identity_layout(%arg0) : !cute.shape<"(4,2)"> -> !cute.layout<"(4,2):(1@1,1@0)">
  return %0 : !cute.layout<"(4,2):(1@1,1@0)">
}

// -----

func.func @row_major(%arg0: !cute.shape<"(4,2)">) -> !cute.layout<"(4,2):(2,1)"> {
  // expected-error @below {{'cute.make_identity_layout' op result #0: declared !cute.layout<"(4,2):(2,1)"> is not a weakening of !cute.layout<"(4,2):(1,4)">: the stride of mode 0 is `1`, declared `2`}}
  %0 = cute.make_identity_layout(%arg0) : !cute.shape<"(4,2)"> -> !cute.layout<"(4,2):(2,1)">
  return %0 : !cute.layout<"(4,2):(2,1)">
}
