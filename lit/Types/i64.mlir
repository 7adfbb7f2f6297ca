// RUN: %opt %s | %opt | FileCheck %s

// An i64 with a known divisor; 1 is no fact, and not printed.
// CHECK: @t0(!cute.i64<divby 8>)
func.func private @t0(!cute.i64<divby 8>)
// CHECK: @t1(!cute.i64)
func.func private @t1(!cute.i64)
// CHECK: @t2(!cute.i64)
func.func private @t2(!cute.i64<divby 1>)
