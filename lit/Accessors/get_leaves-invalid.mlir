// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @layout(%arg0: !cute.layout<"(4,8):(1,4)">) {
  // expected-error @below {{'cute.get_leaves' op operand #0 must be an int_tuple, shape, stride, coord or tile, found !cute.layout}}
  cute.get_leaves(%arg0) : !cute.layout<"(4,8):(1,4)">
  return
}

// -----

func.func @count(%arg0: !cute.shape<"(4,8)">) {
  // expected-error @below {{'cute.get_leaves' op has 1 results, but computes 2 from its operands}}
  %0 = "cute.get_leaves"(%arg0) : (!cute.shape<"(4,8)">) -> !cute.shape<"4">
  return
}

// -----

func.func @none(%arg0: !cute.shape<"()">) {
  // expected-error @below {{'cute.get_leaves' op has 1 results, but computes 0 from its operands}}
  %0 = "cute.get_leaves"(%arg0) : (!cute.shape<"()">) -> i32
  return
}
