// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @not_injective(%arg0: !cute.layout<"(4,8):(1,2)">) -> !cute.layout<"(8,4):(4,1)"> {
  // expected-error @below {{'cute.left_inverse' op result #0: declared !cute.layout<"(8,4):(4,1)"> is not a weakening of !cute.layout<"(2,8):(1,4)">: the extent of mode 0 is `2`, declared `8`: the values differ}}
  %0 = cute.left_inverse(%arg0) : (!cute.layout<"(4,8):(1,2)">) -> !cute.layout<"(8,4):(4,1)">
  return %0 : !cute.layout<"(8,4):(4,1)">
}

// -----

func.func @value(%arg0: !cute.layout<"(4,8):(8,1)">) -> !cute.layout<"(4,8):(8,1)"> {
  // expected-error @below {{'cute.left_inverse' op result #0: declared !cute.layout<"(4,8):(8,1)"> is not a weakening of !cute.layout<"(8,4):(4,1)">: the extent of mode 0 is `8`, declared `4`: the values differ}}
  %0 = cute.left_inverse(%arg0) : (!cute.layout<"(4,8):(8,1)">) -> !cute.layout<"(4,8):(8,1)">
  return %0 : !cute.layout<"(4,8):(8,1)">
}

// -----

func.func @mixed(%arg0: !cute.layout<"(4,3):(1@0,1/2@1)">) -> !cute.layout<"4:1"> {
  // expected-error @below {{'cute.left_inverse' op 1/2@1 found where a whole multiple of a basis element, as the other strides are, is required}}
  %0 = cute.left_inverse(%arg0) : (!cute.layout<"(4,3):(1@0,1/2@1)">) -> !cute.layout<"4:1">
  return %0 : !cute.layout<"4:1">
}

// -----

// strict: no two indices have one coordinate.
func.func @not_injective(%arg0: !cute.layout<"(4,3):(1@0,0)">) -> !cute.layout<"(4):(1)"> {
  // expected-error @below {{'cute.left_inverse' op (4,3):(1@0,0) is not injective: after (4):(1) it is (4,3):(1,0), not 12:1; set cute.domain = "extend" to accept it}}
  %0 = cute.left_inverse(%arg0) : (!cute.layout<"(4,3):(1@0,0)">) -> !cute.layout<"(4):(1)">
  return %0 : !cute.layout<"(4):(1)">
}

// -----

func.func @dynamic_strides(%arg0: !cute.layout<"(4,8):(?,?)">) {
  // expected-error @below {{'cute.left_inverse' op stride ? of (4,8):(?,?) is dynamic, but static strides are required}}
  %0 = cute.left_inverse(%arg0) : (!cute.layout<"(4,8):(?,?)">) -> !cute.layout<"1:0">
  return
}
