// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @basis(%arg0: !cute.layout<"(4,8):(1@0,1@1)">) -> !cute.layout<"(4,8):(1,4)"> {
  // expected-error @below {{'cute.make_layout_like' op 1@0 found where an integer is required}}
  %0 = cute.make_layout_like(%arg0) : !cute.layout<"(4,8):(1@0,1@1)"> -> !cute.layout<"(4,8):(1,4)">
  return %0 : !cute.layout<"(4,8):(1,4)">
}

// -----

func.func @kind(%arg0: !cute.shape<"(4,8)">) -> !cute.layout<"(4,8):(1,4)"> {
  // expected-error @below {{'cute.make_layout_like' op operand #0 must be layout or composed layout, but got '!cute.shape<"(4,8)">'}}
  %0 = cute.make_layout_like(%arg0) : !cute.shape<"(4,8)"> -> !cute.layout<"(4,8):(1,4)">
  return %0 : !cute.layout<"(4,8):(1,4)">
}

// -----

func.func @layout_inside(%arg0: !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">) -> !cute.layout<"(2,3):(1,2)"> {
  // expected-error @below {{'cute.make_layout_like' op (4,5):(1,4) o 2 o (2,3):(1,2) is composed with a layout: only a swizzle keeps the order of strides}}
  %0 = cute.make_layout_like(%arg0) : !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)"> -> !cute.layout<"(2,3):(1,2)">
  return %0 : !cute.layout<"(2,3):(1,2)">
}

// -----

func.func @value(%arg0: !cute.layout<"(4,8):(16,2)">) -> !cute.layout<"(4,8):(1,4)"> {
  // expected-error @below {{'cute.make_layout_like' op result #0: declared !cute.layout<"(4,8):(1,4)"> is not a weakening of !cute.layout<"(4,8):(8,1)">: the stride of mode 0 is `8`, declared `1`: the values differ}}
  %0 = cute.make_layout_like(%arg0) : !cute.layout<"(4,8):(16,2)"> -> !cute.layout<"(4,8):(1,4)">
  return %0 : !cute.layout<"(4,8):(1,4)">
}
