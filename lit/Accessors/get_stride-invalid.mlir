// RUN: %opt %s -split-input-file -verify-diagnostics

// A swizzle has no stride.
func.func @composed_layout(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.stride<"(64,1)"> {
  // expected-error @below {{invalid kind of type specified: expected cute.layout, but found '!cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">'}}
  %0 = cute.get_stride(%arg0) : !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)"> -> !cute.stride<"(64,1)">
  return %0 : !cute.stride<"(64,1)">
}

// -----

func.func @value(%arg0: !cute.layout<"(4,8):(1,4)">) -> !cute.stride<"(1,8)"> {
  // expected-error @below {{'cute.get_stride' op result #0: declared !cute.stride<"(1,8)"> is not a weakening of !cute.stride<"(1,4)">: the stride of mode 1 is `4`, declared `8`: the values differ}}
  %0 = cute.get_stride(%arg0) : !cute.layout<"(4,8):(1,4)"> -> !cute.stride<"(1,8)">
  return %0 : !cute.stride<"(1,8)">
}
