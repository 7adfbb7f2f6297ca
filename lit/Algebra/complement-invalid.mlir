// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @not_injective(%arg0: !cute.layout<"(4,4):(1,2)">, %arg1: !cute.shape<"24">) -> !cute.layout<"6:4"> {
  // expected-error @below {{'cute.complement' op (4,4):(1,2) is not injective: stride 2 is less than 4, which the smaller strides already cover}}
  %0 = cute.complement(%arg0, %arg1) : (!cute.layout<"(4,4):(1,2)">, !cute.shape<"24">) -> !cute.layout<"6:4">
  return %0 : !cute.layout<"6:4">
}

// -----

func.func @basis(%arg0: !cute.layout<"(4,4):(1@0,1@1)">, %arg1: !cute.shape<"24">) -> !cute.layout<"6:4"> {
  // expected-error @below {{'cute.complement' op strides of (4,4):(1@0,1@1) have a basis, but a cotarget counts integers; without a cotarget, the complement is taken in the box that the layout reaches}}
  %0 = cute.complement(%arg0, %arg1) : (!cute.layout<"(4,4):(1@0,1@1)">, !cute.shape<"24">) -> !cute.layout<"6:4">
  return %0 : !cute.layout<"6:4">
}

// -----

func.func @value(%arg0: !cute.layout<"4:1">, %arg1: !cute.shape<"24">) -> !cute.layout<"24:1"> {
  // expected-error @below {{'cute.complement' op result #0: declared !cute.layout<"24:1"> is not a weakening of !cute.layout<"6:4">: the extent is `6`, declared `24`: the values differ}}
  %0 = cute.complement(%arg0, %arg1) : (!cute.layout<"4:1">, !cute.shape<"24">) -> !cute.layout<"24:1">
  return %0 : !cute.layout<"24:1">
}

// -----

func.func @kind(%arg0: !cute.shape<"4">, %arg1: !cute.shape<"24">) -> !cute.layout<"6:4"> {
  // expected-error @below {{'cute.complement' op operand #0 must be cute.layout, but got '!cute.shape<"4">'}}
  %0 = cute.complement(%arg0, %arg1) : (!cute.shape<"4">, !cute.shape<"24">) -> !cute.layout<"6:4">
  return %0 : !cute.layout<"6:4">
}

// -----

// The public compiler leaves the complement in the cosize as it comes.
func.func @uncoalesced(%arg0: !cute.layout<"4:2">) -> !cute.layout<"(2,1):(1,8)"> {
  // expected-error @below {{'cute.complement' op result #0: declared !cute.layout<"(2,1):(1,8)"> is not a weakening of !cute.layout<"2:1">: (2,1) and 2 are not congruent}}
  // expected-note @below {{the public CuTe compiler makes (2,1):(1,8), since it does not coalesce the complement in the cosize of 4:2; here, as in CuTe C++, a complement is coalesced}}
  %0 = cute.complement(%arg0) : (!cute.layout<"4:2">) -> !cute.layout<"(2,1):(1,8)">
  return %0 : !cute.layout<"(2,1):(1,8)">
}

// -----

// strict: the complement in the cosize fills all below the largest index.
func.func @gap(%arg0: !cute.layout<"(3,2):(1,4)">) -> !cute.layout<"1:0"> {
  // expected-error @below {{'cute.complement' op (3,2):(1,4) and its complement 1:0 do not cover 3 in [0, 7); set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.complement(%arg0) : (!cute.layout<"(3,2):(1,4)">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}

// -----

func.func @gap_of_bases(%arg0: !cute.layout<"(4,(3,2)):(2@0,(1@1,4@1))">) -> !cute.layout<"(2,1):(1@0,0)"> {
  // expected-error @below {{'cute.complement' op (4,3,2):(2@0,1@1,4@1) and its complement (2,1):(1@0,0) do not cover 3@1 in [0, 7); set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.complement(%arg0) : (!cute.layout<"(4,(3,2)):(2@0,(1@1,4@1))">) -> !cute.layout<"(2,1):(1@0,0)">
  return %0 : !cute.layout<"(2,1):(1@0,0)">
}

// -----

// The rest between run-time strides has no type; one mode is fine.
func.func @dynamic_strides(%arg0: !cute.layout<"(4,8):(?,?)">) {
  // expected-error @below {{'cute.complement' op stride ? of (4,8):(?,?) is dynamic, but static strides are required}}
  %0 = cute.complement(%arg0) : (!cute.layout<"(4,8):(?,?)">) -> !cute.layout<"1:0">
  return
}

// -----

func.func @ratio(%arg0: !cute.layout<"(4,8):(1/2@0,1@1)">) {
  // expected-error @below {{'cute.complement' op 1/2@0 found where a whole multiple of a basis element, as the other strides are, is required}}
  %0 = cute.complement(%arg0) : (!cute.layout<"(4,8):(1/2@0,1@1)">) -> !cute.layout<"1:0">
  return
}
