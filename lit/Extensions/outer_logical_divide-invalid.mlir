// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @rank(%arg0: !cute.layout<"16:1">, %arg1: !cute.shape<"(2,4)">) -> !cute.layout<"1:0"> {
  // expected-error @below {{'cute.outer_logical_divide' op the tiler: rank 2, expected at most 1}}
  %0 = cute.outer_logical_divide(%arg0, %arg1) : (!cute.layout<"16:1">, !cute.shape<"(2,4)">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}

// -----

// strict: no partial tiles.
func.func @does_not_divide(%arg0: !cute.layout<"(3,20):(20,1)">, %arg1: !cute.shape<"(8)">) -> !cute.layout<"(3,(8,3)):(20,(1,8))"> {
  // expected-error @below {{'cute.outer_logical_divide' op mode 1: tiles of 8 in 20 elements cover 24; set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.outer_logical_divide(%arg0, %arg1) : (!cute.layout<"(3,20):(20,1)">, !cute.shape<"(8)">) -> !cute.layout<"(3,(8,3)):(20,(1,8))">
  return %0 : !cute.layout<"(3,(8,3)):(20,(1,8))">
}

// -----

func.func @kind(%arg0: !cute.layout<"16:1">, %arg1: !cute.coord<"2">) -> !cute.layout<"1:0"> {
  // expected-error @below {{'cute.outer_logical_divide' op operand #1 must be layout, shape or tile, but got '!cute.coord<"2">'}}
  %0 = cute.outer_logical_divide(%arg0, %arg1) : (!cute.layout<"16:1">, !cute.coord<"2">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}

// -----

func.func @value(%arg0: !cute.layout<"(8,16):(16,1)">, %arg1: !cute.shape<"(2,4)">) -> !cute.layout<"(8,16):(16,1)"> {
  // expected-error @below {{'cute.outer_logical_divide' op result #0: declared !cute.layout<"(8,16):(16,1)"> is not a weakening of !cute.layout<"((2,4),(4,4)):((16,32),(1,4))">: (8,16) and ((2,4),(4,4)) are not congruent}}
  %0 = cute.outer_logical_divide(%arg0, %arg1) : (!cute.layout<"(8,16):(16,1)">, !cute.shape<"(2,4)">) -> !cute.layout<"(8,16):(16,1)">
  return %0 : !cute.layout<"(8,16):(16,1)">
}
