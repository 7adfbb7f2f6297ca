// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @zero(%arg0: !cute.int_tuple<"7">, %arg1: !cute.int_tuple<"0">) -> !cute.int_tuple<"1"> {
  // expected-error @below {{'cute.ceil_div' op 7 is divided by zero}}
  %0 = cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"7">, !cute.int_tuple<"0">) -> !cute.int_tuple<"1">
  return %0 : !cute.int_tuple<"1">
}

// -----

func.func @rank(%arg0: !cute.int_tuple<"(4,8)">, %arg1: !cute.int_tuple<"(2,4,2)">) -> !cute.int_tuple<"(2,2)"> {
  // expected-error @below {{'cute.ceil_div' op the divisor: rank 3, expected at most 2}}
  %0 = cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"(4,8)">, !cute.int_tuple<"(2,4,2)">) -> !cute.int_tuple<"(2,2)">
  return %0 : !cute.int_tuple<"(2,2)">
}

// -----

func.func @tile_rank(%arg0: !cute.int_tuple<"(4,8)">, %arg1: !cute.tile<"[2:1;4:1;2:1]">) -> !cute.int_tuple<"(2,2)"> {
  // expected-error @below {{'cute.ceil_div' op the tiler: rank 3, expected at most 2}}
  %0 = cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"(4,8)">, !cute.tile<"[2:1;4:1;2:1]">) -> !cute.int_tuple<"(2,2)">
  return %0 : !cute.int_tuple<"(2,2)">
}

// -----

func.func @operand(%arg0: !cute.coord<"(4,8)">, %arg1: !cute.int_tuple<"2">) -> !cute.int_tuple<"(2,8)"> {
  // expected-error @below {{'cute.ceil_div' op operand #0 must be int_tuple or shape, but got '!cute.coord<"(4,8)">'}}
  %0 = cute.ceil_div(%arg0, %arg1) : (!cute.coord<"(4,8)">, !cute.int_tuple<"2">) -> !cute.int_tuple<"(2,8)">
  return %0 : !cute.int_tuple<"(2,8)">
}

// -----

func.func @tiler(%arg0: !cute.int_tuple<"(4,8)">, %arg1: !cute.layout<"2:1">) -> !cute.int_tuple<"(2,8)"> {
  // expected-error @below {{'cute.ceil_div' op operand #1 must be int_tuple, shape or tile, but got '!cute.layout<"2:1">'}}
  %0 = cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"(4,8)">, !cute.layout<"2:1">) -> !cute.int_tuple<"(2,8)">
  return %0 : !cute.int_tuple<"(2,8)">
}

// -----

func.func @kind(%arg0: !cute.shape<"7">, %arg1: !cute.int_tuple<"3">) -> !cute.int_tuple<"3"> {
  // expected-error @below {{'cute.ceil_div' op result #0: declared !cute.int_tuple<"3"> is not a weakening of !cute.shape<"3">: !cute.int_tuple is not !cute.shape}}
  %0 = cute.ceil_div(%arg0, %arg1) : (!cute.shape<"7">, !cute.int_tuple<"3">) -> !cute.int_tuple<"3">
  return %0 : !cute.int_tuple<"3">
}

// -----

func.func @value(%arg0: !cute.int_tuple<"7">, %arg1: !cute.int_tuple<"3">) -> !cute.int_tuple<"2"> {
  // expected-error @below {{'cute.ceil_div' op result #0: declared !cute.int_tuple<"2"> is not a weakening of !cute.int_tuple<"3">: the value is `3`, declared `2`: the values differ}}
  %0 = cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"7">, !cute.int_tuple<"3">) -> !cute.int_tuple<"2">
  return %0 : !cute.int_tuple<"2">
}
