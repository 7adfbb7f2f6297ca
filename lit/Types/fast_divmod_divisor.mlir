// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// The divisor, its multiplier and two shifts.
// CHECK-LABEL: func.func @t0(%arg0: !cute.fast_divmod_divisor<32>) -> !cute.fast_divmod_divisor<32>
// BASE: func.func @t0(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: i32) -> (i32, i32, i32, i32)
func.func @t0(%arg0: !cute.fast_divmod_divisor<32>) -> !cute.fast_divmod_divisor<32> {
  return %arg0 : !cute.fast_divmod_divisor<32>
}
