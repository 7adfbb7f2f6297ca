// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @range(%arg0: !cute.shape<"(4,3)">) -> !cute.int_tuple<"4"> {
  // expected-error @below {{'cute.size' op mode 3 of the operand does not exist}}
  %0 = cute.size<[3]> (%arg0) : (!cute.shape<"(4,3)">) -> !cute.int_tuple<"4">
  return %0 : !cute.int_tuple<"4">
}

// -----

func.func @below_leaf(%arg0: !cute.layout<"(4,2):(1,4)">) -> !cute.int_tuple<"4"> {
  // expected-error @below {{'cute.size' op mode (0,0) of the layout does not exist}}
  %0 = cute.size<[0, 0]> (%arg0) : (!cute.layout<"(4,2):(1,4)">) -> !cute.int_tuple<"4">
  return %0 : !cute.int_tuple<"4">
}

// -----

func.func @negative(%arg0: !cute.shape<"(4,3)">) -> !cute.int_tuple<"3"> {
  // expected-error @below {{'cute.size' op attribute 'mode' must be a list of non-negative integers}}
  %0 = cute.size<[-1]> (%arg0) : (!cute.shape<"(4,3)">) -> !cute.int_tuple<"3">
  return %0 : !cute.int_tuple<"3">
}

// -----

func.func @kind(%arg0: !cute.stride<"(1,4)">) -> !cute.int_tuple<"4"> {
  // expected-error @below {{'cute.size' op operand #0 must be a layout, composed layout, memref or coord_tensor, found !cute.stride}}
  %0 = cute.size (%arg0) : (!cute.stride<"(1,4)">) -> !cute.int_tuple<"4">
  return %0 : !cute.int_tuple<"4">
}

// -----

func.func @value(%arg0: !cute.shape<"(4,3)">) -> !cute.int_tuple<"7"> {
  // expected-error @below {{'cute.size' op result #0: declared !cute.int_tuple<"7"> is not a weakening of !cute.int_tuple<"12">: the value is `12`, declared `7`: the values differ}}
  %0 = cute.size (%arg0) : (!cute.shape<"(4,3)">) -> !cute.int_tuple<"7">
  return %0 : !cute.int_tuple<"7">
}

// -----

func.func @stronger(%arg0: !cute.shape<"(?,4)">) -> !cute.int_tuple<"?{div=8}"> {
  // expected-error @below {{'cute.size' op result #0: declared !cute.int_tuple<"?{div=8}"> is not a weakening of !cute.int_tuple<"?{div=4}">: the value is `?{div=4}`, declared `?{div=8}`: the divisor is more than what is known}}
  %0 = cute.size (%arg0) : (!cute.shape<"(?,4)">) -> !cute.int_tuple<"?{div=8}">
  return %0 : !cute.int_tuple<"?{div=8}">
}

// -----

// A product never wraps.
func.func @overflow(%arg0: !cute.shape<"(4294967296,4294967296)">) -> !cute.int_tuple<"0"> {
  // expected-error @below {{'cute.size' op 4294967296 * 4294967296 does not fit 64 bits}}
  %0 = cute.size (%arg0) : (!cute.shape<"(4294967296,4294967296)">) -> !cute.int_tuple<"0">
  return %0 : !cute.int_tuple<"0">
}
