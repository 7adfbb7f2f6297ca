// RUN: %opt %s | %opt | FileCheck %s

// Integers.
// CHECK: @t0(!cute.stride<"1">)
func.func private @t0(!cute.stride<"1">)
// CHECK: @t1(!cute.stride<"0">)
func.func private @t1(!cute.stride<"0">)
// CHECK: @t2(!cute.stride<"(-1,(4,?))">)
func.func private @t2(!cute.stride<"(-1,(4,?))">)
// CHECK: @t3(!cute.stride<"?{i64 div=8}">)
func.func private @t3(!cute.stride<"?{i64 div=8}">)

// On a basis: the last number is the outermost mode.
// CHECK: @t4(!cute.stride<"(1@0,1@1)">)
func.func private @t4(!cute.stride<"(1@0,1@1)">)
// CHECK: @t5(!cute.stride<"1@0@2">)
func.func private @t5(!cute.stride<"1@0@2">)
// CHECK: @t6(!cute.stride<"-1@1">)
func.func private @t6(!cute.stride<"-1@1">)
// CHECK: @t7(!cute.stride<"?@0">)
func.func private @t7(!cute.stride<"?@0">)
// CHECK: @t8(!cute.stride<"?{div=4}@1">)
func.func private @t8(!cute.stride<"?{div=4}@1">)
// CHECK: @t9(!cute.stride<"(0,1@0@1)">)
func.func private @t9(!cute.stride<"(0,1@0@1)">)

// Ratios reduce.
// CHECK: @t10(!cute.stride<"1/2@0">)
func.func private @t10(!cute.stride<"1/2@0">)
// CHECK: @t11(!cute.stride<"?/2@0">)
func.func private @t11(!cute.stride<"?/2@0">)
// CHECK: @t12(!cute.stride<"1/2@0">)
func.func private @t12(!cute.stride<"2/4@0">)
// CHECK: @t13(!cute.stride<"2@1">)
func.func private @t13(!cute.stride<"4/2@1">)

// On a named axis.
// CHECK: @t14(!cute.stride<"(4@laneid,?@warpid,1/2@m)">)
func.func private @t14(!cute.stride<"(4@laneid,?@warpid,2/4@m)">)
