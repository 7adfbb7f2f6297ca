// RUN: %opt %s -split-input-file -verify-diagnostics

// strict: a coordinate of the tile.
func.func @range(%arg0: !cute.layout<"(8,8):(1,8)">, %arg1: !cute.shape<"(2,4)">, %arg2: !cute.coord<"(1,4)">) -> !cute.layout<"(4,2):(2,32)"> {
  // expected-error @below {{'cute.outer_partition' op coordinate: mode 1: index 4 is outside [0, 4); set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.outer_partition(%arg0, %arg1, %arg2) : (!cute.layout<"(8,8):(1,8)">, !cute.shape<"(2,4)">, !cute.coord<"(1,4)">) -> !cute.layout<"(4,2):(2,32)">
  return %0 : !cute.layout<"(4,2):(2,32)">
}

// -----

func.func @rank(%arg0: !cute.layout<"(8,8):(1,8)">, %arg1: !cute.shape<"(2,4)">, %arg2: !cute.coord<"(1,3,0)">) -> !cute.layout<"(4,2):(2,32)"> {
  // expected-error @below {{'cute.outer_partition' op the tile coordinate: rank 3, expected at most 2}}
  %0 = cute.outer_partition(%arg0, %arg1, %arg2) : (!cute.layout<"(8,8):(1,8)">, !cute.shape<"(2,4)">, !cute.coord<"(1,3,0)">) -> !cute.layout<"(4,2):(2,32)">
  return %0 : !cute.layout<"(4,2):(2,32)">
}

// -----

func.func @value(%arg0: !cute.layout<"(8,8):(1,8)">, %arg1: !cute.shape<"(2,4)">, %arg2: !cute.coord<"(1,3)">) -> !cute.layout<"(4,2):(1,32)"> {
  // expected-error @below {{'cute.outer_partition' op result #0: declared !cute.layout<"(4,2):(1,32)"> is not a weakening of !cute.layout<"(4,2):(2,32)">: the stride of mode 0 is `2`, declared `1`: the values differ}}
  %0 = cute.outer_partition(%arg0, %arg1, %arg2) : (!cute.layout<"(8,8):(1,8)">, !cute.shape<"(2,4)">, !cute.coord<"(1,3)">) -> !cute.layout<"(4,2):(1,32)">
  return %0 : !cute.layout<"(4,2):(1,32)">
}

// -----

func.func @kind(%arg0: !cute.layout<"(8,8):(1,8)">, %arg1: !cute.shape<"(2,4)">, %arg2: i32) -> !cute.layout<"(4,2):(1,32)"> {
  // expected-error @below {{'cute.outer_partition' op operand #2 must be cute.coord, but got 'i32'}}
  %0 = cute.outer_partition(%arg0, %arg1, %arg2) : (!cute.layout<"(8,8):(1,8)">, !cute.shape<"(2,4)">, i32) -> !cute.layout<"(4,2):(1,32)">
  return %0 : !cute.layout<"(4,2):(1,32)">
}
