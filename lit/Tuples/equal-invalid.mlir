// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @kinds(%arg0: !cute.int_tuple<"(3,4)">, %arg1: !cute.shape<"(3,4)">) -> i1 {
  // expected-error @below {{'cute.equal' op operands must be of one kind, found !cute.int_tuple and !cute.shape}}
  %0 = cute.equal(%arg0, %arg1) : (!cute.int_tuple<"(3,4)">, !cute.shape<"(3,4)">) -> i1
  return %0 : i1
}

// -----

func.func @operand(%arg0: !cute.tile<"[4:1]">, %arg1: !cute.tile<"[4:1]">) -> i1 {
  // expected-error @below {{'cute.equal' op operand #0 must be an int_tuple, shape, stride, coord or layout, found !cute.tile}}
  %0 = cute.equal(%arg0, %arg1) : (!cute.tile<"[4:1]">, !cute.tile<"[4:1]">) -> i1
  return %0 : i1
}

// -----

func.func @result(%arg0: !cute.shape<"4">, %arg1: !cute.shape<"4">) -> i32 {
  // expected-error @below {{'cute.equal' op result #0 must be 1-bit signless integer, but got 'i32'}}
  %0 = cute.equal(%arg0, %arg1) : (!cute.shape<"4">, !cute.shape<"4">) -> i32
  return %0 : i32
}
