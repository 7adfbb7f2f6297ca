// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @underscore(%arg0: !cute.coord<"(4,_)">) -> !cute.stride<"(4,8)"> {
  // expected-error @below {{'cute.to_stride' op operand #0 has a `_`, but integers are required}}
  %0 = cute.to_stride(%arg0) : !cute.coord<"(4,_)"> -> !cute.stride<"(4,8)">
  return %0 : !cute.stride<"(4,8)">
}

// -----

func.func @basis(%arg0: !cute.stride<"(0,1@0)">) -> !cute.stride<"(0,1)"> {
  // expected-error @below {{'cute.to_stride' op a tuple of integers: 1@0 found where an integer is required}}
  %0 = cute.to_stride(%arg0) : !cute.stride<"(0,1@0)"> -> !cute.stride<"(0,1)">
  return %0 : !cute.stride<"(0,1)">
}
