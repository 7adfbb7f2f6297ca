// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @not_congruent(%arg0: !cute.int_tuple<"(3,4)">, %arg1: !cute.int_tuple<"(3,4,5)">) -> i1 {
  // expected-error @below {{'cute.elem_less' op operands (3,4) and (3,4,5) are not congruent}}
  %0 = cute.elem_less(%arg0, %arg1) : (!cute.int_tuple<"(3,4)">, !cute.int_tuple<"(3,4,5)">) -> i1
  return %0 : i1
}

// -----

func.func @underscore(%arg0: !cute.coord<"(3,_)">, %arg1: !cute.int_tuple<"(3,4)">) -> i1 {
  // expected-error @below {{'cute.elem_less' op operand #0 has a `_`, but integers are required}}
  %0 = cute.elem_less(%arg0, %arg1) : (!cute.coord<"(3,_)">, !cute.int_tuple<"(3,4)">) -> i1
  return %0 : i1
}

// -----

func.func @kind(%arg0: !cute.layout<"4:1">, %arg1: !cute.int_tuple<"4">) -> i1 {
  // expected-error @below {{'cute.elem_less' op operand #0 must be int_tuple, shape, stride or coord, but got '!cute.layout<"4:1">'}}
  %0 = cute.elem_less(%arg0, %arg1) : (!cute.layout<"4:1">, !cute.int_tuple<"4">) -> i1
  return %0 : i1
}
