// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @operand(%arg0: !cute.coord<"(0,?)">) {
  // expected-error @below {{'cute.make_arith_tuple_iter' op operand #0 must be cute.int_tuple, but got '!cute.coord<"(0,?)">'}}
  %0 = cute.make_arith_tuple_iter(%arg0) : (!cute.coord<"(0,?)">) -> !cute.arith_tuple_iter<"(0,?)">
  return
}

// -----

func.func @result(%arg0: !cute.int_tuple<"(0,?)">) {
  // expected-error @below {{'cute.make_arith_tuple_iter' op result #0: declared !cute.arith_tuple_iter<"(0,4)"> is not a weakening of !cute.arith_tuple_iter<"(0,?)">: mode 1 is `?`, declared `4`: it is not known before run time}}
  %0 = cute.make_arith_tuple_iter(%arg0) : (!cute.int_tuple<"(0,?)">) -> !cute.arith_tuple_iter<"(0,4)">
  return
}
