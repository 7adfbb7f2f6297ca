// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @underscore(%arg0: !cute.coord<"(4,_)">) -> !cute.int_tuple<"(4,8)"> {
  // expected-error @below {{'cute.to_int_tuple' op operand #0 has a `_`, but integers are required}}
  %0 = cute.to_int_tuple(%arg0) : !cute.coord<"(4,_)"> -> !cute.int_tuple<"(4,8)">
  return %0 : !cute.int_tuple<"(4,8)">
}

// -----

func.func @basis(%arg0: !cute.stride<"(0,1@0)">) -> !cute.int_tuple<"(0,1)"> {
  // expected-error @below {{'cute.to_int_tuple' op a tuple of integers: 1@0 found where an integer is required}}
  %0 = cute.to_int_tuple(%arg0) : !cute.stride<"(0,1@0)"> -> !cute.int_tuple<"(0,1)">
  return %0 : !cute.int_tuple<"(0,1)">
}

// -----

func.func @kind(%arg0: !cute.layout<"4:1">) -> !cute.int_tuple<"4"> {
  // expected-error @below {{'cute.to_int_tuple' op operand #0 must be int_tuple, shape, stride or coord, but got '!cute.layout<"4:1">'}}
  %0 = cute.to_int_tuple(%arg0) : !cute.layout<"4:1"> -> !cute.int_tuple<"4">
  return %0 : !cute.int_tuple<"4">
}

// -----

func.func @value(%arg0: !cute.shape<"(4,8)">) -> !cute.int_tuple<"(4,9)"> {
  // expected-error @below {{'cute.to_int_tuple' op result #0: declared !cute.int_tuple<"(4,9)"> is not a weakening of !cute.int_tuple<"(4,8)">: mode 1 is `8`, declared `9`: the values differ}}
  %0 = cute.to_int_tuple(%arg0) : !cute.shape<"(4,8)"> -> !cute.int_tuple<"(4,9)">
  return %0 : !cute.int_tuple<"(4,9)">
}

// -----

func.func @stronger(%arg0: !cute.shape<"(4,?)">) -> !cute.int_tuple<"(4,?{div=2})"> {
  // expected-error @below {{'cute.to_int_tuple' op result #0: declared !cute.int_tuple<"(4,?{div=2})"> is not a weakening of !cute.int_tuple<"(4,?)">: mode 1 is `?`, declared `?{div=2}`: the divisor is more than what is known}}
  %0 = cute.to_int_tuple(%arg0) : !cute.shape<"(4,?)"> -> !cute.int_tuple<"(4,?{div=2})">
  return %0 : !cute.int_tuple<"(4,?{div=2})">
}
