// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @rank(%arg0: !cute.layout<"(2,3):(1,2)">, %arg1: !cute.coord<"(1,1,1)">) -> !cute.layout<"(2,3):(1,2)"> {
  // expected-error @below {{'cute.dice' op the coordinate: rank 3, expected exactly 2}}
  %0 = cute.dice(%arg0, %arg1) : !cute.layout<"(2,3):(1,2)">, !cute.coord<"(1,1,1)">
  return %0 : !cute.layout<"(2,3):(1,2)">
}

// -----

func.func @dynamic(%arg0: !cute.layout<"(2,3):(1,2)">, %arg1: !cute.coord<"(?,1)">) -> !cute.layout<"(2,3):(1,2)"> {
  // expected-error @below {{'cute.dice' op the coordinate (?,1) has a dynamic leaf: it selects the modes to keep, so it must be static}}
  %0 = cute.dice(%arg0, %arg1) : !cute.layout<"(2,3):(1,2)">, !cute.coord<"(?,1)">
  return %0 : !cute.layout<"(2,3):(1,2)">
}

// -----

func.func @composed_rank(%arg0: !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">, %arg1: !cute.coord<"(1,1,1)">) -> !cute.layout<"(2,3):(1,2)"> {
  // expected-error @below {{'cute.dice' op the coordinate: rank 3, expected exactly 2}}
  %0 = cute.dice(%arg0, %arg1) : !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">, !cute.coord<"(1,1,1)">
  return %0 : !cute.layout<"(2,3):(1,2)">
}

// -----

func.func @kind(%arg0: !cute.swizzle<"S<3,4,3>">, %arg1: !cute.coord<"(1,1)">) -> !cute.swizzle<"S<3,4,3>"> {
  // expected-error @below {{'cute.dice' op operand #0 must be an int_tuple, shape, stride, coord, tile, layout or composed layout, found !cute.swizzle}}
  %0 = cute.dice(%arg0, %arg1) : !cute.swizzle<"S<3,4,3>">, !cute.coord<"(1,1)">
  return %0 : !cute.swizzle<"S<3,4,3>">
}

// -----

func.func @missing(%arg0: !cute.shape<"(2,3)">) -> !cute.shape<"(2)"> {
  // expected-error @below {{'cute.dice' op the coordinate is missing}}
  %0 = "cute.dice"(%arg0) : (!cute.shape<"(2,3)">) -> !cute.shape<"(2)">
  return %0 : !cute.shape<"(2)">
}

// -----

func.func @twice(%arg0: !cute.shape<"(2,3)">, %arg1: !cute.coord<"(1,_)">) -> !cute.shape<"(2)"> {
  // expected-error @below {{'cute.dice' op the coordinate is given twice}}
  %0 = "cute.dice"(%arg0, %arg1) <{coord = #cute.coord<"(1,_)">}> : (!cute.shape<"(2,3)">, !cute.coord<"(1,_)">) -> !cute.shape<"(2)">
  return %0 : !cute.shape<"(2)">
}

// -----

func.func @value(%arg0: !cute.shape<"(2,3)">, %arg1: !cute.coord<"(1,_)">) -> !cute.shape<"(3)"> {
  // expected-error @below {{'cute.dice' op result #0: declared !cute.shape<"(3)"> is not a weakening of !cute.shape<"(2)">: the extent of mode 0 is `2`, declared `3`: the values differ}}
  %0 = "cute.dice"(%arg0, %arg1) : (!cute.shape<"(2,3)">, !cute.coord<"(1,_)">) -> !cute.shape<"(3)">
  return %0 : !cute.shape<"(3)">
}
