// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @underscore(%arg0: !cute.coord<"(_,?)">) -> i32 {
  // expected-error @below {{'cute.get_scalars' op `_` is no integer}}
  %0 = cute.get_scalars (%arg0) : !cute.coord<"(_,?)">
  return %0 : i32
}

// -----

func.func @kind(%arg0: i32) -> i32 {
  // expected-error @below {{'cute.get_scalars' op operand #0 must be a value of the cute dialect, found i32}}
  %0 = cute.get_scalars (%arg0) : i32
  return %0 : i32
}
