// RUN: %opt %s -split-input-file -verify-diagnostics

// The two are of one kind.
func.func @kind(%arg0: !cute.int_tuple<"(3,4)">, %arg1: !cute.shape<"(1,2)">) -> !cute.int_tuple<"(4,6)"> {
  // expected-error @below {{'cute.tuple_sub' op operands must be of one kind, found !cute.int_tuple and !cute.shape}}
  %0 = cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"(3,4)">, !cute.shape<"(1,2)">) -> !cute.int_tuple<"(4,6)">
  return %0 : !cute.int_tuple<"(4,6)">
}

// -----

func.func @operand(%arg0: !cute.coord<"(3,4)">, %arg1: !cute.coord<"(1,2)">) -> !cute.int_tuple<"(4,6)"> {
  // expected-error @below {{'cute.tuple_sub' op operand #0 must be int_tuple or shape, but got '!cute.coord<"(3,4)">'}}
  %0 = cute.tuple_sub(%arg0, %arg1) : (!cute.coord<"(3,4)">, !cute.coord<"(1,2)">) -> !cute.int_tuple<"(4,6)">
  return %0 : !cute.int_tuple<"(4,6)">
}

// -----

func.func @zero_minus(%arg0: !cute.int_tuple<"0">, %arg1: !cute.int_tuple<"(1,2)">) -> !cute.int_tuple<"(1,2)"> {
  // expected-error @below {{'cute.tuple_sub' op 0 and (1,2) have no difference: between an integer and a tuple, only a 0 on the right can be subtracted}}
  %0 = cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"0">, !cute.int_tuple<"(1,2)">) -> !cute.int_tuple<"(1,2)">
  return %0 : !cute.int_tuple<"(1,2)">
}

// -----

func.func @scalar(%arg0: !cute.int_tuple<"(1,2)">, %arg1: !cute.int_tuple<"3">) -> !cute.int_tuple<"(1,2)"> {
  // expected-error @below {{'cute.tuple_sub' op (1,2) and 3 have no difference: between an integer and a tuple, only a 0 on the right can be subtracted}}
  %0 = cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"(1,2)">, !cute.int_tuple<"3">) -> !cute.int_tuple<"(1,2)">
  return %0 : !cute.int_tuple<"(1,2)">
}

// -----

func.func @nested(%arg0: !cute.int_tuple<"(1,3)">, %arg1: !cute.int_tuple<"(1,(2,3))">) -> !cute.int_tuple<"(0,(1,0))"> {
  // expected-error @below {{'cute.tuple_sub' op 3 and (2,3) have no difference: between an integer and a tuple, only a 0 on the right can be subtracted}}
  %0 = cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"(1,3)">, !cute.int_tuple<"(1,(2,3))">) -> !cute.int_tuple<"(0,(1,0))">
  return %0 : !cute.int_tuple<"(0,(1,0))">
}

// -----

func.func @value(%arg0: !cute.int_tuple<"(3,4)">, %arg1: !cute.int_tuple<"(1,2)">) -> !cute.int_tuple<"(2,3)"> {
  // expected-error @below {{'cute.tuple_sub' op result #0: declared !cute.int_tuple<"(2,3)"> is not a weakening of !cute.int_tuple<"(2,2)">: mode 1 is `2`, declared `3`: the values differ}}
  %0 = cute.tuple_sub(%arg0, %arg1) : (!cute.int_tuple<"(3,4)">, !cute.int_tuple<"(1,2)">) -> !cute.int_tuple<"(2,3)">
  return %0 : !cute.int_tuple<"(2,3)">
}
