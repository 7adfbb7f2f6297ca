// RUN: %opt %s -split-input-file -verify-diagnostics

// The two are of one kind.
func.func @kind(%arg0: !cute.int_tuple<"(3,4)">, %arg1: !cute.shape<"(1,2)">) -> !cute.int_tuple<"(4,6)"> {
  // expected-error @below {{'cute.tuple_mod' op operands must be of one kind, found !cute.int_tuple and !cute.shape}}
  %0 = cute.tuple_mod(%arg0, %arg1) : (!cute.int_tuple<"(3,4)">, !cute.shape<"(1,2)">) -> !cute.int_tuple<"(4,6)">
  return %0 : !cute.int_tuple<"(4,6)">
}

// -----

func.func @operand(%arg0: !cute.coord<"(3,4)">, %arg1: !cute.coord<"(1,2)">) -> !cute.int_tuple<"(4,6)"> {
  // expected-error @below {{'cute.tuple_mod' op operand #0 must be int_tuple or shape, but got '!cute.coord<"(3,4)">'}}
  %0 = cute.tuple_mod(%arg0, %arg1) : (!cute.coord<"(3,4)">, !cute.coord<"(1,2)">) -> !cute.int_tuple<"(4,6)">
  return %0 : !cute.int_tuple<"(4,6)">
}

// -----

func.func @structure(%arg0: !cute.int_tuple<"(1,3)">, %arg1: !cute.int_tuple<"(1,(2,3))">) -> !cute.int_tuple<"(1,3)"> {
  // expected-error @below {{'cute.tuple_mod' op the operands: (1,3) and (1,(2,3)) are not congruent}}
  %0 = cute.tuple_mod(%arg0, %arg1) : (!cute.int_tuple<"(1,3)">, !cute.int_tuple<"(1,(2,3))">) -> !cute.int_tuple<"(1,3)">
  return %0 : !cute.int_tuple<"(1,3)">
}

// -----

func.func @zero(%arg0: !cute.int_tuple<"(1,3)">, %arg1: !cute.int_tuple<"(1,0)">) -> !cute.int_tuple<"(1,3)"> {
  // expected-error @below {{'cute.tuple_mod' op 3 is divided by zero}}
  %0 = cute.tuple_mod(%arg0, %arg1) : (!cute.int_tuple<"(1,3)">, !cute.int_tuple<"(1,0)">) -> !cute.int_tuple<"(1,3)">
  return %0 : !cute.int_tuple<"(1,3)">
}

// -----

func.func @value(%arg0: !cute.int_tuple<"(3,4)">, %arg1: !cute.int_tuple<"(1,2)">) -> !cute.int_tuple<"(7,7)"> {
  // expected-error @below {{'cute.tuple_mod' op result #0: declared !cute.int_tuple<"(7,7)"> is not a weakening of !cute.int_tuple<"(0,0)">: mode 0 is `0`, declared `7`: the values differ}}
  %0 = cute.tuple_mod(%arg0, %arg1) : (!cute.int_tuple<"(3,4)">, !cute.int_tuple<"(1,2)">) -> !cute.int_tuple<"(7,7)">
  return %0 : !cute.int_tuple<"(7,7)">
}
