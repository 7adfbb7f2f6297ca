// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @wide(%arg0: i64, %arg1: !cute.fast_divmod_divisor<32>) -> (i32, i32) {
  // expected-error @below {{'cute.fast_divmod.compute' op operand #0 must be i32, but got 'i64'}}
  %0:2 = cute.fast_divmod.compute(%arg0, %arg1) : (i64, !cute.fast_divmod_divisor<32>) -> (i32, i32)
  return %0#0, %0#1 : i32, i32
}

// -----

func.func @divisor(%arg0: i32, %arg1: i32) -> (i32, i32) {
  // expected-error @below {{'cute.fast_divmod.compute' op operand #1 must be cute.fast_divmod_divisor, but got 'i32'}}
  %0:2 = cute.fast_divmod.compute(%arg0, %arg1) : (i32, i32) -> (i32, i32)
  return %0#0, %0#1 : i32, i32
}

// -----

func.func @results(%arg0: i32, %arg1: !cute.fast_divmod_divisor<32>) -> (i32, i64) {
  // expected-error @below {{'cute.fast_divmod.compute' op result #1 must be 32-bit signless integer, but got 'i64'}}
  %0:2 = "cute.fast_divmod.compute"(%arg0, %arg1) : (i32, !cute.fast_divmod_divisor<32>) -> (i32, i64)
  return %0#0, %0#1 : i32, i64
}
