// RUN: %opt %s -split-input-file -verify-diagnostics

// The rest of the rules, which all of these ops share, are in make_shape-invalid.mlir.

func.func @too_few(%arg0: i32) -> !cute.coord<"(?,?)"> {
  // expected-error @below {{'cute.make_coord' op expects 2 leaves, one for each `?` of "(?,?)" (static leaves and `_` take none), found 1 operands}}
  %0 = cute.make_coord(%arg0) : (i32) -> !cute.coord<"(?,?)">
  return %0 : !cute.coord<"(?,?)">
}

// -----

// A static leaf takes no operand.
func.func @too_many(%arg0: i32, %arg1: i32) -> !cute.coord<"(?,8)"> {
  // expected-error @below {{'cute.make_coord' op expects 1 leaves, one for each `?` of "(?,8)" (static leaves and `_` take none), found 2 operands}}
  %0 = cute.make_coord(%arg0, %arg1) : (i32, i32) -> !cute.coord<"(?,8)">
  return %0 : !cute.coord<"(?,8)">
}
