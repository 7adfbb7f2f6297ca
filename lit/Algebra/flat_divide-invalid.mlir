// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @over_rank(%arg0: !cute.layout<"24:1">, %arg1: !cute.shape<"(4,6)">) -> !cute.layout<"(4,6):(1,4)"> {
  // expected-error @below {{'cute.flat_divide' op the tiler: rank 2, expected at most 1}}
  %0 = cute.flat_divide(%arg0, %arg1) : (!cute.layout<"24:1">, !cute.shape<"(4,6)">) -> !cute.layout<"(4,6):(1,4)">
  return %0 : !cute.layout<"(4,6):(1,4)">
}

// -----

// strict: no partial tiles.
func.func @does_not_divide(%arg0: !cute.layout<"128:1">, %arg1: !cute.shape<"40">) -> !cute.layout<"(40,4):(1,40)"> {
  // expected-error @below {{'cute.flat_divide' op all modes: tiles of 40 in 128 elements cover 160; set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.flat_divide(%arg0, %arg1) : (!cute.layout<"128:1">, !cute.shape<"40">) -> !cute.layout<"(40,4):(1,40)">
  return %0 : !cute.layout<"(40,4):(1,40)">
}

// -----

func.func @layout_does_not_divide(%arg0: !cute.layout<"20:1">, %arg1: !cute.layout<"4:2">) -> !cute.layout<"(4,2,3):(2,1,8)"> {
  // expected-error @below {{'cute.flat_divide' op all modes: tiles of 4:2 in 20 elements cover 24; set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.flat_divide(%arg0, %arg1) : (!cute.layout<"20:1">, !cute.layout<"4:2">) -> !cute.layout<"(4,2,3):(2,1,8)">
  return %0 : !cute.layout<"(4,2,3):(2,1,8)">
}

// -----

func.func @kind(%arg0: !cute.layout<"24:1">, %arg1: !cute.coord<"4">) -> !cute.layout<"(4,6):(1,4)"> {
  // expected-error @below {{'cute.flat_divide' op operand #1 must be layout, shape or tile, but got '!cute.coord<"4">'}}
  %0 = cute.flat_divide(%arg0, %arg1) : (!cute.layout<"24:1">, !cute.coord<"4">) -> !cute.layout<"(4,6):(1,4)">
  return %0 : !cute.layout<"(4,6):(1,4)">
}

// -----

func.func @value(%arg0: !cute.layout<"24:1">, %arg1: !cute.layout<"4:1">) -> !cute.layout<"(4,6):(1,6)"> {
  // expected-error @below {{'cute.flat_divide' op result #0: declared !cute.layout<"(4,6):(1,6)"> is not a weakening of !cute.layout<"(4,6):(1,4)">: stride #1 is `4`, declared `6`: the values differ}}
  %0 = cute.flat_divide(%arg0, %arg1) : (!cute.layout<"24:1">, !cute.layout<"4:1">) -> !cute.layout<"(4,6):(1,6)">
  return %0 : !cute.layout<"(4,6):(1,6)">
}

// -----

func.func @structure(%arg0: !cute.layout<"24:1">, %arg1: !cute.layout<"4:1">) -> !cute.layout<"24:1"> {
  // expected-error @below {{'cute.flat_divide' op result #0: declared !cute.layout<"24:1"> is not a weakening of !cute.layout<"(4,6):(1,4)">: 24 and (4,6) are not congruent}}
  %0 = cute.flat_divide(%arg0, %arg1) : (!cute.layout<"24:1">, !cute.layout<"4:1">) -> !cute.layout<"24:1">
  return %0 : !cute.layout<"24:1">
}
