// RUN: %opt %s | %opt | FileCheck %s

// CHECK: @t0(!cute.arith_tuple_iter<"(0,?)">)
func.func private @t0(!cute.arith_tuple_iter<"(0,?)">)
// CHECK: @t1(!cute.arith_tuple_iter<"(0,?{div=128},?{i64})">)
func.func private @t1(!cute.arith_tuple_iter<"(0,?{div=128},?{i64})">)
