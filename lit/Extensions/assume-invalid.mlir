// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @width(%arg0: i32) -> !cute.i64<divby 8> {
  // expected-error @below {{'cute.assume' op i32 cannot be assumed to be !cute.i64<divby 8>: the widths differ}}
  %0 = cute.assume(%arg0) : (i32) -> !cute.i64<divby 8>
  return %0 : !cute.i64<divby 8>
}

// -----

func.func @kind(%arg0: f32) -> !cute.i32<divby 8> {
  // expected-error @below {{'cute.assume' op operand #0 must be i32 or i64, but got 'f32'}}
  %0 = cute.assume(%arg0) : (f32) -> !cute.i32<divby 8>
  return %0 : !cute.i32<divby 8>
}

// -----

func.func @result(%arg0: i32) -> i32 {
  // expected-error @below {{'cute.assume' op result #0 must be !cute.i32 or !cute.i64, but got 'i32'}}
  %0 = cute.assume(%arg0) : (i32) -> i32
  return %0 : i32
}

// -----

// A leaf says no more than is known.
func.func @more(%arg0: !cute.i32<divby 4>) -> !cute.int_tuple<"?{div=8}"> {
  // expected-error @below {{'cute.make_int_tuple' op result #0: declared !cute.int_tuple<"?{div=8}"> is not a weakening of !cute.int_tuple<"?{div=4}">: the value is `?{div=4}`, declared `?{div=8}`: the divisor is more than what is known}}
  %0 = cute.make_int_tuple(%arg0) : (!cute.i32<divby 4>) -> !cute.int_tuple<"?{div=8}">
  return %0 : !cute.int_tuple<"?{div=8}">
}
