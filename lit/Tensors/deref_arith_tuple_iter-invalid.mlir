// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @operand(%arg0: !cute.int_tuple<"(0,?)">) {
  // expected-error @below {{'cute.deref_arith_tuple_iter' op operand #0 must be cute.arith_tuple_iter, but got '!cute.int_tuple<"(0,?)">'}}
  %0 = cute.deref_arith_tuple_iter(%arg0) : (!cute.int_tuple<"(0,?)">) -> !cute.int_tuple<"(0,?)">
  return
}

// -----

func.func @result(%arg0: !cute.arith_tuple_iter<"(0,?)">) {
  // expected-error @below {{'cute.deref_arith_tuple_iter' op result #0: declared !cute.int_tuple<"(0,?{div=8})"> is not a weakening of !cute.int_tuple<"(0,?)">: mode 1 is `?`, declared `?{div=8}`: the divisor is more than what is known}}
  %0 = cute.deref_arith_tuple_iter(%arg0) : (!cute.arith_tuple_iter<"(0,?)">) -> !cute.int_tuple<"(0,?{div=8})">
  return
}
