// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @over_rank(%arg0: !cute.layout<"24:1">, %arg1: !cute.shape<"(4,6)">) -> !cute.layout<"(4,6):(1,4)"> {
  // expected-error @below {{'cute.logical_divide' op the tiler: rank 2, expected at most 1}}
  %0 = cute.logical_divide(%arg0, %arg1) : (!cute.layout<"24:1">, !cute.shape<"(4,6)">) -> !cute.layout<"(4,6):(1,4)">
  return %0 : !cute.layout<"(4,6):(1,4)">
}

// -----

// strict: no partial tiles.
func.func @does_not_divide(%arg0: !cute.layout<"128:1">, %arg1: !cute.shape<"40">) -> !cute.layout<"(40,4):(1,40)"> {
  // expected-error @below {{'cute.logical_divide' op all modes: tiles of 40 in 128 elements cover 160; set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.logical_divide(%arg0, %arg1) : (!cute.layout<"128:1">, !cute.shape<"40">) -> !cute.layout<"(40,4):(1,40)">
  return %0 : !cute.layout<"(40,4):(1,40)">
}

// -----

func.func @layout_does_not_divide(%arg0: !cute.layout<"20:1">, %arg1: !cute.layout<"4:2">) -> !cute.layout<"(4,(2,3)):(2,(1,8))"> {
  // expected-error @below {{'cute.logical_divide' op all modes: tiles of 4:2 in 20 elements cover 24; set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.logical_divide(%arg0, %arg1) : (!cute.layout<"20:1">, !cute.layout<"4:2">) -> !cute.layout<"(4,(2,3)):(2,(1,8))">
  return %0 : !cute.layout<"(4,(2,3)):(2,(1,8))">
}

// -----

// strict: a tile that repeats elements does not rearrange. The divide has the size of the layout, and half of its elements.
func.func @repeats(%arg0: !cute.layout<"16:1">, %arg1: !cute.layout<"(2,2,2,2):(0,1,3,11)">) -> !cute.layout<"((2,2,2,2),1):((0,1,3,11),0)"> {
  // expected-error @below {{'cute.logical_divide' op all modes: (2,2,2,2):(0,1,3,11) has 2 elements with stride 0, so each element is in a tile 2 times; set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.logical_divide(%arg0, %arg1) : (!cute.layout<"16:1">, !cute.layout<"(2,2,2,2):(0,1,3,11)">) -> !cute.layout<"((2,2,2,2),1):((0,1,3,11),0)">
  return %0 : !cute.layout<"((2,2,2,2),1):((0,1,3,11),0)">
}

// -----

func.func @kind(%arg0: !cute.layout<"24:1">, %arg1: !cute.coord<"4">) -> !cute.layout<"(4,6):(1,4)"> {
  // expected-error @below {{'cute.logical_divide' op operand #1 must be layout, shape or tile, but got '!cute.coord<"4">'}}
  %0 = cute.logical_divide(%arg0, %arg1) : (!cute.layout<"24:1">, !cute.coord<"4">) -> !cute.layout<"(4,6):(1,4)">
  return %0 : !cute.layout<"(4,6):(1,4)">
}

// -----

func.func @value(%arg0: !cute.layout<"24:1">, %arg1: !cute.layout<"4:1">) -> !cute.layout<"(4,6):(1,6)"> {
  // expected-error @below {{'cute.logical_divide' op result #0: declared !cute.layout<"(4,6):(1,6)"> is not a weakening of !cute.layout<"(4,6):(1,4)">: the stride of mode 1 is `4`, declared `6`: the values differ}}
  %0 = cute.logical_divide(%arg0, %arg1) : (!cute.layout<"24:1">, !cute.layout<"4:1">) -> !cute.layout<"(4,6):(1,6)">
  return %0 : !cute.layout<"(4,6):(1,6)">
}

// -----

