// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @range(%arg0: !cute.layout<"(4,8):(1,4)">) -> !cute.layout<"(4):(1)"> {
  // expected-error @below {{'cute.select' op mode 5 of the tuple does not exist}}
  %0 = cute.select<[5]>(%arg0) : !cute.layout<"(4,8):(1,4)"> -> !cute.layout<"(4):(1)">
  return %0 : !cute.layout<"(4):(1)">
}

// -----

func.func @shape_range(%arg0: !cute.shape<"(4,8,2)">) -> !cute.shape<"(4)"> {
  // expected-error @below {{'cute.select' op mode 3 of the tuple does not exist}}
  %0 = cute.select<[3]>(%arg0) : !cute.shape<"(4,8,2)"> -> !cute.shape<"(4)">
  return %0 : !cute.shape<"(4)">
}

// -----

func.func @tile_range(%arg0: !cute.tile<"[4:1;_]">) -> !cute.tile<"[4:1]"> {
  // expected-error @below {{'cute.select' op mode 3 of the tile does not exist}}
  %0 = cute.select<[3]>(%arg0) : !cute.tile<"[4:1;_]"> -> !cute.tile<"[4:1]">
  return %0 : !cute.tile<"[4:1]">
}

// -----

func.func @negative(%arg0: !cute.int_tuple<"(1,2,3)">) -> !cute.int_tuple<"(1)"> {
  // expected-error @below {{'cute.select' op attribute 'mode' must be a list of non-negative integers}}
  %0 = cute.select<[-1]>(%arg0) : !cute.int_tuple<"(1,2,3)"> -> !cute.int_tuple<"(1)">
  return %0 : !cute.int_tuple<"(1)">
}

// -----

func.func @operand(%arg0: !cute.swizzle<"S<3,4,3>">) -> !cute.swizzle<"S<3,4,3>"> {
  // expected-error @below {{'cute.select' op operand #0 must be a layout, composed layout, memref or coord_tensor, found !cute.swizzle}}
  %0 = cute.select<[0]>(%arg0) : !cute.swizzle<"S<3,4,3>"> -> !cute.swizzle<"S<3,4,3>">
  return %0 : !cute.swizzle<"S<3,4,3>">
}

// -----

func.func @value(%arg0: !cute.shape<"(4,8)">) -> !cute.shape<"4"> {
  // expected-error @below {{'cute.select' op result #0: declared !cute.shape<"4"> is not a weakening of !cute.shape<"(4)">: 4 and (4) are not congruent}}
  %0 = cute.select<[0]>(%arg0) : !cute.shape<"(4,8)"> -> !cute.shape<"4">
  return %0 : !cute.shape<"4">
}
