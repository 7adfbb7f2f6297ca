// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @width(%arg0: i32) -> !cute.ptr<f32, gmem> {
  // expected-error @below {{'cute.inttoptr' op i32 cannot hold an address in gmem; use i64}}
  %0 = cute.inttoptr(%arg0) : i32 to !cute.ptr<f32, gmem>
  return %0 : !cute.ptr<f32, gmem>
}

// -----

func.func @operand(%arg0: i16) -> !cute.ptr<f32, smem> {
  // expected-error @below {{'cute.inttoptr' op operand #0 must be i32 or i64, but got 'i16'}}
  %0 = cute.inttoptr(%arg0) : i16 to !cute.ptr<f32, smem>
  return %0 : !cute.ptr<f32, smem>
}
