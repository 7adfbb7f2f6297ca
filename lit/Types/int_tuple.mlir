// RUN: %opt %s | %opt | FileCheck %s

// An integer, or a tuple of what is written alike; (8) is a tuple.
// CHECK: @t0(!cute.int_tuple<"8">)
func.func private @t0(!cute.int_tuple<"8">)
// CHECK: @t1(!cute.int_tuple<"0">)
func.func private @t1(!cute.int_tuple<"0">)
// CHECK: @t2(!cute.int_tuple<"-1">)
func.func private @t2(!cute.int_tuple<"-1">)
// CHECK: @t3(!cute.int_tuple<"(8)">)
func.func private @t3(!cute.int_tuple<"(8)">)
// CHECK: @t4(!cute.int_tuple<"()">)
func.func private @t4(!cute.int_tuple<"()">)
// CHECK: @t5(!cute.int_tuple<"(4,(2,-2))">)
func.func private @t5(!cute.int_tuple<"(4,(2,-2))">)
// CHECK: @t6(!cute.int_tuple<"((1),((2,3),4))">)
func.func private @t6(!cute.int_tuple<"((1),((2,3),4))">)

// A dynamic leaf has 32 bits and divisor 1 unless it says more.
// CHECK: @t7(!cute.int_tuple<"?">)
func.func private @t7(!cute.int_tuple<"?">)
// CHECK: @t8(!cute.int_tuple<"?{div=8}">)
func.func private @t8(!cute.int_tuple<"?{div=8}">)
// CHECK: @t9(!cute.int_tuple<"?{i64}">)
func.func private @t9(!cute.int_tuple<"?{i64}">)
// CHECK: @t10(!cute.int_tuple<"?{i64 div=16384}">)
func.func private @t10(!cute.int_tuple<"?{i64 div=16384}">)
// CHECK: @t11(!cute.int_tuple<"(?,(?{i64},4))">)
func.func private @t11(!cute.int_tuple<"(?,(?{i64},4))">)

// Defaults are not printed.
// CHECK: @t12(!cute.int_tuple<"?">)
func.func private @t12(!cute.int_tuple<"?{i32}">)
// CHECK: @t13(!cute.int_tuple<"?">)
func.func private @t13(!cute.int_tuple<"?{div=1}">)
// CHECK: @t14(!cute.int_tuple<"?{div=4}">)
func.func private @t14(!cute.int_tuple<"?{i32 div=4}">)
// CHECK: @t15(!cute.int_tuple<"(1,(2,?))">)
func.func private @t15(!cute.int_tuple<" ( 1 , ( 2 , ? ) ) ">)
