// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @places(%arg0: !cute.shape<"(4,8)">) {
  // expected-error @below {{'cute.print' op the format has 2 `{}` for 1 values}}
  cute.print("{} {}", %arg0) : !cute.shape<"(4,8)">
  return
}

// -----

func.func @nothing() {
  // expected-error @below {{'cute.print' op has neither a format nor a value to print}}
  "cute.print"() : () -> ()
  return
}

// -----

func.func @kind(%arg0: f32) {
  // expected-error @below {{'cute.print' op operand #0 must be a value of the cute dialect other than an atom, i32, i64 or index, found f32}}
  cute.print(%arg0) : f32
  return
}

// -----

func.func @empty(%arg0: !cute.shape<"(4,8)">) {
  // expected-error @below {{'cute.print' op the format has 0 `{}` for 1 values}}
  "cute.print"(%arg0) {fmt = ""} : (!cute.shape<"(4,8)">) -> ()
  return
}
