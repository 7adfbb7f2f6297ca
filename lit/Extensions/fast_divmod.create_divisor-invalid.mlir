// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @wide(%arg0: i64) -> !cute.fast_divmod_divisor<32> {
  // expected-error @below {{'cute.fast_divmod.create_divisor' op operand #0 must be i32, but got 'i64'}}
  %0 = cute.fast_divmod.create_divisor(%arg0) : i64 -> !cute.fast_divmod_divisor<32>
  return %0 : !cute.fast_divmod_divisor<32>
}

// -----

func.func @result(%arg0: i32) -> i32 {
  // expected-error @below {{'cute.fast_divmod.create_divisor' op result #0 must be cute.fast_divmod_divisor, but got 'i32'}}
  %0 = "cute.fast_divmod.create_divisor"(%arg0) : (i32) -> i32
  return %0 : i32
}
