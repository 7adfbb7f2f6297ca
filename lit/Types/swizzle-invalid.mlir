// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Errors point at the column inside the string.

// CHECK: :[[#@LINE+1]]:42: error: invalid "S<3,4>": column 6: expected `,`, found `>`
func.func private @f(!cute.swizzle<"S<3,4>">)

// -----
// CHECK: :[[#@LINE+1]]:37: error: invalid "S<3,4,2>": column 1: S<3,4,2> is not a valid swizzle: bits >= 0, base >= 0, |shift| >= bits and base + |shift| + bits <= 32 are required
func.func private @f(!cute.swizzle<"S<3,4,2>">)

// -----
// CHECK: :[[#@LINE+1]]:37: error: invalid "S<-1,4,3>": column 1: S<-1,4,3> is not a valid swizzle: bits >= 0, base >= 0, |shift| >= bits and base + |shift| + bits <= 32 are required
func.func private @f(!cute.swizzle<"S<-1,4,3>">)

// -----
// CHECK: :[[#@LINE+1]]:37: error: invalid "S<3,60,3>": column 1: S<3,60,3> is not a valid swizzle: bits >= 0, base >= 0, |shift| >= bits and base + |shift| + bits <= 32 are required
func.func private @f(!cute.swizzle<"S<3,60,3>">)

// Fields lie within 32 bits.
// -----
// CHECK: :[[#@LINE+1]]:37: error: invalid "S<5,29,5>": column 1: S<5,29,5> is not a valid swizzle: bits >= 0, base >= 0, |shift| >= bits and base + |shift| + bits <= 32 are required
func.func private @f(!cute.swizzle<"S<5,29,5>">)

// -----
// CHECK: :[[#@LINE+1]]:37: error: invalid "3,4,3": column 1: expected `S<`, found `3`
func.func private @f(!cute.swizzle<"3,4,3">)

// -----
// CHECK: :[[#@LINE+1]]:46: error: invalid "S<3,4,3> o 0 o 8:1": column 10: expected the end, found `o`
func.func private @f(!cute.swizzle<"S<3,4,3> o 0 o 8:1">)
