// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Errors point at the column inside the string.

// CHECK: :[[#@LINE+1]]:38: error: invalid "(_,x)": column 3: expected an integer, `?` or `(`, found `x`
func.func private @f(!cute.coord<"(_,x)">)

// -----
// CHECK: :[[#@LINE+1]]:36: error: invalid "_1": column 1: expected the end, found `1`
func.func private @f(!cute.coord<"_1">)

// -----
// CHECK: :[[#@LINE+1]]:36: error: invalid "1@0": column 1: expected the end, found `@0`
func.func private @f(!cute.coord<"1@0">)
