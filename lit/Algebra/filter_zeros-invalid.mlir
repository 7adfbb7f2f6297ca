// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @value(%arg0: !cute.layout<"(4,8):(0,2)">) -> !cute.layout<"8:2"> {
  // expected-error @below {{'cute.filter_zeros' op result #0: declared !cute.layout<"8:2"> is not a weakening of !cute.layout<"(1,8):(0,2)">: 8 and (1,8) are not congruent}}
  %0 = cute.filter_zeros(%arg0) : (!cute.layout<"(4,8):(0,2)">) -> !cute.layout<"8:2">
  return %0 : !cute.layout<"8:2">
}

// -----

func.func @profile(%arg0: !cute.layout<"(4,(3,2)):(1,(4,12))">, %arg1: !cute.int_tuple<"(1,(0,1,1))">) -> !cute.layout<"1:0"> {
  // expected-error @below {{'cute.filter_zeros' op mode 1 of the profile: rank 3, expected exactly 2}}
  %0 = cute.filter_zeros(%arg0, %arg1) : (!cute.layout<"(4,(3,2)):(1,(4,12))">, !cute.int_tuple<"(1,(0,1,1))">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}

// -----

func.func @profile_kind(%arg0: !cute.layout<"(4,8):(0,2)">, %arg1: !cute.coord<"0">) -> !cute.layout<"1:0"> {
  // expected-error @below {{'cute.filter_zeros' op operand #1 must be int_tuple or stride, but got '!cute.coord<"0">'}}
  %0 = cute.filter_zeros(%arg0, %arg1) : (!cute.layout<"(4,8):(0,2)">, !cute.coord<"0">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}
