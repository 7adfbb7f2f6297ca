// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @width(%arg0: !cute.ptr<f32, gmem>) -> i32 {
  // expected-error @below {{'cute.ptrtoint' op i32 cannot hold an address in gmem; use i64}}
  %0 = cute.ptrtoint(%arg0) : !cute.ptr<f32, gmem> to i32
  return %0 : i32
}

// -----

func.func @operand(%arg0: !cute.shape<"4">) -> i64 {
  // expected-error @below {{'cute.ptrtoint' op operand #0 must be cute.ptr, but got '!cute.shape<"4">'}}
  %0 = cute.ptrtoint(%arg0) : !cute.shape<"4"> to i64
  return %0 : i64
}
