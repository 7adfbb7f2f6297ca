// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @memref(%arg0: !cute.memref<f32, gmem, "(8,64):(64,1)">) -> !cute.layout<"(8,4):(4,1)"> {
  // expected-error @below {{'cute.right_inverse' op operand #0 must be a layout or composed layout, found !cute.memref}}
  %0 = cute.right_inverse(%arg0) : (!cute.memref<f32, gmem, "(8,64):(64,1)">) -> !cute.layout<"(8,4):(4,1)">
  return %0 : !cute.layout<"(8,4):(4,1)">
}

// -----

// The bits of the swizzle are not together in the inverse.
func.func @scattered(%arg0: !cute.composed_layout<"S<1,0,1> o 0 o (3,4):(4,1)">) -> !cute.layout<"12:1"> {
  // expected-error @below {{'cute.right_inverse' op (4,3):(3,1) takes the bits of S<1,0,1> to 0x6 and 0x3, which are not the fields of a swizzle}}
  %0 = cute.right_inverse(%arg0) : (!cute.composed_layout<"S<1,0,1> o 0 o (3,4):(4,1)">) -> !cute.layout<"12:1">
  return %0 : !cute.layout<"12:1">
}

// -----

func.func @value(%arg0: !cute.layout<"(4,8):(8,1)">) -> !cute.layout<"(4,8):(8,1)"> {
  // expected-error @below {{'cute.right_inverse' op result #0: declared !cute.layout<"(4,8):(8,1)"> is not a weakening of !cute.layout<"(8,4):(4,1)">: the extent of mode 0 is `8`, declared `4`: the values differ}}
  %0 = cute.right_inverse(%arg0) : (!cute.layout<"(4,8):(8,1)">) -> !cute.layout<"(4,8):(8,1)">
  return %0 : !cute.layout<"(4,8):(8,1)">
}

// -----

func.func @mixed(%arg0: !cute.layout<"(4,3):(1@0,1/2@1)">) -> !cute.layout<"4:1"> {
  // expected-error @below {{'cute.right_inverse' op 1/2@1 found where a whole multiple of a basis element, as the other strides are, is required}}
  %0 = cute.right_inverse(%arg0) : (!cute.layout<"(4,3):(1@0,1/2@1)">) -> !cute.layout<"4:1">
  return %0 : !cute.layout<"4:1">
}
