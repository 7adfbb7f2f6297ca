// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Errors point at the column inside the string.

// CHECK: :[[#@LINE+1]]:38: error: invalid "(4,-8)": column 4: expected a non-negative extent, found `-8`
func.func private @f(!cute.shape<"(4,-8)">)

// -----
// CHECK: :[[#@LINE+1]]:38: error: invalid "(4,_)": column 4: expected an integer, `?` or `(`, found `_`
func.func private @f(!cute.shape<"(4,_)">)

// -----
// CHECK: :[[#@LINE+1]]:40: error: invalid "(4,8):(1,4)": column 6: expected the end, found `:`
func.func private @f(!cute.shape<"(4,8):(1,4)">)
