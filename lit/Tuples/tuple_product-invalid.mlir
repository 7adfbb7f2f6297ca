// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @operand(%arg0: !cute.coord<"(2,3)">) -> !cute.int_tuple<"6"> {
  // expected-error @below {{'cute.tuple_product' op operand #0 must be int_tuple or shape, but got '!cute.coord<"(2,3)">'}}
  %0 = cute.tuple_product(%arg0) : (!cute.coord<"(2,3)">) -> !cute.int_tuple<"6">
  return %0 : !cute.int_tuple<"6">
}

// -----

func.func @kind(%arg0: !cute.shape<"(2,(3,4))">) -> !cute.int_tuple<"24"> {
  // expected-error @below {{'cute.tuple_product' op result #0: declared !cute.int_tuple<"24"> is not a weakening of !cute.shape<"24">: !cute.int_tuple is not !cute.shape}}
  %0 = cute.tuple_product(%arg0) : (!cute.shape<"(2,(3,4))">) -> !cute.int_tuple<"24">
  return %0 : !cute.int_tuple<"24">
}

// -----

func.func @value(%arg0: !cute.int_tuple<"(2,(3,4))">) -> !cute.int_tuple<"5"> {
  // expected-error @below {{'cute.tuple_product' op result #0: declared !cute.int_tuple<"5"> is not a weakening of !cute.int_tuple<"24">: the value is `24`, declared `5`: the values differ}}
  %0 = cute.tuple_product(%arg0) : (!cute.int_tuple<"(2,(3,4))">) -> !cute.int_tuple<"5">
  return %0 : !cute.int_tuple<"5">
}