func.func @structure(%arg0: !cute.layout<"24:1">, %arg1: !cute.layout<"4:1">) -> !cute.layout<"24:1"> {
  // expected-error @below {{'cute.logical_divide' op result #0: declared !cute.layout<"24:1"> is not a weakening of !cute.layout<"(4,6):(1,4)">: 24 and (4,6) are not congruent}}
  %0 = cute.logical_divide(%arg0, %arg1) : (!cute.layout<"24:1">, !cute.layout<"4:1">) -> !cute.layout<"24:1">
  return %0 : !cute.layout<"24:1">
}

// -----

// The public compiler does not coalesce what it divides.
func.func @uncoalesced(%arg0: !cute.layout<"(6,4):(1,6)">, %arg1: !cute.layout<"8:1">) -> !cute.layout<"(8,2):(1,8)"> {
  // expected-error @below {{'cute.logical_divide' op result #0: declared !cute.layout<"(8,2):(1,8)"> is not a weakening of !cute.layout<"(8,3):(1,8)">: the extent of mode 1 is `3`, declared `2`: the values differ}}
  // expected-note @below {{the public CuTe compiler makes (8,2):(1,8), since it does not coalesce (6,4):(1,6) before it divides, 16 elements of 24; here, as in CuTe C++, a divide coalesces}}
  %0 = cute.logical_divide(%arg0, %arg1) : (!cute.layout<"(6,4):(1,6)">, !cute.layout<"8:1">) -> !cute.layout<"(8,2):(1,8)">
  return %0 : !cute.layout<"(8,2):(1,8)">
}

// -----

// Nor the modes that it divides by mode.
func.func @uncoalesced_mode(%arg0: !cute.layout<"((3,8),2):((1,3),24)">, %arg1: !cute.shape<"(2)">) -> !cute.layout<"((2,16),2):((1,2),24)"> {
  // expected-error @below {{'cute.logical_divide' op result #0: declared !cute.layout<"((2,16),2):((1,2),24)"> is not a weakening of}}
  // expected-note @below {{the public CuTe compiler makes ((2,16),2):((1,2),24), since it does not coalesce ((3,8),2):((1,3),24) before it divides, 64 elements of 48; here, as in CuTe C++, a divide coalesces}}
  %0 = cute.logical_divide(%arg0, %arg1) : (!cute.layout<"((3,8),2):((1,3),24)">, !cute.shape<"(2)">) -> !cute.layout<"((2,16),2):((1,2),24)">
  return %0 : !cute.layout<"((2,16),2):((1,2),24)">
}

// -----

// A layout divides the whole domain.
func.func @layout_as_tiler(%arg0: !cute.layout<"(128,128):(1,128)">, %arg1: !cute.layout<"(64,64):(1,64)">) -> !cute.layout<"((64,2),(64,2)):((1,64),(128,8192))"> {
  // expected-error @below {{'cute.logical_divide' op result #0: declared !cute.layout<"((64,2),(64,2)):((1,64),(128,8192))"> is not a weakening of !cute.layout<"((64,64),4):((1,64),4096)">: ((64,2),(64,2)) and ((64,64),4) are not congruent}}
  // expected-note @below {{the layout (64,64):(1,64) divides the whole domain; the shape (64,64) divides mode by mode}}
  %0 = cute.logical_divide(%arg0, %arg1) : (!cute.layout<"(128,128):(1,128)">, !cute.layout<"(64,64):(1,64)">) -> !cute.layout<"((64,2),(64,2)):((1,64),(128,8192))">
  return %0 : !cute.layout<"((64,2),(64,2)):((1,64),(128,8192))">
}

// -----

// A basis names a mode of the target.
func.func @no_such_mode(%arg0: !cute.layout<"(6,8):(8,1)">, %arg1: !cute.layout<"2:1@2">) -> !cute.layout<"((3,4),(2,2)):((8,1),(24,4))"> {
  // expected-error @below {{'cute.logical_divide' op the codomain of the right operand: rank 3, expected at most 2}}
  %0 = cute.logical_divide(%arg0, %arg1) : (!cute.layout<"(6,8):(8,1)">, !cute.layout<"2:1@2">) -> !cute.layout<"((3,4),(2,2)):((8,1),(24,4))">
  return %0 : !cute.layout<"((3,4),(2,2)):((8,1),(24,4))">
}
