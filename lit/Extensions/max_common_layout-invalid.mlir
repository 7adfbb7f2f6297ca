// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @value(%arg0: !cute.layout<"(4,8):(1,4)">, %arg1: !cute.layout<"(4,8):(1,16)">) -> !cute.layout<"8:1"> {
  // expected-error @below {{'cute.max_common_layout' op result #0: declared !cute.layout<"8:1"> is not a weakening of !cute.layout<"4:1">: the extent is `4`, declared `8`: the values differ}}
  %0 = cute.max_common_layout(%arg0, %arg1) : (!cute.layout<"(4,8):(1,4)">, !cute.layout<"(4,8):(1,16)">) -> !cute.layout<"8:1">
  return %0 : !cute.layout<"8:1">
}

// -----

func.func @basis(%arg0: !cute.layout<"(4,8):(1,4)">, %arg1: !cute.layout<"(4,8):(1@0,1@1)">) -> !cute.layout<"8:1"> {
  // expected-error @below {{'cute.max_common_layout' op right_inverse: 1@0 found where an integer is required}}
  %0 = cute.max_common_layout(%arg0, %arg1) : (!cute.layout<"(4,8):(1,4)">, !cute.layout<"(4,8):(1@0,1@1)">) -> !cute.layout<"8:1">
  return %0 : !cute.layout<"8:1">
}
