// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @rank(%arg0: !cute.int_tuple<"(1,2,3)">, %arg1: !cute.shape<"(4,8)">) -> !cute.coord<"(1,2)"> {
  // expected-error @below {{'cute.idx2crd' op the index: rank 3, expected exactly 2}}
  %0 = cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"(1,2,3)">, !cute.shape<"(4,8)">) -> !cute.coord<"(1,2)">
  return %0 : !cute.coord<"(1,2)">
}

// -----

func.func @value(%arg0: !cute.int_tuple<"9">, %arg1: !cute.shape<"(4,8)">) -> !cute.coord<"(2,1)"> {
  // expected-error @below {{'cute.idx2crd' op result #0: declared !cute.coord<"(2,1)"> is not a weakening of !cute.coord<"(1,2)">: mode 0 is `1`, declared `2`: the values differ}}
  %0 = cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"9">, !cute.shape<"(4,8)">) -> !cute.coord<"(2,1)">
  return %0 : !cute.coord<"(2,1)">
}

// -----

// strict: the index lies in the shape.
func.func @past_the_end(%arg0: !cute.int_tuple<"32">, %arg1: !cute.shape<"(4,8)">) -> !cute.coord<"(0,8)"> {
  // expected-error @below {{'cute.idx2crd' op coordinate: all modes: index 32 is outside [0, 32); set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"32">, !cute.shape<"(4,8)">) -> !cute.coord<"(0,8)">
  return %0 : !cute.coord<"(0,8)">
}
