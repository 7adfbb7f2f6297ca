// RUN: %opt %s | %opt | FileCheck %s

// An i32 with a known divisor; 1 is no fact, and not printed.
// CHECK: @t0(!cute.i32<divby 8>)
func.func private @t0(!cute.i32<divby 8>)
// CHECK: @t1(!cute.i32)
func.func private @t1(!cute.i32)
// CHECK: @t2(!cute.i32)
func.func private @t2(!cute.i32<divby 1>)
