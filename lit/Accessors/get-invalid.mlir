// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @range(%arg0: !cute.shape<"(4,(2,3))">) -> !cute.shape<"4"> {
  // expected-error @below {{'cute.get' op mode 2 of the operand does not exist}}
  %0 = cute.get<[2]> (%arg0) : !cute.shape<"(4,(2,3))"> -> !cute.shape<"4">
  return %0 : !cute.shape<"4">
}

// -----

func.func @range_inside(%arg0: !cute.shape<"(4,(2,3))">) -> !cute.shape<"2"> {
  // expected-error @below {{'cute.get' op mode (1,5) of the operand does not exist}}
  %0 = cute.get<[1, 5]> (%arg0) : !cute.shape<"(4,(2,3))"> -> !cute.shape<"2">
  return %0 : !cute.shape<"2">
}

// -----

// Nothing lies below a leaf.
func.func @below_leaf(%arg0: !cute.shape<"(4,(2,3))">) -> !cute.shape<"4"> {
  // expected-error @below {{'cute.get' op mode (0,0) of the operand does not exist}}
  %0 = cute.get<[0, 0]> (%arg0) : !cute.shape<"(4,(2,3))"> -> !cute.shape<"4">
  return %0 : !cute.shape<"4">
}

// -----

func.func @layout_range(%arg0: !cute.layout<"(4,(2,8)):(1,(4,8))">) -> !cute.layout<"8:8"> {
  // expected-error @below {{'cute.get' op mode 2 of the layout does not exist}}
  %0 = cute.get<[2]> (%arg0) : !cute.layout<"(4,(2,8)):(1,(4,8))"> -> !cute.layout<"8:8">
  return %0 : !cute.layout<"8:8">
}

// -----

func.func @negative(%arg0: !cute.shape<"(4,(2,3))">) -> !cute.shape<"4"> {
  // expected-error @below {{'cute.get' op attribute 'mode' must be a list of non-negative integers}}
  %0 = cute.get<[-1]> (%arg0) : !cute.shape<"(4,(2,3))"> -> !cute.shape<"4">
  return %0 : !cute.shape<"4">
}

// -----

func.func @kind(%arg0: !cute.swizzle<"S<3,4,3>">) -> !cute.int_tuple<"3"> {
  // expected-error @below {{'cute.get' op operand #0 must be a layout, composed layout, memref or coord_tensor, found !cute.swizzle}}
  %0 = cute.get<[0]> (%arg0) : !cute.swizzle<"S<3,4,3>"> -> !cute.int_tuple<"3">
  return %0 : !cute.int_tuple<"3">
}

// -----

func.func @value(%arg0: !cute.shape<"(4,(2,3))">) -> !cute.shape<"5"> {
  // expected-error @below {{'cute.get' op result #0: declared !cute.shape<"5"> is not a weakening of !cute.shape<"4">: the extent is `4`, declared `5`: the values differ}}
  %0 = cute.get<[0]> (%arg0) : !cute.shape<"(4,(2,3))"> -> !cute.shape<"5">
  return %0 : !cute.shape<"5">
}
