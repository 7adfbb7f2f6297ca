// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Errors point at the column inside the string.

// CHECK: :[[#@LINE+1]]:39: error: invalid "": column 1: expected an integer, `?` or `(`, found the end
func.func private @f(!cute.int_tuple<"">)

// -----
// CHECK: :[[#@LINE+1]]:39: error: invalid "x": column 1: expected an integer, `?` or `(`, found `x`
func.func private @f(!cute.int_tuple<"x">)

// -----
// CHECK: :[[#@LINE+1]]:43: error: invalid "(1,2": column 5: expected `,` or `)`, found the end
func.func private @f(!cute.int_tuple<"(1,2">)

// -----
// CHECK: :[[#@LINE+1]]:40: error: invalid "1,2": column 2: expected the end, found `,2`
func.func private @f(!cute.int_tuple<"1,2">)

// -----
// CHECK: :[[#@LINE+1]]:44: error: invalid "(1,2))": column 6: expected the end, found `)`
func.func private @f(!cute.int_tuple<"(1,2))">)

// -----
// CHECK: :[[#@LINE+1]]:40: error: invalid "1@0": column 2: expected the end, found `@0`
func.func private @f(!cute.int_tuple<"1@0">)

// -----
// CHECK: :[[#@LINE+1]]:39: error: invalid "_": column 1: expected an integer, `?` or `(`, found `_`
func.func private @f(!cute.int_tuple<"_">)

// -----
// CHECK: :[[#@LINE+1]]:45: error: invalid "?{div=0}": column 7: expected a positive divisor, found `0`
func.func private @f(!cute.int_tuple<"?{div=0}">)

// -----
// CHECK: :[[#@LINE+1]]:45: error: invalid "?{div=99999999999999999999}": column 7: expected an integer of 64 bits, found `99999999999999999999`
func.func private @f(!cute.int_tuple<"?{div=99999999999999999999}">)

// -----
// CHECK: :[[#@LINE+1]]:41: error: invalid "?{i16}": column 3: expected `i64`, `i32` or `div=`, found `i16`
func.func private @f(!cute.int_tuple<"?{i16}">)

// -----
// CHECK: :[[#@LINE+1]]:48: error: invalid "?{i64 div}": column 10: expected `=`, found `}`
func.func private @f(!cute.int_tuple<"?{i64 div}">)

// -----
// CHECK: :[[#@LINE+1]]:39: error: invalid "-": column 1: expected an integer, found `-`
func.func private @f(!cute.int_tuple<"-">)

// -----
// CHECK: :[[#@LINE+1]]:104: error: invalid "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((": column 66: more than 64 nested brackets
func.func private @f(!cute.int_tuple<"((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((">)

// -----
// CHECK: :[[#@LINE+1]]:38: error: a rank such as 3 is not a complete type
func.func private @f(!cute.int_tuple<3>)

// -----
// CHECK: :[[#@LINE+1]]:37: error: expected '<'
func.func private @f(!cute.int_tuple)
