// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @underscore(%arg0: !cute.coord<"(_,?)">) -> i32 {
  // expected-error @below {{'cute.get_scalars' op `_` is not an integer}}
  %0 = cute.get_scalars (%arg0) : !cute.coord<"(_,?)">
  return %0 : i32
}

// -----

func.func @kind(%arg0: i32) -> i32 {
  // expected-error @below {{'cute.get_scalars' op operand #0 must be a value of the cute dialect, found i32}}
  %0 = cute.get_scalars (%arg0) : i32
  return %0 : i32
}

// -----

func.func @count(%arg0: !cute.shape<"(?,8)">) {
  // expected-error @below {{'cute.get_scalars' op has 1 results, but computes 2 from its operands}}
  %0 = "cute.get_scalars"(%arg0) : (!cute.shape<"(?,8)">) -> i32
  return
}

// -----

func.func @width(%arg0: !cute.shape<"(?,8)">) {
  // expected-error @below {{'cute.get_scalars' op result #0: declared i64 is not a weakening of i32: the value is `?`, declared `?{i64}`: the widths differ}}
  %0:2 = "cute.get_scalars"(%arg0) : (!cute.shape<"(?,8)">) -> (i64, i32)
  return
}

// -----

// A static layout has no dynamic leaf.
func.func @none(%arg0: !cute.layout<"4:2">) {
  // expected-error @below {{'cute.get_scalars' op has 2 results, but computes 0 from its operands}}
  %0:2 = "cute.get_scalars"(%arg0) <{only_dynamic}> : (!cute.layout<"4:2">) -> (i32, i64)
  return
}

// -----

// The text of the op does not show this type, so that it could not be read again.
func.func @constant(%arg0: !cute.layout<"4:2">) {
  // expected-error @below {{'cute.get_scalars' op result #1: declared i64 is not a weakening of i32: the constant 2 has 32 bits}}
  %0:2 = "cute.get_scalars"(%arg0) : (!cute.layout<"4:2">) -> (i32, i64)
  return
}
