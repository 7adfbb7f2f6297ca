// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @new_zero(%arg0: !cute.layout<"(8,4):(1,8)">) -> !cute.layout<"(8,4):(1,8)"> {
  // expected-error @below {{'cute.recast_layout' op attribute 'new_type_bits' must be a positive number of bits}}
  %0 = cute.recast_layout<0, 8>(%arg0) : !cute.layout<"(8,4):(1,8)"> -> !cute.layout<"(8,4):(1,8)">
  return %0 : !cute.layout<"(8,4):(1,8)">
}

// -----

func.func @old_zero(%arg0: !cute.layout<"(8,4):(1,8)">) -> !cute.layout<"(8,4):(1,8)"> {
  // expected-error @below {{'cute.recast_layout' op attribute 'old_type_bits' must be a positive number of bits}}
  %0 = cute.recast_layout<8, 0>(%arg0) : !cute.layout<"(8,4):(1,8)"> -> !cute.layout<"(8,4):(1,8)">
  return %0 : !cute.layout<"(8,4):(1,8)">
}

// -----

func.func @negative(%arg0: !cute.layout<"(8,4):(1,8)">) -> !cute.layout<"(8,4):(1,8)"> {
  // expected-error @below {{'cute.recast_layout' op attribute 'new_type_bits' must be a positive number of bits}}
  %0 = cute.recast_layout<-32, 8>(%arg0) : !cute.layout<"(8,4):(1,8)"> -> !cute.layout<"(8,4):(1,8)">
  return %0 : !cute.layout<"(8,4):(1,8)">
}

// -----

func.func @basis(%arg0: !cute.layout<"(2,3):(1@0,1@1)">) -> !cute.layout<"(2,3):(1@0,1@1)"> {
  // expected-error @below {{'cute.recast_layout' op upcast: 1@0 found where an integer is required}}
  %0 = cute.recast_layout<32, 8>(%arg0) : !cute.layout<"(2,3):(1@0,1@1)"> -> !cute.layout<"(2,3):(1@0,1@1)">
  return %0 : !cute.layout<"(2,3):(1@0,1@1)">
}

// -----

func.func @offset(%arg0: !cute.composed_layout<"(4,5):(1,4) o 3 o (8,4):(1,8)">) -> !cute.composed_layout<"(2,5):(1,2) o 1 o (4,4):(1,4)"> {
  // expected-error @below {{'cute.recast_layout' op the offset: 3 is not a multiple of the factor 2}}
  %0 = cute.recast_layout<32, 16>(%arg0) : !cute.composed_layout<"(4,5):(1,4) o 3 o (8,4):(1,8)"> -> !cute.composed_layout<"(2,5):(1,2) o 1 o (4,4):(1,4)">
  return %0 : !cute.composed_layout<"(2,5):(1,2) o 1 o (4,4):(1,4)">
}

// -----

func.func @stride(%arg0: !cute.layout<"(8,4):(1,3)">) -> !cute.layout<"(8,4):(1,3)"> {
  // expected-error @below {{'cute.recast_layout' op mode 1 of the stride: 3 does not divide, and is not divided by, the factor 2}}
  %0 = cute.recast_layout<32, 16>(%arg0) : !cute.layout<"(8,4):(1,3)"> -> !cute.layout<"(8,4):(1,3)">
  return %0 : !cute.layout<"(8,4):(1,3)">
}

// -----

func.func @no_unit(%arg0: !cute.layout<"8:2">) -> !cute.layout<"8:4"> {
  // expected-error @below {{'cute.recast_layout' op downcast: no mode of 8:2 has the static stride 1}}
  %0 = cute.recast_layout<8, 16>(%arg0) : !cute.layout<"8:2"> -> !cute.layout<"8:4">
  return %0 : !cute.layout<"8:4">
}

// -----

func.func @swizzle(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o 24:1">) -> !cute.composed_layout<"S<3,4,3> o 0 o 8:1"> {
  // expected-error @below {{'cute.recast_layout' op recast of a swizzle: factor 3 is not a power of two}}
  %0 = cute.recast_layout<24, 8>(%arg0) : !cute.composed_layout<"S<3,4,3> o 0 o 24:1"> -> !cute.composed_layout<"S<3,4,3> o 0 o 8:1">
  return %0 : !cute.composed_layout<"S<3,4,3> o 0 o 8:1">
}

// -----

func.func @kind(%arg0: !cute.shape<"8">) -> !cute.layout<"2:1"> {
  // expected-error @below {{'cute.recast_layout' op operand #0 must be layout or composed layout, but got '!cute.shape<"8">'}}
  %0 = cute.recast_layout<32, 8>(%arg0) : !cute.shape<"8"> -> !cute.layout<"2:1">
  return %0 : !cute.layout<"2:1">
}

// -----

func.func @value(%arg0: !cute.layout<"8:1">) -> !cute.layout<"4:1"> {
  // expected-error @below {{'cute.recast_layout' op result #0: declared !cute.layout<"4:1"> is not a weakening of !cute.layout<"2:1">: the extent is `2`, declared `4`: the values differ}}
  %0 = cute.recast_layout<32, 8>(%arg0) : !cute.layout<"8:1"> -> !cute.layout<"4:1">
  return %0 : !cute.layout<"4:1">
}
