// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @rank(%arg0: !cute.layout<"(3,2):(1,3)">, %arg1: !cute.shape<"6">) -> !cute.layout<"6:1"> {
  // expected-error @below {{'cute.tile_to_shape' op the block: rank 2, expected at most 1}}
  %0 = cute.tile_to_shape(%arg0, %arg1) : (!cute.layout<"(3,2):(1,3)">, !cute.shape<"6">) -> !cute.layout<"6:1">
  return %0 : !cute.layout<"6:1">
}

// -----

// strict: the block divides the shape.
func.func @partial(%arg0: !cute.layout<"(3,3):(1,3)">, %arg1: !cute.shape<"(6,8)">) -> !cute.layout<"((3,2),(3,3)):((1,9),(3,18))"> {
  // expected-error @below {{'cute.tile_to_shape' op mode 1: a block of 3 does not divide 8; set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.tile_to_shape(%arg0, %arg1) : (!cute.layout<"(3,3):(1,3)">, !cute.shape<"(6,8)">) -> !cute.layout<"((3,2),(3,3)):((1,9),(3,18))">
  return %0 : !cute.layout<"((3,2),(3,3)):((1,9),(3,18))">
}

// -----

func.func @duplicate(%arg0: !cute.layout<"(2,2):(1,2)">, %arg1: !cute.shape<"(4,4)">, %arg2: !cute.int_tuple<"(0,0)">) -> !cute.layout<"((2,2),(2,2)):((1,4),(2,8))"> {
  // expected-error @below {{'cute.tile_to_shape' op the order (0,0) must have each of 0 to 1 once}}
  %0 = cute.tile_to_shape(%arg0, %arg1, %arg2) : (!cute.layout<"(2,2):(1,2)">, !cute.shape<"(4,4)">, !cute.int_tuple<"(0,0)">) -> !cute.layout<"((2,2),(2,2)):((1,4),(2,8))">
  return %0 : !cute.layout<"((2,2),(2,2)):((1,4),(2,8))">
}

// -----

func.func @order_rank(%arg0: !cute.layout<"(2,2):(1,2)">, %arg1: !cute.shape<"(4,4)">, %arg2: !cute.int_tuple<"(0,1,2)">) -> !cute.layout<"((2,2),(2,2)):((1,4),(2,8))"> {
  // expected-error @below {{'cute.tile_to_shape' op the order (0,1,2) must have each of 0 to 1 once}}
  %0 = cute.tile_to_shape(%arg0, %arg1, %arg2) : (!cute.layout<"(2,2):(1,2)">, !cute.shape<"(4,4)">, !cute.int_tuple<"(0,1,2)">) -> !cute.layout<"((2,2),(2,2)):((1,4),(2,8))">
  return %0 : !cute.layout<"((2,2),(2,2)):((1,4),(2,8))">
}

// -----

func.func @order_range(%arg0: !cute.layout<"(2,2):(1,2)">, %arg1: !cute.shape<"(4,4)">, %arg2: !cute.int_tuple<"(1,2)">) -> !cute.layout<"((2,2),(2,2)):((1,4),(2,8))"> {
  // expected-error @below {{'cute.tile_to_shape' op the order (1,2) must have each of 0 to 1 once}}
  %0 = cute.tile_to_shape(%arg0, %arg1, %arg2) : (!cute.layout<"(2,2):(1,2)">, !cute.shape<"(4,4)">, !cute.int_tuple<"(1,2)">) -> !cute.layout<"((2,2),(2,2)):((1,4),(2,8))">
  return %0 : !cute.layout<"((2,2),(2,2)):((1,4),(2,8))">
}

// -----

func.func @order_dynamic(%arg0: !cute.layout<"(2,2):(1,2)">, %arg1: !cute.shape<"(4,4)">, %arg2: !cute.int_tuple<"(0,?)">) -> !cute.layout<"((2,2),(2,2)):((1,4),(2,8))"> {
  // expected-error @below {{'cute.tile_to_shape' op the order (0,?) must have each of 0 to 1 once}}
  %0 = cute.tile_to_shape(%arg0, %arg1, %arg2) : (!cute.layout<"(2,2):(1,2)">, !cute.shape<"(4,4)">, !cute.int_tuple<"(0,?)">) -> !cute.layout<"((2,2),(2,2)):((1,4),(2,8))">
  return %0 : !cute.layout<"((2,2),(2,2)):((1,4),(2,8))">
}

// -----

func.func @value(%arg0: !cute.layout<"(3,2):(1,3)">, %arg1: !cute.shape<"(6,8)">) -> !cute.layout<"((3,2),(2,4)):((1,6),(3,6))"> {
  // expected-error @below {{'cute.tile_to_shape' op result #0: declared !cute.layout<"((3,2),(2,4)):((1,6),(3,6))"> is not a weakening of !cute.layout<"((3,2),(2,4)):((1,6),(3,12))">: the stride of mode (1,1) is `12`, declared `6`: the values differ}}
  %0 = cute.tile_to_shape(%arg0, %arg1) : (!cute.layout<"(3,2):(1,3)">, !cute.shape<"(6,8)">) -> !cute.layout<"((3,2),(2,4)):((1,6),(3,6))">
  return %0 : !cute.layout<"((3,2),(2,4)):((1,6),(3,6))">
}

// -----

// strict: 6 is in the copies at 0 and at 6.
func.func @overlap(%arg0: !cute.layout<"(2):(6)">, %arg1: !cute.shape<"(8,2)">) -> !cute.layout<"((2,4),(1,2)):((6,1),(0,4))"> {
  // expected-error @below {{'cute.tile_to_shape' op (2,1):(6,0) repeated to (8,2): all modes: (2,1):(6,0) repeated over (4,2):(1,4) overlaps itself in ((2,1),(4,2)):((6,0),(1,4)); set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.tile_to_shape(%arg0, %arg1) : (!cute.layout<"(2):(6)">, !cute.shape<"(8,2)">) -> !cute.layout<"((2,4),(1,2)):((6,1),(0,4))">
  return %0 : !cute.layout<"((2,4),(1,2)):((6,1),(0,4))">
}
