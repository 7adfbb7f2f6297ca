// RUN: %opt %s -split-input-file -verify-diagnostics

// 6 passes the first mode, but is not a multiple of it.
func.func @stride(%arg0: !cute.layout<"(4,6):(1,10)">, %arg1: !cute.layout<"2:6">) -> !cute.layout<"2:6"> {
  // expected-error @below {{'cute.composition' op the right operand: stride 6 is neither a multiple of, nor less than, extent 4 of mode 0 of the coalesced left operand (4,6):(1,10)}}
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"(4,6):(1,10)">, !cute.layout<"2:6">) -> !cute.layout<"2:6">
  return %0 : !cute.layout<"2:6">
}

// -----

func.func @extent(%arg0: !cute.layout<"(6,2):(8,2)">, %arg1: !cute.layout<"(3,2):(4,1)">) -> !cute.layout<"6:1"> {
  // expected-error @below {{'cute.composition' op mode 0 of the right operand: extent 3 is not a multiple of 2, the part that mode 0 of the coalesced left operand (6,2):(8,2) takes}}
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"(6,2):(8,2)">, !cute.layout<"(3,2):(4,1)">) -> !cute.layout<"6:1">
  return %0 : !cute.layout<"6:1">
}

// -----

func.func @over_rank(%arg0: !cute.layout<"24:1">, %arg1: !cute.shape<"(4,6)">) -> !cute.layout<"(4,6):(1,4)"> {
  // expected-error @below {{'cute.composition' op the tiler: rank 2, expected at most 1}}
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"24:1">, !cute.shape<"(4,6)">) -> !cute.layout<"(4,6):(1,4)">
  return %0 : !cute.layout<"(4,6):(1,4)">
}

// -----

func.func @kind(%arg0: !cute.shape<"24">, %arg1: !cute.layout<"4:1">) -> !cute.layout<"4:1"> {
  // expected-error @below {{'cute.composition' op operand #0 must be layout, composed layout, memref or coord_tensor, but got '!cute.shape<"24">'}}
  %0 = cute.composition(%arg0, %arg1) : (!cute.shape<"24">, !cute.layout<"4:1">) -> !cute.layout<"4:1">
  return %0 : !cute.layout<"4:1">
}

// -----

func.func @value(%arg0: !cute.layout<"20:2">, %arg1: !cute.layout<"(5,4):(4,1)">) -> !cute.layout<"(5,4):(8,1)"> {
  // expected-error @below {{'cute.composition' op result #0: declared !cute.layout<"(5,4):(8,1)"> is not a weakening of !cute.layout<"(5,4):(8,2)">: the stride of mode 1 is `2`, declared `1`: the values differ}}
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"20:2">, !cute.layout<"(5,4):(4,1)">) -> !cute.layout<"(5,4):(8,1)">
  return %0 : !cute.layout<"(5,4):(8,1)">
}

// -----

func.func @structure(%arg0: !cute.layout<"20:2">, %arg1: !cute.layout<"(5,4):(4,1)">) -> !cute.layout<"20:2"> {
  // expected-error @below {{'cute.composition' op result #0: declared !cute.layout<"20:2"> is not a weakening of !cute.layout<"(5,4):(8,2)">: 20 and (5,4) are not congruent}}
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"20:2">, !cute.layout<"(5,4):(4,1)">) -> !cute.layout<"20:2">
  return %0 : !cute.layout<"20:2">
}

// -----

// strict: the image of B lies in the domain of A.
func.func @leaves_domain(%arg0: !cute.layout<"20:2">, %arg1: !cute.layout<"5:8">) -> !cute.layout<"5:16"> {
  // expected-error @below {{'cute.composition' op the right operand 5:8 reaches 32, but the left operand of shape 20 has only 20 elements; set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"20:2">, !cute.layout<"5:8">) -> !cute.layout<"5:16">
  return %0 : !cute.layout<"5:16">
}

// -----

// strict: CuTe makes a layout here that is not A(B(c)).
func.func @not_the_function(%arg0: !cute.layout<"(10,4):(4,1)">, %arg1: !cute.layout<"10:6">) -> !cute.layout<"(2,5):(24,1)"> {
  // expected-error @below {{'cute.composition' op the right operand 10:6 reaches 54, but the left operand of shape (10,4) has only 40 elements; set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"(10,4):(4,1)">, !cute.layout<"10:6">) -> !cute.layout<"(2,5):(24,1)">
  return %0 : !cute.layout<"(2,5):(24,1)">
}

// -----

// A basis names a mode of the left operand.
func.func @no_such_mode(%arg0: !cute.layout<"(4,6):(1,4)">, %arg1: !cute.layout<"3:1@2">) -> !cute.layout<"3:1"> {
  // expected-error @below {{'cute.composition' op the codomain of the right operand: rank 3, expected at most 2}}
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"(4,6):(1,4)">, !cute.layout<"3:1@2">) -> !cute.layout<"3:1">
  return %0 : !cute.layout<"3:1">
}

// -----

// strict: along each basis.
func.func @overshoot_along_a_basis(%arg0: !cute.layout<"(4,6):(1,4)">, %arg1: !cute.layout<"(8,3):(2@0,1@1)">) -> !cute.layout<"(8,3):(2,4)"> {
  // expected-error @below {{'cute.composition' op the right operand (8,3):(2@0,1@1) reaches 14, but the left operand of shape 4 has only 4 elements; set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"(4,6):(1,4)">, !cute.layout<"(8,3):(2@0,1@1)">) -> !cute.layout<"(8,3):(2,4)">
  return %0 : !cute.layout<"(8,3):(2,4)">
}

// -----

func.func @ratio(%arg0: !cute.layout<"(4,8):(1,4)">, %arg1: !cute.layout<"3:1/2@0">) {
  // expected-error @below {{'cute.composition' op 1/2@0 found where a whole stride on the right is required}}
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"(4,8):(1,4)">, !cute.layout<"3:1/2@0">) -> !cute.layout<"3:1">
  return
}

// -----

func.func @named_axis(%arg0: !cute.layout<"(4,8):(1,4)">, %arg1: !cute.layout<"3:1@laneid">) {
  // expected-error @below {{'cute.composition' op layout value: the named axis @laneid, along which a Placement has points, found where a position in a coordinate is required}}
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"(4,8):(1,4)">, !cute.layout<"3:1@laneid">) -> !cute.layout<"3:1">
  return
}

// -----

// strict: 3 steps out of 4, whatever `?` is: at index 2 the result has 5, and not 7.
func.func @known(%arg0: !cute.layout<"(4,?):(1,5)">, %arg1: !cute.layout<"4:3">) -> !cute.layout<"(2,2):(3,5)"> {
  // expected-error @below {{'cute.composition' op stride 3 steps out of an extent of 4: one is assumed to be a multiple of the other, for all values of `?`; set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"(4,?):(1,5)">, !cute.layout<"4:3">) -> !cute.layout<"(2,2):(3,5)">
  return %0 : !cute.layout<"(2,2):(3,5)">
}

// -----

// strict: 3 + 2 carries out of 4, and the next mode does not continue the first.
func.func @sum(%arg0: !cute.layout<"(4,?):(1,5)">, %arg1: !cute.layout<"(4,2):(1,2)">) -> !cute.layout<"(4,2):(1,2)"> {
  // expected-error @below {{'cute.composition' op several modes reach 5 together, which must be below 4 so that no sum carries, for all values of `?`}}
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"(4,?):(1,5)">, !cute.layout<"(4,2):(1,2)">) -> !cute.layout<"(4,2):(1,2)">
  return %0 : !cute.layout<"(4,2):(1,2)">
}
