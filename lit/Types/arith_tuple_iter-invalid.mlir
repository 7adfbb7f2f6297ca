// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Errors point at the column inside the string.

// CHECK: :[[#@LINE+1]]:49: error: invalid "(0,_)": column 4: expected an integer, `?` or `(`, found `_`
func.func private @f(!cute.arith_tuple_iter<"(0,_)">)
