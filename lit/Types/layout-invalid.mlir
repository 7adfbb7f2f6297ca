// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Errors point at the column inside the string.

// CHECK: :[[#@LINE+1]]:36: error: invalid "(4,8):(1)": column 1: shape and stride: (4,8) and (1) are not congruent
func.func private @f(!cute.layout<"(4,8):(1)">)

// -----
// CHECK: :[[#@LINE+1]]:36: error: invalid "(4,(2,3)):(1,(4,8,16))": column 1: mode 1 of shape and stride: (2,3) and (4,8,16) are not congruent
func.func private @f(!cute.layout<"(4,(2,3)):(1,(4,8,16))">)

// -----
// CHECK: :[[#@LINE+1]]:36: error: invalid "(4,0):(1,4)": column 1: mode 1 of the shape: extent 0 is not positive
func.func private @f(!cute.layout<"(4,0):(1,4)">)

// -----
// CHECK: :[[#@LINE+1]]:36: error: invalid "(4,-8):(1,4)": column 1: mode 1 of the shape: extent -8 is not positive
func.func private @f(!cute.layout<"(4,-8):(1,4)">)

// -----
// CHECK: :[[#@LINE+1]]:42: error: invalid "(4,8):": column 7: expected an integer, `?` or `(`, found the end
func.func private @f(!cute.layout<"(4,8):">)

// -----
// CHECK: :[[#@LINE+1]]:45: error: invalid "(4,8):(1,x)": column 10: expected an integer, `?` or `(`, found `x`
func.func private @f(!cute.layout<"(4,8):(1,x)">)

// -----
// CHECK: :[[#@LINE+1]]:36: error: invalid "S<3,4,3> o 0 o 8:1": column 1: expected an integer, `?` or `(`, found `S`
func.func private @f(!cute.layout<"S<3,4,3> o 0 o 8:1">)

// -----
// CHECK: :[[#@LINE+1]]:48: error: invalid "(4,8):(1,4) o": column 13: expected the end, found `o`
func.func private @f(!cute.layout<"(4,8):(1,4) o">)

// -----
// A rank is not a layout.
// CHECK: :[[#@LINE+1]]:35: error: a rank such as 3 is not a complete type: write its contents in quotes, such as "(4,8):(1,4)" for a layout or "(4,8)" for a tuple
func.func private @f(!cute.layout<3>)

// -----
// CHECK: :[[#@LINE+1]]:35: error: expected a quoted string
func.func private @f(!cute.layout<rank = 3>)

// Strides that have no sum make no values.
// -----
// CHECK: :[[#@LINE+1]]:42: error: invalid "(2,3):(1,1@0)": column 7: 1 and 1@0 cannot be added: a nonzero integer and a tuple have no sum
func.func private @f(!cute.layout<"(2,3):(1,1@0)">)
