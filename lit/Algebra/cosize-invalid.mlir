// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @range(%arg0: !cute.layout<"(4,3,2):(1,4,12)">) -> !cute.int_tuple<"4"> {
  // expected-error @below {{'cute.cosize' op mode 3 of the layout does not exist}}
  %0 = cute.cosize<[3]> (%arg0) : (!cute.layout<"(4,3,2):(1,4,12)">) -> !cute.int_tuple<"4">
  return %0 : !cute.int_tuple<"4">
}

// -----

func.func @composed(%arg0: !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">) -> !cute.int_tuple<"4"> {
  // expected-error @below {{'cute.cosize' op (4,5):(1,4) o 2 o (2,3):(1,2) is composed with a layout: its image is not that of the outer layout}}
  %0 = cute.cosize (%arg0) : (!cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">) -> !cute.int_tuple<"4">
  return %0 : !cute.int_tuple<"4">
}

// -----

func.func @kind(%arg0: !cute.shape<"(4,3)">) -> !cute.int_tuple<"12"> {
  // expected-error @below {{'cute.cosize' op operand #0 must be a layout, composed layout, memref or coord_tensor, found !cute.shape}}
  %0 = cute.cosize (%arg0) : (!cute.shape<"(4,3)">) -> !cute.int_tuple<"12">
  return %0 : !cute.int_tuple<"12">
}

// -----

func.func @value(%arg0: !cute.layout<"(4,8):(1,16)">) -> !cute.int_tuple<"32"> {
  // expected-error @below {{'cute.cosize' op result #0: declared !cute.int_tuple<"32"> is not a weakening of !cute.int_tuple<"116">: the value is `116`, declared `32`: the values differ}}
  %0 = cute.cosize (%arg0) : (!cute.layout<"(4,8):(1,16)">) -> !cute.int_tuple<"32">
  return %0 : !cute.int_tuple<"32">
}
