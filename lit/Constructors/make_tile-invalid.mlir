// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @too_few(%arg0: i32) -> !cute.tile<"[(?,3):(1,?);_]"> {
  // expected-error @below {{'cute.make_tile' op expects 2 leaves, one for each `?` of "[(?,3):(1,?);_]" (static leaves and `_` take none), found 1 operands}}
  %0 = cute.make_tile(%arg0) : (i32) -> !cute.tile<"[(?,3):(1,?);_]">
  return %0 : !cute.tile<"[(?,3):(1,?);_]">
}

// -----

func.func @underscore(%arg0: i32) -> !cute.tile<"[_;8:1]"> {
  // expected-error @below {{'cute.make_tile' op expects 0 leaves, one for each `?` of "[_;8:1]" (static leaves and `_` take none), found 1 operands}}
  %0 = cute.make_tile(%arg0) : (i32) -> !cute.tile<"[_;8:1]">
  return %0 : !cute.tile<"[_;8:1]">
}

// -----

func.func @too_wide(%arg0: i64) -> !cute.tile<"[?:1]"> {
  // expected-error @below {{'cute.make_tile' op leaf #0 is 64 bits wide, but its slot `?` is 32 bits wide: write `?{i64}`, or truncate first}}
  %0 = cute.make_tile(%arg0) : (i64) -> !cute.tile<"[?:1]">
  return %0 : !cute.tile<"[?:1]">
}

// -----

func.func @kind(%arg0: f32) -> !cute.tile<"[?:1]"> {
  // expected-error @below {{'cute.make_tile' op operand #0 must be variadic of i32, i64, index or a value of rank at most 1, but got 'f32'}}
  %0 = cute.make_tile(%arg0) : (f32) -> !cute.tile<"[?:1]">
  return %0 : !cute.tile<"[?:1]">
}
