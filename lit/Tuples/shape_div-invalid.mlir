// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @zero(%arg0: !cute.shape<"4">, %arg1: !cute.shape<"0">) -> !cute.shape<"1"> {
  // expected-error @below {{'cute.shape_div' op 4 is divided by zero}}
  %0 = cute.shape_div(%arg0, %arg1) : (!cute.shape<"4">, !cute.shape<"0">) -> !cute.shape<"1">
  return %0 : !cute.shape<"1">
}

// -----

func.func @indivisible(%arg0: !cute.shape<"7">, %arg1: !cute.shape<"3">) -> !cute.shape<"3"> {
  // expected-error @below {{'cute.shape_div' op 7 does not divide, and is not divided by, 3}}
  %0 = cute.shape_div(%arg0, %arg1) : (!cute.shape<"7">, !cute.shape<"3">) -> !cute.shape<"3">
  return %0 : !cute.shape<"3">
}

// -----

func.func @indivisible_mode(%arg0: !cute.shape<"(4,7)">, %arg1: !cute.shape<"(2,3)">) -> !cute.shape<"(2,3)"> {
  // expected-error @below {{'cute.shape_div' op mode 1 of shape_div: 7 does not divide, and is not divided by, 3}}
  %0 = cute.shape_div(%arg0, %arg1) : (!cute.shape<"(4,7)">, !cute.shape<"(2,3)">) -> !cute.shape<"(2,3)">
  return %0 : !cute.shape<"(2,3)">
}

// -----

func.func @rank(%arg0: !cute.shape<"(4,8)">, %arg1: !cute.shape<"(2,4,2)">) -> !cute.shape<"(2,2)"> {
  // expected-error @below {{'cute.shape_div' op the divisor: rank 3, expected exactly 2}}
  %0 = cute.shape_div(%arg0, %arg1) : (!cute.shape<"(4,8)">, !cute.shape<"(2,4,2)">) -> !cute.shape<"(2,2)">
  return %0 : !cute.shape<"(2,2)">
}

// -----

func.func @kind(%arg0: !cute.int_tuple<"8">, %arg1: !cute.shape<"4">) -> !cute.shape<"2"> {
  // expected-error @below {{'cute.shape_div' op operand #0 must be cute.shape, but got '!cute.int_tuple<"8">'}}
  %0 = cute.shape_div(%arg0, %arg1) : (!cute.int_tuple<"8">, !cute.shape<"4">) -> !cute.shape<"2">
  return %0 : !cute.shape<"2">
}

// -----

func.func @value(%arg0: !cute.shape<"12">, %arg1: !cute.shape<"4">) -> !cute.shape<"4"> {
  // expected-error @below {{'cute.shape_div' op result #0: declared !cute.shape<"4"> is not a weakening of !cute.shape<"3">: the extent is `3`, declared `4`: the values differ}}
  %0 = cute.shape_div(%arg0, %arg1) : (!cute.shape<"12">, !cute.shape<"4">) -> !cute.shape<"4">
  return %0 : !cute.shape<"4">
}
