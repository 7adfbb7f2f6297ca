// RUN: %opt %s -split-input-file -verify-diagnostics

// The rest of the rules, which all of these ops share, are in make_shape-invalid.mlir.

func.func @too_few(%arg0: i32) -> !cute.int_tuple<"(?,?)"> {
  // expected-error @below {{'cute.make_int_tuple' op expects 2 leaves, one for each `?` of "(?,?)" (static leaves and `_` take none), found 1 operands}}
  %0 = cute.make_int_tuple(%arg0) : (i32) -> !cute.int_tuple<"(?,?)">
  return %0 : !cute.int_tuple<"(?,?)">
}

// -----

// A static leaf takes no operand.
func.func @too_many(%arg0: i32, %arg1: i32) -> !cute.int_tuple<"(?,8)"> {
  // expected-error @below {{'cute.make_int_tuple' op expects 1 leaves, one for each `?` of "(?,8)" (static leaves and `_` take none), found 2 operands}}
  %0 = cute.make_int_tuple(%arg0, %arg1) : (i32, i32) -> !cute.int_tuple<"(?,8)">
  return %0 : !cute.int_tuple<"(?,8)">
}
