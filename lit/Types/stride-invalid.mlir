// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Errors point at the column inside the string.

// CHECK: :[[#@LINE+1]]:41: error: invalid "(1,2@)": column 6: expected a mode, or the name of an axis, found `)`
func.func private @f(!cute.stride<"(1,2@)">)

// -----
// CHECK: :[[#@LINE+1]]:39: error: invalid "(1,_)": column 4: expected an integer, `?` or `(`, found `_`
func.func private @f(!cute.stride<"(1,_)">)

// -----
// CHECK: :[[#@LINE+1]]:36: error: invalid "1/0@0": column 1: stride: denominator 0 is not positive
func.func private @f(!cute.stride<"1/0@0">)

// -----
// CHECK: :[[#@LINE+1]]:36: error: invalid "1@99999@0": column 1: basis element: index 99999 is above 65535
func.func private @f(!cute.stride<"1@99999@0">)

// -----
// CHECK: :[[#@LINE+1]]:41: error: invalid "(1,2@-1)": column 6: basis element: index -1 is negative
func.func private @f(!cute.stride<"(1,2@-1)">)

// -----
// CHECK: :[[#@LINE+1]]:36: error: invalid "1/2": column 1: stride: 1/2 is not an integer, and a ratio needs a basis, such as 1/2@0
func.func private @f(!cute.stride<"1/2">)

// -----
// CHECK: :[[#@LINE+1]]:38: error: invalid "1@a_name_of_15___": column 3: axis: a name of more than 14 letters is not supported: `a_name_of_15___`
func.func private @f(!cute.stride<"1@a_name_of_15___">)

// -----
// CHECK: :[[#@LINE+1]]:44: error: invalid "1@laneid@0": column 9: expected the end, found `@0`
func.func private @f(!cute.stride<"1@laneid@0">)

// Strides that have no sum make no values.
// -----
// CHECK: :[[#@LINE+1]]:36: error: invalid "(1@1@0,1@0)": column 1: 1@0 and 1@1@0 cannot be added: a nonzero integer and a tuple have no sum
func.func private @f(!cute.stride<"(1@1@0,1@0)">)
