// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Errors point at the column inside the string.

// CHECK: :[[#@LINE+1]]:61: error: invalid "S<3,4,3> o (8,8):(8,1)": column 17: expected `o` and the outer layout, found `:`
func.func private @f(!cute.composed_layout<"S<3,4,3> o (8,8):(8,1)">)

// -----
// CHECK: :[[#@LINE+1]]:45: error: invalid "S<3,4,2> o 0 o 8:1": column 1: S<3,4,2> is not a valid swizzle: bits >= 0, base >= 0, |shift| >= bits and base + |shift| + bits <= 32 are required
func.func private @f(!cute.composed_layout<"S<3,4,2> o 0 o 8:1">)

// -----
// CHECK: :[[#@LINE+1]]:60: error: invalid "S<3,4,3> o 0 o (8,8):(8)": column 16: shape and stride: (8,8) and (8) are not congruent
func.func private @f(!cute.composed_layout<"S<3,4,3> o 0 o (8,8):(8)">)

// -----
// CHECK: :[[#@LINE+1]]:57: error: invalid "S<3,4,3> o 0": column 13: expected `o` and the outer layout, found the end
func.func private @f(!cute.composed_layout<"S<3,4,3> o 0">)

// -----
// CHECK: :[[#@LINE+1]]:53: error: invalid "S<3,4,3>": column 9: expected `o` and the offset, found the end
func.func private @f(!cute.composed_layout<"S<3,4,3>">)

// -----
// CHECK: :[[#@LINE+1]]:45: error: invalid "S<3,4,3> o (0,0) o (8,8):(1@0,1@1)": column 1: composed layout: S<3,4,3> takes one integer: offset (0,0) and the strides of (8,8):(1@0,1@1) must be integers
func.func private @f(!cute.composed_layout<"S<3,4,3> o (0,0) o (8,8):(1@0,1@1)">)

// -----
// CHECK: :[[#@LINE+1]]:45: error: invalid "S<3,4,3> o 0 o (8,8):(1@0,1@1)": column 1: composed layout: S<3,4,3> takes one integer: offset 0 and the strides of (8,8):(1@0,1@1) must be integers
func.func private @f(!cute.composed_layout<"S<3,4,3> o 0 o (8,8):(1@0,1@1)">)

// -----
// CHECK: :[[#@LINE+1]]:45: error: invalid "(4,5):(1,4) o (2,1,3) o (2,3):(1@1,2@0)": column 1: composed layout: (2,1,3), of offset (2,1,3) and the values of (2,3):(1@1,2@0), is not a coordinate of (4,5):(1,4): the coordinate: rank 3, expected exactly 2
func.func private @f(!cute.composed_layout<"(4,5):(1,4) o (2,1,3) o (2,3):(1@1,2@0)">)

// The offset and the values of the outer layout have a sum.
// -----
// CHECK: :[[#@LINE+1]]:45: error: invalid "(6,2):(1,3) o 2 o (2,3):(1@1,2@0)": column 1: 2 and (0,0) cannot be added: a nonzero integer and a tuple have no sum
func.func private @f(!cute.composed_layout<"(6,2):(1,3) o 2 o (2,3):(1@1,2@0)">)
