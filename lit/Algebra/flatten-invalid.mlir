// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @kind(%arg0: !cute.swizzle<"S<3,4,3>">) -> !cute.swizzle<"S<3,4,3>"> {
  // expected-error @below {{'cute.flatten' op operand #0 must be a layout, composed layout, memref or coord_tensor, found !cute.swizzle}}
  %0 = cute.flatten(%arg0) : (!cute.swizzle<"S<3,4,3>">) -> !cute.swizzle<"S<3,4,3>">
  return %0 : !cute.swizzle<"S<3,4,3>">
}

// -----

func.func @value(%arg0: !cute.layout<"(4,(2,8)):(1,(4,8))">) -> !cute.layout<"(4,(2,8)):(1,(4,8))"> {
  // expected-error @below {{'cute.flatten' op result #0: declared !cute.layout<"(4,(2,8)):(1,(4,8))"> is not a weakening of !cute.layout<"(4,2,8):(1,4,8)">: (4,(2,8)) and (4,2,8) are not congruent}}
  %0 = cute.flatten(%arg0) : (!cute.layout<"(4,(2,8)):(1,(4,8))">) -> !cute.layout<"(4,(2,8)):(1,(4,8))">
  return %0 : !cute.layout<"(4,(2,8)):(1,(4,8))">
}
