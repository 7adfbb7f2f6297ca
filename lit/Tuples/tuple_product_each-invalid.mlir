// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @operand(%arg0: !cute.coord<"(2,3)">) -> !cute.int_tuple<"(2,3)"> {
  // expected-error @below {{'cute.tuple_product_each' op operand #0 must be int_tuple or shape, but got '!cute.coord<"(2,3)">'}}
  %0 = cute.tuple_product_each(%arg0) : (!cute.coord<"(2,3)">) -> !cute.int_tuple<"(2,3)">
  return %0 : !cute.int_tuple<"(2,3)">
}

// -----

func.func @rank(%arg0: !cute.int_tuple<"4">) -> !cute.int_tuple<"4"> {
  // expected-error @below {{'cute.tuple_product_each' op result #0: declared !cute.int_tuple<"4"> is not a weakening of !cute.int_tuple<"(4)">: 4 and (4) are not congruent}}
  %0 = cute.tuple_product_each(%arg0) : (!cute.int_tuple<"4">) -> !cute.int_tuple<"4">
  return %0 : !cute.int_tuple<"4">
}

// -----

func.func @value(%arg0: !cute.int_tuple<"(2,(3,4))">) -> !cute.int_tuple<"(2,7)"> {
  // expected-error @below {{'cute.tuple_product_each' op result #0: declared !cute.int_tuple<"(2,7)"> is not a weakening of !cute.int_tuple<"(2,12)">: mode 1 is `12`, declared `7`: the values differ}}
  %0 = cute.tuple_product_each(%arg0) : (!cute.int_tuple<"(2,(3,4))">) -> !cute.int_tuple<"(2,7)">
  return %0 : !cute.int_tuple<"(2,7)">
}
